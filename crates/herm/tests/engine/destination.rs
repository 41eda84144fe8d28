//! Where connections may go, and where commands may.

use std::net::IpAddr;

use crate::common::{act, check, policy};
use herm::fetch::{Fetch, Resolved};
use herm::{Action, Policy, Ruling};

fn fetch(policy: Policy, link: &str, addresses: &[&str]) -> Ruling {
    let found = addresses.iter().map(|address| address.parse::<IpAddr>().unwrap()).collect();
    let resolved = if addresses.is_empty() { Resolved::Unasked } else { Resolved::To(found) };
    act(policy, Action::Fetch(Fetch::url(link).resolved(resolved)))
}

fn said(config: &str, link: &str, addresses: &[&str]) -> (&'static str, Vec<&'static str>) {
    let ruling = fetch(policy(config), link, addresses);
    (ruling.decision.word(), ruling.findings.iter().map(|finding| finding.rule).collect())
}

#[test]
fn every_address_of_a_name_is_judged() {
    assert_eq!(said("", "https://example.com/", &["93.184.216.34", "2606:2800:220:1::1"]), ("allow", vec![]));
    for (addresses, rule) in [
        (["93.184.216.34", "10.0.0.1"], "private-address"),
        (["127.0.0.1", "93.184.216.34"], "private-address"),
        (["93.184.216.34", "169.254.169.254"], "metadata-service"),
        (["93.184.216.34", "::ffff:169.254.169.254"], "metadata-service"),
        (["93.184.216.34", "fd00::1"], "private-address"),
        (["93.184.216.34", "ff02::1"], "special-address"),
        (["93.184.216.34", "0.0.0.0"], "private-address"),
        (["93.184.216.34", "64:ff9b::a00:1"], "private-address"),
        (["93.184.216.34", "198.18.0.7"], "special-address"),
    ] {
        assert_eq!(said("", "https://example.com/", &addresses), ("deny", vec![rule]), "{addresses:?}");
    }
    let none =
        act(policy(""), Action::Fetch(Fetch::url("https://example.com").resolved(Resolved::To(vec![]))));
    assert_eq!(none.decision.word(), "deny");
}

#[test]
fn blanks_around_a_link_change_nothing() {
    for link in ["http://169.254.169.254\n", "\thttp://instance-data ", "http://metadata.google.internal./\n"]
    {
        assert_eq!(said("", link, &[]), ("deny", vec!["metadata-service"]), "{link:?}");
    }
}

#[test]
fn nothing_switches_the_rules_about_addresses_off() {
    let open = "approvals: {preset: permissive, mode: off}\nyolo: true\ncommand_allowlist: [private-address, metadata-service, special-address, 'effect:connect', 'rule:*']\n";
    for link in
        ["http://127.0.0.1/", "http://169.254.169.254/", "http://224.0.0.1/", "file:///etc/passwd", "http:/x"]
    {
        assert_eq!(said(open, link, &[]).0, "deny", "{link}");
    }
    for key in ["security: {allow_private_urls: true}", "browser: {allow_private_urls: true}"] {
        assert_eq!(said(key, "http://10.0.0.1/", &[]).0, "deny", "{key}");
    }
}

#[test]
fn a_service_is_exempt_by_its_exact_name_and_port() {
    let named = "egress: {endpoints: ['localhost:11434', 'nexus.corp:8081', '10.1.2.3:5432', 'meta.example:80', '169.254.169.254:80']}";
    assert_eq!(said(named, "http://localhost:11434/v1", &["127.0.0.1", "::1"]), ("allow", vec![]));
    assert_eq!(said(named, "https://nexus.corp:8081/", &["10.0.0.5"]), ("allow", vec![]));
    assert_eq!(said(named, "http://10.1.2.3:5432/", &[]), ("allow", vec![]));
    for link in [
        "http://localhost/",
        "http://127.0.0.1:11434/",
        "https://nexus.corp/",
        "http://10.1.2.3/",
        "http://a.nexus.corp:8081/",
    ] {
        assert_eq!(said(named, link, &[]).0, "deny", "{link}");
    }
    assert_eq!(said(named, "http://169.254.169.254/", &[]), ("deny", vec!["metadata-service"]));
    assert_eq!(said(named, "http://meta.example/", &["100.100.100.200"]), ("deny", vec!["metadata-service"]));
    assert_eq!(said(named, "http://meta.example/", &["169.254.3.4"]), ("deny", vec!["private-address"]));
    let model = "auxiliary: {approval: {base_url: 'http://127.0.0.1:8000/v1'}}";
    assert_eq!(said(model, "http://127.0.0.1:8000/v1/models", &[]), ("allow", vec![]));
    assert_eq!(said(model, "http://127.0.0.1:8001/", &[]).0, "deny");
}

const BLOCKS: &str =
    "security: {website_blocklist: {enabled: true, domains: ['*.internal.company.com', admin.example.com]}}";

#[test]
fn blocked_websites_are_refused_for_links_and_commands() {
    for link in [
        "https://x.internal.company.com/",
        "https://admin.example.com:8443/",
        "https://A.ADMIN.example.com./",
    ] {
        assert_eq!(said(BLOCKS, link, &[]), ("deny", vec!["blocked-website"]), "{link}");
    }
    assert_eq!(said(BLOCKS, "https://internal.company.com/", &[]), ("allow", vec![]));
    let decision = |command| check(policy(BLOCKS), command).decision.word();
    assert_eq!(decision("curl https://admin.example.com/x"), "deny");
    assert_eq!(decision("h=admin; wget -q https://$h.example.com/x"), "deny");
    assert_eq!(decision("curl https://example.com/admin.example.com"), "allow");
    let off = "security: {website_blocklist: {enabled: false, domains: [admin.example.com]}}";
    assert_eq!(said(off, "https://admin.example.com/", &[]), ("allow", vec![]));
}

#[test]
fn a_list_that_was_not_read_asks_and_refuses_where_nobody_is_asked() {
    let missing = "security: {website_blocklist: {enabled: true, shared_files: [/nonexistent]}}";
    assert_eq!(said(missing, "https://example.com/", &[]), ("ask", vec!["blocked-website"]));
    let yolo = format!("{missing}\napprovals: {{mode: off}}");
    assert_eq!(said(&yolo, "https://example.com/", &[]).0, "deny");
    let mut read = policy(missing);
    read.blocklist.share("/nonexistent", "bad.example\n");
    assert_eq!(fetch(read.clone(), "https://example.com/", &[]).decision.word(), "allow");
    assert_eq!(fetch(read, "https://bad.example/", &[]).decision.word(), "deny");
}

#[test]
fn hosts_that_are_not_listed_are_asked_about() {
    let listed = "egress: {allowed_domains: [example.com, '*.pypi.org'], endpoints: ['localhost:8080']}";
    for (link, decision) in [
        ("https://example.com/", "allow"),
        ("https://files.pypi.org/", "allow"),
        ("http://localhost:8080/", "allow"),
        ("https://pypi.org/", "ask"),
        ("https://93.184.216.34/", "ask"),
        ("https://10.0.0.1/", "deny"),
    ] {
        assert_eq!(said(listed, link, &[]).0, decision, "{link}");
    }
    let yolo = format!("{listed}\napprovals: {{mode: off}}");
    assert_eq!(said(&yolo, "https://elsewhere.example/", &[]), ("deny", vec!["unlisted-host"]));
    let granted = format!("{listed}\ncommand_allowlist: ['rule:unlisted-host host:*.github.com']");
    assert_eq!(said(&granted, "https://api.github.com/", &[]).0, "allow");
    let decision = |command| check(policy(listed), command).decision.word();
    assert_eq!(decision("curl https://elsewhere.example/x"), "ask");
    assert_eq!(decision("curl http://localhost:3000/"), "allow");
}

#[test]
fn rules_of_ones_own_hold_for_connections() {
    let denied = "approvals: {deny: ['effect:connect host:*.evil.example']}";
    assert_eq!(said(denied, "https://x.evil.example/", &[]), ("deny", vec!["denied-by-user"]));
}

/// Numbers that look random and are the same every time.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % sides
    }

    fn pick<'a>(&mut self, from: &[&'a str]) -> &'a str {
        from.get(self.roll(from.len())).copied().unwrap_or_default()
    }
}

/// An address in one of the spellings that some program accepts.
fn spelt(address: std::net::Ipv4Addr, dice: &mut Dice) -> String {
    let number = u32::from(address);
    let [a, b, c, d] = address.octets();
    let (high, low) = (number >> 16, number & 0xFFFF);
    let part = |dice: &mut Dice, value: u32| match dice.roll(5) {
        0 => format!("{value:#x}"),
        1 => format!("0X{value:X}"),
        2 => format!("0{value:o}"),
        3 => format!("00{value:o}"),
        _ => value.to_string(),
    };
    match dice.roll(12) {
        0 => part(dice, number),
        1 => format!("{}.{}", part(dice, u32::from(a)), part(dice, number & 0xFF_FFFF)),
        2 => format!("{}.{}.{}", part(dice, u32::from(a)), part(dice, u32::from(b)), part(dice, low)),
        3 | 4 => [a, b, c, d].map(|byte| part(dice, u32::from(byte))).join("."),
        5 => format!("[::ffff:{address}]"),
        6 => format!("[::FFFF:{high:x}:{low:X}]"),
        7 => format!("[0:0:0:0:0:ffff:{address}]"),
        8 => format!("[64:ff9b::{high:x}:{low:x}]"),
        9 => format!("[2002:{high:x}:{low:x}::{:x}]", dice.roll(65536)),
        10 => format!("{address}."),
        _ => address.to_string(),
    }
}

/// A link to a host, with what may stand around it.
fn link(host: &str, dice: &mut Dice) -> String {
    let scheme = dice.pick(&["http", "https", "HTTP", "hTTps"]);
    let user = dice.pick(&["", "", "user@", "user:pw@", "a%40b:c@"]);
    let port = dice.pick(&["", "", ":80", ":8443", ":"]);
    let path = dice.pick(&["", "/", "/x", "?q", "#f", "/a@b", "?@example.com", "#@example.com"]);
    format!("{scheme}://{user}{host}{port}{path}")
}

#[test]
fn no_spelling_leads_inside_and_none_keeps_out_the_public() {
    let mut dice = Dice(7);
    let policy = policy("");
    let inside = [
        0x0A00_0000,
        0x7F00_0000,
        0xA9FE_0000,
        0xC0A8_0000,
        0xAC10_0000,
        0x6440_0000,
        0x0000_0000,
        0xE000_0000,
    ];
    for _ in 0..1_000 {
        let noise = u32::try_from(dice.roll(1 << 16)).unwrap();
        let address = std::net::Ipv4Addr::from(inside[dice.roll(inside.len())] | noise);
        let link = link(&spelt(address, &mut dice), &mut dice);
        assert_eq!(fetch(policy.clone(), &link, &[]).decision.word(), "deny", "{link} {address}");
        let address = std::net::Ipv4Addr::from(0x5DB8_0000 | noise);
        let link = self::link(&spelt(address, &mut dice), &mut dice);
        assert_eq!(fetch(policy.clone(), &link, &[]).decision.word(), "allow", "{link} {address}");
    }
}

#[test]
fn no_text_breaks_the_reading_of_links() {
    let mut dice = Dice(11);
    let pieces = [
        "http",
        "https",
        ":",
        "/",
        "//",
        "://",
        "@",
        "[",
        "]",
        ".",
        "..",
        "%",
        "%2e",
        "%00",
        "\\",
        "#",
        "?",
        "127.1",
        "::1",
        "::ffff:",
        "0x",
        "localhost",
        "example.com",
        "xn--",
        "xn--r8jz45g",
        "例え",
        "①",
        "。",
        "\u{ad}",
        "\t",
        " ",
        "\n",
        "\0",
        ":80",
        ":0",
        ":99999",
        "-",
        "*",
        "é",
        "e\u{301}",
        "🦀",
        "a",
    ];
    for _ in 0..50_000 {
        let count = dice.roll(9);
        let text: String = (0..count).map(|_| dice.pick(&pieces)).collect();
        let fetch = Fetch::url(&text);
        if let Ok(to) = fetch.to() {
            // What is read is read the same once more.
            let again = format!("http://{to}/");
            assert_eq!(Fetch::url(&again).to().map(ToString::to_string), Ok(to.to_string()), "{text:?}");
        }
    }
}
