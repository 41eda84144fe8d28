//! What bash does by itself.

mod declare;
mod directory;
mod input;
mod options;
mod printing;
mod running;

use std::ops::ControlFlow;
use std::rc::Rc;

use self::declare::{shift, unalias};
use self::printing::{prints, shown};
use super::machine::Machine;
use super::paths::{Actor, Touch};
use super::scope::{Condition, Leave, Outcome, Scope, Status};
use crate::effect::Verb;
use crate::filters::{self, Speaker};
use crate::programs::arguments::{Argument, tail};
use crate::span::Span;
use crate::value::{Provenance, Value};

/// Where the line is kept that `history -s` added last. No variable has such a name.
const LAST_TYPED: &str = "!!";

/// Builtins that `command -v` shows by their names, because they are all that runs under them.
const OWN: &[&str] =
    &["alias", "cd", "command", "eval", "exec", "exit", "export", "set", "source", "type", "unset"];

/// Builtins that take names of variables, whose subscripts are evaluated.
const NAMING: &[&str] = &["getopts", "mapfile", "read", "readarray", "unset", "wait"];

/// Builtins that leave the shell another one, whether or not anything is known of what they change.
const ALTERING: &[&str] = &[
    ".",
    "alias",
    "bg",
    "bind",
    "cd",
    "complete",
    "disown",
    "enable",
    "exec",
    "exit",
    "export",
    "fc",
    "fg",
    "getopts",
    "hash",
    "history",
    "let",
    "logout",
    "mapfile",
    "popd",
    "pushd",
    "read",
    "readarray",
    "readonly",
    "set",
    "shift",
    "shopt",
    "source",
    "suspend",
    "trap",
    "ulimit",
    "umask",
    "unalias",
    "unset",
    "wait",
    "ztcp",
];

/// The same, but for what they declare in a function, which goes with it.
const DECLARING: &[&str] = &["declare", "typeset"];

/// Builtins that leave the shell as it was, and yet do something with what they are given.
const ACTING: &[&str] = &["builtin", "command", "compgen", "eval", "local"];

/// Builtins that end when something else does, or when somebody has said something.
const WAITING: &[&str] = &["fg", "mapfile", "read", "readarray", "suspend", "wait"];

/// Options of `history` whose value is a file.
const HISTORY_FILES: &[(&str, Verb)] =
    &[("-r", Verb::Read), ("-n", Verb::Read), ("-w", Verb::Write), ("-a", Verb::Write)];

impl Machine<'_> {
    /// Runs a builtin; when the name is not one, the scope comes back to go on with.
    pub(crate) fn builtin(
        &mut self,
        name: &str,
        arguments: &[Argument],
        scope: Scope,
        span: Span,
    ) -> ControlFlow<Vec<Outcome>, Scope> {
        if scope.disabled.contains(name) {
            return ControlFlow::Continue(scope);
        }
        let mut scope = marked(name, scope);
        let is_fed = scope.stdin.as_ref().is_some_and(|input| input.provenance.has(Provenance::ENDLESS));
        if WAITING.contains(&name) && !is_fed {
            self.pace.pauses += 1;
        }
        if NAMING.contains(&name) {
            for argument in arguments {
                // What is unset is the reference itself, or what it stands for without another look at where that is.
                if name == "unset" {
                    self.own_subscript(&argument.value, &mut scope);
                } else {
                    self.subscript(&argument.value, &mut scope);
                }
            }
        }
        let outcomes = match name {
            ":" | "true" => vec![Outcome::of(scope, Status::Success)],
            "false" => vec![Outcome::of(scope, Status::Failure)],
            "exit" => leave(arguments, scope, Leave::Shell),
            "return" => leave(arguments, scope, Leave::Function),
            "break" => leave(arguments, scope, Leave::Loop),
            "continue" => leave(arguments, scope, Leave::Round),
            "cd" | "pushd" => self.change_directory(name, arguments, scope, span),
            "popd" => self.pop_directory(scope),
            "pwd" => self.print_directory(scope, span),
            "eval" => self.eval(arguments, scope, span),
            "source" | "." => self.source(arguments, scope, span),
            "exec" | "command" | "builtin" => self.run_words(name, arguments, scope, span),
            // Outside of a function it fails and changes nothing; whether the text stands in one is not always known.
            "local" if !scope.frame.function => {
                let kept = Outcome::of(scope.clone(), Status::Failure);
                let mut outcomes = self.declare(name, arguments, scope, span);
                outcomes.push(kept);
                self.merge(outcomes)
            }
            "export" | "declare" | "typeset" | "local" | "readonly" => {
                self.declare(name, arguments, scope, span)
            }
            "unset" => self.unset(arguments, scope, span),
            "set" => self.set(arguments, scope, span),
            "shift" => shift(arguments, scope),
            "alias" => self.alias(arguments, scope, span),
            "unalias" => unalias(arguments, scope),
            "read" => self.read(arguments, scope, span),
            "mapfile" | "readarray" => self.mapfile(arguments, scope, span),
            "trap" => self.trap(arguments, scope, span),
            "let" => self.evaluate_each(arguments, scope),
            "test" | "[" => self.test(arguments, scope, span),
            "history" => self.history(arguments, scope, span),
            "fc" => self.run_again(arguments, scope, span),
            "ztcp" => self.open_connection(arguments, scope, span),
            "hash" => self.hash(arguments, scope, span),
            "which" | "whence" => {
                self.record(name, arguments, &scope, span);
                self.found(arguments, scope)
            }
            "bindkey" => self.bind_typed(arguments, scope, span),
            "compgen" | "complete" | "bind" | "enable" => self.option_code(name, arguments, scope, span),
            "printf" => self.printf(arguments, scope, span),
            "echo" => self.echo(arguments, scope, span),
            "getopts" => self.getopts(arguments, scope, span),
            "shopt" => self.shopt(arguments, scope, span),
            "umask" | "ulimit" | "wait" | "jobs" | "fg" | "bg" | "disown" | "caller" | "logout" | "times"
            | "dirs" | "suspend" | "type" => {
                self.record(name, arguments, &scope, span);
                vec![Outcome::printing(
                    scope,
                    Value::unknown(format!("output of {name}"), Provenance::OUTSIDE),
                )]
            }
            _ => return ControlFlow::Continue(scope),
        };
        ControlFlow::Break(if prints(name, arguments) { shown(name, outcomes) } else { outcomes })
    }

    pub(super) fn record(&mut self, name: &str, arguments: &[Argument], scope: &Scope, span: Span) -> usize {
        let values = values(arguments);
        let invocation = self.invocation(scope, name, name, &values, &[], span);
        self.describe(invocation, Vec::new());
        invocation
    }

    fn evaluate_each(&mut self, arguments: &[Argument], mut scope: Scope) -> Vec<Outcome> {
        for argument in arguments {
            self.evaluate(&argument.value, &mut scope);
            if let Some(text) = argument.value.known() {
                let _ = self.calculate(&text, &mut scope);
            }
        }
        vec![Outcome::of(scope, Status::Either)]
    }

    fn test(&mut self, arguments: &[Argument], mut scope: Scope, span: Span) -> Vec<Outcome> {
        self.record("test", arguments, &scope, span);
        let _ = self.compared(&values(arguments), &mut scope);
        vec![Outcome::of(scope, Status::Either)]
    }

    fn hash(&mut self, arguments: &[Argument], mut scope: Scope, span: Span) -> Vec<Outcome> {
        self.record("hash", arguments, &scope, span);
        if let [option, path, name] = arguments
            && option.value.known().as_deref() == Some("-p")
            && let (Some(path), Some(name)) = (path.value.known(), name.value.known())
        {
            Rc::make_mut(&mut scope.hashed).insert(name.into_owned(), path.into_owned());
        }
        vec![Outcome::of(scope, Status::Either)]
    }

    /// `history -c` forgets what was typed, `history -s` adds to it.
    fn history(&mut self, arguments: &[Argument], mut scope: Scope, span: Span) -> Vec<Outcome> {
        let invocation = self.record("history", arguments, &scope, span);
        let actor = Actor { by: "history", invocation, span };
        let clears = |text: &str| text.starts_with('-') && text.contains('c');
        if arguments.iter().filter_map(|argument| argument.value.known()).any(|text| clears(&text)) {
            let file = Value::literal(format!("{}/.bash_history", self.setting.home));
            self.path_effect(&scope, Touch::plain(Verb::Delete, &file, actor));
        }
        for (option, verb) in HISTORY_FILES {
            if let Some(file) = value_after(arguments, option) {
                self.path_effect(&scope, Touch::plain(*verb, &file, actor));
            }
        }
        if arguments.first().is_some_and(|first| first.value.known().as_deref() == Some("-s")) {
            scope.set(LAST_TYPED, running::joined(arguments.iter().skip(1).map(|argument| &argument.value)));
        }
        // What was typed holds passwords and tokens.
        let origin = Provenance::OUTSIDE | Provenance::SECRET;
        vec![Outcome::printing(scope, Value::unknown("the history", origin))]
    }

    /// zsh's `ztcp HOST PORT` opens a connection and puts its descriptor into `REPLY`.
    fn open_connection(&mut self, arguments: &[Argument], mut scope: Scope, span: Span) -> Vec<Outcome> {
        self.record("ztcp", arguments, &scope, span);
        let host = arguments.iter().find(|argument| !argument.value.known_prefix().starts_with('-'));
        if let Some(host) = host {
            self.connected(&host.value, span, &mut scope);
        }
        vec![Outcome::of(scope, Status::Either)]
    }

    fn printf(&mut self, arguments: &[Argument], mut scope: Scope, span: Span) -> Vec<Outcome> {
        self.record("printf", arguments, &scope, span);
        let into = option_value(arguments, "v", 'v');
        if let Some(name) = &into {
            self.subscript(name, &mut scope);
        }
        let glued = arguments.first().is_some_and(|first| first.value.known_prefix().len() > "-v".len());
        let skip = into.as_ref().map_or(0, |_| if glued { 1 } else { 2 });
        let into = into.and_then(|name| name.known().map(std::borrow::Cow::into_owned));
        let output = self.computed("printf", &values(arguments.get(skip..).unwrap_or_default()), &scope);
        match into {
            Some(name) => {
                self.store(&name, output, &mut scope);
                vec![Outcome::of(scope, Status::Success)]
            }
            None => vec![Outcome { scope, output, status: Status::Success, leaves: None }],
        }
    }

    fn echo(&mut self, arguments: &[Argument], scope: Scope, span: Span) -> Vec<Outcome> {
        self.record("echo", arguments, &scope, span);
        let output = self.computed("echo", &values(arguments), &scope);
        vec![Outcome { scope, output, status: Status::Success, leaves: None }]
    }

    /// `command -v`, `which`: where a program is. What the shell has itself is printed by its name.
    fn found(&self, arguments: &[Argument], scope: Scope) -> Vec<Outcome> {
        let names = arguments.iter().map(|argument| &argument.value);
        // It is a sentence, and with `-a` there are more of them.
        let is_told =
            |value: &Value| value.known_prefix().starts_with('-') && value.shown().contains(['V', 'a']);
        if names.clone().any(is_told) {
            let text = Value::unknown("output of command", Provenance::OUTSIDE);
            return vec![Outcome::printing(scope, text)];
        }
        let name = names.into_iter().find(|value| !value.known_prefix().starts_with('-')).cloned();
        let own = |name: &str| {
            name.contains('/')
                || name.is_empty()
                || scope.functions.contains_key(name)
                || scope.aliases.contains_key(name)
                || scope.hashed.contains_key(name)
                || OWN.contains(&name)
        };
        let path = match name.as_ref().and_then(Value::known) {
            Some(name) if !own(&name) => Some(Value::literal(
                self.found_in_path(&name, &scope).unwrap_or_else(|| format!("/usr/bin/{name}")),
            )),
            Some(_) | None => name,
        };
        vec![Outcome::printing(scope, path.unwrap_or_default())]
    }

    fn computed(&mut self, name: &str, arguments: &[Value], scope: &Scope) -> Value {
        let stdin = scope.stdin.as_deref().cloned().unwrap_or_default();
        let taint = arguments.iter().fold(Provenance::NONE, |all, value| all | value.provenance);
        filters::compute(Speaker::Shell, name, arguments, &stdin, &mut |_| Value::default(), &self.fuel)
            .unwrap_or_else(|| Value::unknown(format!("output of {name}"), taint | Provenance::OUTSIDE))
    }
}

/// Whether something of that name is carried out by the shell itself.
pub(super) fn is_builtin(name: &str) -> bool {
    [ALTERING, ACTING, DECLARING].iter().any(|names| names.contains(&name))
}

/// The same scope, in a shell that is another one behind this builtin.
fn marked(name: &str, mut scope: Scope) -> Scope {
    let declares = DECLARING.contains(&name) && !scope.frame.function;
    if declares || ALTERING.contains(&name) {
        scope.condition = Condition::Altered;
    }
    scope
}

/// `exit`, `return`, `break`, `continue`. Bash goes on behind one that has nothing to leave, and behind one whose
/// operand is an option (`exit --help`).
fn leave(arguments: &[Argument], scope: Scope, what: Leave) -> Vec<Outcome> {
    let possible = match what {
        Leave::Function => scope.frame.function,
        Leave::Loop | Leave::Round => scope.frame.looping,
        Leave::Shell => true,
    };
    let plain = arguments.iter().all(|argument| {
        let value = &argument.value;
        !value.has_hole() && !value.known_prefix().starts_with('-') || value.shown() == "$?"
    });
    let leaves = Some(what).filter(|_| possible && plain);
    vec![Outcome { scope, output: Value::default(), status: Status::Either, leaves }]
}

fn values(arguments: &[Argument]) -> Vec<Value> {
    arguments.iter().map(|argument| argument.value.clone()).collect()
}

/// The value of an option, glued on or not; `takes` are the letters whose options have one.
fn option_value(arguments: &[Argument], takes: &str, wanted: char) -> Option<Value> {
    let mut arguments = arguments.iter().map(|argument| &argument.value);
    while let Some(value) = arguments.next() {
        let text = value.known_prefix();
        let letters = text.strip_prefix('-').filter(|letters| *letters != "-")?;
        let Some((at, letter)) = letters.char_indices().find(|(_, letter)| takes.contains(*letter)) else {
            continue;
        };
        let from = 1 + at + letter.len_utf8();
        let glued = from < text.len() || value.known().is_none();
        let given = if glued { Some(tail(value, from)) } else { arguments.next().cloned() };
        if letter == wanted {
            return given;
        }
    }
    None
}

fn value_after(arguments: &[Argument], option: &str) -> Option<Value> {
    let at = arguments.iter().position(|argument| argument.value.known().as_deref() == Some(option))?;
    arguments.get(at + 1).map(|argument| argument.value.clone())
}
