//! Firewalls, interfaces, routes.

use super::arguments::Parsed;
use super::operands::named;
use super::schema::{
    Aim, Deed, Do, Operands, Opt, Program, Role, Syntax, deed, flag, program, quiet, value, value_does,
};
use crate::effect::{Flags, Verb};
use crate::sink::Sink;
use crate::value::Value;

const HELP: Opt = flag("--help --version", Do::Stop);
const OPENED: Deed = deed(Verb::Disable, Aim::Kind("firewall"), Flags::NONE);
const CHANGED: Deed = deed(Verb::Configure, Aim::Kind("firewall"), Flags::NONE);
const INTERFACE: Deed = deed(Verb::Configure, Aim::Each("interface"), Flags::NONE);

pub(super) static PROGRAMS: &[Program] = &[
    program(&["iptables", "ip6tables", "ebtables", "arptables", "iptables-legacy", "iptables-nft", "ip6tables-legacy"])
        .options(&[
            flag("-h --help -V --version -L --list -S --list-rules -C --check", Do::Nothing),
            flag("-F --flush -X --delete-chain", Do::Emit(OPENED)),
            value_does("-P --policy -A --append -I --insert -R --replace -N --new-chain -E --rename-chain", Do::Emit(CHANGED)),
            value_does("-D --delete", Do::Emit(CHANGED)),
            value("-t --table -s --source -d --destination -p --protocol -i -o -j --jump -m --match --dport --sport --comment --state --ctstate -w -c -g", Role::Inert),
            value("--modprobe", Role::Program),
        ])
        .operands(Operands::None),
    program(&["iptables-save", "ip6tables-save"]).options(&[HELP, value("-f --file", Role::Write), value("-t --table", Role::Inert), value("-M --modprobe", Role::Program)]),
    program(&["iptables-restore", "ip6tables-restore"]).options(&[HELP, flag("-t --test", Do::Stop), value("-T --table", Role::Inert), value("-M --modprobe", Role::Program)]).operands(Operands::Rest(Role::Read)).does(&[CHANGED]),
    program(&["nft"])
        .options(&[flag("-h --help -v --version -c --check", Do::Stop), value("-f --file", Role::Read), value("-I --includepath", Role::Inert)])
        .operands(Operands::None)
        .refine(nft),
    program(&["ufw"]).options(&[flag("--help --version --dry-run", Do::Stop), quiet("--force")]).subs(&[
        program(&["disable", "reset"]).does(&[OPENED]),
        program(&["enable", "reload", "allow", "deny", "reject", "limit", "delete", "insert", "default", "route", "logging"]).does(&[CHANGED]),
    ]),
    program(&["firewall-cmd"]).options(&[flag("--help --version --state", Do::Stop), flag("--panic-on --panic-off --reload --complete-reload", Do::Emit(CHANGED))]).refine(firewall_cmd),
    program(&["pfctl"]).options(&[flag("-d", Do::Emit(OPENED)), value_does("-F -f", Do::Emit(CHANGED)), value("-s -a -t -T", Role::Inert), quiet("-e -n -v")]),
    program(&["netsh"]).syntax(Syntax::Words).operands(Operands::None).refine(netsh),
    program(&["ip"]).syntax(Syntax::Words).operands(Operands::None).refine(ip),
    program(&["ifconfig"]).options(&[quiet("-a -s -v")]).operands(Operands::None).refine(ifconfig),
    program(&["ifdown", "ifup", "dhclient", "dhcpcd"]).options(&[HELP]).does(&[INTERFACE]),
    program(&["route"]).operands(Operands::None).refine(route),
    program(&["nmcli"]).options(&[value("-f --fields -g --get-values -m --mode -c --colors -e --escape -w --wait", Role::Inert)]).shortened().subs(&[
        program(&["connection down", "connection delete", "connection modify", "connection add", "device disconnect", "device delete", "device set", "device modify", "networking off", "radio wifi off", "radio wwan off", "radio all off"]).does(&[INTERFACE]),
        program(&["connection show", "connection up", "connection monitor", "connection", "device status", "device show", "device wifi", "device", "general status", "general", "networking on", "networking connectivity", "radio", "monitor"]),
    ]),
    program(&["netplan"]).subs(&[program(&["apply", "try", "set"]).does(&[INTERFACE])]),
    program(&["tc", "ethtool", "iwconfig", "brctl", "wg-quick", "wg", "networksetup", "resolvectl", "hostnamectl", "timedatectl", "localectl"])
        .operands(Operands::None)
        .refine(setting),
];

/// Words at which a tool changes something rather than shows it.
fn has_word(parsed: &Parsed<'_>, words: &[&str]) -> bool {
    parsed.words().any(|word| words.contains(&word.as_str()))
}

fn nft(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    let text = parsed.words().collect::<Vec<_>>().join(" ");
    let does = |verbs: &[&str]| text.split([' ', ';']).any(|word| verbs.contains(&word));
    if does(&["flush", "delete", "destroy"]) {
        named(Verb::Disable, "firewall", "", parsed.flags, sink);
    } else if does(&["add", "insert", "replace", "create", "reset", "rename"]) || parsed.has("-f --file") {
        named(Verb::Configure, "firewall", "", parsed.flags, sink);
    }
}

fn firewall_cmd(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    let changes = |name: &str| {
        ["--add-", "--remove-", "--set-", "--new-", "--delete-", "--change-"]
            .iter()
            .any(|verb| name.starts_with(verb))
    };
    if parsed.options.iter().any(|given| changes(&given.name)) {
        named(Verb::Configure, "firewall", "", parsed.flags, sink);
    }
}

fn netsh(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    if has_word(parsed, &["advfirewall", "firewall"])
        && has_word(parsed, &["set", "off", "reset", "delete", "add"])
    {
        named(Verb::Disable, "firewall", "", parsed.flags, sink);
    }
}

/// `ip [options] OBJECT VERB …`; objects and verbs may be cut short.
fn ip(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    let words: Vec<&Value> = parsed.operands.iter().map(|operand| &operand.value).collect();
    let known: Vec<String> = words.iter().map(|word| word.shown()).collect();
    let start = options_before(&known);
    let verb = known.get(start + 1).map_or("", String::as_str);
    match known.get(start).map_or("", String::as_str) {
        "netns" | "vrf" if verb == "exec" => {
            let argv: Vec<Value> = words.iter().skip(start + 3).map(|word| (*word).clone()).collect();
            let stdin = sink.stdin();
            sink.run(&argv, &stdin);
        }
        _ if is_change(verb) => named(
            Verb::Configure,
            "interface",
            &known.iter().skip(start).cloned().collect::<Vec<_>>().join(" "),
            parsed.flags,
            sink,
        ),
        _ => {}
    }
}

fn options_before(words: &[String]) -> usize {
    let mut index = 0;
    while let Some(word) = words.get(index).filter(|word| word.starts_with('-')) {
        let valued = matches!(
            word.as_str(),
            "-n" | "-netns" | "-f" | "-family" | "-b" | "-batch" | "-rc" | "-rcvbuf" | "-l" | "-loops"
        );
        index += 1 + usize::from(valued);
    }
    index
}

fn is_change(verb: &str) -> bool {
    !verb.is_empty()
        && (["set", "delete", "flush", "add", "replace", "change", "append", "restore", "attach", "detach"]
            .iter()
            .any(|full| full.starts_with(verb) && (verb.len() > 1 || full == &"set")))
        && verb != "s"
}

fn ifconfig(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    if parsed.operands.len() > 1 && !has_word(parsed, &["inet", "inet6", "ether"])
        || has_word(parsed, &["down", "up"])
    {
        named(
            Verb::Configure,
            "interface",
            &parsed.words().collect::<Vec<_>>().join(" "),
            parsed.flags,
            sink,
        );
    }
}

fn route(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    if has_word(parsed, &["del", "add", "delete", "flush", "change"]) {
        named(Verb::Configure, "interface", "route", parsed.flags, sink);
    }
}

fn setting(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    let first = parsed.word(0).unwrap_or_default();
    let changes = first.starts_with("set")
        || matches!(first.as_str(), "down" | "up" | "revert")
        || parsed.program == "tc" && has_word(parsed, &["add", "del", "replace", "change"])
        || parsed.all.first().is_some_and(|word| word.value.known_prefix().starts_with("-set"));
    if changes {
        named(Verb::Configure, "interface", &first, parsed.flags, sink);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn showing_is_no_change() {
        for verb in ["", "show", "s", "sh", "list", "l", "get", "eth0"] {
            assert!(!is_change(verb), "{verb}");
        }
        for verb in ["set", "del", "delete", "flush", "fl", "add"] {
            assert!(is_change(verb), "{verb}");
        }
    }

    #[test]
    fn options_come_before_the_object() {
        let words = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(options_before(&words("-brief link")), 1);
        assert_eq!(options_before(&words("-n ns1 link set")), 2);
    }
}
