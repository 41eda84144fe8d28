//! From words to what runs: aliases, functions, builtins, described programs, files, the unknown.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::rc::Rc;

use super::apply::prints_completion;
use super::code::is_path_mark;
use super::machine::{Event, Machine};
use super::scope::{Endpoint, Frame, Leave, Outcome, Scope, Status, Variable};
use crate::analysis::NoteKind;
use crate::ast::{AssignedValue, Assignment, Command, Part, Redirect, Word};
use crate::effect::{Flags, Target, Verb};
use crate::gap::{Gap, Position, Reason};
use crate::pattern::Pattern;
use crate::place::Extent;
use crate::programs;
use crate::programs::arguments::Argument;
use crate::span::Span;
use crate::value::{Piece, Provenance, Value};
use crate::world::Script;

/// What an operand of an unknown program costs: it may be a path that matters.
const OPERAND: u32 = 4;
/// Builtins whose operands may be assignments.
const DECLARATIONS: &[&str] = &["declare", "export", "local", "readonly", "typeset"];
/// How many programs a pattern in command position is taken to mean.
const CANDIDATES: usize = 400;
/// How often a function may be on the way with ever other words.
const RECURSIONS: usize = 4;

impl Machine<'_> {
    /// Runs a simple command.
    pub(crate) fn simple(
        &mut self,
        assignments: &[Assignment],
        words: &[Word],
        redirects: &[Redirect],
        mut scope: Scope,
        span: Span,
    ) -> Vec<Outcome> {
        let argv = self.words(words, &mut scope);
        if argv.is_empty() {
            return self.no_words(assignments, redirects, scope);
        }
        let span = scope.origin.map(span);
        let before = Before::of(&scope, assignments, redirects);
        let environment = self.environment_of(assignments, &mut scope);
        if is_word(&argv, "exec") && argv.len() == 1 {
            let wiring = self.wire(redirects, &mut scope);
            let _ = self.drain(&wiring, &scope, &Value::default());
            return vec![Outcome::of(scope, Status::Either)];
        }
        let wiring = self.wire(redirects, &mut scope);
        let may_fail = redirects.iter().any(opens);
        // Only where the text asks for it: a variable that changes with every command keeps ways apart.
        let last = argv.last().filter(|_| self.text.contains("$_")).map(|argument| argument.value.clone());
        let mut outcomes = self.call(argv, environment, scope, span);
        if may_fail {
            outcomes = outcomes.into_iter().flat_map(not_left).collect();
        }
        for outcome in &mut outcomes {
            outcome.output = self.drain(&wiring, &outcome.scope, &outcome.output);
            before.restore(&mut outcome.scope);
            if may_fail {
                outcome.status = Status::Either;
            }
            if let Some(last) = &last {
                outcome.scope.set("_", last.clone());
            }
        }
        outcomes
    }

    /// What words become. Assignments that are handed to `declare` and its kin are not split or globbed.
    fn words(&mut self, words: &[Word], scope: &mut Scope) -> Vec<Argument> {
        let declares =
            words.first().is_some_and(|word| bare(word).is_some_and(|name| DECLARATIONS.contains(&name)));
        let mut argv = Vec::with_capacity(words.len());
        for word in words {
            if declares && starts_with_assignment(word) {
                let value = self.text(word, scope);
                argv.push(Argument { value, span: scope.origin.map(word.span) });
            } else {
                argv.extend(self.fields(word, scope));
            }
        }
        argv
    }

    /// Assignments or redirections without a command.
    fn no_words(
        &mut self,
        assignments: &[Assignment],
        redirects: &[Redirect],
        mut scope: Scope,
    ) -> Vec<Outcome> {
        for assignment in assignments {
            self.assign(assignment, &mut scope);
        }
        let mut inner = scope.clone();
        let wiring = self.wire(redirects, &mut inner);
        let printed = if redirects.is_empty() {
            Value::default()
        } else {
            inner.stdin.as_deref().cloned().unwrap_or_default()
        };
        let output = self.drain(&wiring, &inner, &printed);
        vec![Outcome::printing(scope, output)]
    }

    /// `NAME=value` before a command: set for it alone.
    fn environment_of(&mut self, assignments: &[Assignment], scope: &mut Scope) -> Vec<(String, Value)> {
        let mut environment = Vec::with_capacity(assignments.len());
        for assignment in assignments {
            let AssignedValue::Scalar(word) = &assignment.value else { continue };
            let value = self.text(word, scope);
            environment.push((assignment.name.clone(), value));
        }
        for (name, value) in &environment {
            scope.set(name, value.clone());
            scope.export(name);
        }
        environment
    }

    /// Runs a command given as words.
    pub(crate) fn call(
        &mut self,
        argv: Vec<Argument>,
        environment: Vec<(String, Value)>,
        scope: Scope,
        span: Span,
    ) -> Vec<Outcome> {
        let Some((first, _)) = argv.split_first() else { return vec![Outcome::of(scope, Status::Success)] };
        if !self.spend(2 + count(&argv)) {
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
            return self.call_alias(&text, name, argv, environment, scope, span);
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
        let list = self.read_shell(text, &scope);
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
            scope.origin = super::scope::Origin::Within(span);
            return self.list(&list, scope);
        };
        let mut expanded: Vec<Argument> =
            words.iter().flat_map(|word| self.fields(word, &mut scope)).collect();
        for argument in &mut expanded {
            argument.span = span;
        }
        let mut rest = argv.into_iter().skip(1);
        // An alias that ends in a blank has the word behind it looked up, too.
        if text.ends_with([' ', '\t'])
            && let Some(next) = rest.next()
        {
            let alias = next.value.known().and_then(|name| scope.aliases.get(name.as_ref()).cloned());
            let value = alias.map_or(next.value, |alias| Value::literal(alias.trim()));
            expanded.push(Argument { value, span: next.span });
        }
        expanded.extend(rest);
        self.call(expanded, environment, scope, span)
    }

    fn call_function(
        &mut self,
        name: &str,
        body: &Rc<Command>,
        argv: &[Argument],
        scope: Scope,
    ) -> Vec<Outcome> {
        let arguments: Vec<Value> = argv.iter().skip(1).map(|argument| argument.value.clone()).collect();
        let again = self.calls.iter().filter(|on_the_way| Rc::ptr_eq(on_the_way, body)).count();
        if again > 0 && self.accompanied {
            self.exhaust(&scope, name);
            return vec![Outcome::of(scope, Status::Either)];
        }
        if again > 0 && self.is_settled(again, &arguments, &scope) || !self.may_call() {
            return vec![Outcome::of(scope, Status::Either)];
        }
        let company = std::mem::replace(&mut self.accompanied, false);
        self.calls.push(Rc::clone(body));
        let mut inner = scope.clone();
        inner.positional = Some(Rc::new(arguments));
        inner.frame = Frame { function: true, ..Frame::default() };
        let mut outcomes = self.command(body, inner);
        self.calls.pop();
        self.accompanied = company;
        for outcome in &mut outcomes {
            outcome.scope.positional.clone_from(&scope.positional);
            outcome.scope.reveal(&scope.frame);
            outcome.scope.references = Rc::clone(&scope.references);
            if outcome.leaves == Some(Leave::Function) {
                outcome.leaves = None;
            }
        }
        outcomes
    }

    /// Whether a function that calls itself does nothing new: it is called with the same words, or with unknown ones.
    fn is_settled(&mut self, again: usize, arguments: &[Value], scope: &Scope) -> bool {
        let same = scope.positional.as_deref().is_some_and(|before| before == arguments);
        if same || arguments.iter().any(Value::has_hole) {
            return true;
        }
        if again >= RECURSIONS {
            self.too_deep();
        }
        again >= RECURSIONS
    }

    /// The program itself is not known.
    fn call_unknown(&mut self, argv: &[Argument], scope: Scope, span: Span) -> Vec<Outcome> {
        let Some(first) = argv.first() else { return vec![Outcome::of(scope, Status::Either)] };
        let name = &first.value;
        let outside = name.provenance.any(Provenance::NETWORK | Provenance::DECODED | Provenance::SECRET);
        if outside {
            let invocation = self.next_invocation();
            let target = Target::Code(crate::lang::Lang::Shell, None);
            let event = Event {
                verb: Verb::Execute,
                target,
                flags: Flags::INLINE,
                data: name.provenance,
                by: "$",
                invocation,
                span,
            };
            self.effect(&scope, event);
        }
        if let Some(outcomes) = self.call_without_holes(argv, &scope, span) {
            return outcomes;
        }
        let alone = name.pieces.iter().all(|piece| match piece {
            Piece::Literal(text) => is_path_mark(text),
            Piece::Hole(_) => true,
            Piece::Glob(_) => false,
        });
        let position = if name.provenance.any(Provenance::OUTSIDE | Provenance::FILE) && alone {
            Position::Code
        } else {
            Position::Program
        };
        self.push_gap(Gap { position, reason: Reason::Runtime, shown: name.shown(), span });
        let values: Vec<Value> = argv.iter().skip(1).map(|argument| argument.value.clone()).collect();
        let shown = name.shown();
        self.invocation(&scope, &shown, &shown, &values, &[], span);
        let output = Value::unknown("output", Provenance::OUTSIDE);
        vec![Outcome::printing(scope, output)]
    }

    /// `r${x}m`, `$DIR/rm`: a variable that nothing set is empty, a directory does not change what a program is.
    fn call_without_holes(&mut self, argv: &[Argument], scope: &Scope, span: Span) -> Option<Vec<Outcome>> {
        let (first, arguments) = argv.split_first()?;
        let rest: String =
            first.value.pieces.iter().map(|piece| literal_or_empty(piece)).collect::<Option<_>>()?;
        let name = plain_name(&rest);
        programs::find(name)?;
        let name = name.to_owned();
        let mut inner = scope.clone();
        inner.certainty = crate::effect::Certainty::May;
        let outcomes = self.call_program(&name, arguments, &[], inner, span);
        let output = super::control::picked(&outcomes).0;
        Some(vec![Outcome::printing(scope.clone(), output)])
    }

    /// A pattern in command position means every described program that it matches.
    fn call_pattern(
        &mut self,
        argv: &[Argument],
        environment: &[(String, Value)],
        scope: Scope,
        span: Span,
    ) -> Vec<Outcome> {
        let Some((first, arguments)) = argv.split_first() else {
            return vec![Outcome::of(scope, Status::Either)];
        };
        let shown = first.value.shown();
        let last = shown.rsplit('/').next().unwrap_or_default();
        let pattern = Pattern::new(last);
        let names: Vec<&'static str> =
            programs::names().filter(|name| pattern.matches(name)).take(CANDIDATES).collect();
        let mut inner = scope.clone();
        inner.certainty = crate::effect::Certainty::May;
        for name in &names {
            let _ = self.call_program(name, arguments, environment, inner.clone(), span);
        }
        if names.is_empty() {
            self.push_gap(Gap { position: Position::Program, reason: Reason::Runtime, shown, span });
        }
        vec![Outcome::printing(scope, Value::unknown("output", Provenance::OUTSIDE))]
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
        let called = hashed.unwrap_or_else(|| called.to_owned());
        let path = called.contains('/').then(|| self.target(&Value::literal(called.as_str()), &scope));
        let real = path
            .as_ref()
            .filter(|path| path.extent == Extent::Exact)
            .map_or(called.as_str(), |path| path.path.as_str());
        let plain = plain_name(real);
        let invocation = self.invocation(&scope, plain, &called, &values, environment, span);
        if let Some(path) = &path
            && let Some(outcomes) = self.call_file(&path.path, &values, &scope, invocation, span)
        {
            return outcomes;
        }
        if let Some(program) = programs::find(plain) {
            let output = self.execute(program, plain, arguments, scope.clone(), invocation, span);
            return vec![Outcome::printing(scope, output)];
        }
        if let Some(handler) = scope.functions.get("command_not_found_handle").cloned() {
            return self.call_function("command_not_found_handle", &handler, &[], scope);
        }
        self.guess(plain, arguments, &scope, invocation, span);
        self.spend(OPERAND.saturating_mul(count(arguments)));
        let file = path.as_ref().map(|path| path.path.clone());
        let mut outcomes = self.call_undescribed(plain, file, scope, invocation, span);
        if prints_completion(arguments) {
            outcomes.iter_mut().for_each(settle_completion);
        }
        outcomes
    }

    /// A program that the text itself put into a directory of its search path.
    fn found_in_path(&self, called: &str, scope: &Scope) -> Option<String> {
        let path = scope.scalar("PATH").filter(|_| !called.contains('/'))?.known_prefix();
        path.split(':').take(16).find_map(|directory| {
            let directory = if directory.is_empty() { "." } else { directory };
            let file = self.target(&Value::literal(format!("{directory}/{called}")), scope).path;
            self.files.content(&file).is_some().then_some(file)
        })
    }

    /// Runs a line that is not for the shell, but for what the line before it started.
    fn call_escape(
        &mut self,
        called: &str,
        lang: crate::lang::Lang,
        code: &Value,
        arguments: &[Value],
        scope: Scope,
        span: Span,
    ) -> Vec<Outcome> {
        let invocation = self.invocation(&scope, called, called, arguments, &[], span);
        let mut inner = scope.clone();
        inner.hooked = true;
        let output = self.code_at(lang, code, &mut inner, invocation, span);
        vec![Outcome::printing(scope, output)]
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

/// A line for the program started before it, as in a transcript: `!cmd`, `:e file`, `shell cmd` and `@exec cmd` are for
/// pagers, editors, debuggers and consoles, `Remove-Item` is PowerShell's. No program has such a name.
fn escape(called: &str, arguments: &[Value]) -> Option<(crate::lang::Lang, Value)> {
    use crate::lang::Lang;
    let typed = without_keys(called);
    let (lang, first) = if let Some(rest) = typed.strip_prefix('!').or_else(|| typed.strip_prefix("\\!")) {
        (Lang::Shell, rest)
    } else if called.len() > 1 && called.starts_with(':') {
        (Lang::Ex, called)
    } else if is_cmdlet(called) {
        (Lang::PowerShell, called)
    } else if matches!(called, "shell" | "@exec") && !arguments.is_empty() {
        (Lang::Shell, "")
    } else {
        return None;
    };
    let mut code = Value::literal(first);
    for argument in arguments {
        code.push_str(" ");
        match argument.known().filter(|word| word.contains([' ', '"', ';', '|', '&', '<', '>', '$', '`'])) {
            Some(word) => code.push_str(&format!("'{}'", word.replace('\'', "'\\''"))),
            None => code.push(argument),
        }
    }
    Some((lang, code))
}

/// What is typed after control keys, which a transcript shows as `^K`.
fn without_keys(mut typed: &str) -> &str {
    while let Some(rest) = typed.strip_prefix('^') {
        let mut rest = rest.chars();
        if !rest.next().is_some_and(|key| key.is_ascii_uppercase()) {
            break;
        }
        typed = rest.as_str();
    }
    typed
}

/// `Verb-Noun`, each with a capital.
fn is_cmdlet(name: &str) -> bool {
    let capital = |word: &str| {
        word.starts_with(|letter: char| letter.is_ascii_uppercase())
            && word.bytes().all(|byte| byte.is_ascii_alphabetic())
    };
    name.split_once('-').is_some_and(|(verb, noun)| {
        matches!(
            verb,
            "Clear" | "Disable" | "Format" | "Get" | "Invoke" | "New" | "Remove" | "Set" | "Start" | "Stop"
        ) && capital(noun)
    })
}

/// The text of a piece; nothing for a variable that may be empty.
fn literal_or_empty(piece: &Piece) -> Option<&str> {
    match piece {
        Piece::Literal(text) => Some(text),
        Piece::Hole(hole) => hole.may_be_empty.then_some(""),
        Piece::Glob(_) => None,
    }
}

/// The name of a program without directory and, for Windows, ending.
fn plain_name(called: &str) -> &str {
    let name = called.rsplit('/').next().filter(|name| !name.is_empty()).unwrap_or(called);
    let name = if called.contains('\\') { name.rsplit('\\').next().unwrap_or(name) } else { name };
    name.strip_suffix(".exe").or_else(|| name.strip_suffix(".EXE")).unwrap_or(name)
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

/// A word that is a single unquoted text.
fn bare(word: &Word) -> Option<&str> {
    match word.parts.as_slice() {
        [Part::Bare(text)] => Some(text),
        _ => None,
    }
}

fn starts_with_assignment(word: &Word) -> bool {
    let Some(Part::Bare(text)) = word.parts.first() else { return false };
    let name = text.split('=').next().unwrap_or_default().trim_end_matches('+');
    name.len() < text.len()
        && !name.is_empty()
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

/// Whether a redirection may fail, and with it the command.
fn opens(redirect: &Redirect) -> bool {
    use crate::ast::RedirectOperator as Operator;
    match redirect.operator {
        Operator::HereDocument | Operator::HereString => false,
        Operator::DuplicateInput | Operator::DuplicateOutput => {
            !bare(&redirect.target).is_some_and(|to| matches!(to, "0" | "1" | "2" | "-"))
        }
        Operator::Append
        | Operator::AppendBoth
        | Operator::Clobber
        | Operator::Input
        | Operator::Output
        | Operator::OutputBoth
        | Operator::ReadWrite => bare(&redirect.target) != Some("/dev/null"),
    }
}

/// A command that may not have run may not have left, either.
fn not_left(outcome: Outcome) -> Vec<Outcome> {
    if outcome.leaves.is_none() {
        return vec![outcome];
    }
    vec![Outcome { leaves: None, ..outcome.clone() }, outcome]
}

fn is_word(argv: &[Argument], word: &str) -> bool {
    argv.first().is_some_and(
        |argument| matches!(argument.value.pieces.as_slice(), [Piece::Literal(text)] if text == word),
    )
}

/// What a command may change for itself alone. Keeping no more than that leaves the rest unshared, so that the
/// command changes it in place.
struct Before {
    /// Standard input, if it is another one for this command; what is read from the same one is gone.
    #[expect(clippy::option_option, reason = "whether it is another one, and whether there is one")]
    stdin: Option<Option<Rc<Value>>>,
    to_network: bool,
    descriptors: Rc<BTreeMap<u32, Endpoint>>,
    variables: Vec<(Rc<str>, Option<Rc<Variable>>)>,
}

impl Before {
    fn of(scope: &Scope, assignments: &[Assignment], redirects: &[Redirect]) -> Self {
        let variable = |name: &str| (Rc::from(name), scope.variables.get(name).cloned());
        Self {
            stdin: (!redirects.is_empty()).then(|| scope.stdin.clone()),
            to_network: scope.to_network,
            descriptors: Rc::clone(&scope.descriptors),
            variables: assignments.iter().map(|assignment| variable(&assignment.name)).collect(),
        }
    }

    fn restore(&self, scope: &mut Scope) {
        if let Some(stdin) = &self.stdin {
            scope.stdin.clone_from(stdin);
        }
        scope.to_network = self.to_network;
        scope.descriptors = Rc::clone(&self.descriptors);
        for (name, variable) in &self.variables {
            match variable {
                Some(variable) => {
                    Rc::make_mut(&mut scope.variables).insert(Rc::clone(name), Rc::clone(variable));
                }
                None => scope.unset(name),
            }
        }
    }
}
