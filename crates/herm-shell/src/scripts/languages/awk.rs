//! awk. Its redirections and pipes are operators, so they are read here.

use crate::effect::{Flags, Verb};
use crate::filters::awk::blanks;
use crate::lang::Lang;
use crate::scripts::engine::{self, Act, HandleKind, Language, Reader, Row, Val};
use crate::scripts::scanner::{BareCalls, C_LIKE, Profile};
use crate::value::{Provenance, Value};

pub(in crate::scripts) static AWK: Language = Language {
    profile: Profile {
        lang: Lang::Awk,
        line_comments: &["#"],
        block_comments: &[],
        sigils: "$",
        quotes: "\"",
        regexes: true,
        concat: &[],
        juxtaposed: true,
        bare_calls: BareCalls::None,
        keywords: &[
            "if", "else", "while", "for", "do", "function", "func", "return", "BEGIN", "END", "delete", "in",
        ],
        ..C_LIKE
    },
    calls: CALLS,
    transparent: &[],
    environment: &["ENVIRON"],
    global,
};

const CALLS: &[Row] = &[
    ("system", Act::Shell(0)),
    ("close", Act::Inert),
    ("fflush", Act::Inert),
    ("tolower", Act::Pure(engine::lower)),
    ("toupper", Act::Pure(engine::upper)),
    ("sprintf", Act::Pure(engine::format)),
    ("substr", Act::Pure(substr)),
    ("split", Act::Special(split)),
    ("sub", Act::Special(|reader, arguments| reader.awk_substitute(arguments, false))),
    ("gsub", Act::Special(|reader, arguments| reader.awk_substitute(arguments, true))),
    ("length", Act::Inert),
];

fn global(reader: &mut Reader<'_>, name: &str) -> Option<Val> {
    if name == "0" {
        return Some(Val::value(reader.sink.stdin()));
    }
    if name == "NF" || name.chars().all(|c| c.is_ascii_digit()) {
        return Some(field(reader, name));
    }
    let key = name.strip_prefix("ENVIRON.")?;
    Some(reader.variable(key))
}

/// What stands between fields.
enum Separator {
    Blanks,
    Mark(char),
}

/// What stands between fields, where that is no pattern and nothing else says how lines are cut.
fn separator(reader: &mut Reader<'_>) -> Option<Separator> {
    for other in ["FIELDWIDTHS", "FPAT", "RS"] {
        if !matches!(reader.lookup(other), Val::Name(..)) {
            return None;
        }
    }
    let given = reader.lookup("FS");
    if matches!(given, Val::Name(..)) {
        return Some(Separator::Blanks);
    }
    let text = reader.text(&given);
    let text = text.known()?;
    let mut letters = text.chars();
    match (letters.next(), letters.next()) {
        (Some(' '), None) => Some(Separator::Blanks),
        (Some(mark), None) if mark != '\\' => Some(Separator::Mark(mark)),
        _ => None,
    }
}

/// A field of the line that was read; known when there is but one line.
fn field(reader: &mut Reader<'_>, name: &str) -> Val {
    let input = reader.sink.stdin();
    let line = input.known().filter(|text| text.trim_end().lines().count() == 1);
    let separator = separator(reader);
    let found = line.as_ref().zip(separator).and_then(|(line, separator)| {
        let line = line.strip_suffix('\n').unwrap_or(line);
        let fields: Vec<&str> = match separator {
            Separator::Blanks => blanks(line),
            Separator::Mark(mark) => line.split(mark).collect(),
        };
        if name == "NF" {
            fields.last().copied()
        } else {
            fields.get(name.parse::<usize>().ok()?.checked_sub(1)?).copied()
        }
    });
    match found {
        Some(field) => Val::value(Value::literal(field).from(input.provenance)),
        None => Val::unknown(&format!("${name}"), input.provenance | Provenance::OUTSIDE),
    }
}

fn substr(arguments: &[Val]) -> Val {
    match arguments {
        [text, start, rest @ ..] => {
            let start = Val::Number(start.number().unwrap_or(1).saturating_sub(1));
            let all: Vec<Val> = [text.clone(), start].into_iter().chain(rest.iter().cloned()).collect();
            engine::substring(&all)
        }
        _ => Val::list(Vec::new()),
    }
}

/// `split(text, array, separator)` fills the array.
fn split(reader: &mut Reader<'_>, arguments: &[Val]) -> Val {
    if let [text, Val::Name(array, _), rest @ ..] = arguments {
        let text = Val::value(reader.text(text));
        let parts = engine::parts(&text, rest.first().unwrap_or(&Val::text(" ")));
        reader.assign(array, parts);
    }
    Val::name("count")
}

impl Reader<'_> {
    /// `print …`, `printf …`, with where it goes.
    pub(in crate::scripts) fn awk_print(&mut self, name: &str, at: usize) -> Val {
        let arguments = self.redirectable_arguments();
        let content =
            if name == "printf" { engine::format(&arguments).plain() } else { self.printed_line(&arguments) };
        let Some(op) = self.redirection() else {
            self.sink.print(content);
            return Val::list(Vec::new());
        };
        let target = self.redirection_target();
        self.locate(at);
        self.each_way(&[target], |reader, targets| {
            let target = reader.argument_text(targets, 0);
            match op {
                ">" => reader.awk_file(&target, &content, HandleKind::Write),
                ">>" => reader.awk_file(&target, &content, HandleKind::Append),
                _ => reader.awk_command(&target, &content),
            }
            Val::list(Vec::new())
        })
    }

    fn printed_line(&mut self, arguments: &[Val]) -> Value {
        let mut line = if arguments.is_empty() { self.sink.stdin() } else { self.joined(arguments, " ") };
        line.push_str("\n");
        line
    }

    fn awk_file(&mut self, target: &Value, content: &Value, kind: HandleKind) {
        if is_inet(target) {
            return self.awk_send(target, content);
        }
        let flags = if kind == HandleKind::Append { Flags::APPEND } else { Flags::TRUNCATE };
        self.write_data(target, content, flags);
    }

    /// `print | "cmd"`, `print |& "/inet/tcp/0/host/port"`.
    fn awk_command(&mut self, target: &Value, content: &Value) {
        if is_inet(target) {
            return self.awk_send(target, content);
        }
        self.feed(target, content);
    }

    fn awk_send(&mut self, target: &Value, content: &Value) {
        self.awk_connect(target);
        if !content.provenance.is_empty() {
            self.sink.connect(Verb::Send, &host_of(target), Flags::NONE, content.provenance);
        }
    }

    fn awk_connect(&mut self, target: &Value) -> Val {
        let host = host_of(target);
        let listens = target.known().is_some_and(|path| path.ends_with("/0/0"));
        let verb = if listens { Verb::Listen } else { Verb::Connect };
        self.sink.connect(verb, &host, Flags::NONE, Provenance::NONE);
        self.connected(host)
    }

    /// `getline x < "file"`: the word was passed.
    pub(in crate::scripts) fn awk_getline(&mut self, at: usize) -> Val {
        let place = self.line_place();
        if !self.eat("<") {
            let line = self.sink.stdin();
            let status = Val::unknown("line", line.provenance);
            self.assign(&place, Val::value(line));
            return status;
        }
        let source = self.redirection_target();
        let source = self.text(&source);
        self.locate(at);
        let line = if is_inet(&source) {
            self.awk_connect(&source);
            Val::unknown("received", Provenance::NETWORK)
        } else {
            Val::value(self.sink.read(&source))
        };
        self.assign(&place, line.clone());
        line
    }

    /// `cmd | getline x`: the operator was passed, `getline` stands here.
    pub(in crate::scripts) fn command_line(&mut self, command: &Val, at: usize) -> Val {
        self.locate(at.saturating_sub(1));
        let result = self.each_way(std::slice::from_ref(command), |reader, commands| {
            let command = reader.argument_text(commands, 0);
            if is_inet(&command) {
                reader.awk_connect(&command);
                Val::unknown("received", Provenance::NETWORK)
            } else {
                reader.shell(&command)
            }
        });
        self.getline_into(&result);
        result
    }
}

fn is_inet(target: &Value) -> bool {
    target.known_prefix().starts_with("/inet")
}

/// `host:port` of `/inet/tcp/0/host/port`.
fn host_of(target: &Value) -> Value {
    let shown = target.shown();
    let mut parts = shown.split('/').skip(3);
    let own = parts.next().unwrap_or_default();
    match (parts.next(), parts.next()) {
        (Some("0"), Some("0")) => Value::literal(own),
        (Some(host), Some(port)) => Value::literal(format!("{host}:{port}")),
        (Some(_), None) | (None, _) => Value::literal(shown),
    }
}
