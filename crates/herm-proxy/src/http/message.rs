//! Requests and responses, as far as somebody in between needs to understand them.

use herm::host::{Endpoint, Host};
use herm::url::{Scheme, Url, endpoint};

use super::head::{Bad, Framing, Head, is_token};

/// A request.
#[derive(Debug)]
pub(crate) struct Request<'a> {
    pub(crate) head: Head<'a>,
    pub(crate) method: &'a str,
    pub(crate) target: &'a str,
    pub(crate) minor: u8,
    pub(crate) framing: Framing,
}

impl<'a> Request<'a> {
    pub(crate) fn read(bytes: &'a [u8]) -> Result<Self, Bad> {
        let head = Head::read(bytes)?;
        let mut parts = head.line.split(' ');
        let (Some(method), Some(target), Some(version), None) =
            (parts.next(), parts.next(), parts.next(), parts.next())
        else {
            return Err(Bad::Line);
        };
        let plain = !method.is_empty() && method.bytes().all(is_token) && !target.is_empty();
        let minor = minor(version).filter(|_| plain).ok_or(Bad::Line)?;
        let framing = head.framing(minor)?.unwrap_or(Framing::Empty);
        Ok(Self { head, method, target, minor, framing })
    }

    /// The host that the request says it is for; there must be one, and only one.
    pub(crate) fn host(&self) -> Result<(Host, Option<u16>), Bad> {
        let mut hosts = self.head.values("host");
        let (Some(host), None) = (hosts.next(), hosts.next()) else { return Err(Bad::Host) };
        std::str::from_utf8(host).ok().and_then(|text| endpoint(text).ok()).ok_or(Bad::Host)
    }

    /// Where a request through a proxy goes, and what it asks for there.
    pub(crate) fn absolute(&self) -> Result<(Endpoint, &'a str), Bad> {
        let url = Url::read(self.target).map_err(|_| Bad::Host)?;
        if url.scheme != Scheme::Http || self.head.values("host").count() > 1 {
            return Err(Bad::Host);
        }
        let place = self.target.split_once("://").map(|(_, place)| place).ok_or(Bad::Host)?;
        if place.split(['/', '?', '#']).next().is_some_and(|authority| authority.contains('@'))
            || place.contains('#')
        {
            return Err(Bad::Host);
        }
        let path = place.find(['/', '?']).and_then(|at| place.get(at..)).unwrap_or("/");
        Ok((Endpoint { host: url.host, port: url.port }, path))
    }

    /// Where a tunnel goes: a host and its port.
    pub(crate) fn authority(&self) -> Result<Endpoint, Bad> {
        match endpoint(self.target) {
            Ok((host, Some(port))) if self.framing == Framing::Empty => Ok(Endpoint { host, port }),
            Ok(_) | Err(_) => Err(Bad::Host),
        }
    }

    /// Whether it asks to speak `WebSocket` from here on.
    pub(crate) fn upgrades(&self) -> bool {
        self.minor == 1
            && self.framing == Framing::Empty
            && self.head.says("connection", "upgrade")
            && self.head.says("upgrade", "websocket")
    }

    pub(crate) fn keeps_alive(&self) -> bool {
        self.head.keeps_alive(self.minor) && !self.head.says("proxy-connection", "close")
    }
}

/// A response.
#[derive(Debug)]
pub(crate) struct Response<'a> {
    pub(crate) head: Head<'a>,
    pub(crate) status: u16,
    pub(crate) minor: u8,
    pub(crate) framing: Framing,
}

impl<'a> Response<'a> {
    /// Reads the response to a request.
    pub(crate) fn read(bytes: &'a [u8], method: &str) -> Result<Self, Bad> {
        let head = Head::read(bytes)?;
        let (version, rest) = head.line.split_once(' ').ok_or(Bad::Line)?;
        let minor = minor(version).ok_or(Bad::Line)?;
        let digits = rest.split(' ').next().unwrap_or(rest);
        let plain = digits.len() == 3 && digits.bytes().all(|byte| byte.is_ascii_digit());
        let status = digits.parse().ok().filter(|status| plain && *status >= 100).ok_or(Bad::Line)?;
        let said = head.framing(minor)?;
        let empty = method == "HEAD" || matches!(status, 100..=199 | 204 | 304);
        let framing = if empty { Framing::Empty } else { said.unwrap_or(Framing::UntilClose) };
        Ok(Self { head, status, minor, framing })
    }

    /// Whether something else follows it, which is the response proper.
    pub(crate) fn is_interim(&self) -> bool {
        (100..200).contains(&self.status) && self.status != 101
    }
}

fn minor(version: &str) -> Option<u8> {
    match version {
        "HTTP/1.0" => Some(0),
        "HTTP/1.1" => Some(1),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(line: &str) -> Vec<u8> {
        format!("{line}\r\nHost: ignored.example\r\n\r\n").into_bytes()
    }

    fn goes(line: &str) -> Result<(String, String), Bad> {
        let bytes = request(line);
        let request = Request::read(&bytes)?;
        let (to, path) = request.absolute()?;
        Ok((to.to_string(), path.to_owned()))
    }

    #[test]
    fn requests_go_where_their_line_says() {
        for (target, to, path) in [
            ("http://example.com/a?b", "example.com:80", "/a?b"),
            ("http://example.com", "example.com:80", "/"),
            ("http://example.com:8080?x", "example.com:8080", "?x"),
            ("http://[::1]:80/", "[::1]:80", "/"),
            ("http://2130706433/", "127.0.0.1:80", "/"),
        ] {
            let line = format!("GET {target} HTTP/1.1");
            assert_eq!(goes(&line), Ok((to.to_owned(), path.to_owned())), "{line}");
        }
    }

    #[test]
    fn lines_that_could_mean_something_else_are_refused() {
        for line in [
            "GET  http://a.example/ HTTP/1.1",
            "GET http://a.example/ HTTP/2.0",
            "GET http://a.example/",
            "G@T / HTTP/1.1",
            "GET http://a.example/ HTTP/1.1 x",
        ] {
            assert_eq!(goes(line).unwrap_err(), Bad::Line, "{line}");
        }
        for line in [
            "GET / HTTP/1.1",
            "GET https://a.example/ HTTP/1.1",
            "GET http://u@a.example/ HTTP/1.1",
            "GET http://a.example\\@b.example/ HTTP/1.1",
            "GET http://a.example/#x HTTP/1.1",
            "GET ftp://a.example/ HTTP/1.1",
        ] {
            assert_eq!(goes(line).unwrap_err(), Bad::Host, "{line}");
        }
    }

    #[test]
    fn a_tunnel_needs_a_port() {
        let to = |target: &str| {
            let bytes = request(&format!("CONNECT {target} HTTP/1.1"));
            Request::read(&bytes).unwrap().authority().map(|to| to.to_string())
        };
        assert_eq!(to("example.com:443"), Ok("example.com:443".to_owned()));
        assert_eq!(to("[2606:4700::1]:443"), Ok("[2606:4700::1]:443".to_owned()));
        for target in [
            "example.com",
            "example.com:0",
            "u@example.com:443",
            "http://example.com:443",
            "%65xample.com:443",
        ] {
            assert_eq!(to(target), Err(Bad::Host), "{target}");
        }
    }

    #[test]
    fn a_response_says_where_its_body_ends() {
        let framing =
            |text: &str, method| Response::read(text.as_bytes(), method).map(|response| response.framing);
        assert_eq!(framing("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\n", "GET"), Ok(Framing::Length(3)));
        assert_eq!(framing("HTTP/1.1 200\r\nContent-Length: 3\r\n\r\n", "HEAD"), Ok(Framing::Empty));
        assert_eq!(framing("HTTP/1.1 304 x\r\nContent-Length: 3\r\n\r\n", "GET"), Ok(Framing::Empty));
        assert_eq!(framing("HTTP/1.0 200 OK\r\n\r\n", "GET"), Ok(Framing::UntilClose));
        assert_eq!(
            framing("HTTP/1.1 200 OK\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\n", "GET"),
            Err(Bad::Ending)
        );
        assert_eq!(framing("HTTP/1.1 20 OK\r\n\r\n", "GET"), Err(Bad::Line));
        assert_eq!(framing("ICY 200 OK\r\n\r\n", "GET"), Err(Bad::Line));
    }
}
