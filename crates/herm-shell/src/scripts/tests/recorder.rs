//! A sink that writes down what it is told.

use crate::effect::{Flags, Realm, Target, Verb};
use crate::fuel::{Fuel, OutOfFuel};
use crate::gap::{Position, Reason};
use crate::lang::Lang;
use crate::scripts;
use crate::sink::Sink;
use crate::span::Span;
use crate::value::{Provenance, Value};

/// Writes down what it is told, one line each.
#[derive(Debug)]
pub(super) struct Recorder {
    pub(super) said: Vec<String>,
    pub(super) printed: String,
    pub(super) spans: Vec<Span>,
    input: Value,
    fuel: Fuel,
    depth: u32,
}

impl Recorder {
    pub(super) fn new() -> Self {
        Self {
            said: Vec::new(),
            printed: String::new(),
            spans: Vec::new(),
            input: Value::unknown("stdin", Provenance::OUTSIDE),
            fuel: Fuel::new(2_000_000),
            depth: 0,
        }
    }

    fn say(&mut self, line: impl AsRef<str>) {
        self.said.push(line.as_ref().trim_end().to_owned());
    }
}

fn words(flags: Flags) -> String {
    flags.words().fold(String::new(), |all, word| all + " [" + word + "]")
}

fn from(provenance: Provenance) -> String {
    provenance.words().fold(String::new(), |all, word| all + " <" + word + ">")
}

impl Sink for Recorder {
    fn effect(&mut self, verb: Verb, target: Target, flags: Flags, data: Provenance) {
        let target = match target {
            Target::Code(lang, code) => format!("{} {}", lang.name(), code.unwrap_or_default()),
            Target::Environment => "environment".to_owned(),
            Target::Host(host) => host.shown,
            Target::Named(kind, name) => format!("{kind} {name}"),
            Target::None => String::new(),
            Target::Path(path) => path.shown,
            Target::Process(process) => format!("{process:?}"),
        };
        self.say(format!("{verb:?} {target}{}{}", words(flags), from(data)));
    }

    fn path(&mut self, verb: Verb, path: &Value, flags: Flags) {
        self.say(format!("{verb:?} {}{}", path.shown(), words(flags)));
    }

    fn write(&mut self, path: &Value, content: &Value, flags: Flags) {
        self.say(format!(
            "Write {} = {}{}{}",
            path.shown(),
            content.shown(),
            words(flags),
            from(content.provenance)
        ));
    }

    fn read(&mut self, path: &Value) -> Value {
        self.say(format!("Read {}", path.shown()));
        let secret = path.shown().contains(".ssh") || path.shown().contains("shadow");
        Value::unknown(path.shown(), if secret { Provenance::SECRET } else { Provenance::FILE })
    }

    fn connect(&mut self, verb: Verb, to: &Value, flags: Flags, data: Provenance) {
        self.say(format!("{verb:?} {}{}{}", to.shown(), words(flags), from(data)));
    }

    fn code(&mut self, lang: Lang, text: &Value) -> Value {
        self.say(format!("{}: {}{}", lang.name(), text.shown(), from(text.provenance)));
        let known = text.known().filter(|_| lang != Lang::Shell && lang != Lang::Python && self.depth < 4);
        if let Some(code) = known {
            self.depth += 1;
            scripts::read(lang, &code, self);
            self.depth -= 1;
        }
        Value::unknown("output", text.provenance | Provenance::OUTSIDE)
    }

    fn script(&mut self, lang: Lang, path: &Value, _arguments: &[Value]) {
        self.say(format!("script {} {}", lang.name(), path.shown()));
    }

    fn run(&mut self, argv: &[Value], stdin: &Value) -> Value {
        let shown: Vec<String> = argv.iter().map(Value::shown).collect();
        let input = if stdin.pieces.is_empty() { String::new() } else { format!(" < {}", stdin.shown()) };
        let data = argv.iter().fold(Provenance::NONE, |all, word| all | word.provenance);
        self.say(format!("run {}{input}{}", shown.join(" "), from(data)));
        Value::unknown("output", Provenance::OUTSIDE)
    }

    fn run_each(&mut self, argv: &[Value], _marker: &str, _items: &[Value]) {
        self.run(argv, &Value::default());
    }

    fn enter(&mut self, realm: Realm) {
        self.say(format!("enter {realm:?}"));
    }

    fn escalate(&mut self) {
        self.say("escalate");
    }

    fn change_directory(&mut self, to: &Value) {
        self.say(format!("cd {}", to.shown()));
    }

    fn set_variable(&mut self, name: &str, value: &Value) {
        self.say(format!("set {name}={}", value.shown()));
    }

    fn reaches(&mut self, words: &[Value]) {
        for word in words {
            self.say(format!("reaches {}", word.shown()));
        }
    }

    fn gap(&mut self, position: Position, reason: Reason, shown: &str) {
        self.say(format!("gap {position:?} {reason:?} {shown}"));
    }

    fn interact(&mut self, lang: Lang) {
        self.effect(Verb::Execute, Target::Code(lang, None), Flags::INTERACTIVE, Provenance::NONE);
    }

    fn stdin(&self) -> Value {
        self.input.clone()
    }

    fn print(&mut self, output: Value) {
        self.printed.push_str(&output.shown());
    }

    fn at(&mut self, span: Span) {
        self.spans.push(span);
    }

    fn home(&self) -> String {
        "/home/ada".to_owned()
    }

    fn directory(&self) -> Option<String> {
        Some("/home/ada/project".to_owned())
    }

    fn variable(&self, name: &str) -> Value {
        Value::unknown(format!("${name}"), Provenance::OUTSIDE)
    }

    fn spend(&mut self, units: u32) -> Result<(), OutOfFuel> {
        self.fuel.spend(units)
    }
}

/// What reading `code` says.
pub(super) fn said(lang: Lang, code: &str) -> Vec<String> {
    let mut recorder = Recorder::new();
    scripts::read(lang, code, &mut recorder);
    recorder.said
}

/// What reading `code` prints.
pub(super) fn printed(lang: Lang, code: &str) -> String {
    let mut recorder = Recorder::new();
    scripts::read(lang, code, &mut recorder);
    recorder.printed
}

/// What reading `code` says when `input` stands on standard input.
pub(super) fn said_with(lang: Lang, code: &str, input: &str) -> Vec<String> {
    let mut recorder = Recorder { input: Value::literal(input), ..Recorder::new() };
    scripts::read(lang, code, &mut recorder);
    recorder.said
}

/// Each code must make the reader say the line that stands beside it.
pub(super) fn check(lang: Lang, cases: &[(&str, &str)]) {
    let wrong: Vec<String> = cases
        .iter()
        .filter_map(|(code, wanted)| {
            let said = said(lang, code);
            (!said.iter().any(|line| line == wanted))
                .then(|| format!("{code}\n  wanted: {wanted}\n  said:   {said:#?}"))
        })
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// None of these may make the reader say anything.
pub(super) fn silent(lang: Lang, cases: &[&str]) {
    let wrong: Vec<String> = cases
        .iter()
        .filter_map(|code| {
            let said = said(lang, code);
            (!said.is_empty()).then(|| format!("{code}\n  said: {said:#?}"))
        })
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
