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
        Some(address) => network(address).into(),
        None if name == "localhost" || name.ends_with(".localhost") => Reach::Loopback,
        None if LOCAL.iter().any(|ending| name.ends_with(ending)) || !name.contains('.') => Reach::Private,
        None => Reach::Public,
    }
}

static METADATA: &[&str] = &[
    "api.metadata.cloud.ibm.com",
    "instance-data",
    "instance-data.ec2.internal",
    "metadata",
    "metadata.azure.internal",
    "metadata.goog",
    "metadata.google.internal",
    "metadata.packet.net",
    "metadata.platformequinix.com",
    "metadata.tencentyun.com",
    "rancher-metadata",
];

static LOCAL: &[&str] = &[
    ".consul",
    ".corp",
    ".home",
    ".home.arpa",
    ".internal",
    ".intranet",
    ".lan",
    ".local",
    ".localdomain",
    ".svc",
    ".test",
];

/// Which part of the internet an address belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Network {
    /// Everything on the same wire.
    LinkLocal,
    /// This machine.
    Loopback,
    /// A cloud's metadata service, which gives out credentials.
    Metadata,
    /// Many machines at once.
    Multicast,
    /// A private network (RFC 1918), or one of IPv6's that were meant like it.
    Private,
    /// The internet.
    Public,
    /// Kept for documents, measurements, protocols or later: nobody lives there.
    Reserved,
    /// A carrier's or a private network's shared addresses (RFC 6598).
    Shared,
    /// A private network of IPv6 (RFC 4193).
    UniqueLocal,
    /// No address in particular, which most systems take for this machine.
    Unspecified,
}

/// Which part of the internet an address belongs to. An IPv6 address that only wraps one of IPv4 belongs where that does.
#[must_use]
pub fn network(address: IpAddr) -> Network {
    match address {
        IpAddr::V4(address) => network4(address),
        IpAddr::V6(address) => network6(address),
    }
}

fn network4(address: Ipv4Addr) -> Network {
    match address.octets() {
        [169, 254, 169, 254 | 253]
        | [169, 254, 170, 2 | 23]
        | [100, 100, 100, 200]
        | [192, 0, 0, 192]
        | [168, 63, 129, 16] => Network::Metadata,
        [0, ..] => Network::Unspecified,
        [127, ..] => Network::Loopback,
        [10, ..] | [192, 168, ..] | [172, 16..=31, ..] => Network::Private,
        [169, 254, ..] => Network::LinkLocal,
        [100, 64..=127, ..] => Network::Shared,
        [192, 0, 0 | 2, _]
        | [192, 88, 99, _]
        | [198, 18 | 19, ..]
        | [198, 51, 100, _]
        | [203, 0, 113, _]
        | [240..=255, ..] => Network::Reserved,
        [224..=239, ..] => Network::Multicast,
        _ => Network::Public,
    }
}

fn network6(address: Ipv6Addr) -> Network {
    match address.segments() {
        [0xFD00, 0x0EC2, 0, 0, 0, 0, 0, 0x0254] | [0xFD20, 0x00CE, 0, 0, 0, 0, 0, 0x0254] => {
            Network::Metadata
        }
        [0, 0, 0, 0, 0, 0, 0, 0] => Network::Unspecified,
        [0, 0, 0, 0, 0, 0, 0, 1] => Network::Loopback,
        // Ways to reach an IPv4 address: mapped, translated (NAT64), tunnelled (6to4).
        [0, 0, 0, 0, 0, 0xFFFF, high, low]
        | [0x64, 0xFF9B, 0, 0, 0, 0, high, low]
        | [0x2002, high, low, ..] => network4(embedded(high, low)),
        // Ways that no longer lead to the internet: what they wrap can only make them worse.
        [0, 0, 0, 0, 0 | 0xFFFF, 0, high, low] | [0x64, 0xFF9B, .., high, low] => {
            never_public(network4(embedded(high, low)))
        }
        // Teredo writes the client's address with every bit turned.
        [0x2001, 0, .., high, low] => never_public(network4(embedded(!high, !low))),
        [0xFC00..=0xFDFF, ..] => Network::UniqueLocal,
        [0xFE80..=0xFEBF, ..] => Network::LinkLocal,
        [0xFEC0..=0xFEFF, ..] => Network::Private,
        [0xFF00..=0xFFFF, ..] => Network::Multicast,
        [0x2001, 0..=0x01FF | 0x0DB8, ..] | [0x3FFF, 0..=0x0FFF, ..] => Network::Reserved,
        [0x2000..=0x3FFF, ..] => Network::Public,
        _ => Network::Reserved,
    }
}

fn never_public(inner: Network) -> Network {
    if inner == Network::Public { Network::Reserved } else { inner }
}

impl From<Network> for Reach {
    fn from(network: Network) -> Self {
        match network {
            Network::Loopback | Network::Unspecified => Self::Loopback,
            Network::Metadata => Self::Metadata,
            Network::LinkLocal | Network::Private | Network::Shared | Network::UniqueLocal => Self::Private,
            Network::Multicast | Network::Public | Network::Reserved => Self::Public,
        }
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
    fn every_network_is_told_apart() {
        for (text, expected) in [
            ("0.0.0.0", Network::Unspecified),
            ("0.1.2.3", Network::Unspecified),
            ("::", Network::Unspecified),
            ("127.88.23.245", Network::Loopback),
            ("::1", Network::Loopback),
            ("::ffff:127.0.0.1", Network::Loopback),
            ("::127.0.0.1", Network::Loopback),
            ("::ffff:0:127.0.0.1", Network::Loopback),
            ("2002:7f00:1::1", Network::Loopback),
            ("64:ff9b::7f00:1", Network::Loopback),
            ("10.1.2.3", Network::Private),
            ("172.31.255.255", Network::Private),
            ("192.168.0.1", Network::Private),
            ("fec0::1", Network::Private),
            ("2002:a00:1::1", Network::Private),
            ("2001:0:4136:e378:8000:63bf:3fff:fdd2", Network::Reserved),
            ("2001:0:4136:e378:8000:63bf:f5ff:fffe", Network::Private),
            ("100.64.0.1", Network::Shared),
            ("100.127.255.255", Network::Shared),
            ("169.254.1.1", Network::LinkLocal),
            ("fe80::1", Network::LinkLocal),
            ("169.254.169.254", Network::Metadata),
            ("169.254.170.2", Network::Metadata),
            ("100.100.100.200", Network::Metadata),
            ("192.0.0.192", Network::Metadata),
            ("168.63.129.16", Network::Metadata),
            ("fd00:ec2::254", Network::Metadata),
            ("::ffff:a9fe:a9fe", Network::Metadata),
            ("64:ff9b::a9fe:a9fe", Network::Metadata),
            ("64:ff9b:1::a9fe:a9fe", Network::Metadata),
            ("2002:a9fe:a9fe::", Network::Metadata),
            ("fd12:3456::1", Network::UniqueLocal),
            ("224.0.0.1", Network::Multicast),
            ("239.255.255.250", Network::Multicast),
            ("ff02::1", Network::Multicast),
            ("192.0.0.1", Network::Reserved),
            ("192.0.2.1", Network::Reserved),
            ("192.88.99.1", Network::Reserved),
            ("198.18.0.1", Network::Reserved),
            ("198.19.255.255", Network::Reserved),
            ("198.51.100.7", Network::Reserved),
            ("203.0.113.9", Network::Reserved),
            ("240.0.0.1", Network::Reserved),
            ("255.255.255.255", Network::Reserved),
            ("2001:db8::1", Network::Reserved),
            ("3fff::1", Network::Reserved),
            ("100::1", Network::Reserved),
            ("5f00::1", Network::Reserved),
            ("::8.8.8.8", Network::Reserved),
            ("64:ff9b:1::8.8.8.8", Network::Reserved),
            ("8.8.8.8", Network::Public),
            ("172.32.0.1", Network::Public),
            ("192.169.1.1", Network::Public),
            ("169.253.1.1", Network::Public),
            ("100.63.255.255", Network::Public),
            ("100.128.0.1", Network::Public),
            ("198.17.0.1", Network::Public),
            ("223.255.255.255", Network::Public),
            ("::ffff:8.8.8.8", Network::Public),
            ("64:ff9b::8.8.8.8", Network::Public),
            ("2606:4700:4700::1111", Network::Public),
            ("2001:4860:4860::8888", Network::Public),
        ] {
            assert_eq!(network(text.parse().unwrap()), expected, "{text}");
        }
    }

    #[test]
    fn names_are_no_addresses() {
        for host in ["example.com", "1.2.3.4.5", "256.1.1.1", "a.1", "", "0xg", "99999999999", "1..2"] {
            assert_eq!(address(host), None, "{host}");
        }
    }
}
