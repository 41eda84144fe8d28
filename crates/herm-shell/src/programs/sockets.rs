//! Programs that join standard input and output, or a command, with a socket.

use super::arguments::Parsed;
use super::kinds::{HELP, joined, operands_from, serve, split_once, starts_bare_shell};
use super::schema::{
    Aim, Do, Operands, Program, Role, Source, Syntax, attached, deed, flag, program, quiet, value,
};
use crate::effect::{Flags, Target, Verb};
use crate::gap::{Position, Reason};
use crate::lang::Lang;
use crate::scripts::wire;
use crate::sink::Sink;
use crate::value::{Provenance, Value};

/// The family.
pub(super) static PROGRAMS: &[Program] = &[
    program(&["nc", "ncat", "netcat", "nc.traditional", "nc.openbsd", "nc.exe", "pnc", "nc6", "cryptcat", "dbd"])
        .options(&[
            HELP,
            quiet("-4 -6 -b -C -D -d -F -h -k -l -N -n -r -S -t -U -u -v -vv -z -Z --listen --udp --ssl --broker --chat"),
            quiet("--keep-open --nodns --telnet --verbose --crlf --send-only --recv-only --unixsock --sctp --zero --no-shutdown"),
            value("-e --exec", Role::Inert),
            value("-c --sh-exec --lua-exec", Role::Inert),
            value("-g -G -i -I -m -M -O -P -p -q -s -T -V -w -W -x -X --source --source-port --idle-timeout --wait", Role::Inert),
            value("--proxy --proxy-type --proxy-auth --ssl-cert --ssl-key --allow --deny --max-conns --delay --hex-dump", Role::Inert),
            value("-o --output --append-output", Role::Write),
        ])
        .operands(Operands::None)
        .stdout(Source::Network)
        .refine(netcat),
    // Both ends of `socket -p CMD HOST PORT` talk to the command.
    program(&["socket"])
        .options(&[quiet("-b -c -f -q -r -s -v -w -l"), value("-p", Role::Inert), value("-B", Role::Inert)])
        .operands(Operands::None)
        .stdout(Source::Network)
        .refine(socket),
    program(&["filan", "procan"]),
    program(&["socat", "socat1"])
        .options(&[
            flag("-V -h -hh -hhh -? -?? -???", Do::Stop),
            quiet("-d -dd -ddd -dddd -D -ly -lm -ls -lu -lh -v -x -u -U -g -4 -6 -0 -s -S"),
            value("-lf -lp -r -R -b -t -T -L -W", Role::Inert),
        ])
        .operands(Operands::None)
        .stdout(Source::Network)
        .refine(socat),
    program(&["telnet"])
        .options(&[quiet("-4 -6 -8 -a -c -d -E -K -L -r -F -f -x"), value("-b -e -k -l -n -S -X", Role::Inert)])
        .operands(Operands::None)
        .stdout(Source::Network)
        .refine(joins_streams),
    program(&["tcpserver", "tcpsvd", "udpsvd", "s6-tcpserver", "ucspi-tcp", "faucet", "micro-inetd", "ipsvd"])
        .syntax(Syntax::FirstOperandEnds)
        .options(&[quiet("-v -q -Q -h -H -p -P -r -R -E -d -D"), value("-c -b -x -u -g -l -t -C", Role::Inert)])
        .operands(Operands::None)
        .refine(tcpserver),
    program(&["tcpclient", "hose", "sic", "mconnect"]).syntax(Syntax::FirstOperandEnds).operands(Operands::None).refine(tcpclient),
    program(&["websocat", "wscat"])
        .options(&[
            HELP,
            value("--exec", Role::Code(Lang::Shell)),
            value("-H --header -c --connect -l --listen -x --execute -s --subprotocol", Role::Inert),
        ])
        .all(Role::Url)
        .stdin(Role::Send)
        .stdout(Source::Network),
    program(&["hping3", "hping2"])
        .options(&[quiet("-0 -1 -2 -8 -S --icmp --udp --scan --flood --fast --faster -q -n --safe"), value("-E --file", Role::Inert), value("-e --sign -d --data -p --destport -c --count -i --interval -a --spoof -I --interface -9 --listen", Role::Inert)])
        .operands(Operands::None)
        .stdin(Role::Code(Lang::Tcl))
        .refine(hping),
    program(&["chisel", "frpc", "frps", "rathole", "gost", "ligolo", "ligolo-ng", "revsocks", "wstunnel", "pwnat", "iodine", "dnscat", "dnscat2", "ptunnel", "icmpsh", "sliver", "meterpreter"])
        .does(&[deed(Verb::Listen, Aim::None, Flags::GLOBAL)]),
    program(&["pwncat", "pwncat-cs"]).options(&[quiet("-l"), value("-e", Role::Inert)]).refine(netcat),
    program(&["mosquitto_pub"])
        .options(&[value("-f", Role::Inert), value("-h -p -t -m -u -P -q -i", Role::Inert), attached("--cafile", Do::Nothing), quiet("-s -l -n -r -d")])
        .operands(Operands::None)
        .refine(mosquitto),
];

/// `nc [-e PROG | -c CODE] [HOST] PORT`, or listening.
fn netcat(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    if parsed.stopped {
        return;
    }
    match parsed.operand(0).filter(|_| parsed.has("-U --unixsock") && !parsed.has("-l --listen")) {
        Some(socket) => sink.path(Verb::Send, socket, Flags::NONE),
        None => open(parsed, parsed.has("-l --listen"), sink),
    }
    for command in parsed.values("-e --exec -c --sh-exec --lua-exec") {
        serve(command, sink);
    }
}

/// `socket -s` listens.
fn socket(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    open(parsed, parsed.has("-s"), sink);
    for command in parsed.values("-p") {
        serve(command, sink);
    }
}

fn joins_streams(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    open(parsed, false, sink);
}

/// A connection that carries standard input, or a wait for one.
fn open(parsed: &Parsed<'_>, listens: bool, sink: &mut dyn Sink) {
    let input = sink.stdin().provenance;
    if listens {
        sink.effect(Verb::Listen, Target::None, Flags::NONE, input);
    } else if let Some(host) = parsed.operand(0) {
        sink.connect(Verb::Connect, host, Flags::NONE, input | host.provenance);
        speak(parsed.operand(1).unwrap_or(host), sink);
    }
}

/// What stands on standard input is said to the service at a port.
fn speak(port: &Value, sink: &mut dyn Sink) {
    if sink.at_terminal() {
        return;
    }
    if let Some((lang, text)) = wire::said(wire::port(port), &sink.stdin()) {
        sink.code(lang, &text);
    }
}

/// `tcpserver ADDRESS PORT CMD…`: the command speaks to whoever connects.
fn tcpserver(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    sink.effect(Verb::Listen, Target::None, Flags::NONE, Provenance::NONE);
    serve(&joined(&operands_from(parsed, 2)), sink);
}

fn tcpclient(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    open(parsed, false, sink);
    serve(&joined(&operands_from(parsed, 2)), sink);
}

/// What one of socat's two addresses is.
enum Address {
    /// A command line without a shell, or shell text.
    Command(Value),
    /// A file that is opened.
    File(Value),
    /// A place to connect to.
    Peer(Value),
    /// A socket of this machine to connect to.
    Socket(Value),
    /// A place to wait at.
    Wait,
    /// Standard streams and whatever else stays here.
    Here,
    /// Something that is not known: a command, too.
    Unknown(String),
}

/// `socat ADDRESS ADDRESS`: what the one gives, the other gets, and with `-u` only that way.
fn socat(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    let ends: Vec<Vec<Address>> = operands_from(parsed, 0).iter().map(addresses).collect();
    let (forth, back) = (!parsed.has("-U"), !parsed.has("-u"));
    for (place, own) in ends.iter().enumerate() {
        let others = || ends.iter().enumerate().filter(|(other, _)| *other != place).flat_map(|(_, end)| end);
        let ways =
            if place == 0 { Ways { given: back, taken: forth } } else { Ways { given: forth, taken: back } };
        for address in own {
            end(address, others().any(is_remote), ways, sink);
            fed(address, others().any(|other| matches!(other, Address::Here)), ways, sink);
        }
    }
    let [left, right] = ends.as_slice() else {
        return sink.gap(Position::Code, Reason::Unreadable, "the two addresses of socat");
    };
    for (left, right) in left.iter().flat_map(|left| right.iter().map(move |right| (left, right))) {
        if let (Address::Peer(peer), Address::Here) | (Address::Here, Address::Peer(peer)) = (left, right) {
            let input = sink.stdin().provenance;
            sink.connect(Verb::Connect, peer, Flags::NONE, input);
            speak(peer, sink);
        }
        carried(left, right, sink);
    }
}

fn is_remote(address: &Address) -> bool {
    matches!(address, Address::Peer(_) | Address::Socket(_) | Address::Wait)
}

/// What comes in on standard input goes to a command at the other end.
fn fed(address: &Address, from_here: bool, ways: Ways, sink: &mut dyn Sink) {
    let Address::Command(text) = address else { return };
    if from_here && ways.given && !sink.at_terminal() && starts_bare_shell(text) {
        sink.hooked_code(Lang::Shell, text);
    }
}

/// Which way data flows through one end.
#[derive(Clone, Copy)]
struct Ways {
    given: bool,
    taken: bool,
}

/// One end; `remote` says whether the other one is a connection.
fn end(address: &Address, remote: bool, ways: Ways, sink: &mut dyn Sink) {
    match address {
        Address::Command(text) if remote => serve(text, sink),
        Address::Command(text) => super::kinds::hook(text, Flags::NONE, sink),
        Address::File(path) if ways.given && remote => {
            sink.write(path, &super::requests::downloaded(), Flags::TRUNCATE);
        }
        Address::File(path) if ways.given => sink.path(Verb::Write, path, Flags::TRUNCATE),
        Address::Socket(path) => sink.path(Verb::Send, path, Flags::NONE),
        Address::Wait => sink.effect(Verb::Listen, Target::None, Flags::NONE, Provenance::NONE),
        Address::Unknown(word) => sink.gap(Position::Code, Reason::Runtime, word),
        Address::File(_) | Address::Peer(_) | Address::Here => {}
    }
    if let (Address::File(path), true) = (address, ways.taken) {
        sink.read(path);
    }
}

/// A file whose content goes to a peer.
fn carried(left: &Address, right: &Address, sink: &mut dyn Sink) {
    let (Address::File(path), Address::Peer(peer)) = (left, right) else { return };
    let data = sink.read(path).provenance;
    sink.connect(Verb::Send, peer, Flags::UPLOAD, data);
}

/// `ONE!!OTHER`: where it reads, and where it writes.
fn addresses(word: &Value) -> Vec<Address> {
    match word.known() {
        Some(text) => {
            text.split("!!").map(|part| address(&Value::literal(part).from(word.provenance))).collect()
        }
        None => vec![address(word)],
    }
}

fn address(word: &Value) -> Address {
    let prefix = word.known_prefix();
    let name = prefix.split([':', ',']).next().unwrap_or_default();
    if name.contains('/') {
        return Address::File(before_comma(word));
    }
    let Some((kind, rest)) = split_once(word, ':') else {
        let is_known = !word.has_hole() || prefix.contains(',');
        return if is_known { Address::Here } else { Address::Unknown(word.shown()) };
    };
    let rest = before_comma(&rest);
    let kind = kind.to_ascii_lowercase();
    match kind.as_str() {
        "exec" | "system" | "shell" => Address::Command(unquoted(&rest)),
        "open" | "file" | "gopen" | "create" | "creat" | "pipe" => Address::File(rest),
        _ if kind.contains("listen") || kind.ends_with("-l") => Address::Wait,
        _ if ["tcp", "udp", "ssl", "openssl", "sctp", "socks", "proxy", "dtls", "ip"]
            .iter()
            .any(|name| kind.starts_with(name)) =>
        {
            Address::Peer(rest)
        }
        _ if kind.starts_with("unix") || kind == "local" => Address::Socket(rest),
        "abstract" | "abstract-client" | "abstract-connect" | "abstract-sendto" => Address::Peer(rest),
        _ => Address::Here,
    }
}

/// Options follow an address after commas; inside quotes a comma is text.
fn before_comma(value: &Value) -> Value {
    let Some(text) = value.known() else { return value.clone() };
    let mut quoted = false;
    let end = text.char_indices().find(|(_, character)| {
        quoted ^= matches!(character, '\'' | '"');
        *character == ',' && !quoted
    });
    end.and_then(|(at, _)| text.get(..at)).map_or_else(
        || value.clone(),
        |text| Value { pieces: Value::literal(text).pieces, provenance: value.provenance },
    )
}

fn unquoted(value: &Value) -> Value {
    value.known().map_or_else(|| value.clone(), |text| Value::literal(text.trim_matches(['\'', '"'])))
}

fn hping(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    let hosts = operands_from(parsed, 0);
    for file in parsed.values("-E --file") {
        super::requests::send_file(file, &hosts, sink);
    }
}

fn mosquitto(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    let hosts: Vec<Value> = parsed.values("-h").cloned().collect();
    for file in parsed.values("-f") {
        super::requests::send_file(file, &hosts, sink);
    }
    for message in parsed.values("-m") {
        super::requests::send(message.provenance, &hosts, sink);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_told_apart() {
        let kind = |word: &str| match address(&Value::literal(word)) {
            Address::Command(text) => format!("command {}", text.shown()),
            Address::File(path) => format!("file {}", path.shown()),
            Address::Peer(peer) => format!("peer {}", peer.shown()),
            Address::Socket(path) => format!("socket {}", path.shown()),
            Address::Wait => "wait".to_owned(),
            Address::Here => "here".to_owned(),
            Address::Unknown(word) => format!("unknown {word}"),
        };
        assert_eq!(kind("exec:/bin/sh,pty,stderr"), "command /bin/sh");
        assert_eq!(kind("EXEC:'bash -li',pty"), "command bash -li");
        assert_eq!(kind("TCP:192.0.2.1:4444"), "peer 192.0.2.1:4444");
        assert_eq!(kind("UNIX-CONNECT:run/x.sock,nonblock"), "socket run/x.sock");
        assert_eq!(kind("ABSTRACT-CONNECT:x"), "peer x");
        assert_eq!(kind("UNIX-LISTEN:x.sock,fork"), "wait");
        assert_eq!(kind("tcp-listen:80,reuseaddr,fork"), "wait");
        assert_eq!(kind("open:/tmp/out,creat"), "file /tmp/out");
        assert_eq!(kind("-"), "here");
        assert_eq!(kind("stdio"), "here");
        assert_eq!(kind("-,raw,echo=0"), "here");
        assert_eq!(kind("/tmp/out,append"), "file /tmp/out");
    }
}
