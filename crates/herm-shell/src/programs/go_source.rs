//! Go programs that a command writes and then runs: their calls that reach the machine.

use super::arguments::Parsed;
use super::phrases::{ending, operands_from};
use crate::effect::{Flags, Verb};
use crate::sink::Sink;
use crate::value::{Provenance, Value};

/// What a call does with the strings that it is given.
#[derive(Clone, Copy)]
enum Call {
    Connect,
    Delete,
    Read,
    Run,
    Write,
}

const CALLS: &[(&str, Call)] = &[
    ("exec.Command(", Call::Run),
    ("exec.CommandContext(", Call::Run),
    ("syscall.Exec(", Call::Run),
    ("net.Dial(", Call::Connect),
    ("net.ParseIP(", Call::Connect),
    ("http.Get(", Call::Connect),
    ("http.Post(", Call::Connect),
    ("os.Open(", Call::Read),
    ("os.ReadFile(", Call::Read),
    ("ioutil.ReadFile(", Call::Read),
    ("os.Create(", Call::Write),
    ("os.OpenFile(", Call::Write),
    ("os.WriteFile(", Call::Write),
    ("ioutil.WriteFile(", Call::Write),
    ("os.Remove(", Call::Delete),
    ("os.RemoveAll(", Call::Delete),
];

/// `go run FILE…`: a file whose text is known is read for its calls.
pub(super) fn run(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    for path in operands_from(parsed, 0) {
        if ending(&path.shown()) != Some("go") {
            break;
        }
        let text = sink.read(&path);
        if let Some(text) = text.known() {
            read(&text, sink);
        }
    }
}

fn read(text: &str, sink: &mut dyn Sink) {
    let mut shell = false;
    let mut connected = false;
    for (name, call) in CALLS {
        for rest in text.match_indices(name).filter_map(|(place, _)| text.get(place + name.len()..)) {
            let strings = arguments(rest);
            shell |= matches!(call, Call::Run);
            connected |= matches!(call, Call::Connect);
            report(*call, &strings, sink);
        }
    }
    if shell && connected {
        let target = crate::effect::Target::Code(crate::lang::Lang::Other("go"), None);
        sink.effect(Verb::Execute, target, Flags::REMOTE_CONTROL | Flags::INTERACTIVE, Provenance::NETWORK);
    }
}

fn report(call: Call, strings: &[Value], sink: &mut dyn Sink) {
    let Some(first) = strings.first() else { return };
    match call {
        Call::Connect => {
            sink.connect(Verb::Connect, strings.last().unwrap_or(first), Flags::NONE, Provenance::NONE);
        }
        Call::Delete => sink.path(Verb::Delete, first, Flags::RECURSIVE),
        Call::Read => {
            sink.read(first);
        }
        Call::Run => {
            // The list of arguments that `syscall.Exec` takes begins with the program's name again.
            let again = strings.get(1) == Some(first);
            sink.run(strings.get(usize::from(again)..).unwrap_or_default(), &Value::default());
        }
        Call::Write => sink.path(Verb::Write, first, Flags::NONE),
    }
}

/// The strings among the arguments of a call that begins here.
fn arguments(text: &str) -> Vec<Value> {
    let line = text.split(['\n', ';']).next().unwrap_or_default();
    line.split('"').skip(1).step_by(2).map(Value::literal).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_of_a_call_are_found() {
        let found: Vec<_> =
            arguments("\"sh\", \"-c\", code)\nnext(\"no\")").iter().map(Value::shown).collect();
        assert_eq!(found, ["sh", "-c"]);
    }
}
