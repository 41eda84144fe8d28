//! Hosts that are numbers.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// How far away an address is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    /// This machine.
    Loopback,
    /// A cloud's metadata service, which gives out credentials.
    Metadata,
    /// A private or otherwise local network.
    Private,
    /// Anywhere else.
    Public,
}

/// The address that a host is, in any spelling that resolvers accept: dotted, decimal, octal, hexadecimal, IPv6 with
/// or without brackets.
#[must_use]
pub fn address(host: &str) -> Option<IpAddr> {
    let bare = host.strip_prefix('[').and_then(|host| host.strip_suffix(']')).unwrap_or(host);
    let bare = bare.split('%').next().unwrap_or(bare);
    if let Ok(address) = bare.parse::<Ipv6Addr>() {
        return Some(address.to_canonical());
    }
    dotted(bare.strip_suffix('.').unwrap_or(bare)).map(IpAddr::V4)
}

/// How far away a host is; a name that says nothing by itself is public.
#[must_use]
pub fn reach(host: &str) -> Reach {
    let host = host.to_ascii_lowercase();
    let name = host.strip_suffix('.').unwrap_or(&host);
    if METADATA.contains(&name) {
        return Reach::Metadata;
    }
    match address(name) {
        Some(IpAddr::V4(address)) => reach4(address),
        Some(IpAddr::V6(address)) => reach6(address),
        None if name == "localhost" || name.ends_with(".localhost") => Reach::Loopback,
        None if LOCAL.iter().any(|ending| name.ends_with(ending)) || !name.contains('.') => Reach::Private,
        None => Reach::Public,
    }
}

static METADATA: &[&str] = &[
    "metadata.google.internal",
    "metadata",
    "metadata.goog",
    "instance-data",
    "instance-data.ec2.internal",
    "metadata.azure.internal",
    "metadata.packet.net",
    "metadata.platformequinix.com",
];

static LOCAL: &[&str] =
    &[".local", ".internal", ".lan", ".home.arpa", ".test", ".intranet", ".corp", ".home"];

fn reach4(address: Ipv4Addr) -> Reach {
    let [a, b, c, d] = address.octets();
    match (a, b, c, d) {
        (169, 254, 169, 254 | 253)
        | (169, 254, 170, 2 | 23)
        | (100, 100, 100, 200)
        | (192, 0, 0, 192)
        | (168, 63, 129, 16) => Reach::Metadata,
        (127 | 0, ..) => Reach::Loopback,
        (10, ..) | (192, 168, ..) | (169, 254, ..) | (172, 16..=31, ..) | (100, 64..=127, ..) => {
            Reach::Private
        }
        _ => Reach::Public,
    }
}

fn reach6(address: Ipv6Addr) -> Reach {
    match address.segments() {
        [0xFD00, 0x0EC2, 0, 0, 0, 0, 0, 0x0254] | [0xFD20, 0x00CE, 0, 0, 0, 0, 0, 0x0254] => Reach::Metadata,
        [0, 0, 0, 0, 0, 0, 0, 0 | 1] => Reach::Loopback,
        // Ways to write an IPv4 address: translated (NAT64), tunnelled (6to4), mapped, compatible.
        [0x64, 0xFF9B, 0 | 1, .., high, low]
        | [0x2002, high, low, ..]
        | [0, 0, 0, 0, 0 | 0xFFFF, 0, high, low] => reach4(embedded(high, low)),
        // Teredo writes the client's address with every bit turned.
        [0x2001, 0, .., high, low] => reach4(embedded(!high, !low)),
        [0xFC00..=0xFDFF | 0xFE80..=0xFEFF, ..] => Reach::Private,
        _ => Reach::Public,
    }
}

fn embedded(high: u16, low: u16) -> Ipv4Addr {
    let [a, b] = high.to_be_bytes();
    let [c, d] = low.to_be_bytes();
    Ipv4Addr::new(a, b, c, d)
}

/// One to four numbers, each decimal, octal or hexadecimal; the last fills what is left.
fn dotted(text: &str) -> Option<Ipv4Addr> {
    let numbers = text.split('.').map(number).collect::<Option<Vec<u32>>>()?;
    let (last, front) = numbers.split_last()?;
    let room = 4_usize.checked_sub(front.len())?;
    let fits = room == 4 || u64::from(*last) < 1 << (8 * room);
    if room == 0 || !fits || front.iter().any(|byte| *byte > 255) {
        return None;
    }
    let front = front.iter().enumerate().fold(0, |sum, (at, byte)| sum | byte << (24 - 8 * at));
    Some(Ipv4Addr::from(front | last))
}

fn number(text: &str) -> Option<u32> {
    if !text.starts_with(|letter: char| letter.is_ascii_digit()) {
        return None;
    }
    if let Some(hex) = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
        return u32::from_str_radix(if hex.is_empty() { "0" } else { hex }, 16).ok();
    }
    if text.len() > 1 && text.starts_with('0') {
        return u32::from_str_radix(text, 8).ok();
    }
    text.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_spelling_of_an_address_is_one() {
        for host in [
            "127.0.0.1",
            "2130706433",
            "0x7f000001",
            "0177.0.0.1",
            "127.1",
            "0x7f.1",
            "[::1]",
            "[::ffff:127.0.0.1]",
            "localhost",
            "0",
            "[64:ff9b::127.0.0.1]",
        ] {
            assert_eq!(reach(host), Reach::Loopback, "{host}");
        }
        for host in [
            "169.254.169.254",
            "2852039166",
            "metadata.google.internal",
            "[fd00:ec2::254]",
            "[::ffff:a9fe:a9fe]",
            "169.254.169.254.",
            "100.100.100.200",
            "[2002:a9fe:a9fe::]",
        ] {
            assert_eq!(reach(host), Reach::Metadata, "{host}");
        }
        for host in ["10.0.0.1", "192.168.1.1", "172.20.1.1", "db", "printer.local", "[fe80::1%eth0]"] {
            assert_eq!(reach(host), Reach::Private, "{host}");
        }
        for host in ["8.8.8.8", "example.com", "172.32.0.1", "[2606:4700::1111]"] {
            assert_eq!(reach(host), Reach::Public, "{host}");
        }
    }

    #[test]
    fn names_are_no_addresses() {
        for host in ["example.com", "1.2.3.4.5", "256.1.1.1", "a.1", "", "0xg", "99999999999", "1..2"] {
            assert_eq!(address(host), None, "{host}");
        }
    }
}
