//! Programs in compiled languages that a command writes and then runs: their calls that reach the machine.

use super::arguments::Parsed;
use super::phrases::{ending, operands_from};
use crate::effect::{Flags, Verb};
use crate::gap::{Position, Reason};
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
    let told = glued(parsed, "-x").next();
    for source in operands_from(parsed, 0) {
        let name = source.shown();
        let is_input = matches!(name.as_str(), "-" | "/dev/stdin");
        let calls = match told.as_deref().or_else(|| ending(&name)) {
            Some("c" | "c++" | "cc" | "cpp" | "cxx" | "C" | "m") => C,
            Some("rs") => RUST,
            None if is_input && parsed.program == "rustc" => RUST,
            Some(_) | None if is_input => C,
            Some(_) | None => continue,
        };
        let text = if is_input { sink.stdin() } else { sink.read(&source) };
        if let Some(text) = text.known() {
            let text = with_definitions(parsed, &text);
            equivalent.push_str(&as_shell(&text, calls));
            unread_calls(&text, sink);
        }
        first.get_or_insert(if is_input { "a.out.rs".to_owned() } else { name });
    }
    let Some(first) = first.filter(|_| !equivalent.is_empty()) else { return };
    if parsed.has("-run") {
        sink.code(crate::lang::Lang::Shell, &Value::literal(equivalent));
        return;
    }
    let program = parsed.value("-o").cloned().unwrap_or_else(|| {
        let stem = first.rsplit('/').next().and_then(|name| name.strip_suffix(".rs"));
        Value::literal(stem.unwrap_or("a.out"))
    });
    sink.write(&program, &Value::literal(equivalent), Flags::TRUNCATE);
}

/// The values of an option of one letter, which stand behind it or in the next word.
fn glued<'p>(parsed: &'p Parsed<'_>, option: &'p str) -> impl Iterator<Item = String> + 'p {
    let words = || parsed.all.iter().map(|argument| argument.value.shown());
    words().zip(words().skip(1).chain([String::new()])).filter_map(move |(word, next)| {
        let rest = word.strip_prefix(option)?;
        Some(if rest.is_empty() { next } else { rest.to_owned() })
    })
}

/// The source with what options define before it (`-DNAME(x)=…`).
fn with_definitions(parsed: &Parsed<'_>, text: &str) -> String {
    let defined = glued(parsed, "-D").map(|given| given.replacen('=', " ", 1));
    let lines: String = defined.map(|given| format!("#define {given}\n")).collect::<Vec<_>>().concat();
    lines + text
}

/// Functions that start programs, or load code, whose names a program need not say anywhere else.
const STARTING: &[&str] = &[
    "dlopen(",
    "execl",
    "execv",
    "popen(",
    "posix_spawn",
    "syscall(",
    "system(",
    "__asm__",
    "asm(",
    "asm volatile",
];

/// A source that starts what does not stand in it as one text is read, but not to its end. What texts there are may be parts of it.
fn unread_calls(text: &str, sink: &mut dyn Sink) {
    let starts = STARTING.iter().flat_map(|name| text.match_indices(name));
    let is_unread = |(place, name): (usize, &str)| {
        let rest = text.get(place + name.len()..).unwrap_or_default();
        let is_declared = rest.trim_start().starts_with([')', 'c']) && name.ends_with('(');
        is_whole(text, place) && !is_declared && !is_one_text(name, rest)
    };
    let Some((_, name)) = starts.filter(|found| is_unread(*found)).max_by_key(|(place, _)| *place) else {
        return;
    };
    sink.gap(Position::Unfollowed, Reason::Runtime, &format!("what `{}` starts", name.trim_end_matches('(')));
    let texts: Vec<Value> = text.split('"').skip(1).step_by(2).map(Value::literal).collect();
    let joined = Value::joined(&texts, "");
    sink.reaches(&texts);
    sink.reaches(&[joined]);
}

/// Whether a call has nothing but one text: `system("ls")`. Of those that take words, each must be one.
fn is_one_text(name: &str, rest: &str) -> bool {
    let arguments =
        rest.trim_start_matches(|letter: char| letter.is_ascii_alphabetic()).trim_start_matches('(');
    let call = arguments.split([';', '\n']).next().unwrap_or_default();
    let between: String = call.split('"').step_by(2).collect();
    let is_plain = |letter: char| " ,()NUL0!=<>&|{}*char".contains(letter);
    !matches!(name, "asm(" | "asm volatile" | "__asm__" | "dlopen(" | "syscall(")
        && call.contains('"')
        && between.chars().all(is_plain)
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
