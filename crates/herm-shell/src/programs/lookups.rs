//! Programs that ask other hosts about names, routes and ports, or listen on the wire.

use super::arguments::Parsed;
use super::kinds::{HELP, operands_from};
use super::schema::{Do, Operands, Program, Role, Source, Syntax, attached, flag, program, quiet, value};
use crate::effect::{Flags, Verb};
use crate::lang::Lang;
use crate::sink::Sink;
use crate::value::Provenance;

const SHELL: Role = Role::Code(Lang::Shell);

/// The family.
pub(super) static PROGRAMS: &[Program] = &[
    // What a name is asked for reaches its server: a name built from a secret gives the secret away.
    program(&["dig", "drill", "delv", "kdig", "doggo"])
        .options(&[
            flag("-h -v", Do::Stop),
            quiet("-4 -6 -m -r -u"),
            value("-b -c -k -p -q -t -x -y", Role::Inert),
            value("-f", Role::Read),
        ])
        .operands(Operands::None)
        .stdout(Source::Network)
        .refine(ask),
    program(&["host", "nslookup", "systemd-resolve", "adnshost", "dnsx"])
        .options(&[quiet("-a -A -C -d -i -l -r -s -T -U -v -V -w -4 -6"), value("-c -N -R -t -W -m -p", Role::Inert), attached("-type -query -port -debug", Do::Nothing)])
        .operands(Operands::None)
        .stdout(Source::Network)
        .refine(ask),
    program(&["whois", "finger", "jwhois", "rwhois"])
        .options(&[HELP, value("-h --host -p --port -i -T -s -g -t -v", Role::Host), quiet("-H -I -l -m -S -a -b -B -c -d -G -K -L -M -q -r -R -x")])
        .operands(Operands::None)
        .stdout(Source::Network)
        .refine(ask),
    program(&["ping", "ping6", "fping", "arping", "traceroute", "traceroute6", "tracepath", "mtr", "nping"])
        .options(&[
            HELP,
            quiet("-4 -6 -a -A -b -B -D -d -f -L -n -O -q -r -R -U -v -V --raw --report --tcp --udp"),
            value("-c -i -I -l -m -M -p -Q -s -S -t -T -W -w -e -F --filename", Role::Inert),
        ])
        .operands(Operands::None)
        .refine(probe),
    program(&["nmap", "masscan", "zmap", "rustscan", "naabu", "unicornscan"])
        .syntax(Syntax::SingleDash)
        .options(&[
            flag("-h --help -V --version --iflist", Do::Stop),
            quiet("-A -F -n -O -Pn -PS -PA -PU -PE -R -r -sA -sC -sF -sL -sM -sN -sn -sO -sP -sS -sT -sU -sV -sW -sX -v -vv -d -6 --open --reason --traceroute"),
            quiet("-T0 -T1 -T2 -T3 -T4 -T5 --interactive --privileged --unprivileged"),
            value("--script", Role::Inert),
            value("-iL --excludefile --script-args-file --resume --datadir --servicedb", Role::Read),
            value("-oN -oX -oG -oA -oS -oJ -oB", Role::Write),
            value("--script-args -p --top-ports --max-retries --host-timeout --min-rate --max-rate --exclude -D -e -g -S", Role::Inert),
            value("--dns-servers --proxies --data-length --ttl --scan-delay --stats-every --version-intensity", Role::Inert),
        ])
        .operands(Operands::None)
        .refine(scan_scripts),
    program(&["tcpdump", "windump"])
        .options(&[
            HELP,
            quiet("-A -b -d -D -e -f -h -H -I -J -K -l -L -n -nn -N -O -p -q -R -S -t -tt -ttt -u -U -v -vv -vvv -x -xx -X -XX -#"),
            value("-B -c -C -E -G -i -j -M -s -T -W -y -Z", Role::Inert),
            value("-F -r -V", Role::Read),
            value("-w", Role::Write),
            value("-z", Role::Program),
        ])
        .operands(Operands::None),
    program(&["tshark", "dumpcap", "wireshark", "ngrep", "termshark"])
        .options(&[
            HELP,
            quiet("-n -q -V -x -l -P -p -S -I"),
            value("-i -f -Y -c -a -b -T -e -E -s -y -D -d -z -o -W -t -B -R", Role::Inert),
            value("-r", Role::Read),
            value("-w -O", Role::Write),
            value("-X", Role::Prefixed(&[("lua_script:", Role::Plugin(Lang::Lua))])),
        ])
        .operands(Operands::None),
    program(&["mitmproxy", "mitmdump", "mitmweb"])
        .options(&[
            HELP,
            value("-eval --eval", Role::Inert),
            value("-s --scripts", Role::Script(Lang::Python)),
            value("-caplet -iface -T -M -i -w -p -m --listen-port -r", Role::Inert),
        ])
        .does(&[super::schema::deed(Verb::Listen, super::schema::Aim::None, Flags::NONE)]),
    program(&["nikto", "wpscan", "gobuster", "ffuf", "wfuzz", "dirb", "feroxbuster", "nuclei", "bbot"])
        .options(&[HELP, value("--eval", Role::Code(Lang::Python)), value("-u --url -w -l -L -p -P -t -o", Role::Inert)]),
    program(&["dnsmasq"]).options(&[
        HELP,
        value("-C --conf-file -7 --conf-dir", Role::Read),
        attached("--conf-script --dhcp-script", Do::Is(SHELL)),
        value("-6", SHELL),
    ]),
    program(&["openvpn"]).options(&[
        HELP,
        value("--config", Role::Read),
        value("--up --down --route-up --route-pre-down --ipchange --client-connect --client-disconnect", SHELL),
        value("--auth-user-pass-verify --tls-verify --learn-address", SHELL),
        value("--plugin", Role::Library),
        value("--dev --script-security --remote --proto --port --ca --cert --key --auth-user-pass --tmp-dir", Role::Inert),
        value("--log --writepid --status", Role::Write),
        value("--log-append", Role::Append),
    ]),
    program(&["varnishncsa", "varnishlog"]).options(&[value("-w", Role::Write), value("-r", Role::Read), value("-g -q -F -n -i -I", Role::Inert)]),
];

/// The name that is asked for, and the server that is asked.
fn ask(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    if parsed.stopped {
        return;
    }
    for name in operands_from(parsed, 0) {
        if name.known_prefix().starts_with('+') {
            continue;
        }
        sink.connect(Verb::Connect, &name, Flags::NONE, name.provenance);
    }
}

/// Echo requests; a payload or a name from a secret leaves with them, and a list of hosts is a file.
fn probe(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    if parsed.stopped {
        return;
    }
    let list = match parsed.program {
        "mtr" => parsed.value("-F --filename"),
        "fping" => parsed
            .all
            .iter()
            .map(|argument| &argument.value)
            .skip_while(|word| word.known().is_none_or(|word| word != "-f"))
            .nth(1),
        _ => None,
    };
    if let Some(list) = list {
        sink.read(list);
    }
    let hosts = operands_from(parsed, 0);
    let payload = parsed.value("-p").map_or(Provenance::NONE, |pattern| pattern.provenance);
    for host in hosts {
        sink.connect(Verb::Connect, &host, Flags::NONE, host.provenance | payload);
    }
}

/// `--script` names installed scripts, unless it is a path; `--interactive` once had a shell escape.
fn scan_scripts(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    for script in parsed.values("--script") {
        let text = script.known_prefix();
        if text.contains(['/', '.']) {
            super::kinds::load_path(script, sink);
            sink.script(Lang::Lua, script, &[]);
        }
    }
    for host in operands_from(parsed, 0) {
        sink.connect(Verb::Connect, &host, Flags::NONE, host.provenance);
    }
}
