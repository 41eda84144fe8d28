//! Links, read so strictly that no program reads them otherwise.

use std::fmt;

use crate::host::{self, Host};

/// A link of the web.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Url {
    /// `http` or `https`.
    pub scheme: Scheme,
    /// Where it leads.
    pub host: Host,
    /// The port, written or usual.
    pub port: u16,
}

/// How the web is spoken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Scheme {
    /// In the open.
    Http,
    /// Encrypted.
    Https,
}

/// Why a text is no link that every program reads alike.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Flaw {
    /// It has more than one `@` before its path.
    Ats,
    /// It has a backslash before its path, which some programs take for a slash.
    Backslash,
    /// It holds a blank or a control character.
    Blank,
    /// Its host is none.
    Host(host::Flaw),
    /// Its port is none.
    Port,
    /// It does not begin with a scheme and `://`.
    NoScheme,
    /// It is not of the web.
    Scheme(String),
    /// What stands before the `@` holds characters that do not belong there.
    Userinfo,
}

impl Scheme {
    /// As links are written.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Http => "http",
            Self::Https => "https",
        }
    }

    const fn port(self) -> u16 {
        match self {
            Self::Http => 80,
            Self::Https => 443,
        }
    }
}

impl Url {
    /// Reads a link. Blanks around it are not part of it.
    ///
    /// # Errors
    /// When it is not of the web, or programs would disagree on where it leads.
    pub fn read(text: &str) -> Result<Self, Flaw> {
        let text = text.trim_matches(|c: char| c.is_ascii_whitespace());
        let (word, after) = scheme(text)?;
        if text.chars().any(|c| c.is_whitespace() || c.is_control()) {
            return Err(Flaw::Blank);
        }
        let scheme = match word.as_str() {
            "http" => Scheme::Http,
            "https" => Scheme::Https,
            _ => return Err(Flaw::Scheme(word)),
        };
        let rest = after.strip_prefix("//").ok_or(Flaw::NoScheme)?;
        let authority = rest.split(['/', '?', '#']).next().unwrap_or(rest);
        if authority.contains('\\') {
            return Err(Flaw::Backslash);
        }
        let (host, port) = place(authority)?;
        Ok(Self { scheme, host, port: port.unwrap_or(scheme.port()) })
    }
}

/// The scheme in lower case, and what follows its colon.
fn scheme(text: &str) -> Result<(String, &str), Flaw> {
    let (word, after) = text.split_once(':').ok_or(Flaw::NoScheme)?;
    let follows = |c: char| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.');
    let plain = word.starts_with(|c: char| c.is_ascii_alphabetic()) && word.chars().all(follows);
    if plain { Ok((word.to_ascii_lowercase(), after)) } else { Err(Flaw::NoScheme) }
}

/// `user:password@host:port`
fn place(authority: &str) -> Result<(Host, Option<u16>), Flaw> {
    let place = match authority.split_once('@') {
        Some((_, place)) if place.contains('@') => return Err(Flaw::Ats),
        Some((user, place)) if user.chars().all(is_user_letter) => place,
        Some(_) => return Err(Flaw::Userinfo),
        None => authority,
    };
    endpoint(place)
}

/// `host:port`, `[::1]:port`, or a host alone.
///
/// # Errors
/// When one of them is none.
pub fn endpoint(place: &str) -> Result<(Host, Option<u16>), Flaw> {
    let end = if place.starts_with('[') { place.find(']').map_or(place.len(), |at| at + 1) } else { 0 };
    let (front, back) = place.split_at_checked(end).unwrap_or((place, ""));
    let (name, port) = match back.split_once(':') {
        Some((name, port)) => (name, Some(port)),
        None => (back, None),
    };
    let host = Host::read(&format!("{front}{name}")).map_err(Flaw::Host)?;
    Ok((host, port.filter(|port| !port.is_empty()).map(number).transpose()?))
}

fn number(text: &str) -> Result<u16, Flaw> {
    let digits = text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|port| digits && *port > 0).ok_or(Flaw::Port)
}

/// What may stand before an `@` (RFC 3986); anything else is a trap for some program.
fn is_user_letter(c: char) -> bool {
    c.is_ascii_alphanumeric() || "-._~%!$&'()*+,;=:".contains(c)
}

impl fmt::Display for Flaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Ats => write!(f, "it has more than one `@` before its path"),
            Self::Backslash => write!(f, "it has a backslash, which some programs take for a slash"),
            Self::Blank => write!(f, "it holds a blank or a control character"),
            Self::Host(flaw) => flaw.fmt(f),
            Self::Port => write!(f, "its port is no number from 1 to 65535"),
            Self::NoScheme => write!(f, "it does not begin with `https://` or `http://`"),
            Self::Scheme(word) => write!(f, "`{word}:` is not of the web"),
            Self::Userinfo => write!(f, "what stands before its `@` does not belong there"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<(String, u16), Flaw> {
        Url::read(text).map(|url| (url.host.to_string(), url.port))
    }

    #[test]
    fn links_lead_where_every_program_goes() {
        for (text, host, port) in [
            ("http://example.com/", "example.com", 80),
            ("https://example.com", "example.com", 443),
            ("HTTPS://Example.com:8443/a?b#c", "example.com", 8443),
            ("http://example.com:/x", "example.com", 80),
            ("http://user:pw@example.com/", "example.com", 80),
            ("http://example.com@10.0.0.1/", "10.0.0.1", 80),
            ("http://10.0.0.1#@example.com/", "10.0.0.1", 80),
            ("http://10.0.0.1?@example.com/", "10.0.0.1", 80),
            ("http://google.com:80+&@127.88.23.245:22/#+@google.com:80/", "127.88.23.245", 22),
            ("https://[2606:4700::1111]:444/", "[2606:4700::1111]", 444),
            ("https://example.com/a\\b?c=\\d", "example.com", 443),
            (" https://example.com/\n", "example.com", 443),
        ] {
            assert_eq!(read(text), Ok((host.to_owned(), port)), "{text}");
        }
    }

    #[test]
    fn what_programs_disagree_on_is_a_flaw() {
        for (text, flaw) in [
            ("", Flaw::NoScheme),
            ("example.com", Flaw::NoScheme),
            ("//127.0.0.1/", Flaw::NoScheme),
            ("http:/127.0.0.1/", Flaw::NoScheme),
            ("http:127.0.0.1", Flaw::NoScheme),
            ("\\\\10.0.0.1\\share", Flaw::NoScheme),
            ("http://", Flaw::Host(host::Flaw::Empty)),
            ("http:///x", Flaw::Host(host::Flaw::Empty)),
            ("http://a@b@c/", Flaw::Ats),
            ("http://127.0.0.1\\@example.com/", Flaw::Backslash),
            ("http://example.com\\@127.0.0.1/", Flaw::Backslash),
            ("http://[::1]:80%23@example.com/", Flaw::Userinfo),
            ("http://\t127.0.0.1/", Flaw::Blank),
            ("http://a.example/\nhttp://b.example/", Flaw::Blank),
            ("http://127.0.0.1%0d%0aHost:x/", Flaw::Host(host::Flaw::Letter('%'))),
            ("http://a:0/", Flaw::Port),
            ("http://a:65536/", Flaw::Port),
            ("http://a:+80/", Flaw::Port),
            ("http://a:80:90/", Flaw::Port),
            ("http://[::1]x/", Flaw::Host(host::Flaw::NotBracketed)),
        ] {
            assert_eq!(read(text), Err(flaw), "{text}");
        }
    }

    #[test]
    fn other_schemes_are_not_of_the_web() {
        for (text, word) in [
            ("file:///etc/passwd", "file"),
            ("FILE:///etc/passwd", "file"),
            ("gopher://127.0.0.1:6379/_x", "gopher"),
            ("jar:http://127.0.0.1!/", "jar"),
            ("javascript:alert(1)", "javascript"),
            ("http+unix://%2Fvar%2Frun%2Fdocker.sock/containers/json", "http+unix"),
        ] {
            assert_eq!(read(text), Err(Flaw::Scheme(word.to_owned())), "{text}");
        }
    }
}
