//! What bash does by itself.

use std::ops::ControlFlow;
use std::rc::Rc;

use super::assign::declare_array;
use super::expand::separators;
use super::machine::Machine;
use super::scope::{Leave, Outcome, Scope, Status};
use crate::effect::{Flags, Verb};
use crate::filters;
use crate::lang::Lang;
use crate::programs::arguments::{Argument, tail};
use crate::span::Span;
use crate::value::{Piece, Provenance, Value};

/// How many traps are run once more in the end.
const TRAPS: usize = 8;
/// Where the directories are kept that `pushd` left.
const PUSHED: &str = "DIRSTACK";

/// Builtins that take names of variables, whose subscripts are evaluated.
const NAMING: &[&str] = &["getopts", "mapfile", "read", "readarray", "unset", "wait"];

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
        if NAMING.contains(&name) {
            for argument in arguments.iter().filter(|argument| argument.value.known_prefix().contains('[')) {
                self.injected(&argument.value, &mut scope.clone());
            }
        }
        ControlFlow::Break(match name {
            ":" | "true" => vec![Outcome::of(scope, Status::Success)],
            "false" => vec![Outcome::of(scope, Status::Failure)],
            "exit" => leave(arguments, scope, Leave::Shell),
            "return" => leave(arguments, scope, Leave::Function),
            "break" => leave(arguments, scope, Leave::Loop),
            "continue" => leave(arguments, scope, Leave::Round),
            "cd" | "pushd" => self.change_directory(name, arguments, scope, span),
            "popd" => pop_directory(scope),
            "pwd" => self.print_directory(scope, span),
            "eval" => self.eval(arguments, scope, span),
            "source" | "." => self.source(arguments, scope, span),
            "exec" | "command" | "builtin" => self.run_words(name, arguments, scope, span),
            "export" | "declare" | "typeset" | "local" | "readonly" => {
                self.declare(name, arguments, scope, span)
            }
            "unset" => unset(arguments, scope),
            "set" => self.set(arguments, scope),
            "shift" => shift(arguments, scope),
            "alias" => self.alias(arguments, scope, span),
            "unalias" => unalias(arguments, scope),
            "read" => self.read(arguments, scope, span),
            "mapfile" | "readarray" => self.mapfile(arguments, scope, span),
            "trap" => self.trap(arguments, scope, span),
            "let" => self.evaluate(arguments, scope),
            "test" | "[" => self.test(arguments, scope, span),
            "history" => self.history(arguments, scope, span),
            "ztcp" => self.open_connection(arguments, scope, span),
            "hash" => self.hash(arguments, scope, span),
            "which" | "whence" => {
                self.record(name, arguments, &scope, span);
                found(arguments, scope)
            }
            "compgen" | "complete" | "bind" | "enable" => self.option_code(name, arguments, scope, span),
            "printf" => self.printf(arguments, scope, span),
            "echo" => self.echo(arguments, scope, span),
            "shopt" | "getopts" | "umask" | "ulimit" | "wait" | "jobs" | "fg" | "bg" | "disown"
            | "caller" | "logout" | "times" | "dirs" | "suspend" | "type" => {
                self.record(name, arguments, &scope, span);
                vec![Outcome::printing(
                    scope,
                    Value::unknown(format!("output of {name}"), Provenance::OUTSIDE),
                )]
            }
            _ => return ControlFlow::Continue(scope),
        })
    }

    fn record(&mut self, name: &str, arguments: &[Argument], scope: &Scope, span: Span) -> usize {
        let values = values(arguments);
        let invocation = self.invocation(scope, name, name, &values, &[], span);
        self.describe(invocation, Vec::new());
        invocation
    }

    fn change_directory(
        &mut self,
        name: &str,
        arguments: &[Argument],
        scope: Scope,
        span: Span,
    ) -> Vec<Outcome> {
        self.record(name, arguments, &scope, span);
        let operand = arguments
            .iter()
            .map(|argument| &argument.value)
            .find(|value| !value.known_prefix().starts_with('-'));
        let mut moved = scope.clone();
        let back = arguments.iter().any(|argument| argument.value.known().as_deref() == Some("-"));
        moved.directory = match operand {
            Some(to) => self.directory(to, &scope),
            None if back => {
                scope.scalar("OLDPWD").and_then(Value::known).map(|before| Rc::from(before.as_ref()))
            }
            None if arguments.is_empty() => {
                self.lookup("HOME", &scope).first().and_then(Value::known).map(|home| Rc::from(home.as_ref()))
            }
            None => None,
        };
        let here = match &moved.directory {
            Some(directory) => Value::literal(directory.as_ref()),
            None => Value::unknown("$PWD", Provenance::NONE),
        };
        let before = self.lookup("PWD", &scope).into_iter().next().unwrap_or_default();
        if name == "pushd" {
            moved.variable(PUSHED).values.push(before.clone());
        }
        if moved.directory == scope.directory {
            return vec![Outcome::of(moved, Status::Either)];
        }
        moved.set("PWD", here);
        moved.set("OLDPWD", before);
        let elsewhere = operand.map(|to| self.searched(to, &scope)).unwrap_or_default();
        let mut outcomes = vec![Outcome::of(moved, Status::Success)];
        outcomes.extend(elsewhere.into_iter().map(|scope| Outcome::of(scope, Status::Success)));
        outcomes.push(Outcome::of(scope, Status::Failure));
        outcomes
    }

    /// Where `CDPATH` may lead.
    fn searched(&self, to: &Value, scope: &Scope) -> Vec<Scope> {
        let path = scope.scalar("CDPATH").and_then(Value::known);
        let Some(path) = path.filter(|_| !to.known_prefix().starts_with(['/', '.'])) else {
            return Vec::new();
        };
        let directories = path.split(':').filter(|directory| !directory.is_empty()).take(4);
        let mut scopes = Vec::new();
        for directory in directories {
            let mut full = Value::literal(format!("{directory}/"));
            full.push(to);
            scopes.push(Scope { directory: self.directory(&full, scope), ..scope.clone() });
        }
        scopes
    }

    fn print_directory(&mut self, scope: Scope, span: Span) -> Vec<Outcome> {
        self.record("pwd", &[], &scope, span);
        let output = match &scope.directory {
            Some(directory) => Value::literal(format!("{directory}\n")),
            None => Value::unknown("$PWD", Provenance::NONE),
        };
        vec![Outcome { scope, output, status: Status::Success, leaves: None }]
    }

    fn eval(&mut self, arguments: &[Argument], mut scope: Scope, span: Span) -> Vec<Outcome> {
        let invocation = self.record("eval", arguments, &scope, span);
        let operands =
            arguments.iter().skip_while(|argument| argument.value.known().as_deref() == Some("--"));
        let text = joined(operands.map(|argument| &argument.value));
        self.in_this_shell(&text, &mut scope, invocation, span)
    }

    /// Runs text in this shell. Unknown text goes the usual way, which says so.
    fn in_this_shell(
        &mut self,
        text: &Value,
        scope: &mut Scope,
        invocation: usize,
        span: Span,
    ) -> Vec<Outcome> {
        let origin = scope.origin;
        let within = scope.within;
        if text.known().is_none() || !text.provenance.is_empty() {
            let output = self.code_at(Lang::Shell, text, &mut scope.clone(), invocation, span);
            if text.has_hole() {
                return vec![Outcome::printing(scope.clone(), output)];
            }
        }
        if !self.descend() {
            return vec![Outcome::of(scope.clone(), Status::Either)];
        }
        scope.origin = super::scope::Origin::Within(span);
        scope.within = Some(invocation);
        let mut outcomes = self.shell_outcomes(text, scope.clone());
        self.ascend();
        for outcome in &mut outcomes {
            outcome.scope.origin = origin;
            outcome.scope.within = within;
        }
        outcomes
    }

    fn source(&mut self, arguments: &[Argument], mut scope: Scope, span: Span) -> Vec<Outcome> {
        let invocation = self.record("source", arguments, &scope, span);
        let Some((file, rest)) = arguments.split_first() else {
            return vec![Outcome::of(scope, Status::Failure)];
        };
        let target = self.target(&file.value, &scope);
        let content = if file.value.known().as_deref() == Some("/dev/stdin") {
            scope.stdin.as_deref().cloned()
        } else {
            self.files.content(&target.path).cloned()
        };
        if let Some(content) = content {
            return self.in_this_shell(&content, &mut scope, invocation, span);
        }
        let mut inner = scope.clone();
        let output = self.script(Lang::Shell, &file.value, &values(rest), &mut inner, invocation, span);
        vec![Outcome::printing(scope, output)]
    }

    /// `exec`, `command`, `builtin`: their operands are a command.
    fn run_words(&mut self, name: &str, arguments: &[Argument], scope: Scope, span: Span) -> Vec<Outcome> {
        let mut rest = arguments;
        while let Some((first, after)) = rest.split_first() {
            match first.value.known().as_deref() {
                Some("-v" | "-V") if name == "command" => {
                    self.record(name, arguments, &scope, span);
                    return found(after, scope);
                }
                // `-a NAME`, also behind `-c` and `-l`.
                Some(option) if name == "exec" && option.starts_with('-') && option.ends_with('a') => {
                    rest = after.get(1..).unwrap_or_default();
                }
                Some(option) if option.starts_with('-') => rest = after,
                _ => break,
            }
        }
        self.record(name, arguments, &scope, span);
        // A shell that is talked to, or that has `execfail` set, goes on when `exec` finds no such program.
        self.without_functions(rest, scope, span)
    }

    fn without_functions(&mut self, argv: &[Argument], scope: Scope, span: Span) -> Vec<Outcome> {
        let (functions, aliases) = (Rc::clone(&scope.functions), Rc::clone(&scope.aliases));
        let inner = Scope { functions: Rc::default(), aliases: Rc::default(), ..scope };
        let mut outcomes = self.call(argv.to_vec(), Vec::new(), inner, span);
        for outcome in &mut outcomes {
            outcome.scope.functions = Rc::clone(&functions);
            outcome.scope.aliases = Rc::clone(&aliases);
        }
        outcomes
    }

    fn declare(&mut self, name: &str, arguments: &[Argument], mut scope: Scope, span: Span) -> Vec<Outcome> {
        self.record(name, arguments, &scope, span);
        let options: String = arguments
            .iter()
            .map(|argument| argument.value.known_prefix())
            .filter(|text| text.starts_with('-'))
            .collect();
        let exports = name == "export" || options.contains('x');
        let own =
            scope.frame.function && matches!(name, "declare" | "local" | "typeset") && !options.contains('g');
        for argument in arguments {
            let text = argument.value.known_prefix();
            if text.starts_with('-') {
                continue;
            }
            let at = text.find('=');
            let variable =
                text.get(..at.unwrap_or(text.len())).unwrap_or_default().trim_end_matches('+').to_owned();
            if own {
                scope.hide(&variable);
            }
            if options.contains('A') {
                scope.variable(&variable).keys.get_or_insert_default();
            }
            let elements = text.split_once("=(").and_then(|(_, rest)| rest.strip_suffix(')'));
            if let Some(elements) = elements {
                declare_array(&variable, elements, &mut scope);
            } else if let Some(at) = at {
                let value = tail(&argument.value, at + 1);
                if options.contains('i') {
                    self.injected(&value, &mut scope);
                }
                match value.known().filter(|to| options.contains('n') && **to != *variable) {
                    Some(to) => {
                        Rc::make_mut(&mut scope.references).insert(variable.clone(), to.into_owned());
                    }
                    None => scope.set(&variable, value),
                }
            }
            if name == "readonly" || options.contains('r') {
                scope.variable(&variable).fixed = true;
            }
            if exports {
                scope.export(&variable);
            }
        }
        vec![Outcome::of(scope, Status::Either)]
    }

    /// `set -x` shows `PS4` before every command, and expands it for that.
    fn set(&mut self, arguments: &[Argument], mut scope: Scope) -> Vec<Outcome> {
        if let Some(prompt) = scope.scalar("PS4").cloned() {
            self.injected(&prompt, &mut scope);
        }
        set(arguments, scope)
    }

    fn alias(&mut self, arguments: &[Argument], mut scope: Scope, span: Span) -> Vec<Outcome> {
        self.record("alias", arguments, &scope, span);
        for argument in arguments {
            if let Some(text) = argument.value.known()
                && let Some((name, body)) = text.split_once('=')
            {
                Rc::make_mut(&mut scope.aliases).insert(Rc::from(name), Rc::from(body));
            }
        }
        vec![Outcome::of(scope, Status::Either)]
    }

    fn read(&mut self, arguments: &[Argument], mut scope: Scope, span: Span) -> Vec<Outcome> {
        self.record("read", arguments, &scope, span);
        let names = read_names(arguments);
        let (line, status) = next_line(&mut scope);
        let array = arguments.iter().filter_map(|argument| argument.value.known()).any(|text| {
            text.strip_prefix('-').is_some_and(|letters| letters.ends_with('a') && letters.len() < 5)
        });
        if array {
            if let Some(name) = names.first() {
                let words = line_words(&line, &separators(&scope));
                scope.set_array(name, words);
            }
        } else {
            assign_words(&names, &line, &mut scope);
        }
        vec![Outcome::of(scope, status)]
    }

    fn mapfile(&mut self, arguments: &[Argument], mut scope: Scope, span: Span) -> Vec<Outcome> {
        let invocation = self.record("mapfile", arguments, &scope, span);
        if let Some(code) = value_after(arguments, "-C") {
            let mut inner = scope.clone();
            let _ = self.code_at(Lang::Shell, &code, &mut inner, invocation, span);
        }
        let name = arguments
            .iter()
            .rev()
            .filter_map(|argument| argument.value.known())
            .find(|text| !text.starts_with('-'));
        let name = name.map_or_else(|| "MAPFILE".to_owned(), std::borrow::Cow::into_owned);
        let stdin =
            scope.stdin.as_deref().cloned().unwrap_or_else(|| Value::unknown("input", Provenance::OUTSIDE));
        let lines = match stdin.known() {
            Some(text) => {
                text.lines().take(1024).map(|line| Value::literal(line).from(stdin.provenance)).collect()
            }
            None => vec![first_line(&stdin)],
        };
        scope.set_array(&name, lines);
        vec![Outcome::of(scope, Status::Either)]
    }

    fn trap(&mut self, arguments: &[Argument], scope: Scope, span: Span) -> Vec<Outcome> {
        let invocation = self.record("trap", arguments, &scope, span);
        let action = arguments
            .iter()
            .map(|argument| &argument.value)
            .find(|value| value.known().as_deref() != Some("--"));
        if let Some(action) = action.filter(|_| arguments.len() > 1)
            && !matches!(action.known().as_deref(), Some("-" | "" | "-p" | "-l"))
        {
            let mut inner = scope.clone();
            let _ = self.code_at(Lang::Shell, action, &mut inner, invocation, span);
            if self.traps.len() < TRAPS {
                self.traps.push((action.clone(), invocation, span));
            }
        }
        vec![Outcome::of(scope, Status::Either)]
    }

    fn evaluate(&mut self, arguments: &[Argument], mut scope: Scope) -> Vec<Outcome> {
        for argument in arguments {
            self.injected(&argument.value, &mut scope);
            if let Some(text) = argument.value.known() {
                let _ = self.calculate(&text, &mut scope);
            }
        }
        vec![Outcome::of(scope, Status::Either)]
    }

    fn test(&mut self, arguments: &[Argument], mut scope: Scope, span: Span) -> Vec<Outcome> {
        self.record("test", arguments, &scope, span);
        let numeric = arguments.iter().any(|argument| {
            matches!(
                argument.value.known().as_deref(),
                Some("-v" | "-eq" | "-ne" | "-lt" | "-le" | "-gt" | "-ge")
            )
        });
        if numeric {
            for argument in arguments {
                self.injected(&argument.value, &mut scope);
            }
        }
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

    /// `history -c` forgets what was typed.
    fn history(&mut self, arguments: &[Argument], scope: Scope, span: Span) -> Vec<Outcome> {
        let invocation = self.record("history", arguments, &scope, span);
        let clears = |text: &str| text.starts_with('-') && text.contains('c');
        if arguments.iter().filter_map(|argument| argument.value.known()).any(|text| clears(&text)) {
            let file = Value::literal(format!("{}/.bash_history", self.setting.home));
            let (verb, flags) = (Verb::Delete, Flags::NONE);
            self.path_effect(&scope, verb, &file, flags, Provenance::NONE, "history", invocation, span);
        }
        for (option, verb) in HISTORY_FILES {
            if let Some(file) = value_after(arguments, option) {
                self.path_effect(
                    &scope,
                    *verb,
                    &file,
                    Flags::NONE,
                    Provenance::NONE,
                    "history",
                    invocation,
                    span,
                );
            }
        }
        vec![Outcome::printing(scope, Value::unknown("the history", Provenance::OUTSIDE))]
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

    /// Builtins with an option whose value is code.
    fn option_code(
        &mut self,
        name: &str,
        arguments: &[Argument],
        mut scope: Scope,
        span: Span,
    ) -> Vec<Outcome> {
        let invocation = self.record(name, arguments, &scope, span);
        if name == "enable" && value_after(arguments, "-n").is_some() {
            let names = arguments.iter().filter_map(|argument| argument.value.known());
            Rc::make_mut(&mut scope.disabled).extend(names.map(std::borrow::Cow::into_owned));
        }
        if let Some(library) = value_after(arguments, "-f").filter(|_| name == "enable") {
            let (verb, flags) = (Verb::Execute, Flags::HOOK);
            self.path_effect(&scope, verb, &library, flags, Provenance::NONE, name, invocation, span);
        }
        if let Some(words) = value_after(arguments, "-W") {
            self.injected(&words, &mut scope.clone());
        }
        let option = if name == "bind" { "-x" } else { "-C" };
        if let Some(code) = value_after(arguments, option) {
            let code = if name == "bind" { bound(&code) } else { code };
            let mut inner = scope.clone();
            inner.hooked = true;
            let _ = self.code_at(Lang::Shell, &code, &mut inner, invocation, span);
        }
        vec![Outcome::printing(scope, Value::unknown(format!("output of {name}"), Provenance::OUTSIDE))]
    }

    fn printf(&mut self, arguments: &[Argument], mut scope: Scope, span: Span) -> Vec<Outcome> {
        self.record("printf", arguments, &scope, span);
        if let Some(name) = value_after(arguments, "-v") {
            self.injected(&name, &mut scope);
        }
        let into =
            value_after(arguments, "-v").and_then(|name| name.known().map(std::borrow::Cow::into_owned));
        let skip = if into.is_some() { 2 } else { 0 };
        let output = self.computed("printf", &values(arguments.get(skip..).unwrap_or_default()), &scope);
        match into {
            Some(name) => {
                scope.set(&name, output);
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

    fn computed(&mut self, name: &str, arguments: &[Value], scope: &Scope) -> Value {
        let stdin = scope.stdin.as_deref().cloned().unwrap_or_default();
        let taint = arguments.iter().fold(Provenance::NONE, |all, value| all | value.provenance);
        filters::compute(name, arguments, &stdin, &mut |_| Value::default(), &self.fuel)
            .unwrap_or_else(|| Value::unknown(format!("output of {name}"), taint | Provenance::OUTSIDE))
    }
}

/// `command -v`, `which`: where a program is. Its name serves as well as its path.
fn found(arguments: &[Argument], scope: Scope) -> Vec<Outcome> {
    let name =
        arguments.iter().map(|argument| &argument.value).find(|value| !value.known_prefix().starts_with('-'));
    vec![Outcome::printing(scope, name.cloned().unwrap_or_default())]
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

/// The directory that `pushd` left last.
fn pop_directory(mut scope: Scope) -> Vec<Outcome> {
    let left = scope.variable(PUSHED).values.pop();
    scope.directory = left.and_then(|left| left.known().map(|left| Rc::from(left.as_ref())));
    vec![Outcome::of(scope, Status::Either)]
}

fn values(arguments: &[Argument]) -> Vec<Value> {
    arguments.iter().map(|argument| argument.value.clone()).collect()
}

fn joined<'v>(values: impl Iterator<Item = &'v Value>) -> Value {
    let mut text = Value::default();
    for (index, value) in values.enumerate() {
        if index > 0 {
            text.push_str(" ");
        }
        text.push(value);
    }
    text
}

/// `"KEYS": CODE`, the code with or without quotes.
fn bound(binding: &Value) -> Value {
    let text = binding.known_prefix();
    let at = text.strip_prefix('"').and_then(|rest| rest.find('"')).and_then(|end| {
        let colon = end + 2;
        text.get(colon..)?.starts_with(':').then_some(colon + 1)
    });
    at.map_or_else(|| binding.clone(), |at| tail(binding, at))
}

fn value_after(arguments: &[Argument], option: &str) -> Option<Value> {
    let at = arguments.iter().position(|argument| argument.value.known().as_deref() == Some(option))?;
    arguments.get(at + 1).map(|argument| argument.value.clone())
}

/// Without an option, a function is only meant where there is no such variable.
fn unset(arguments: &[Argument], mut scope: Scope) -> Vec<Outcome> {
    let words: Vec<_> = arguments.iter().filter_map(|argument| argument.value.known()).collect();
    let (functions, variables) =
        (words.iter().any(|word| word == "-f"), words.iter().any(|word| word == "-v"));
    for name in words.iter().filter(|word| !word.starts_with('-')) {
        let is_set = scope.scalar(name).is_some();
        if functions || !variables && !is_set {
            scope.unset_function(name);
        }
        if !functions {
            scope.unset(name);
            scope.set_array(name, Vec::new());
        }
    }
    vec![Outcome::of(scope, Status::Either)]
}

fn set(arguments: &[Argument], mut scope: Scope) -> Vec<Outcome> {
    let dashes = arguments.iter().position(|argument| argument.value.known().as_deref() == Some("--"));
    let from = dashes.map(|at| at + 1).or_else(|| {
        let first = arguments.first()?.value.known_prefix();
        (!first.starts_with(['-', '+'])).then_some(0)
    });
    if let Some(from) = from {
        scope.positional = Some(Rc::new(values(arguments.get(from..).unwrap_or_default())));
    }
    vec![Outcome::of(scope, Status::Either)]
}

fn shift(arguments: &[Argument], mut scope: Scope) -> Vec<Outcome> {
    let count =
        arguments.first().and_then(|argument| argument.value.known()?.parse::<usize>().ok()).unwrap_or(1);
    if let Some(positional) = &scope.positional {
        scope.positional = Some(Rc::new(positional.get(count..).unwrap_or_default().to_vec()));
    }
    vec![Outcome::of(scope, Status::Either)]
}

fn unalias(arguments: &[Argument], mut scope: Scope) -> Vec<Outcome> {
    for name in arguments.iter().filter_map(|argument| argument.value.known()) {
        Rc::make_mut(&mut scope.aliases).remove(name.as_ref());
    }
    vec![Outcome::of(scope, Status::Either)]
}

fn read_names(arguments: &[Argument]) -> Vec<String> {
    let mut names = Vec::new();
    let mut skip = false;
    for text in arguments.iter().filter_map(|argument| argument.value.known()) {
        if skip {
            skip = false;
        } else if let Some(option) = text.strip_prefix('-') {
            skip = option.ends_with(['d', 'n', 'N', 'p', 't', 'u', 'i']);
        } else {
            names.push(text.into_owned());
        }
    }
    if names.is_empty() {
        names.push("REPLY".to_owned());
    }
    names
}

fn line_words(line: &Value, separators: &str) -> Vec<Value> {
    match line.known() {
        Some(text) => {
            let words = text.split(|letter| separators.contains(letter)).filter(|word| !word.is_empty());
            words.map(|word| Value::literal(word).from(line.provenance)).collect()
        }
        None => vec![line.clone()],
    }
}

/// Each name gets a word, the last one what is left.
fn assign_words(names: &[String], line: &Value, scope: &mut Scope) {
    let Some(text) = line.known() else {
        for name in names {
            scope.set(name, line.clone());
        }
        return;
    };
    let separators = separators(scope);
    let separates = |letter: char| separators.contains(letter);
    let mut rest = text.trim_matches(|letter: char| letter.is_whitespace() && separates(letter));
    for (index, name) in names.iter().enumerate() {
        let end = if index + 1 == names.len() { None } else { rest.find(separates) };
        let (word, after) = rest.split_at(end.unwrap_or(rest.len()));
        scope.set(name, Value::literal(word).from(line.provenance));
        rest = after.trim_start_matches(separates);
    }
}

/// Takes a line from standard input.
fn next_line(scope: &mut Scope) -> (Value, Status) {
    let Some(stdin) = scope.stdin.clone() else {
        return (Value::unknown("input", Provenance::OUTSIDE), Status::Either);
    };
    match stdin.known() {
        Some(text) if text.is_empty() => (Value::default(), Status::Failure),
        Some(text) => {
            let (line, rest) = text.split_once('\n').unwrap_or((&text, ""));
            scope.stdin = Some(Rc::new(Value::literal(rest).from(stdin.provenance)));
            (Value::literal(line).from(stdin.provenance), Status::Success)
        }
        None => (first_line(&stdin), Status::Either),
    }
}

/// What a line of a partly known stream holds.
fn first_line(stream: &Value) -> Value {
    let mut line = Value { pieces: Vec::new(), provenance: stream.provenance };
    for piece in &stream.pieces {
        match piece {
            Piece::Literal(text) => match text.split_once('\n') {
                Some((before, _)) if !line.pieces.is_empty() || !before.is_empty() => {
                    line.push_str(before);
                    return line;
                }
                Some((_, after)) => line.push_str(after),
                None => line.push_str(text),
            },
            Piece::Glob(_) | Piece::Hole(_) => line.pieces.push(piece.clone()),
        }
    }
    line
}
