//! The names that a text speaks of: what it does can depend on no variable besides.

use std::collections::BTreeSet;
use std::rc::Rc;

use super::scope::Scope;
use crate::ast::{AssignedValue, Assignment, Command, CommandKind, List, Operation, Parameter, Part, Word};

/// Builtins that run or read what is not spelled out in the text.
const ANYTHING: &[&str] = &[".", "compgen", "env", "eval", "export", "printenv", "set", "source", "typeset"];
/// How many pieces of text are looked at for one unit of work.
const PIECES_PER_UNIT: usize = 16;

/// The names in a text and in the functions that it calls.
#[derive(Debug, Default)]
pub(super) struct Names {
    known: BTreeSet<String>,
    /// Whether it may speak of names that it makes up.
    any: bool,
    /// Whether it uses the words that it is called with.
    positional: bool,
    pieces: usize,
}

impl Names {
    /// The names in a list, with those in the functions that it may call.
    pub(super) fn reached(list: &List, scope: &Scope) -> Self {
        let mut names = Self { any: !scope.aliases.is_empty(), ..Self::default() };
        names.list(list);
        let mut called: BTreeSet<&str> = BTreeSet::new();
        loop {
            let next = scope
                .functions
                .iter()
                .find(|(name, _)| names.speak_of_function(name) && !called.contains(name.as_ref()));
            let Some((name, body)) = next.filter(|_| !names.any) else { return names };
            called.insert(name);
            names.command(body);
        }
    }

    /// What it cost to collect them.
    pub(super) fn units(&self) -> u32 {
        u32::try_from(self.pieces / PIECES_PER_UNIT).unwrap_or(u32::MAX)
    }

    /// Whether two shells are the same to a text that speaks of no other names. Variables of the shell itself have capitals.
    pub(super) fn see_the_same(&self, one: &Scope, other: &Scope) -> bool {
        let uses_words = self.any || self.positional;
        let like_one = Scope {
            variables: Rc::clone(&one.variables),
            positional: if uses_words { other.positional.clone() } else { one.positional.clone() },
            frame: one.frame.clone(),
            between: one.between.clone(),
            condition: one.condition,
            ..other.clone()
        };
        let is_other = |name: &Rc<str>| {
            let (ours, theirs) = (one.variables.get(name), other.variables.get(name));
            let exported = [ours, theirs].into_iter().flatten().any(|variable| variable.exported);
            (exported || self.speak_of(name)) && ours != theirs
        };
        *one == like_one && !one.variables.keys().chain(other.variables.keys()).any(is_other)
    }

    fn speak_of_function(&self, name: &str) -> bool {
        // A name with other marks in it is not told from the words around it.
        let is_plain = name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-".contains(&byte));
        !is_plain || self.known.contains(name)
    }

    /// Whether a variable may be spoken of.
    pub(super) fn speak_of(&self, name: &str) -> bool {
        self.any || self.known.contains(name) || name.bytes().any(|byte| byte.is_ascii_uppercase())
    }

    fn list(&mut self, list: &List) {
        let pipelines = list.items.iter().flat_map(|item| &item.pipelines);
        for command in pipelines.flat_map(|(_, pipeline)| &pipeline.commands) {
            self.command(command);
        }
    }

    fn command(&mut self, command: &Command) {
        for redirect in &command.redirects {
            self.word(&redirect.target);
        }
        match &command.kind {
            CommandKind::Arithmetic(word) => self.word(word),
            CommandKind::Case { word, arms } => {
                self.word(word);
                for arm in arms {
                    self.words(&arm.patterns);
                    self.list(&arm.list);
                }
            }
            CommandKind::Condition(words) => self.words(words),
            CommandKind::Coprocess { command, .. } => self.command(command),
            CommandKind::For { words, body, .. } => {
                self.positional |= words.is_none();
                self.words(words.as_deref().unwrap_or_default());
                self.list(body);
            }
            CommandKind::ForArithmetic { header, body } => {
                self.word(header);
                self.list(body);
            }
            CommandKind::Function { body, .. } => self.command(body),
            CommandKind::Group(list) | CommandKind::Subshell(list) => self.list(list),
            CommandKind::If { branches, otherwise } => {
                for (condition, then) in branches {
                    self.list(condition);
                    self.list(then);
                }
                if let Some(list) = otherwise {
                    self.list(list);
                }
            }
            CommandKind::Simple { assignments, words } => {
                for assignment in assignments {
                    self.assignment(assignment);
                }
                self.words(words);
            }
            CommandKind::While { condition, body, .. } => {
                self.list(condition);
                self.list(body);
            }
        }
    }

    fn assignment(&mut self, assignment: &Assignment) {
        self.text(&assignment.name);
        if let Some(index) = &assignment.index {
            self.word(index);
        }
        match &assignment.value {
            AssignedValue::Array(elements) => {
                for (index, word) in elements {
                    if let Some(index) = index {
                        self.word(index);
                    }
                    self.word(word);
                }
            }
            AssignedValue::Scalar(word) => self.word(word),
        }
    }

    fn words(&mut self, words: &[Word]) {
        for word in words {
            self.word(word);
        }
    }

    fn word(&mut self, word: &Word) {
        // A word that is put together may be a name, or what runs names.
        let made_up =
            word.parts.len() > 1 || !matches!(word.parts.first(), Some(Part::Bare(_) | Part::Quoted(_)));
        let is_anything = |part: &Part| matches!(part, Part::Bare(text) if ANYTHING.contains(&text.as_str()));
        self.any |= !made_up && word.parts.iter().any(is_anything);
        self.parts(&word.parts);
    }

    fn parts(&mut self, parts: &[Part]) {
        for part in parts {
            self.pieces += 1;
            match part {
                Part::Arithmetic(parts) | Part::DoubleQuoted(parts) => self.parts(parts),
                Part::Bare(text) | Part::Quoted(text) => self.text(text),
                Part::Command(list, _) | Part::Process(_, list, _) => self.list(list),
                Part::Parameter(parameter) => self.parameter(parameter),
            }
        }
    }

    fn parameter(&mut self, parameter: &Parameter) {
        self.any |= parameter.indirect;
        self.positional |= parameter.name.bytes().all(|byte| byte.is_ascii_digit() || b"@*#".contains(&byte));
        self.text(&parameter.name);
        if let Some(index) = &parameter.index {
            self.word(index);
        }
        match &parameter.operation {
            Operation::AssignDefault(word)
            | Operation::Case(_, word)
            | Operation::Default(word)
            | Operation::Error(word)
            | Operation::UseAlternative(word) => self.word(word),
            Operation::Length | Operation::Plain => {}
            Operation::Names | Operation::Transform(_) => self.any = true,
            Operation::RemovePrefix { pattern, .. } | Operation::RemoveSuffix { pattern, .. } => {
                self.word(pattern);
            }
            Operation::Replace { pattern, replacement, .. } => {
                self.word(pattern);
                self.word(replacement);
            }
            Operation::Substring { offset, length } => {
                self.word(offset);
                if let Some(length) = length {
                    self.word(length);
                }
            }
        }
    }

    /// Takes every name that stands in a text, whatever it is there.
    fn text(&mut self, text: &str) {
        self.pieces += text.len() / PIECES_PER_UNIT;
        let ends = |letter: char| !letter.is_ascii_alphanumeric() && letter != '_' && letter != '-';
        for part in text.split(ends).filter(|part| !part.is_empty()) {
            self.known.insert(part.to_owned());
            // Functions may have names with dashes, variables have not.
            self.known.extend(part.split('-').filter(|name| !name.is_empty()).map(str::to_owned));
        }
    }
}
