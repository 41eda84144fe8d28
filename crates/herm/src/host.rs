//! Where a connection goes: a name or an address, read so that every program would read it alike.

use std::fmt;
use std::net::{IpAddr, Ipv6Addr};

use herm_scan::{Network, Reach, address, encoded, network, reach};

/// A host: a name as the domain name system knows it, or an address.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Host {
    /// An address, in whatever spelling it came.
    Address(IpAddr),
    /// A name: lower case, ASCII, without a dot at its end.
    Name(String),
}

/// A host and a port.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Endpoint {
    /// The host.
    pub host: Host,
    /// The port.
    pub port: u16,
}

impl fmt::Display for Endpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.host, self.port)
    }
}

/// Why a text is no host that every program reads alike.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Flaw {
    /// There is nothing.
    Empty,
    /// A part of the name is empty, or it is too long.
    Labels,
    /// It holds a character that some programs take for another one.
    Letter(char),
    /// It ends like an address, but is none.
    NotAnAddress,
    /// An address with brackets that is none.
    NotBracketed,
    /// It names a network interface where none can be meant.
    Zone,
}

impl Host {
    /// Reads a host: a name, an address in any spelling, or an address in brackets.
    ///
    /// # Errors
    /// When programs would disagree on what it is.
    pub fn read(text: &str) -> Result<Self, Flaw> {
        if text.is_empty() {
            return Err(Flaw::Empty);
        }
        if let Some(inner) = text.strip_prefix('[') {
            return bracketed(inner).map(Self::Address);
        }
        if let Some(letter) = text.chars().find(|letter| !is_plain(*letter)) {
            return Err(Flaw::Letter(letter));
        }
        if let Some(address) = address(text) {
            return Ok(Self::Address(address));
        }
        let bare = text.strip_suffix('.').unwrap_or(text);
        if ends_in_number(bare) {
            return Err(Flaw::NotAnAddress);
        }
        let name = encoded(bare).filter(|name| is_well_formed(name)).ok_or(Flaw::Labels)?;
        Ok(Self::Name(name))
    }

    /// What its name alone says about where it is; an address says it all.
    #[must_use]
    pub fn network(&self) -> Option<Network> {
        match self {
            Self::Address(address) => Some(network(*address)),
            Self::Name(name) => match reach(name) {
                Reach::Loopback => Some(Network::Loopback),
                Reach::Metadata => Some(Network::Metadata),
                Reach::Private => Some(Network::Private),
                Reach::Public => None,
            },
        }
    }
}

impl fmt::Display for Host {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Address(IpAddr::V4(address)) => address.fmt(f),
            Self::Address(IpAddr::V6(address)) => write!(f, "[{address}]"),
            Self::Name(name) => name.fmt(f),
        }
    }
}

/// `::1]`, `fe80::1%25eth0]`
fn bracketed(inner: &str) -> Result<IpAddr, Flaw> {
    let inner = inner.strip_suffix(']').ok_or(Flaw::NotBracketed)?;
    let (number, zone) = inner.split_once('%').map_or((inner, None), |(number, zone)| (number, Some(zone)));
    let address: Ipv6Addr = number.parse().map_err(|_| Flaw::NotBracketed)?;
    if zone.is_some() && network(IpAddr::V6(address)) != Network::LinkLocal {
        return Err(Flaw::Zone);
    }
    Ok(IpAddr::V6(address).to_canonical())
}

/// What ends in a number is an address to some programs, and a name to others.
fn ends_in_number(text: &str) -> bool {
    let last = text.rsplit('.').next().unwrap_or(text);
    let hexadecimal = last.strip_prefix("0x").or_else(|| last.strip_prefix("0X"));
    !last.is_empty() && last.bytes().all(|byte| byte.is_ascii_digit())
        || hexadecimal.is_some_and(|digits| digits.bytes().all(|byte| byte.is_ascii_hexdigit()))
}

fn is_well_formed(name: &str) -> bool {
    name.len() <= 253 && name.split('.').all(|label| !label.is_empty())
}

/// Whether a character stands for itself in every program. Letters that only look different from others, such as those in
/// circles or of double width, are turned into those by some programs, and marks are joined with the letter before them.
fn is_plain(letter: char) -> bool {
    if letter.is_ascii() {
        return letter.is_ascii_alphanumeric() || matches!(letter, '-' | '_' | '.');
    }
    letter.is_alphanumeric() && !COMPATIBLE.iter().any(|(first, last)| (*first..=*last).contains(&letter))
}

/// Ranges that hold letters which are written differently once they are normalised (Unicode's form KC).
static COMPATIBLE: &[(char, char)] = &[
    ('\u{00A0}', '\u{00BF}'),
    ('\u{0130}', '\u{0133}'),
    ('\u{013F}', '\u{0140}'),
    ('\u{0149}', '\u{0149}'),
    ('\u{017F}', '\u{017F}'),
    ('\u{01C4}', '\u{01CC}'),
    ('\u{01F1}', '\u{01F3}'),
    ('\u{02B0}', '\u{036F}'),
    ('\u{037A}', '\u{037A}'),
    ('\u{03D0}', '\u{03D6}'),
    ('\u{03F0}', '\u{03F9}'),
    ('\u{0587}', '\u{0587}'),
    ('\u{0675}', '\u{0678}'),
    ('\u{0E33}', '\u{0E33}'),
    ('\u{0EB3}', '\u{0EB3}'),
    ('\u{0EDC}', '\u{0EDD}'),
    ('\u{10FC}', '\u{10FC}'),
    ('\u{1100}', '\u{11FF}'),
    ('\u{1D2C}', '\u{1DBF}'),
    ('\u{1E9A}', '\u{1E9B}'),
    ('\u{2000}', '\u{2FFF}'),
    ('\u{3000}', '\u{3004}'),
    ('\u{3007}', '\u{3040}'),
    ('\u{3099}', '\u{309C}'),
    ('\u{309F}', '\u{30A0}'),
    ('\u{30FF}', '\u{3104}'),
    ('\u{3130}', '\u{33FF}'),
    ('\u{A69C}', '\u{A69D}'),
    ('\u{A770}', '\u{A770}'),
    ('\u{A7F1}', '\u{A7F9}'),
    ('\u{AB5B}', '\u{AB6F}'),
    ('\u{F900}', '\u{FFFF}'),
    ('\u{10780}', '\u{107BF}'),
    ('\u{1D400}', '\u{1D7FF}'),
    ('\u{1E030}', '\u{1E08F}'),
    ('\u{1EE00}', '\u{1FBFF}'),
    ('\u{2F800}', '\u{2FA1F}'),
    ('\u{E0000}', '\u{10FFFF}'),
];

impl fmt::Display for Flaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => write!(f, "it names no host"),
            Self::Labels => write!(f, "a part of its host is empty or too long"),
            Self::Letter('%') => write!(f, "its host is percent-encoded, which some programs decode"),
            Self::Letter(letter) => {
                write!(f, "its host holds `{letter}`, which not every program takes for the same")
            }
            Self::NotAnAddress => write!(f, "its host ends like an address, but is none"),
            Self::NotBracketed => write!(f, "what stands in brackets is no address"),
            Self::Zone => write!(f, "its address names a network interface"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<String, Flaw> {
        Host::read(text).map(|host| host.to_string())
    }

    #[test]
    fn names_are_plain() {
        for (written, name) in [
            ("Example.COM", "example.com"),
            ("example.com.", "example.com"),
            ("例え.jp", "xn--r8jz45g.jp"),
            ("xn--r8jz45g.jp", "xn--r8jz45g.jp"),
            ("MÜNCHEN.de", "xn--mnchen-3ya.de"),
            ("0.pool.ntp.org", "0.pool.ntp.org"),
            ("10minutemail.com", "10minutemail.com"),
            ("_dmarc.example.com", "_dmarc.example.com"),
            ("db", "db"),
        ] {
            assert_eq!(read(written).as_deref(), Ok(name), "{written}");
        }
    }

    #[test]
    fn addresses_are_one_in_every_spelling() {
        for written in [
            "127.0.0.1",
            "127.0.0.1.",
            "127.1",
            "2130706433",
            "0x7f000001",
            "0177.0.0.1",
            "[::ffff:127.0.0.1]",
        ] {
            assert_eq!(read(written).as_deref(), Ok("127.0.0.1"), "{written}");
        }
        assert_eq!(read("[::1]").as_deref(), Ok("[::1]"));
        assert_eq!(read("[fe80::1%25eth0]").as_deref(), Ok("[fe80::1]"));
    }

    #[test]
    fn what_programs_disagree_on_is_a_flaw() {
        for (written, flaw) in [
            ("", Flaw::Empty),
            (".", Flaw::Labels),
            ("a..b", Flaw::Labels),
            ("example.com..", Flaw::Labels),
            ("a b", Flaw::Letter(' ')),
            ("a\tb", Flaw::Letter('\t')),
            ("%31%32%37.0.0.1", Flaw::Letter('%')),
            ("１２７。０。０。１", Flaw::Letter('１')),
            ("example。com", Flaw::Letter('。')),
            ("①⓪.⓪.⓪.①", Flaw::Letter('①')),
            ("ⓛⓞⓒⓐⓛⓗⓞⓢⓣ", Flaw::Letter('ⓛ')),
            ("𝟏𝟐𝟕.0.0.1", Flaw::Letter('𝟏')),
            ("lo\u{ad}calhost", Flaw::Letter('\u{ad}')),
            ("u\u{308}ber.de", Flaw::Letter('\u{308}')),
            ("127.0.0.1:80", Flaw::Letter(':')),
            ("a@b", Flaw::Letter('@')),
            ("425.510.425.510", Flaw::NotAnAddress),
            ("7147006462", Flaw::NotAnAddress),
            ("0x41414141A9FEA9FE", Flaw::NotAnAddress),
            ("o177.0.0.1", Flaw::NotAnAddress),
            ("1.2.3.4.5", Flaw::NotAnAddress),
            ("[::1", Flaw::NotBracketed),
            ("[127.0.0.1]", Flaw::NotBracketed),
            ("[2606:4700::1111%25eth0]", Flaw::Zone),
        ] {
            assert_eq!(Host::read(written), Err(flaw), "{written}");
        }
        assert_eq!(Host::read(&"a".repeat(64)), Err(Flaw::Labels));
        assert_eq!(Host::read(&"abc.".repeat(64)), Err(Flaw::Labels));
    }
}
