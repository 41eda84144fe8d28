//! Perl.

use crate::effect::{Flags, Verb};
use crate::gap::{Position, Reason};
use crate::lang::Lang;
use crate::scripts::engine::{self, Act, HandleKind, Language, Reader, Row, Val};
use crate::scripts::scanner::{Backtick, BareCalls, C_LIKE, Interpolation, Profile, Quoting};
use crate::value::Value;

pub(in crate::scripts) static PERL: Language = Language {
    profile: Profile {
        lang: Lang::Perl,
        line_comments: &["#"],
        block_comments: &[],
        sigils: "$@%&",
        quotes: "\"",
        raw_quotes: "'",
        backtick: Backtick::Command,
        interpolation: Interpolation::Perl,
        quoting: Quoting::Perl,
        regexes: true,
        newlines: false,
        concat: &["."],
        bare_calls: BareCalls::Lists,
        keywords: &[
            "my", "our", "local", "if", "unless", "elsif", "else", "while", "until", "for", "foreach", "sub",
            "return", "use", "no", "package", "new", "not", "BEGIN", "END",
        ],
        ..C_LIKE
    },
    calls: CALLS,
    transparent: &[
        "CORE.",
        "GLOBAL.",
        "main.",
        "POSIX.",
        "File.Path.",
        "File.Copy.",
        "MIME.Base64.",
        "LWP.Simple.",
    ],
    environment: &["ENV"],
    global,
};

const CALLS: &[Row] = &[
    ("system", Act::ShellOrArgv),
    ("exec", Act::ShellOrArgv),
    ("readpipe", Act::Shell(0)),
    ("open3", Act::Special(open3)),
    ("open2", Act::Special(open3)),
    ("IPC.Open3.open3", Act::Special(open3)),
    ("eval", Act::Code(Lang::Perl)),
    ("do", Act::Script(Lang::Perl)),
    ("require", Act::Special(require)),
    ("open", Act::Special(open)),
    ("sysopen", Act::Special(open)),
    ("unlink", Act::Delete(Flags::NONE)),
    ("rmdir", Act::Delete(Flags::NONE)),
    ("rmtree", Act::Delete(Flags::RECURSIVE)),
    ("remove_tree", Act::Delete(Flags::RECURSIVE)),
    ("chmod", Act::Special(chmod)),
    ("chown", Act::ChangeOwner(2)),
    ("rename", Act::Move(0, 1)),
    ("move", Act::Move(0, 1)),
    ("copy", Act::Copy(0, 1)),
    ("truncate", Act::Touch(Verb::Write, 0, Flags::TRUNCATE)),
    ("link", Act::Link(1)),
    ("symlink", Act::Link(1)),
    ("kill", Act::Special(kill)),
    ("syscall", Act::Special(syscall)),
    ("fork", Act::Fork),
    ("socket", Act::Inert),
    ("connect", Act::Special(connect)),
    ("bind", Act::Special(bind)),
    ("sockaddr_in", Act::Pure(address)),
    ("pack_sockaddr_in", Act::Pure(address)),
    ("inet_aton", Act::Pure(engine::same)),
    ("IO.Socket.INET.new", Act::Connect(0, 1)),
    ("IO.Socket.new", Act::Connect(0, 1)),
    ("IO.Socket.SSL.new", Act::Connect(0, 1)),
    ("IO.Socket.IP.new", Act::Connect(0, 1)),
    ("get", Act::Fetch(0)),
    ("getstore", Act::Special(getstore)),
    ("getprint", Act::Fetch(0)),
    ("HTTP.Tiny.new().get", Act::Fetch(0)),
    ("LWP.UserAgent.new().get", Act::Fetch(0)),
    ("HTTP.Tiny.new().post", Act::Send(0)),
    ("LWP.UserAgent.new().post", Act::Send(0)),
    ("print", Act::Print("")),
    ("say", Act::Print("\n")),
    ("printf", Act::Special(printf)),
    ("sprintf", Act::Special(super::unknown)),
    ("join", Act::Special(super::unknown)),
    ("pack", Act::Special(super::unknown)),
    ("unpack", Act::Special(super::unknown)),
    ("reverse", Act::Special(super::unknown)),
    ("scalar", Act::Special(super::unknown)),
    ("chr", Act::Special(super::unknown)),
    ("ord", Act::Special(super::unknown)),
    ("hex", Act::Special(super::unknown)),
    ("oct", Act::Special(super::unknown)),
    ("lc", Act::Special(super::unknown)),
    ("uc", Act::Special(super::unknown)),
    ("lcfirst", Act::Special(super::unknown)),
    ("ucfirst", Act::Special(super::unknown)),
    ("split", Act::Special(super::unknown)),
    ("substr", Act::Special(super::unknown)),
    ("map", Act::Special(map)),
    ("grep", Act::Special(chosen)),
    ("sort", Act::Special(chosen)),
    ("decode_base64", Act::Special(super::unknown)),
    ("uri_unescape", Act::Special(super::unknown)),
    ("shift", Act::Special(shift)),
    ("pop", Act::Special(shift)),
    ("push", Act::Inert),
    ("unshift", Act::Inert),
    ("splice", Act::Special(super::unknown)),
    ("chop", Act::Special(super::unknown)),
    ("index", Act::Special(super::unknown)),
    ("rindex", Act::Special(super::unknown)),
    ("quotemeta", Act::Special(super::unknown)),
    ("glob", Act::Special(glob)),
    ("write_file", Act::Write(0, 1, Flags::TRUNCATE)),
    ("overwrite_file", Act::Write(0, 1, Flags::TRUNCATE)),
    ("append_file", Act::Write(0, 1, Flags::APPEND)),
    ("read_file", Act::Read(0)),
    ("readline", Act::Stdin),
    ("defined", Act::Pure(engine::same)),
    ("die", Act::Inert),
    ("exit", Act::Inert),
    ("close", Act::Inert),
    ("sleep", Act::Inert),
    ("length", Act::Special(super::unknown)),
    ("chomp", Act::Inert),
];

fn global(reader: &mut Reader<'_>, name: &str) -> Option<Val> {
    match name {
        "ENV" => None,
        "ARGV" => {
            let given = reader.sink.arguments();
            (!given.is_empty()).then(|| Val::list(given.into_iter().map(Val::value).collect()))
        }
        _ if name.starts_with("ARGV.") => {
            let index: usize = name.strip_prefix("ARGV.")?.parse().ok()?;
            reader.sink.arguments().into_iter().nth(index).map(Val::value)
        }
        "_" | "<" | "STDIN" => Some(Val::value(reader.sink.stdin())),
        _ => {
            let key = name.strip_prefix("ENV.")?;
            Some(reader.variable(key))
        }
    }
}

/// `open(F, "cmd|")`, `open(F, "|-", "cmd")`, `open(F, ">", "file")`, `open(STDIN, ">&S")`.
fn open(reader: &mut Reader<'_>, arguments: &[Val]) -> Val {
    let Some((target, rest)) = arguments.split_first() else { return Val::list(Vec::new()) };
    let handle = match rest {
        [] => return Val::list(Vec::new()),
        [one] => {
            let text = reader.text(one);
            open_text(reader, &text)
        }
        [mode, path, arguments @ ..] => {
            let mode = mode.known().unwrap_or_default();
            let path = reader.text(path);
            open_moded(reader, mode.trim(), path, arguments)
        }
    };
    if let Val::Name(name, _) = target {
        reader.assign(name, handle.clone());
    }
    handle
}

fn open_moded(reader: &mut Reader<'_>, mode: &str, path: Value, arguments: &[Val]) -> Val {
    if mode.contains('&') {
        return Val::list(Vec::new());
    }
    match mode {
        "-|" if !arguments.is_empty() => {
            let mut argv = vec![Val::value(path)];
            argv.extend(arguments.iter().cloned());
            reader.perform(Act::Argv, &argv)
        }
        "-|" => {
            let printed = reader.shell(&path).plain();
            reader.handle(HandleKind::Read, path, printed)
        }
        "|-" => reader.handle(HandleKind::PipeTo, path, Value::default()),
        _ => reader.open_mode(&path, c_mode(mode)),
    }
}

/// The mode as C writes it.
fn c_mode(mode: &str) -> &'static str {
    if mode.starts_with(">>") || mode.starts_with("+>>") {
        "a"
    } else if mode.contains('>') || mode.starts_with("+<") {
        "w"
    } else {
        "r"
    }
}

/// Mode and path in one text.
fn open_text(reader: &mut Reader<'_>, text: &Value) -> Val {
    let Some(known) = text.known().map(std::borrow::Cow::into_owned) else {
        let start = text.known_prefix();
        if start.trim_start().starts_with('|') {
            reader.shell(text);
        } else if start.trim_start().is_empty() {
            // What begins or ends with `|` is a command.
            reader.unfollowed("open", &[]);
        }
        return reader.open_mode(text, if start.trim_start().starts_with('>') { "w" } else { "r" });
    };
    let trimmed = known.trim();
    if let Some(command) = trimmed.strip_suffix('|') {
        let command = Value::literal(command.trim()).from(text.provenance);
        let printed = reader.shell(&command).plain();
        return reader.handle(HandleKind::Read, command, printed);
    }
    if let Some(command) = trimmed.strip_prefix('|') {
        return reader.handle(HandleKind::PipeTo, Value::literal(command.trim()), Value::default());
    }
    let path = trimmed.trim_start_matches(['<', '>', '+']).trim_start();
    if path.starts_with('&') {
        return Val::list(Vec::new());
    }
    reader.open_mode(&Value::literal(path), c_mode(trimmed))
}

fn open3(reader: &mut Reader<'_>, arguments: &[Val]) -> Val {
    let command: Vec<Val> =
        arguments.iter().skip_while(|argument| argument.known().is_none()).cloned().collect();
    reader.perform(Act::ShellOrArgv, &command)
}

/// `kill KILL => -1` is `kill("KILL", -1)`.
fn kill(reader: &mut Reader<'_>, arguments: &[Val]) -> Val {
    let flat = |argument: &Val| match argument {
        Val::Pair(pair) => vec![Val::text(pair.0.clone()), pair.1.clone()],
        Val::Name(name, _) => vec![Val::text(name.to_string())],
        Val::Function(_) | Val::Handle(_) | Val::List(_) | Val::Number(_) | Val::OneOf(_) | Val::Text(_) => {
            argument.items()
        }
    };
    let flat: Vec<Val> = arguments.iter().flat_map(flat).collect();
    reader.perform(Act::Kill(0, 1), &flat)
}

/// A call of the kernel by its number may do anything.
fn syscall(reader: &mut Reader<'_>, arguments: &[Val]) -> Val {
    reader.sink.gap(Position::Unfollowed, Reason::Runtime, "syscall");
    reader.reaches(arguments);
    Val::name("result")
}

fn require(reader: &mut Reader<'_>, arguments: &[Val]) -> Val {
    match arguments.first() {
        Some(path @ (Val::Text(_) | Val::OneOf(_))) => {
            reader.perform(Act::Script(Lang::Perl), std::slice::from_ref(path))
        }
        // A variable, not the name of a module.
        Some(path @ Val::Name(..)) if reader.is_after_variable() => {
            reader.perform(Act::Script(Lang::Perl), std::slice::from_ref(path))
        }
        Some(_) | None => Val::list(Vec::new()),
    }
}

fn chmod(reader: &mut Reader<'_>, arguments: &[Val]) -> Val {
    let Some((mode, paths)) = arguments.split_first() else { return Val::list(Vec::new()) };
    for path in paths {
        reader.perform(Act::ChangeMode(0, 1), &[mode.clone(), path.clone()]);
    }
    Val::list(Vec::new())
}

/// `sockaddr_in(port, host)` as `host:port`.
fn address(arguments: &[Val]) -> Val {
    match arguments {
        [port, host, ..] => {
            engine::join(&[Val::text(":"), Val::value(host.plain()), Val::value(port.plain())])
        }
        _ => Val::name("address"),
    }
}

/// `connect(S, address)`.
fn connect(reader: &mut Reader<'_>, arguments: &[Val]) -> Val {
    let handle = reader.perform(Act::Connect(1, 9), arguments);
    if let Some(Val::Name(name, _)) = arguments.first() {
        reader.assign(name, handle.clone());
    }
    handle
}

fn bind(reader: &mut Reader<'_>, arguments: &[Val]) -> Val {
    reader.perform(Act::Listen(1), arguments)
}

fn getstore(reader: &mut Reader<'_>, arguments: &[Val]) -> Val {
    let content = reader.perform(Act::Fetch(0), arguments);
    let path = arguments.get(1).cloned().unwrap_or_else(|| Val::name("path"));
    reader.perform(Act::Write(0, 1, Flags::TRUNCATE), &[path, content])
}

fn printf(reader: &mut Reader<'_>, arguments: &[Val]) -> Val {
    let text = engine::format(arguments);
    reader.perform(Act::Print(""), &[text])
}

fn map(reader: &mut Reader<'_>, arguments: &[Val]) -> Val {
    let Some((function, items)) = arguments.split_first() else { return Val::list(Vec::new()) };
    let items = engine::list(items);
    reader.map(&items, std::slice::from_ref(function))
}

/// `grep` and `sort` with a function: which of the items are left, and in which order, is not known.
fn chosen(reader: &mut Reader<'_>, arguments: &[Val]) -> Val {
    map(reader, arguments);
    let Some((_, items)) = arguments.split_first() else { return Val::list(Vec::new()) };
    let all = engine::list(items);
    let unknown = super::unknown(reader, &all.items());
    reader.either(&all, &unknown)
}

/// An argument of the function, or an item of a list that is named.
fn shift(reader: &mut Reader<'_>, arguments: &[Val]) -> Val {
    let list = match arguments.first() {
        Some(list) => list.clone(),
        None => reader.lookup("_"),
    };
    match &list {
        Val::List(items) if arguments.is_empty() => {
            items.first().cloned().unwrap_or_else(|| Val::name("argument"))
        }
        Val::List(items) => {
            let unknown = Val::unknown("item", list.provenance());
            items.iter().fold(unknown, |all, item| reader.either(item, &all))
        }
        Val::Function(_)
        | Val::Handle(_)
        | Val::Name(..)
        | Val::Number(_)
        | Val::OneOf(_)
        | Val::Pair(_)
        | Val::Text(_) => Val::name("argument"),
    }
}

/// A glob of the file system: the path with its pattern.
fn glob(reader: &mut Reader<'_>, arguments: &[Val]) -> Val {
    let text = arguments.first().map(|pattern| reader.text(pattern)).unwrap_or_default();
    Val::value(crate::scripts::globbed(&crate::scripts::at_home(&text, &reader.sink.home())))
}
