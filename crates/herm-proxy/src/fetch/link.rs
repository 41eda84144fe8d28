//! A link, taken apart for a request.

use herm::host::Endpoint;
use herm::url::{Scheme, Url};

use super::place;

/// A link, taken apart for a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Link {
    pub(super) scheme: Scheme,
    pub(super) to: Endpoint,
    /// With what follows a question mark, and without a fragment.
    path: String,
}

impl Link {
    /// Reads a link; or says why nobody can be asked for it.
    pub(super) fn read(text: &str) -> Result<Self, &'static str> {
        let url = Url::read(text).map_err(|_| "it is no link that every program reads alike")?;
        let rest = text.trim_ascii().split_once("://").map_or("", |(_, rest)| rest);
        let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
        if authority.contains('@') {
            return Err("it holds a user or a password, which are for nobody to be sent by a link");
        }
        let path = rest.get(authority.len()..).unwrap_or_default();
        let path = path.split('#').next().unwrap_or_default();
        let path = if path.starts_with('/') { path.to_owned() } else { format!("/{path}") };
        if !path.bytes().all(|byte| (b'!'..=b'~').contains(&byte)) {
            return Err("its path holds a character that must be percent-encoded");
        }
        Ok(Self { scheme: url.scheme, to: Endpoint { host: url.host, port: url.port }, path })
    }

    /// The head of a request for it. Nothing is packed: what comes is what is kept and looked at.
    pub(super) fn request(&self) -> String {
        format!("{}Accept: */*\r\n\r\n", self.head("GET"))
    }

    /// How a request begins.
    pub(super) fn head(&self, method: &str) -> String {
        let host = place(&self.to, self.scheme);
        format!(
            "{method} {} HTTP/1.1\r\nHost: {host}\r\nUser-Agent: herm\r\nAccept-Encoding: identity\r\nConnection: close\r\n",
            self.path
        )
    }

    /// What a link on its page means.
    pub(super) fn join(&self, other: &str) -> String {
        let other = other.trim_ascii();
        let here = format!("{}://{}", self.scheme.word(), place(&self.to, self.scheme));
        if has_scheme(other) {
            return other.to_owned();
        }
        if let Some(rest) = other.strip_prefix("//") {
            return format!("{}://{rest}", self.scheme.word());
        }
        let path = self.path.split('?').next().unwrap_or("/");
        match other.chars().next() {
            None | Some('#') => format!("{here}{}", self.path),
            Some('?') => format!("{here}{path}{other}"),
            Some('/') => format!("{here}{}", plain(other)),
            Some(_) => {
                let directory = path.rsplit_once('/').map_or("", |(directory, _)| directory);
                format!("{here}{}", plain(&format!("{directory}/{other}")))
            }
        }
    }
}

/// Anything before a colon that comes first is a scheme, known or not: whether it is one of the web is for others to say.
fn has_scheme(text: &str) -> bool {
    text.find([':', '/', '?', '#'])
        .is_some_and(|at| at > 0 && text.get(at..).is_some_and(|rest| rest.starts_with(':')))
}

/// A path without `.` and `..` (RFC 3986, 5.2.4).
fn plain(path: &str) -> String {
    let end = path.find(['?', '#']).unwrap_or(path.len());
    let (path, rest) = path.split_at_checked(end).unwrap_or((path, ""));
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/').skip(1) {
        match part {
            "." => {}
            ".." => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    let is_directory = path.ends_with("/.") || path.ends_with("/..");
    let end = if is_directory && !parts.is_empty() { "/" } else { "" };
    format!("/{}{end}{rest}", parts.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_is_taken_apart() {
        for (text, host, path) in [
            ("https://a.example", "a.example", "/"),
            ("http://a.example:8080/b?c=d#e", "a.example:8080", "/b?c=d"),
            ("https://a.example:443?x", "a.example", "/?x"),
            ("http://[2606:4700::1]/", "[2606:4700::1]", "/"),
            ("HTTP://A.Example./", "a.example", "/"),
        ] {
            let request = Link::read(text).unwrap().request();
            assert!(
                request.starts_with(&format!("GET {path} HTTP/1.1\r\nHost: {host}\r\n")),
                "{text}: {request}"
            );
        }
    }

    #[test]
    fn what_would_be_another_request_is_no_link() {
        for text in [
            "https://a.example/b c",
            "https://a.example/\r\nHost: b",
            "https://a.example/ü",
            "https://u:p@a.example/",
            "https://u@a.example/",
            "file:///etc/passwd",
            "data:text/plain,x",
            "ftp://a.example/",
            "//a.example/",
            "javascript:x",
            "",
        ] {
            assert!(Link::read(text).is_err(), "{text}");
        }
    }

    #[test]
    fn links_on_a_page_mean_what_they_do_for_everybody() {
        let page = Link::read("https://a.example/b/c?d").unwrap();
        for (other, meant) in [
            ("http://e.example/f", "http://e.example/f"),
            ("//e.example/f", "https://e.example/f"),
            ("/f", "https://a.example/f"),
            ("f", "https://a.example/b/f"),
            ("./f", "https://a.example/b/f"),
            ("../f", "https://a.example/f"),
            ("../../../f", "https://a.example/f"),
            ("?x", "https://a.example/b/c?x"),
            ("#x", "https://a.example/b/c?d"),
            ("", "https://a.example/b/c?d"),
            ("f?g=../h", "https://a.example/b/f?g=../h"),
            (".", "https://a.example/b/"),
            ("file:///etc/passwd", "file:///etc/passwd"),
            ("data:,x", "data:,x"),
            ("f:8", "f:8"),
        ] {
            assert_eq!(page.join(other), meant, "{other}");
        }
    }
}
