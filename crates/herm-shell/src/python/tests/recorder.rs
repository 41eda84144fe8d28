//! A sink that remembers what it was told.

use std::collections::HashMap;

use super::super::read;
use crate::effect::{Flags, Realm, Target, Verb};
use crate::fuel::{Fuel, OutOfFuel};
use crate::gap::{Position, Reason};
use crate::lang::Lang;
use crate::sink::Sink;
use crate::span::Span;
use crate::value::{Provenance, Value};

/// A sink that writes down each thing as one line.
pub(super) struct Recorder {
    pub(super) lines: Vec<String>,
    pub(super) spans: Vec<Span>,
    /// What reaches something unknown.
    pub(super) reached: Vec<String>,
    files: HashMap<String, Value>,
    fuel: Fuel,
    depth: u32,
}

/// What reading `text` says.
pub(super) fn said(text: &str) -> Vec<String> {
    recorded(text).lines
}

pub(super) fn recorded(text: &str) -> Recorder {
    let mut recorder = Recorder {
        lines: Vec::new(),
        spans: Vec::new(),
        reached: Vec::new(),
        files: HashMap::new(),
        fuel: Fuel::new(STEPS),
        depth: 0,
    };
    read(text, &mut recorder);
    recorder
}

/// How many steps reading `text` takes.
pub(super) fn steps(text: &str) -> u32 {
    STEPS - recorded(text).fuel.left()
}

/// More than any text may take.
const STEPS: u32 = 2_000_000;

impl Recorder {
    fn say(&mut self, line: String) {
        self.lines.push(line);
    }
}

fn from(provenance: Provenance) -> String {
    provenance.words().map(|word| format!(" [{word}]")).collect()
}

fn how(flags: Flags) -> String {
    flags.words().map(|word| format!(" ({word})")).collect()
}

impl Sink for Recorder {
    fn effect(&mut self, verb: Verb, target: Target, flags: Flags, data: Provenance) {
        self.say(format!("{verb:?} {target:?}{}{}", how(flags), from(data)));
    }

    fn path(&mut self, verb: Verb, path: &Value, flags: Flags) {
        self.say(format!("{verb:?} {}{}", path.shown(), how(flags)));
    }

    fn write(&mut self, path: &Value, content: &Value, flags: Flags) {
        self.say(format!("Write {}{}{}", path.shown(), how(flags), from(content.provenance)));
        if let Some(path) = path.known() {
            self.files.insert(path.into_owned(), content.clone());
        }
    }

    fn read(&mut self, path: &Value) -> Value {
        self.say(format!("Read {}", path.shown()));
        let shown = path.shown();
        if let Some(content) = self.files.get(&shown) {
            return content.clone();
        }
        let secret = [".ssh", "shadow", ".aws", ".netrc", ".kube"].iter().any(|word| shown.contains(word));
        let provenance = if secret { Provenance::FILE | Provenance::SECRET } else { Provenance::FILE };
        Value::unknown(shown, provenance)
    }

    fn connect(&mut self, verb: Verb, to: &Value, flags: Flags, data: Provenance) {
        self.say(format!("{verb:?} {}{}{}", to.shown(), how(flags), from(data)));
    }

    fn code(&mut self, lang: Lang, text: &Value) -> Value {
        match text.known() {
            Some(known) if lang == Lang::Python && self.depth < 4 => {
                self.depth += 1;
                read(&known, self);
                self.depth -= 1;
            }
            Some(known) => self.say(format!("{}: {known}", lang.name())),
            None => self.say(format!("{}: <{}>{}", lang.name(), text.shown(), from(text.provenance))),
        }
        Value::unknown("output", Provenance::OUTSIDE)
    }

    fn script(&mut self, lang: Lang, path: &Value, _: &[Value]) {
        let shown = path.shown();
        if let Some(content) = self.files.get(&shown).cloned() {
            self.code(lang, &content);
        } else {
            self.say(format!("script {} {shown}", lang.name()));
        }
    }

    fn run(&mut self, argv: &[Value], stdin: &Value) -> Value {
        let words: Vec<String> = argv
            .iter()
            .map(|word| if word.has_hole() { format!("<{}>", word.shown()) } else { word.shown() })
            .collect();
        let input = stdin
            .known()
            .filter(|text| !text.is_empty())
            .map(|text| format!(" <<< {text}"))
            .unwrap_or_default();
        self.say(format!("run {}{input}", words.join(" ")));
        Value::unknown("output", Provenance::OUTSIDE)
    }

    fn run_each(&mut self, argv: &[Value], _: &str, _: &[Value]) {
        self.run(argv, &Value::default());
    }

    fn enter(&mut self, realm: Realm) {
        self.say(format!("enter {realm:?}"));
    }

    fn escalate(&mut self) {}

    fn change_directory(&mut self, to: &Value) {
        self.say(format!("cd {}", to.shown()));
    }

    fn set_variable(&mut self, name: &str, value: &Value) {
        self.say(format!("set {name}={}", value.shown()));
    }

    fn gap(&mut self, position: Position, reason: Reason, shown: &str) {
        self.say(format!("gap {position:?} {reason:?} {shown}"));
    }

    fn reaches(&mut self, words: &[Value]) {
        let words: Vec<String> = words.iter().map(Value::shown).collect();
        self.reached.push(words.join(" "));
    }

    fn interact(&mut self, lang: Lang) {
        self.effect(Verb::Execute, Target::Code(lang, None), Flags::INTERACTIVE, Provenance::NONE);
    }

    fn stdin(&self) -> Value {
        Value::default()
    }

    fn print(&mut self, _: Value) {}

    fn at(&mut self, span: Span) {
        self.spans.push(span);
    }

    fn home(&self) -> String {
        "/home/user".to_owned()
    }

    fn directory(&self) -> Option<String> {
        Some("/home/user/project".to_owned())
    }

    fn variable(&self, name: &str) -> Value {
        if name == "HOME" {
            Value::literal("/home/user")
        } else {
            Value::unknown(format!("${name}"), Provenance::OUTSIDE)
        }
    }

    fn spend(&mut self, units: u32) -> Result<(), OutOfFuel> {
        self.fuel.spend(units)
    }
}
