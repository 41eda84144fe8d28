//! From words to what runs: aliases, functions, builtins, described programs, files, the unknown.

use std::ops::ControlFlow;
use std::rc::Rc;

use super::chain::Activation;
use super::guesswork::escape;
use super::machine::{Event, Machine};
use super::printed::prints_completion;
use super::scope::{Frame, Leave, Origin, Outcome, SHELL_OPTIONS, Scope, Status};
use super::suppose::Starter;
use crate::analysis::NoteKind;
use crate::ast::Command;
use crate::effect::{Flags, Realm, Target, Verb};
use crate::place::Extent;
use crate::programs;
use crate::programs::arguments::Argument;
use crate::span::Span;
use crate::value::{Provenance, Value};
use crate::world::Script;

/// What an operand of an unknown program costs: it may be a path that matters.
const OPERAND: u32 = 4;
/// The program that judges, by whatever name it is called.
pub(super) const GUARD: &str = "herm";
/// How often a function may be on the way with ever other words.
const RECURSIONS: usize = 4;

/// Programs that let time pass, or wait for something to happen.
const PAUSES: &[&str] = &["inotifywait", "sleep", "usleep"];

/// Programs that do what the name says that they are called by, and nothing under a name that they do not know.
const MANY_IN_ONE: &[&str] = &["busybox", "coreutils", "toybox"];

impl Machine<'_> {
    /// Runs a command given as words, all of which are there.
    pub(super) fn call_words(
        &mut self,
        argv: Vec<Argument>,
        environment: Vec<(String, Value)>,
        scope: Scope,
        span: Span,
    ) -> Vec<Outcome> {
        let Some((first, _)) = argv.split_first() else { return vec![Outcome::of(scope, Status::Success)] };
        if !self.spend(3 + count(&argv)) {
            return vec![Outcome::of(scope, Status::Either)];
        }
        match first.value.known().map(std::borrow::Cow::into_owned) {
            Some(name) => self.call_named(&name, argv, environment, scope, span),
            None if first.value.has_hole() => self.call_unknown(&argv, scope, span),
            None => self.call_pattern(&argv, &environment, scope, span),
        }
    }

    fn call_named(
        &mut self,
        name: &str,
        argv: Vec<Argument>,
        environment: Vec<(String, Value)>,
        scope: Scope,
        span: Span,
    ) -> Vec<Outcome> {
        if let Some(text) = scope.aliases.get(name).cloned().filter(|text| !text.starts_with(name)) {
            // Scripts do not expand aliases unless they are told to, and nobody does in the line that defines one.
            let mut plain = scope.clone();
            Rc::make_mut(&mut plain.aliases).remove(name);
            let mut outcomes = self.call_named(name, argv.clone(), environment.clone(), plain, span);
            for outcome in &mut outcomes {
                outcome.scope.aliases = Rc::clone(&scope.aliases);
            }
            outcomes.append(&mut self.call_alias(&text, name, argv, environment, scope, span));
            return self.merge(outcomes);
        }
        if let Some(body) = scope.functions.get(name).cloned() {
            return self.call_function(name, &body, &argv, scope);
        }
        let arguments = argv.get(1..).unwrap_or_default();
        let scope = match self.builtin(name, arguments, scope, span) {
            ControlFlow::Break(outcomes) => return outcomes,
            ControlFlow::Continue(scope) => scope,
        };
        self.call_program(name, arguments, &environment, scope, span)
    }

    /// An alias is text: its words come before the arguments.
    fn call_alias(
        &mut self,
        text: &str,
        name: &str,
        argv: Vec<Argument>,
        environment: Vec<(String, Value)>,
        mut scope: Scope,
        span: Span,
    ) -> Vec<Outcome> {
        Rc::make_mut(&mut scope.aliases).remove(name);
        // An alias that ends in a blank has the word behind it looked up, too, and so on.
        let mut text = text.to_owned();
        let mut rest = argv.into_iter().skip(1).peekable();
        while text.ends_with([' ', '\t'])
            && let Some(alias) = rest.peek().and_then(|next| alias_of(&next.value, &scope))
            && self.spend_bytes(alias.len())
        {
            text.push_str(&alias);
            rest.next();
        }
        let list = self.read_shell(&text, &scope);
        let words = match list.items.as_slice() {
            [item] => match item.pipelines.as_slice() {
                [(_, line)] => match line.commands.as_slice() {
                    [
                        Command {
                            kind: crate::ast::CommandKind::Simple { assignments, words },
                            redirects,
                            ..
                        },
                    ] if assignments.is_empty() && redirects.is_empty() => Some(words.clone()),
                    _ => None,
                },
                _ => None,
            },
            _ => None,
        };
        let Some(words) = words else {
            scope.origin = Origin::Within(span);
            return self.list(&list, scope);
        };
        let mut expanded: Vec<Argument> =
            words.iter().flat_map(|word| self.fields(word, &mut scope)).collect();
        for argument in &mut expanded {
            argument.span = span;
        }
        expanded.extend(rest);
        self.call(expanded, environment, scope, span)
    }

    pub(super) fn call_function(
        &mut self,
        name: &str,
        body: &Rc<Command>,
        argv: &[Argument],
        scope: Scope,
    ) -> Vec<Outcome> {
        let arguments: Vec<Value> = argv.iter().skip(1).map(|argument| argument.value.clone()).collect();
        let again = self.calls.iter().filter(|underway| Rc::ptr_eq(&underway.body, body)).count();
        let arguments = Rc::new(arguments);
        if again > 0 && (self.accompanied || self.is_endless_chain(body, &arguments, &scope)) {
            self.exhaust(&scope, name);
            return vec![Outcome::of(scope, Status::Either)];
        }
        if again > 0 && self.is_settled(again, &arguments, &scope) || !self.may_call() {
            return vec![Outcome::of(scope, Status::Either)];
        }
        let company = std::mem::replace(&mut self.accompanied, false);
        self.calls.push(Activation {
            body: Rc::clone(body),
            arguments: Rc::clone(&arguments),
            directory: scope.directory.clone(),
            forks: self.forks,
        });
        let mut inner = scope.clone();
        inner.positional = Some(arguments);
        inner.frame = Frame { function: true, ..Frame::default() };
        if let Some(word) = argv.first().filter(|_| self.is_inherited(body)) {
            inner.origin = Origin::Within(word.span);
        }
        let mut outcomes = self.command(body, inner);
        self.calls.pop();
        self.accompanied = company;
        for outcome in &mut outcomes {
            outcome.scope.positional.clone_from(&scope.positional);
            outcome.scope.reveal(&scope.frame);
            outcome.scope.references = Rc::clone(&scope.references);
            outcome.scope.origin = scope.origin;
            if outcome.leaves == Some(Leave::Function) {
                outcome.leaves = None;
            }
        }
        outcomes
    }

    /// Whether a function was defined before the text, which then does not show it.
    fn is_inherited(&self, body: &Rc<Command>) -> bool {
        self.inherited.iter().any(|other| Rc::ptr_eq(other, body))
    }

    /// Whether a function that calls itself does nothing new: it is called with the same words, or with unknown ones.
    fn is_settled(&mut self, again: usize, arguments: &[Value], scope: &Scope) -> bool {
        let same = scope.positional.as_deref().is_some_and(|before| before == arguments);
        if same || arguments.iter().any(|argument| argument.known().is_none()) {
            return true;
        }
        if again >= RECURSIONS {
            self.too_deep();
        }
        again >= RECURSIONS
    }

    /// Runs a program by name or path.
    pub(crate) fn call_program(
        &mut self,
        called: &str,
        arguments: &[Argument],
        environment: &[(String, Value)],
        scope: Scope,
        span: Span,
    ) -> Vec<Outcome> {
        let values: Vec<Value> = arguments.iter().map(|argument| argument.value.clone()).collect();
        if let Some((lang, code)) = escape(called, &values) {
            return self.call_escape(called, lang, &code, &values, scope, span);
        }
        let hashed = scope.hashed.get(called).cloned().or_else(|| self.found_in_path(called, &scope));
        let called = hashed.unwrap_or_else(|| of_module(called).to_owned());
        let path = called.contains('/').then(|| self.target(&Value::literal(called.as_str()), &scope));
        let real = path
            .as_ref()
            .filter(|path| path.extent == Extent::Exact)
            .map_or(called.as_str(), |path| path.path.as_str());
        if let Some(name) = service_of(real).filter(|_| self.files.content(real).is_none()) {
            let word = Argument { value: Value::literal(name), span };
            let words: Vec<Argument> = std::iter::once(word).chain(arguments.iter().cloned()).collect();
            return self.call_program("service", &words, environment, scope, span);
        }
        let is_guard = path.is_some() && scope.realm == Realm::Here && self.setting.world.is_guard(real);
        let is_named = |name: &&str| !is_guard && programs::find(name).is_some();
        let named = Some(plain_name(&called)).filter(is_named);
        let plain = match named.filter(|_| MANY_IN_ONE.contains(&plain_name(real))) {
            Some(name) => name,
            None if is_guard => GUARD,
            None => plain_name(real),
        };
        if PAUSES.contains(&plain) && values.iter().any(|value| value.known().is_none_or(|time| time != "0"))
        {
            self.pace.pauses += 1;
        }
        let scope = with_shell_options(plain, &values, scope);
        let invocation = self.invocation(&scope, plain, &called, &values, environment, span);
        self.preloaded(&scope, plain, invocation, span);
        self.mind_variables(Starter { name: plain, invocation, span }, &scope);
        self.load_written(Starter { name: plain, invocation, span }, arguments, &scope);
        self.hand_down(Starter { name: plain, invocation, span }, &scope);
        if let Some(path) = &path
            && let Some(outcomes) = self.call_file(&path.path, &values, &scope, invocation, span)
        {
            return outcomes;
        }
        if let Some(program) = programs::find(plain) {
            // A link may lead anywhere, and what it leads to may go by its name.
            if let Some((name, other)) = named.and_then(|name| Some((name, programs::find(name)?)))
                && !std::ptr::eq(program, other)
            {
                self.execute(other, name, arguments, scope.clone(), invocation, span);
            }
            let output = self.execute(program, plain, arguments, scope.clone(), invocation, span);
            return vec![Outcome::printing(scope, output)];
        }
        if let Some(handler) = scope.functions.get("command_not_found_handle").cloned() {
            let name = Argument { value: Value::literal(called), span };
            let words: Vec<_> = [name.clone(), name].into_iter().chain(arguments.iter().cloned()).collect();
            return self.call_function("command_not_found_handle", &handler, &words, scope);
        }
        if !self.spend(OPERAND.saturating_mul(count(arguments))) {
            return vec![Outcome::of(scope, Status::Either)];
        }
        self.guess(plain, arguments, &scope, invocation, span);
        let starter = Starter { name: plain, invocation, span };
        self.suppose(starter, arguments, &scope);
        self.net_operands(starter, arguments, &scope);
        self.net_fed(starter, arguments, &scope);
        self.mind_worst(starter, arguments, arguments, &scope);
        let line: Vec<Value> = std::iter::once(Value::literal(plain)).chain(values).collect();
        self.call_statement(&line, &scope, invocation, span);
        let file = path.as_ref().map(|path| path.path.clone());
        let mut outcomes = self.call_undescribed(plain, file, scope, invocation, span);
        if prints_completion(arguments) {
            outcomes.iter_mut().for_each(settle_completion);
        }
        outcomes
    }

    /// A program that the text itself put into a directory of its search path, or that lies in one that the text has added.
    pub(super) fn found_in_path(&self, called: &str, scope: &Scope) -> Option<String> {
        let path = scope.scalar("PATH").filter(|_| !called.contains('/'))?.known_prefix();
        let usual = self.setting.world.variable("PATH").unwrap_or_default();
        path.split(':').take(16).find_map(|directory| {
            let is_usual = usual.split(':').any(|other| other == directory);
            let directory = if directory.is_empty() { "." } else { directory };
            let file = self.target(&Value::literal(format!("{directory}/{called}")), scope).path;
            let is_there = || !is_usual && self.setting.world.script(&file) != Script::Absent;
            (self.files.content(&file).is_some() || is_there()).then_some(file)
        })
    }

    /// A file that the text wrote, or that the world shows as a script.
    fn call_file(
        &mut self,
        path: &str,
        arguments: &[Value],
        scope: &Scope,
        invocation: usize,
        span: Span,
    ) -> Option<Vec<Outcome>> {
        let written = self.files.content(path).is_some();
        let is_script = || !is_system(path) && matches!(self.setting.world.script(path), Script::Text(_));
        (written || is_script()).then(|| self.run_file(path, arguments, scope.clone(), invocation, span))
    }

    fn call_undescribed(
        &mut self,
        name: &str,
        path: Option<String>,
        scope: Scope,
        invocation: usize,
        span: Span,
    ) -> Vec<Outcome> {
        self.note(NoteKind::UnknownProgram, name, span);
        if let Some(path) = path.filter(|path| !is_system(path)) {
            let target = Target::Path(self.target(&Value::literal(path), &scope));
            let event = Event {
                verb: Verb::Execute,
                target,
                flags: Flags::NONE,
                data: Provenance::NONE,
                by: name,
                invocation,
                span,
            };
            self.effect(&scope, event);
        }
        let taint = scope.stdin.as_ref().map_or(Provenance::NONE, |stdin| stdin.provenance);
        let output = Value::unknown(format!("output of {name}"), taint | Provenance::OUTSIDE);
        vec![Outcome::printing(scope, output)]
    }
}

/// What a word stands for, if it is an alias.
fn alias_of(word: &Value, scope: &Scope) -> Option<String> {
    word.known().and_then(|name| scope.aliases.get(name.as_ref()).map(|text| text.as_ref().to_owned()))
}

/// zsh has programs of its own under names like these: `zf_rm`.
fn of_module(called: &str) -> &str {
    called.strip_prefix("zf_").filter(|name| programs::find(name).is_some()).unwrap_or(called)
}

/// The name of a program without directory and, for Windows, ending.
pub(super) fn plain_name(called: &str) -> &str {
    let name = called.rsplit('/').next().filter(|name| !name.is_empty()).unwrap_or(called);
    let name = if called.contains('\\') { name.rsplit('\\').next().unwrap_or(name) } else { name };
    name.strip_suffix(".exe").or_else(|| name.strip_suffix(".EXE")).unwrap_or(name)
}

/// What `bash -O` switches on. Other shells run the last command of a pipeline themselves.
fn with_shell_options(name: &str, arguments: &[Value], mut scope: Scope) -> Scope {
    let is_given = arguments.iter().any(|argument| argument.known().is_some_and(|word| word == "lastpipe"));
    if matches!(name, "ksh" | "ksh93" | "zsh") || is_given && programs::is_shell(name) {
        scope.set(SHELL_OPTIONS, Value::literal("lastpipe"));
    }
    scope
}

/// The service that a script starts and stops which the system keeps for it: it is no program of that name.
fn service_of(path: &str) -> Option<&str> {
    const DIRECTORIES: &[&str] = &[
        "/etc/init.d/",
        "/etc/rc.d/init.d/",
        "/etc/rc.d/rc.",
        "/etc/rc.d/",
        "/usr/local/etc/rc.d/",
        "/usr/local/etc/init.d/",
        "/opt/etc/init.d/",
    ];
    let name = DIRECTORIES.iter().find_map(|directory| path.strip_prefix(directory))?;
    Some(name).filter(|name| !name.is_empty() && !name.contains('/'))
}

/// What a program says of its own completion is nothing to wonder at, unless it was handed something.
fn settle_completion(outcome: &mut Outcome) {
    if outcome.output.provenance == Provenance::OUTSIDE {
        outcome.output = Value::default();
    }
}

fn is_system(path: &str) -> bool {
    const PROGRAM_DIRECTORIES: &[&str] = &[
        "/bin/",
        "/sbin/",
        "/usr/bin/",
        "/usr/sbin/",
        "/usr/local/bin/",
        "/usr/local/sbin/",
        "/opt/homebrew/bin/",
    ];
    PROGRAM_DIRECTORIES.iter().any(|directory| path.starts_with(directory))
}

fn count(arguments: &[Argument]) -> u32 {
    u32::try_from(arguments.len()).unwrap_or(u32::MAX)
}
