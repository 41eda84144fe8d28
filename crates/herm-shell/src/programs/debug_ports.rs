//! Ports on which a program lets a debugger in. Nothing asks for a password there: whoever reaches the port runs code in the program.

use super::arguments::Parsed;
use super::kinds::strip_prefix;
use crate::effect::{Flags, Target, Verb};
use crate::sink::Sink;
use crate::value::{Provenance, Value};

/// JavaScript's options: `--inspect`, `--inspect=9229`, `--inspect=0.0.0.0:9229`.
pub(super) const INSPECT: &str = "--inspect --inspect-brk --inspect-wait --inspect-port --debug-port";

/// `node --inspect=ADDRESS`, `deno run --inspect-brk=ADDRESS`: by itself the port is for this machine alone.
pub(super) fn inspected(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    for address in parsed.values(INSPECT) {
        offered(address, sink);
    }
}

/// `java -agentlib:jdwp=transport=dt_socket,server=y,address=*:5005`.
pub(super) fn java_agent(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    for word in parsed.all {
        let shown = word.value.shown();
        let Some((agent, settings)) = shown.split_once('=') else { continue };
        let is_server = settings.split(',').any(|setting| setting == "server=y");
        if !is_server || !matches!(agent, "-agentlib:jdwp" | "-Xrunjdwp:transport") {
            continue;
        }
        for address in settings.split(',').filter_map(|setting| setting.strip_prefix("address=")) {
            offered(&Value::literal(address), sink);
        }
    }
}

/// The address in `--listen=ADDRESS` or `--listen ADDRESS` among words that no table reads; the other words come back.
pub(super) fn listened(words: &[Value], sink: &mut dyn Sink) -> Vec<Value> {
    let mut rest = Vec::new();
    let mut words = words.iter();
    while let Some(word) = words.next() {
        let glued = strip_prefix(word, "--listen=");
        let apart = |words: &mut std::slice::Iter<'_, Value>| words.next().cloned();
        let is_option = word.known().is_some_and(|word| word == "--listen");
        match if is_option { apart(&mut words) } else { glued } {
            Some(address) => offered(&address, sink),
            None => rest.push(word.clone()),
        }
    }
    rest
}

/// A debugger is waited for at an address. Whatever is not this machine's own lets others in.
pub(super) fn offered(address: &Value, sink: &mut dyn Sink) {
    if !is_own(address) {
        sink.effect(Verb::Listen, Target::None, Flags::GLOBAL, Provenance::NONE);
    }
}

/// Whether an address is one of this machine alone: a port, a socket, a name or number of the loop. A host that is not known is none.
fn is_own(address: &Value) -> bool {
    let text = address.known_prefix();
    let is_whole = address.known().is_some();
    let is_port = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if is_whole && (is_port(&text) || text == "::1") || text.starts_with("unix:") {
        return true;
    }
    let host = match text.strip_prefix('[') {
        Some(rest) => rest.split_once(']').map(|(host, _)| host),
        None => text.rsplit_once(':').map(|(host, _)| host).or(is_whole.then_some(&*text)),
    };
    host.is_some_and(|host| host == "localhost" || host == "::1" || host.starts_with("127."))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_addresses_of_the_machine_itself_are_its_own() {
        for own in
            ["", "9229", "127.0.0.1", "127.0.0.1:9229", "localhost:0", "[::1]:9229", "::1", "unix:/tmp/x"]
        {
            assert!(is_own(&Value::literal(own)), "{own}");
        }
        for open in
            ["0.0.0.0", "0.0.0.0:9229", "*:5005", "[::]:9229", ":2345", "10.0.0.5:1", "dev.example:9229"]
        {
            assert!(!is_own(&Value::literal(open)), "{open}");
        }
    }

    #[test]
    fn a_host_that_is_not_known_is_none_of_its_own() {
        let mut port = Value::literal("127.0.0.1:");
        port.push(&Value::unknown("$PORT", Provenance::NONE));
        assert!(is_own(&port));
        assert!(!is_own(&Value::unknown("$ADDRESS", Provenance::NONE)));
    }
}
