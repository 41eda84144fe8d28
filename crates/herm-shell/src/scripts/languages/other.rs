//! Languages that are not read for their own sake: only calls that start programs or open connections are found.

use crate::effect::{Flags, Verb};
use crate::gap::{Position, Reason};
use crate::lang::Lang;
use crate::scripts::engine::{self, Act, Language, Reader, Row, Val};
use crate::scripts::scanner::{Backtick, BareCalls, C_LIKE, Interpolation, Kind, Profile, scan};
use crate::sink::Sink;
use crate::value::Value;

const KEYWORDS: &[&str] = &[
    "let", "const", "var", "val", "if", "else", "while", "for", "func", "function", "fn", "def", "return",
    "new", "import", "using", "package", "throw", "try", "catch", "begin", "end", "do", "then", "elseif",
];

/// Anything with C's look.
pub(in crate::scripts) static OTHER: Language = Language {
    profile: Profile {
        lang: Lang::Other("other"),
        line_comments: &["//", "#"],
        backtick: Backtick::Command,
        interpolation: Interpolation::Dollar,
        concat: &["+", "++", "*", "<>"],
        bare_calls: BareCalls::Words,
        name_extra: "!",
        keywords: KEYWORDS,
        ..C_LIKE
    },
    calls: CALLS,
    transparent: &[
        "Base.",
        "System.Process.",
        "java.lang.",
        "java.io.",
        "java.net.",
        "java.nio.file.",
        "Elixir.",
    ],
    environment: &[],
    global,
};

/// Anything with Lisp's look.
pub(in crate::scripts) static LISP: Language = Language {
    profile: Profile {
        lang: Lang::Other("lisp"),
        line_comments: &[";"],
        block_comments: &[("#|", "|#")],
        quotes: "\"",
        newlines: false,
        name_extra: "-!?*",
        bare_calls: BareCalls::Words,
        ..C_LIKE
    },
    calls: CALLS,
    transparent: &["uiop.", "ext.", "clojure.java.shell.", "babashka.fs.", "babashka.process.", "fs."],
    environment: &[],
    global,
};

const CALLS: &[Row] = &[
    ("system", Act::ShellOrArgv),
    ("exec", Act::ShellOrArgv),
    ("spawn", Act::ShellOrArgv),
    ("popen", Act::Shell(0)),
    ("shell", Act::Shell(0)),
    ("sh", Act::Argv),
    ("run", Act::Special(run)),
    ("execute", Act::Shell(0)),
    ("callCommand", Act::Shell(0)),
    ("runCommand", Act::Shell(0)),
    ("callProcess", Act::Argv),
    ("readProcess", Act::Argv),
    ("rawSystem", Act::Argv),
    ("os.cmd", Act::Shell(0)),
    ("open_port", Act::Inert),
    ("System.cmd", Act::Argv),
    ("System.shell", Act::Shell(0)),
    ("exec.Command", Act::Argv),
    ("syscall.Exec", Act::Special(exec_list)),
    ("syscall.Socket", Act::Inert),
    ("syscall.Connect", Act::Connect(1, 9)),
    ("ProcessBuilder", Act::Argv),
    ("Runtime.getRuntime().exec", Act::ShellOrArgv),
    ("**.getRuntime().exec", Act::ShellOrArgv),
    ("Process", Act::ShellOrArgv),
    ("value.execute", Act::Shell(0)),
    ("Command.new", Act::Argv),
    ("shell-command", Act::Shell(0)),
    ("shell-command-to-string", Act::Shell(0)),
    ("async-shell-command", Act::Shell(0)),
    ("term", Act::Shell(0)),
    ("ansi-term", Act::Shell(0)),
    ("call-process", Act::Special(call_process)),
    ("start-process", Act::Special(start_process)),
    ("run-shell-command", Act::Shell(0)),
    ("run-program", Act::ShellOrArgv),
    ("system*", Act::Argv),
    ("delete-file", Act::Delete(Flags::NONE)),
    ("delete-directory", Act::Special(delete_directory)),
    ("load-file", Act::Script(Lang::Other("lisp"))),
    ("write-file", Act::Write(0, 9, Flags::TRUNCATE)),
    ("find-file", Act::Read(0)),
    ("insert-file-contents", Act::Read(0)),
    ("os.ReadFile", Act::Read(0)),
    ("ioutil.ReadFile", Act::Read(0)),
    ("os.Open", Act::Read(0)),
    ("os.OpenFile", Act::Special(open_file)),
    ("os.Create", Act::Special(create_file)),
    ("os.WriteFile", Act::Write(0, 1, Flags::TRUNCATE)),
    ("ioutil.WriteFile", Act::Write(0, 1, Flags::TRUNCATE)),
    ("os.Remove", Act::Delete(Flags::NONE)),
    ("os.RemoveAll", Act::Delete(Flags::RECURSIVE)),
    ("os.Rename", Act::Move(0, 1)),
    ("os.Chmod", Act::ChangeMode(1, 0)),
    ("os.Environ", Act::Special(environment)),
    ("net.Dial", Act::Connect(1, 9)),
    ("net.Listen", Act::Listen(1)),
    ("http.Get", Act::Fetch(0)),
    ("fs.read_to_string", Act::Read(0)),
    ("fs.remove_dir_all", Act::Delete(Flags::RECURSIVE)),
    ("fs.remove_file", Act::Delete(Flags::NONE)),
    ("fs.write", Act::Write(0, 1, Flags::TRUNCATE)),
    ("TcpStream.connect", Act::Connect(0, 9)),
    ("open", Act::Special(open)),
    ("read", Act::Special(read_path)),
    ("readlines", Act::Read(0)),
    ("write", Act::Special(write_path)),
    ("spit", Act::Write(0, 1, Flags::TRUNCATE)),
    ("slurp", Act::Read(0)),
    ("delete-tree", Act::Delete(Flags::RECURSIVE)),
    ("delete-if-exists", Act::Delete(Flags::NONE)),
    ("mv", Act::Move(0, 1)),
    ("cp", Act::Copy(0, 1)),
    ("fileread", Act::Read(0)),
    ("fopen", Act::Open(0, 1)),
    ("rm", Act::Delete(Flags::NONE)),
    ("delete", Act::Special(delete)),
    ("rmdir", Act::Delete(Flags::NONE)),
    ("unlink", Act::Delete(Flags::NONE)),
    ("File.read!", Act::Read(0)),
    ("File.read", Act::Read(0)),
    ("File.rm_rf", Act::Delete(Flags::RECURSIVE)),
    ("File.rm_rf!", Act::Delete(Flags::RECURSIVE)),
    ("File.rm", Act::Delete(Flags::NONE)),
    ("File.write", Act::Write(0, 1, Flags::TRUNCATE)),
    ("File.write!", Act::Write(0, 1, Flags::TRUNCATE)),
    ("file.read_file", Act::Read(0)),
    ("file.delete", Act::Delete(Flags::NONE)),
    ("file.del_dir_r", Act::Delete(Flags::RECURSIVE)),
    ("Files.readString", Act::Read(0)),
    ("Files.delete", Act::Delete(Flags::NONE)),
    ("Path.of", Act::Pure(engine::same)),
    ("Paths.get", Act::Pure(engine::same)),
    ("readFile", Act::Read(0)),
    ("writeFile", Act::Write(0, 1, Flags::TRUNCATE)),
    ("connect", Act::Connect(0, 1)),
    ("Socket", Act::Connect(0, 1)),
    ("ServerSocket", Act::Listen(0)),
    ("gen_tcp.connect", Act::Connect(0, 1)),
    ("gen_tcp.listen", Act::Listen(0)),
    ("Sockets.connect", Act::Connect(0, 1)),
    ("listen", Act::Listen(0)),
    ("eval", Act::Special(eval)),
    ("evalin", Act::Special(eval)),
    ("Code.eval_string", Act::Special(eval)),
    ("Meta.parse", Act::Pure(engine::same)),
    ("include", Act::Script(Lang::Other("other"))),
    ("download", Act::Special(download)),
    ("println", Act::Print("\n")),
    ("print", Act::Print("")),
    ("puts", Act::Print("\n")),
    ("printf", Act::Pure(engine::format)),
    ("string", Act::Pure(engine::concat)),
    ("base64decode", Act::Pure(engine::base64)),
    ("Base.decode64!", Act::Pure(engine::base64)),
    ("reverse", Act::Pure(engine::reverse)),
    ("join", Act::Pure(engine::join)),
    ("String", Act::Pure(engine::same)),
    ("Cmd", Act::Pure(engine::same)),
    ("getenv", Act::Env),
    ("System.getenv", Act::Env),
    ("System.get_env", Act::Env),
    ("os.Getenv", Act::Env),
];

/// `download(url)`, or Julia's `download(url, path)`.
fn download(reader: &mut Reader<'_>, arguments: &[Val]) -> Val {
    let content = reader.perform(Act::Fetch(0), arguments);
    if let Some(path) = arguments.get(1) {
        reader.perform(Act::Write(0, 1, Flags::TRUNCATE), &[path.clone(), content.clone()]);
    }
    content
}

fn global(_reader: &mut Reader<'_>, name: &str) -> Option<Val> {
    let _ = name;
    None
}

/// Julia runs what stands in backticks, which has run already; a text is the shell's.
fn run(reader: &mut Reader<'_>, arguments: &[Val]) -> Val {
    match arguments.first() {
        Some(Val::Text(value)) if value.known().is_some_and(|text| !text.is_empty()) => {
            reader.perform(Act::ShellOrArgv, arguments)
        }
        Some(Val::List(_)) => reader.perform(Act::Argv, arguments),
        Some(_) | None => Val::list(Vec::new()),
    }
}

/// The first argument names the program again; the list is all of its words.
fn exec_list(reader: &mut Reader<'_>, arguments: &[Val]) -> Val {
    let argv: Vec<Val> = match arguments.get(1) {
        Some(Val::List(items)) if !items.is_empty() => items.iter().cloned().collect(),
        Some(_) | None => arguments.iter().take(1).cloned().collect(),
    };
    reader.perform(Act::Argv, &argv)
}

/// `(call-process "sh" nil t nil "-c" "x")`.
fn call_process(reader: &mut Reader<'_>, arguments: &[Val]) -> Val {
    let texts: Vec<Val> =
        arguments.iter().filter(|argument| matches!(argument, Val::Text(_))).cloned().collect();
    reader.perform(Act::Argv, &texts)
}

/// `(start-process "name" buffer "sh" "-c" "x")`.
fn start_process(reader: &mut Reader<'_>, arguments: &[Val]) -> Val {
    let texts: Vec<Val> =
        arguments.iter().skip(2).filter(|argument| matches!(argument, Val::Text(_))).cloned().collect();
    reader.perform(Act::Argv, &texts)
}

fn delete_directory(reader: &mut Reader<'_>, arguments: &[Val]) -> Val {
    let flags = if arguments.len() > 1 { Flags::RECURSIVE } else { Flags::NONE };
    reader.perform(Act::Delete(flags), arguments.get(..1).unwrap_or_default())
}

fn open_file(reader: &mut Reader<'_>, arguments: &[Val]) -> Val {
    let path = arguments.first().map(|path| reader.text(path)).unwrap_or_default();
    reader.open_mode(&path, "w")
}

fn create_file(reader: &mut Reader<'_>, arguments: &[Val]) -> Val {
    open_file(reader, arguments)
}

/// `open(path, "w")`, or Julia's `open(f -> …, path, "w")`.
fn open(reader: &mut Reader<'_>, arguments: &[Val]) -> Val {
    let operands: Vec<Val> =
        arguments.iter().skip_while(|argument| !matches!(argument, Val::Text(_))).cloned().collect();
    if operands.is_empty() {
        return Val::list(Vec::new());
    }
    reader.perform(Act::Open(0, 1), &operands)
}

/// `read("path")`; reading from a handle is nothing new.
fn read_path(reader: &mut Reader<'_>, arguments: &[Val]) -> Val {
    match arguments.first() {
        Some(Val::Text(path)) if !path.known_prefix().is_empty() => reader.perform(Act::Read(0), arguments),
        Some(other) => other.clone(),
        None => Val::list(Vec::new()),
    }
}

/// Julia's `write("path", data)`; writing to a handle is nothing new.
fn write_path(reader: &mut Reader<'_>, arguments: &[Val]) -> Val {
    match arguments.first() {
        Some(Val::Text(path)) if path.known_prefix().contains(['/', '.']) => {
            reader.perform(Act::Write(0, 1, Flags::TRUNCATE), arguments)
        }
        Some(_) | None => Val::list(Vec::new()),
    }
}

fn delete(reader: &mut Reader<'_>, arguments: &[Val]) -> Val {
    match arguments.first() {
        Some(Val::Text(_)) => reader.perform(Act::Delete(Flags::NONE), arguments),
        Some(_) | None => Val::list(Vec::new()),
    }
}

fn eval(reader: &mut Reader<'_>, arguments: &[Val]) -> Val {
    let Some(Val::Text(code)) = arguments.first() else { return Val::list(Vec::new()) };
    let lang = reader.lang();
    reader.sink.code(lang, code);
    Val::list(Vec::new())
}

fn environment(reader: &mut Reader<'_>, _arguments: &[Val]) -> Val {
    reader.environment()
}

/// Reads code of a language that has no reader of its own.
pub(in crate::scripts) fn read(name: &'static str, text: &str, sink: &mut dyn Sink) {
    let language = if LISPS.contains(&name) { &LISP } else { &OTHER };
    engine::read(language, text, sink);
    if name == "java" {
        session_commands(text, sink);
    }
    if name == "scala" {
        process_operators(text, sink);
    }
    // What such a language starts stands in quotes in it, or after a mark.
    let is_harmless = harmless(&language.profile, text);
    if !is_harmless || text.contains(['!', '|', '<', '`']) {
        sink.reaches(&[Value::literal(text)]);
    }
    if !is_harmless {
        sink.gap(Position::Unfollowed, Reason::Language, name);
    }
}

/// `/open FILE` and `/save FILE` are for the shell of the language itself.
fn session_commands(text: &str, sink: &mut dyn Sink) {
    for line in text.lines().map(|line| line.trim_start_matches("jshell>").trim()) {
        if let Some(path) = line.strip_prefix("/open ") {
            sink.read(&Value::literal(path.trim()));
        } else if let Some(path) = line.strip_prefix("/save ") {
            sink.path(Verb::Write, &Value::literal(path.trim()), Flags::TRUNCATE);
        }
    }
}

/// Scala runs what stands before `.!`, `.!!` and their kin; `Seq(…).!` and the like are not followed.
fn process_operators(text: &str, sink: &mut dyn Sink) {
    for (at, _) in text.match_indices(".!").chain(text.match_indices(" !!")).take(16) {
        let before = text.get(..at).unwrap_or_default();
        let quoted = before.strip_suffix('"').and_then(|before| before.rsplit_once('"'));
        match quoted {
            Some((lead, command)) if !command.contains('\\') && !lead.ends_with(['s', 'f']) => {
                sink.code(Lang::Shell, &Value::literal(command));
            }
            Some(_) | None => sink.gap(Position::Unfollowed, Reason::Language, "scala"),
        }
    }
}

const LISPS: &[&str] =
    &["lisp", "elisp", "emacs-lisp", "emacs lisp", "emacs", "scheme", "guile", "clojure", "common lisp"];

/// The most bytes that are short.
const SHORT: usize = 16 * 1024;

/// Whether code is short and only calls what prints or computes, or what the table knows.
fn harmless(profile: &Profile, text: &str) -> bool {
    if text.len() > SHORT {
        return false;
    }
    let tokens = scan(profile, text, 0);
    if tokens.len() > 400 {
        return false;
    }
    let called = tokens.windows(2).filter_map(|pair| match pair {
        [callee, next] if next.is("(") || matches!(next.kind, Kind::Text(_)) => callee.name(),
        _ => None,
    });
    called.into_iter().all(|name| {
        KNOWN_CALLS.contains(&name) || CALLS.iter().any(|row| row.0.rsplit('.').next() == Some(name))
    })
}

/// Calls that compute, show or plot.
const KNOWN_CALLS: &[&str] = &[
    "abs",
    "acos",
    "append",
    "asin",
    "assert",
    "atan",
    "ceil",
    "char",
    "cmd",
    "cos",
    "count",
    "disp",
    "display",
    "DISPLAY",
    "do",
    "error",
    "exit",
    "exp",
    "fclose",
    "fgetl",
    "fgets",
    "filter",
    "floor",
    "fmt",
    "for",
    "foldl",
    "format",
    "fprintf",
    "fputs",
    "func",
    "function",
    "if",
    "import",
    "in",
    "inspect",
    "int",
    "IO",
    "isempty",
    "keys",
    "len",
    "length",
    "let",
    "linspace",
    "log",
    "main",
    "make",
    "map",
    "max",
    "mean",
    "min",
    "mod",
    "not",
    "ones",
    "parse",
    "plot",
    "pow",
    "Print",
    "Printf",
    "Println",
    "print",
    "println",
    "putStr",
    "putStrLn",
    "rand",
    "range",
    "repr",
    "reverse",
    "round",
    "say",
    "set",
    "show",
    "sin",
    "size",
    "sort",
    "split",
    "splot",
    "sprintf",
    "sqrt",
    "std",
    "str",
    "string",
    "sum",
    "tan",
    "title",
    "toString",
    "typeof",
    "uppercase",
    "lowercase",
    "using",
    "version",
    "while",
    "xlabel",
    "ylabel",
    "zeros",
    "zip",
    "and",
    "or",
    "return",
    "message",
    "princ",
    "number-to-string",
    "concat",
    "emacs-version",
    "kill-emacs",
    "output",
    "terminal",
    "getInputStream",
    "getRuntime",
    "inheritIO",
    "waitFor",
    "getOutputStream",
    "getErrorStream",
    "isClosed",
    "available",
    "start",
    "redirectErrorStream",
    "write",
    "close",
    "flush",
    "ParseIP",
    "To4",
    "copy",
    "Dup2",
    "byte",
    "Close",
    "Write",
    "pipeline",
    "IOBuffer",
    "take",
    "readline",
    "interactive",
    // Of package managers that a project's own commands are for.
    "activate",
    "instantiate",
    "precompile",
    "resolve",
    "status",
    "test",
    // Small words of other languages.
    "capitalize",
    "downcase",
    "trim",
    "upcase",
    "cond",
    "defun",
    "dolist",
    "dotimes",
    "fwrite",
    "halt",
    "lambda",
    "list",
    "mapcar",
    "print_endline",
    "print_int",
    "print_string",
    "progn",
    "quit",
    "setq",
    "string_of_int",
    "system_info",
    "terpri",
    "unless",
    "when",
];
