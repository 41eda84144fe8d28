//! Calls that lead out of what can be followed: functions that no table knows, names that are computed, functions that run commands and are
//! handed over to be called.

use super::act::Act;
use super::val::LIST_MOST;
use super::{Reader, Val};
use crate::gap::{Position, Reason};
use crate::lang::Lang;
use crate::value::Value;

/// Modules whose functions start programs, delete files or run code.
const MODULES: &[&str] = &["child_process", "fs", "fs-extra", "fs/promises", "vm"];

/// Functions that look at the names in a module, change what its functions do, or give it back: compilers write the latter.
const NAMES: &[&str] = &[
    "__importDefault",
    "__importStar",
    "__toESM",
    "_interopRequireDefault",
    "_interopRequireWildcard",
    "getOwnPropertyNames",
    "gracefulify",
    "inspect",
    "keys",
    "mock",
    "promisifyAll",
    "spyOn",
    "this",
];

/// How many words of a call are looked at.
const WORDS_MOST: usize = 64;

impl Reader<'_> {
    /// Hands what a call was given to the net: nothing says what it does with it.
    pub(in crate::scripts) fn reaches(&mut self, arguments: &[Val]) {
        let mut words = Vec::new();
        for argument in arguments {
            gather(argument, &mut words);
        }
        let is_line = words.len() > 1 && words.iter().any(may_hold_a_path);
        if is_line {
            let mut line = Value::default();
            for (index, word) in words.iter().enumerate() {
                line.push_str(if index > 0 { " " } else { "" });
                line.push(word);
            }
            words.push(line);
        }
        words.retain(|word| may_hold_a_path(word) && word.known_prefix().contains(char::is_whitespace));
        if !words.is_empty() && self.spend(words.len()) {
            self.sink.reaches(&words);
        }
    }

    /// What a call does that no table lists: functions among its arguments that run commands are called with the others, and texts
    /// reach what is not known, unless the name says that they are only said or compared.
    pub(super) fn leads_out(&mut self, path: &str, arguments: &[Val]) {
        if arguments.is_empty() {
            return;
        }
        let last = path.rsplit(['.', ':']).next().unwrap_or_default();
        if SAYS.iter().any(|word| last.eq_ignore_ascii_case(word)) || path.starts_with("console.") {
            return;
        }
        if arguments.iter().any(|argument| self.is_of_the_system(argument)) && !NAMES.contains(&last) {
            // Whoever has the module may take any of its functions.
            self.unfollowed(path, &[]);
        }
        self.hand_over(arguments);
        self.reaches(arguments);
    }

    /// Whether a value is a whole module whose functions start programs or delete.
    fn is_of_the_system(&self, argument: &Val) -> bool {
        let Val::Name(path, _) = argument else { return false };
        self.lang() == Lang::JavaScript && MODULES.contains(&self.plain_path(path))
    }

    /// Calls each function among the arguments that runs commands with what else is given.
    fn hand_over(&mut self, arguments: &[Val]) {
        self.called = None;
        for (index, argument) in arguments.iter().enumerate() {
            let Some(path) = self.runner(argument) else { continue };
            let by_text = matches!(argument, Val::Text(_));
            let others = arguments.iter().enumerate().filter(|(at, _)| *at != index);
            let given: Vec<Val> = others.flat_map(|(_, other)| other.items()).collect();
            if !by_text {
                // Something else calls it, and not only with what stands here.
                self.unfollowed(&path, &[]);
            }
            self.call_with_each(&path, &given, by_text);
        }
    }

    /// Calls what runs commands with each item that may be a command.
    pub(super) fn call_with_each(&mut self, path: &str, items: &[Val], only_known: bool) {
        self.spend(items.len() / 4);
        for item in items.iter().take(LIST_MOST).filter(|item| matches!(item, Val::Text(_))) {
            if self.stopped {
                return;
            }
            if !only_known || item.known().is_some() {
                self.call_path(path, std::slice::from_ref(item));
            }
        }
    }

    /// The path of a function that runs commands or deletes, if this is one.
    pub(super) fn runner(&self, argument: &Val) -> Option<String> {
        let path = match argument {
            Val::Name(path, _) => path.to_string(),
            Val::Text(value) if matches!(self.lang(), Lang::Php) => {
                value.known().filter(|name| name.len() < 64)?.into_owned()
            }
            Val::Function(_)
            | Val::Handle(_)
            | Val::List(_)
            | Val::Number(_)
            | Val::OneOf(_)
            | Val::Pair(_)
            | Val::Text(_) => return None,
        };
        self.find(&path).is_some_and(runs).then_some(path)
    }

    /// A call whose name cannot be computed: it may be any function.
    pub(in crate::scripts) fn unfollowed(&mut self, shown: &str, arguments: &[Val]) {
        self.sink.gap(Position::Unfollowed, Reason::Runtime, shown);
        self.reaches(arguments);
    }
}

/// Collects the texts that an argument is or directly holds.
fn gather(argument: &Val, words: &mut Vec<Value>) {
    let held: &[Val] = match argument {
        Val::List(items) => items.as_slice(),
        Val::OneOf(all) => all.as_ref(),
        Val::Pair(pair) => std::slice::from_ref(&pair.1),
        Val::Function(_) | Val::Handle(_) | Val::Name(..) | Val::Number(_) | Val::Text(_) => {
            std::slice::from_ref(argument)
        }
    };
    let room = WORDS_MOST.saturating_sub(words.len());
    let texts = held.iter().filter_map(|held| if let Val::Text(value) = held { Some(value) } else { None });
    words.extend(texts.take(room).map(|value| value.as_ref().clone()));
}

fn may_hold_a_path(word: &Value) -> bool {
    let text = word.known_prefix();
    text.len() > 2 && text.contains(|c: char| c.is_whitespace() || matches!(c, '/' | '~' | '-'))
}

/// Whether a call runs or deletes what it is given.
fn runs(act: Act) -> bool {
    matches!(
        act,
        Act::Argv
            | Act::Code(_)
            | Act::Delete(_)
            | Act::Pipe(..)
            | Act::Program(..)
            | Act::Shell(_)
            | Act::ShellOrArgv
    )
}

/// Names of functions that only say, compare, look for or name what they are given.
const SAYS: &[&str] = &[
    "abort",
    "assert",
    "carp",
    "cluck",
    "confess",
    "contains",
    "croak",
    "debug",
    "deepEqual",
    "deepStrictEqual",
    "describe",
    "die",
    "eprintln",
    "eq",
    "equal",
    "equals",
    "Error",
    "error",
    "Exception",
    "expect",
    "fail",
    "fatal",
    "grepl",
    "has",
    "includes",
    "indexOf",
    "info",
    "is",
    "it",
    "like",
    "log",
    "match",
    "message",
    "ok",
    "path",
    "raise",
    "print",
    "print_r",
    "printf",
    "println",
    "puts",
    "say",
    "startsWith",
    "stop",
    "strictEqual",
    "strpos",
    "test",
    "throw",
    "toBe",
    "toContain",
    "toEqual",
    "toMatch",
    "trace",
    "warn",
    "warning",
    "TypeError",
    "RangeError",
];
