//! Requests in HTTP to a server of MCP on this machine: which are let in.
//!
//! A page in a browser can send requests to this machine, too, and can give it a name of its own. So whom a request is meant for, where it
//! comes from and what it knows are all looked at.

/// The head of a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Head {
    /// What is wanted.
    pub method: String,
    /// Of what.
    pub path: String,
    fields: Vec<(String, String)>,
    /// How long its body is.
    pub length: usize,
}

/// Why a request is not let in: the status of the answer, and in words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Closed(pub u16, pub &'static str);

impl Head {
    /// Reads a head, up to its empty line.
    ///
    /// # Errors
    /// When it can be read in two ways, or not at all.
    pub fn read(bytes: &[u8]) -> Result<Self, Closed> {
        let bad = Closed(400, "this is no request");
        let text = std::str::from_utf8(bytes).map_err(|_| bad)?;
        let mut lines = text.split("\r\n");
        let mut words = lines.next().unwrap_or_default().split(' ');
        let (Some(method), Some(path), Some("HTTP/1.1"), None) =
            (words.next(), words.next(), words.next(), words.next())
        else {
            return Err(bad);
        };
        let mut fields = Vec::new();
        for line in lines.take_while(|line| !line.is_empty()) {
            let (name, value) = line.split_once(':').ok_or(bad)?;
            let is_name =
                !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphanumeric() || b"-_".contains(&b));
            if !is_name || value.contains(['\r', '\n', '\0']) {
                return Err(bad);
            }
            fields.push((name.to_ascii_lowercase(), value.trim().to_owned()));
        }
        let mut head = Self { method: method.to_owned(), path: path.to_owned(), fields, length: 0 };
        if head.field("transfer-encoding")?.is_some() {
            return Err(Closed(411, "say how long it is"));
        }
        head.length = match head.field("content-length")? {
            Some(digits) if digits.bytes().all(|byte| byte.is_ascii_digit()) => {
                digits.parse().map_err(|_| Closed(413, "it is too long"))?
            }
            Some(_) => return Err(bad),
            None => 0,
        };
        Ok(head)
    }

    /// The value of a field.
    ///
    /// # Errors
    /// When it has two.
    pub fn field(&self, name: &str) -> Result<Option<&str>, Closed> {
        let mut values =
            self.fields.iter().filter(|(known, _)| known == name).map(|(_, value)| value.as_str());
        match (values.next(), values.next()) {
            (value, None) => Ok(value),
            (_, Some(_)) => Err(Closed(400, "a field stands there twice")),
        }
    }

    /// Lets a request in that is meant for this port, comes from this machine, and knows the token.
    ///
    /// # Errors
    /// When it is not let in.
    pub fn admit(&self, port: u16, token: &str) -> Result<(), Closed> {
        let host = self.field("host")?.unwrap_or_default();
        if !OWN.iter().any(|own| host == format!("{own}:{port}")) {
            return Err(Closed(403, "it is meant for somebody else"));
        }
        if self.field("origin")?.is_some_and(|origin| !is_own(origin)) {
            return Err(Closed(403, "it comes from a page that is not of this machine"));
        }
        let known = self.field("authorization")?.and_then(|value| value.strip_prefix("Bearer "));
        if !known.is_some_and(|known| is_same(known.as_bytes(), token.as_bytes())) {
            return Err(Closed(401, "it does not know the token"));
        }
        if self.path != "/mcp" {
            return Err(Closed(404, "there is nothing here"));
        }
        Ok(())
    }
}

/// The names of this machine for itself.
const OWN: [&str; 3] = ["127.0.0.1", "localhost", "[::1]"];

fn is_own(origin: &str) -> bool {
    let rest = origin.strip_prefix("http://").or_else(|| origin.strip_prefix("https://")).unwrap_or_default();
    let is_port = |rest: &str| {
        rest.is_empty() || rest.strip_prefix(':').is_some_and(|port| port.bytes().all(|b| b.is_ascii_digit()))
    };
    OWN.iter().any(|own| rest.strip_prefix(own).is_some_and(is_port))
}

/// Takes as long for a token that is nearly right as for one that is not.
fn is_same(one: &[u8], other: &[u8]) -> bool {
    one.len() == other.len() && one.iter().zip(other).fold(0, |seen, (a, b)| seen | (a ^ b)) == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn admitted(more: &str) -> Result<(), Closed> {
        let text = format!("POST /mcp HTTP/1.1\r\n{more}\r\n");
        Head::read(text.as_bytes())?.admit(8080, "secret")
    }

    #[test]
    fn only_what_is_meant_for_us_and_knows_the_token_is_let_in() {
        let token = "Authorization: Bearer secret\r\n";
        for head in [
            "Host: localhost:8080\r\n",
            "host: 127.0.0.1:8080\r\nOrigin: http://localhost:3000\r\n",
            "Host: [::1]:8080\r\n",
        ] {
            assert_eq!(admitted(&format!("{head}{token}")), Ok(()), "{head}");
        }
        for (head, status) in [
            ("Host: evil.example:8080\r\nAuthorization: Bearer secret\r\n", 403),
            ("Host: localhost:80\r\nAuthorization: Bearer secret\r\n", 403),
            ("Authorization: Bearer secret\r\n", 403),
            ("Host: localhost:8080\r\nOrigin: https://evil.example\r\nAuthorization: Bearer secret\r\n", 403),
            (
                "Host: localhost:8080\r\nOrigin: http://localhost.evil.example\r\nAuthorization: Bearer secret\r\n",
                403,
            ),
            ("Host: localhost:8080\r\nOrigin: null\r\nAuthorization: Bearer secret\r\n", 403),
            ("Host: localhost:8080\r\n", 401),
            ("Host: localhost:8080\r\nAuthorization: Bearer secres\r\n", 401),
            ("Host: localhost:8080\r\nAuthorization: Basic secret\r\n", 401),
            ("Host: localhost:8080\r\nHost: evil.example\r\nAuthorization: Bearer secret\r\n", 400),
        ] {
            assert_eq!(admitted(head).map_err(|closed| closed.0), Err(status), "{head}");
        }
    }

    #[test]
    fn what_can_be_read_in_two_ways_is_no_request() {
        for text in [
            "",
            "POST /mcp\r\n\r\n",
            "POST /mcp HTTP/1.0\r\n\r\n",
            "POST  /mcp HTTP/1.1\r\n\r\n",
            "POST /mcp HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
            "POST /mcp HTTP/1.1\r\nContent-Length: +1\r\n\r\n",
            "POST /mcp HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n",
            "POST /mcp HTTP/1.1\r\n a: b\r\n\r\n",
            "POST /mcp HTTP/1.1\r\na : b\r\n\r\n",
            "POST /mcp HTTP/1.1\r\na: b\nc: d\r\n\r\n",
        ] {
            assert!(Head::read(text.as_bytes()).is_err(), "{text}");
        }
        assert_eq!(Head::read(b"POST /mcp HTTP/1.1\r\nContent-Length: 12\r\n\r\n").unwrap().length, 12);
    }
}
