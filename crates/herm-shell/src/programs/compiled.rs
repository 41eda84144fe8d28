//! Programs in compiled languages that a command writes and then runs: their calls that reach the machine.

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
    /// A program, whose name its arguments begin with again.
    RunNamed,
    /// Text for a shell.
    Shell,
    Write,
}

type Calls = &'static [(&'static str, Call)];

const GO: Calls = &[
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

const JAVA: Calls = &[
    ("new ProcessBuilder(", Call::Run),
    (".getRuntime().exec(", Call::Run),
    ("new Socket(", Call::Connect),
    ("new URL(", Call::Connect),
    ("URI.create(", Call::Connect),
    ("new FileReader(", Call::Read),
    ("new FileInputStream(", Call::Read),
    ("Files.readString(", Call::Read),
    ("Files.readAllLines(", Call::Read),
    ("Files.readAllBytes(", Call::Read),
    ("Files.lines(", Call::Read),
    ("new FileWriter(", Call::Write),
    ("new FileOutputStream(", Call::Write),
    ("new PrintWriter(", Call::Write),
    ("Files.write(", Call::Write),
    ("Files.writeString(", Call::Write),
    ("Files.delete(", Call::Delete),
    ("Files.deleteIfExists(", Call::Delete),
];

const C: Calls = &[
    ("system(", Call::Shell),
    ("popen(", Call::Shell),
    ("execl(", Call::RunNamed),
    ("execlp(", Call::RunNamed),
    ("execle(", Call::RunNamed),
    ("unlink(", Call::Delete),
    ("remove(", Call::Delete),
    ("rmdir(", Call::Delete),
    ("remove_all(", Call::Delete),
    ("truncate(", Call::Write),
];

const RUST: Calls = &[
    ("Command::new(", Call::Run),
    ("fs::remove_dir_all(", Call::Delete),
    ("remove_dir_all(", Call::Delete),
    ("fs::remove_file(", Call::Delete),
    ("fs::write(", Call::Write),
    ("File::create(", Call::Write),
    ("fs::rename(", Call::Delete),
];

/// `cc FILE.c -o PROGRAM`, `rustc FILE.rs`: what is compiled is not run yet. The program that comes out is remembered as what
/// its calls would be in a shell, so that running it later is understood.
pub(super) fn build(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    let mut equivalent = String::new();
    let mut first = None;
    for source in operands_from(parsed, 0) {
        let name = source.shown();
        let calls = match ending(&name) {
            Some("c" | "cc" | "cpp" | "cxx" | "C") => C,
            Some("rs") => RUST,
            _ => continue,
        };
        if let Some(text) = sink.read(&source).known() {
            equivalent.push_str(&as_shell(&text, calls));
        }
        first.get_or_insert(name);
    }
    let Some(first) = first.filter(|_| !equivalent.is_empty()) else { return };
    let program = parsed.value("-o").cloned().unwrap_or_else(|| {
        let stem = first.rsplit('/').next().and_then(|name| name.strip_suffix(".rs"));
        Value::literal(stem.unwrap_or("a.out"))
    });
    sink.write(&program, &Value::literal(equivalent), Flags::TRUNCATE);
}

/// The calls in a source, one command a line.
fn as_shell(text: &str, calls: Calls) -> String {
    let mut lines = String::new();
    for (name, call) in calls {
        let found = text.match_indices(name).filter(|(place, _)| is_whole(text, *place));
        for rest in found.filter_map(|(place, _)| text.get(place + name.len()..)) {
            let strings: Vec<String> = arguments(rest).iter().map(Value::shown).collect();
            let Some(first) = strings.first() else { continue };
            let words =
                |words: &[String]| words.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" ");
            let line = match call {
                Call::Shell => first.clone(),
                Call::Run => words(&strings),
                // The program's name stands there twice: as its path, and as its first word.
                Call::RunNamed => {
                    words(&strings.iter().take(1).chain(strings.iter().skip(2)).cloned().collect::<Vec<_>>())
                }
                Call::Delete => format!("rm -rf {}", quoted(first)),
                Call::Write => format!(": > {}", quoted(first)),
                Call::Connect | Call::Read => continue,
            };
            lines.push_str(&line);
            lines.push('\n');
        }
    }
    lines
}

/// Whether a name begins here, and is not the end of a longer one.
fn is_whole(text: &str, place: usize) -> bool {
    let before = text.get(..place).and_then(|text| text.chars().next_back());
    before.is_none_or(|letter| !letter.is_alphanumeric() && letter != '_')
}

fn quoted(word: &str) -> String {
    format!("'{}'", word.replace('\'', "'\\''"))
}

/// `go run FILE…`: a file whose text is known is read for its calls.
pub(super) fn run(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    for path in operands_from(parsed, 0) {
        if ending(&path.shown()) != Some("go") {
            break;
        }
        let text = sink.read(&path);
        if let Some(text) = text.known() {
            read(&text, GO, sink);
        }
    }
}

/// `java FILE.java`, or `java NAME` where the source stands beside the class.
pub(super) fn java(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    let Some(name) = parsed.word(0).filter(|_| !parsed.has("-jar")) else { return };
    let class = name.strip_suffix(".java").map_or_else(|| name.replace('.', "/"), str::to_owned);
    let text = sink.read(&Value::literal(format!("{class}.java")));
    if let Some(text) = text.known() {
        read(&text, JAVA, sink);
    }
}

fn read(text: &str, calls: Calls, sink: &mut dyn Sink) {
    let mut shell = false;
    let mut connected = false;
    for (name, call) in calls {
        for rest in text.match_indices(name).filter_map(|(place, _)| text.get(place + name.len()..)) {
            let strings = arguments(rest);
            shell |= matches!(call, Call::Run);
            connected |= matches!(call, Call::Connect);
            report(*call, &strings, sink);
        }
    }
    if shell && connected {
        let target = crate::effect::Target::Code(crate::lang::Lang::Other("source"), None);
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
        Call::Shell => {
            sink.code(crate::lang::Lang::Shell, first);
        }
        Call::Run | Call::RunNamed => {
            // The list of arguments that `syscall.Exec` takes begins with the program's name again.
            let again = strings.get(1) == Some(first);
            // One text that holds the words, as `Runtime.exec` takes it.
            let words: Vec<Value> = first.shown().split_ascii_whitespace().map(Value::literal).collect();
            let argv = if strings.len() == 1 { &words } else { strings };
            sink.run(argv.get(usize::from(again)..).unwrap_or_default(), &Value::default());
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
