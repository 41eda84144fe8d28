//! Applying a program's description to its arguments.

use std::rc::Rc;

use super::machine::Machine;
use super::role::remote;
use super::scope::Scope;
use super::step::{Pace, Step};
use super::task::{Phase, Task, into_directory, phase_of, tasks, words_of};
use crate::effect::{Flags, Target, Verb};
use crate::lang::Lang;
use crate::programs::arguments::{self, Argument, Parsed};
use crate::programs::schema::{Aim, Deed, Do, Program, Role, Source, Syntax};
use crate::sink::Sink;
use crate::span::Span;
use crate::value::{Provenance, Value};

/// Programs that put what they read, unchanged, where they write.
const COPIERS: &[&str] = &["cp", "mv", "install", "tee", "dd", "cat", "ln", "rsync"];

impl Machine<'_> {
    /// Says what a described program does with its arguments; what it prints comes back.
    pub(crate) fn execute(
        &mut self,
        program: &'static Program,
        name: &str,
        arguments: &[Argument],
        scope: Scope,
        invocation: usize,
        span: Span,
    ) -> Value {
        let with_options = self.with_options(program, arguments, &scope, span);
        let arguments = with_options.as_deref().unwrap_or(arguments);
        let (parsed, chain) = arguments::parse(program, name, arguments);
        self.describe(invocation, parsed.subcommands.clone());
        let mut step = Step {
            machine: self,
            scope,
            invocation,
            by: Rc::from(name),
            span,
            flags: parsed.flags,
            inputs: Vec::new(),
            printed: None,
            ran: false,
            holes: Vec::new(),
            pace: Pace::Units,
            heard: crate::scripts::lexical::Heard::default(),
        };
        step.scope.within = Some(invocation);
        for (variable, _, _) in obeyed(program.env, &step.scope, is_of_command_line) {
            step.scope.unset(&variable);
        }
        if parsed.stopped || crate::programs::only_checks(name, &parsed) {
            return Value::unknown(format!("output of {name}"), Provenance::NONE);
        }
        step.carry_out(&parsed, &chain)
    }
}

impl Machine<'_> {
    /// The arguments with the options that variables hold, if there are any. Letters without a dash must stay in front.
    fn with_options(
        &mut self,
        program: &Program,
        arguments: &[Argument],
        scope: &Scope,
        span: Span,
    ) -> Option<Vec<Argument>> {
        let place = behind_command(program, arguments);
        let command = place.checked_sub(1).and_then(|at| arguments.get(at)?.value.known());
        let mut given: Vec<Value> = Vec::new();
        for (variable, role, value) in obeyed(program.env, scope, is_of_command_line) {
            match (role, starred(program.env, &variable)) {
                (Role::Setting, Some(star)) => given.push(setting(&star, &value)),
                (_, Some(star)) if command.as_deref() != Some(&*star) => {}
                (_, Some(_) | None) => given.extend(dashed(words_of(&value))),
            }
        }
        if given.is_empty() || !self.spend(u32::try_from(given.len()).unwrap_or(u32::MAX)) {
            return None;
        }
        let given = given.into_iter().map(|value| Argument { value, span });
        let at = if program.syntax == Syntax::TarBundle { arguments.len() } else { place };
        let (before, after) = arguments.split_at_checked(at)?;
        Some(before.iter().cloned().chain(given).chain(after.iter().cloned()).collect())
    }
}

/// The variables of the environment that a program obeys in one of these roles, by their own names.
fn obeyed(
    env: &[(&'static str, Role)],
    scope: &Scope,
    wanted: fn(&Role) -> bool,
) -> Vec<(Rc<str>, Role, Value)> {
    let roles = env.iter().filter(|(_, role)| wanted(role));
    let found = roles.flat_map(|(pattern, role)| {
        let matching = scope.exported().filter(|(name, _)| star(pattern, name).is_some());
        matching.map(|(name, value)| (Rc::clone(name), *role, value.clone()))
    });
    found.collect()
}

/// Whether a variable holds what could as well stand on the command line.
fn is_of_command_line(role: &Role) -> bool {
    matches!(role, Role::Options | Role::Setting)
}

/// What the `*` of a pattern stands for in a name; nothing where there is none.
fn star<'n>(pattern: &str, name: &'n str) -> Option<&'n str> {
    match pattern.split_once('*') {
        None => (pattern == name).then_some(""),
        Some((start, end)) => {
            let rest = name.strip_prefix(start)?.strip_suffix(end)?;
            (!rest.is_empty()).then_some(rest)
        }
    }
}

/// What the `*` stands for, where the variable is obeyed for one.
fn starred(env: &[(&str, Role)], name: &str) -> Option<String> {
    env.iter().find_map(|(pattern, _)| star(pattern, name).filter(|star| !star.is_empty())).map(str::to_owned)
}

/// A setting as the long option that it is.
fn setting(name: &str, value: &Value) -> Value {
    let mut option = Value::literal(format!("--{}=", name.to_ascii_lowercase().replace('_', "-")));
    option.push(value);
    option
}

/// Where the options of a program's sub-command begin; at the front, where it has none.
fn behind_command(program: &Program, arguments: &[Argument]) -> usize {
    let names = || program.subs.iter().flat_map(|sub| sub.names).filter_map(|name| name.split(' ').next());
    let is_command =
        |argument: &Argument| argument.value.known().is_some_and(|word| names().any(|name| name == &*word));
    arguments.iter().position(is_command).map_or(0, |at| at + 1)
}

impl Step<'_, '_> {
    fn carry_out(&mut self, parsed: &Parsed<'_>, chain: &[&'static Program]) -> Value {
        let Some(program) = chain.last() else { return Value::default() };
        let whole = self.span;
        let tasks = tasks(parsed, program);
        self.each(&tasks, Phase::Prepare);
        self.obeyed(chain, Phase::Prepare);
        self.each(&tasks, Phase::Read);
        self.take_input(program);
        if takes_a_part(parsed) {
            self.inputs.iter_mut().for_each(end);
        }
        self.deeds(parsed, program);
        let content = self.content(program);
        self.write_all(&tasks, &content);
        self.span = whole;
        for program in chain {
            if let Some(refine) = program.refine {
                refine(parsed, self);
            }
        }
        self.span = whole;
        self.obeyed(chain, Phase::Run);
        self.each(&tasks, Phase::Run);
        self.span = whole;
        self.run_input(program, parsed);
        self.read_handed(parsed);
        self.suppose_handed(parsed, program);
        self.net_unknown(parsed, program);
        self.output(parsed, program)
    }

    fn each(&mut self, tasks: &[Task], phase: Phase) {
        for task in tasks {
            if phase_of(task.role) == phase {
                if !self.machine.spend(1) {
                    break;
                }
                self.span = task.span;
                self.apply(task);
            }
        }
    }

    /// Environment variables that the program obeys.
    fn obeyed(&mut self, chain: &[&'static Program], phase: Phase) {
        let wanted = |role: &Role| !is_of_command_line(role);
        let variables = chain.iter().flat_map(|program| obeyed(program.env, &self.scope, wanted));
        for (name, role, value) in variables.collect::<Vec<_>>() {
            let due = if matches!(role, Role::Prefixed(_)) { Phase::Run } else { phase_of(role) };
            if due == phase && self.scope.variables.get(&name).is_some_and(|variable| variable.exported) {
                self.obey(&name, role, value);
            }
        }
    }

    /// Does what a variable says. What is started then would obey it again, and so on without end: a file of code that starts
    /// whatever runs it does just that.
    fn obey(&mut self, name: &Rc<str>, role: Role, value: Value) {
        let span = self.span;
        if !matches!(role, Role::Script(Lang::Shell)) {
            self.scope.unset(name);
            return self.apply(&Task::obeyed(role, value, span));
        }
        let own = (Rc::clone(name), value.clone());
        if self.machine.obeying.contains(&own) {
            return self.machine.run_anew(name, &self.scope);
        }
        self.machine.obeying.push(own);
        self.apply(&Task::obeyed(role, value, span));
        self.machine.obeying.pop();
    }

    /// What a program does with standard input besides running it.
    fn take_input(&mut self, program: &Program) {
        let consumes = matches!(program.stdout, Source::Input | Source::Decoded | Source::Computed);
        let Some(stdin) = self.scope.stdin.clone() else { return };
        if matches!(program.stdin, Role::Send) {
            self.event_send(stdin.provenance);
        } else if consumes
            && self.inputs.is_empty()
            && !matches!(program.stdin, Role::Code(_) | Role::Interact(_))
        {
            self.inputs.push(stdin.as_ref().clone());
        }
    }

    pub(super) fn event_send(&mut self, data: Provenance) {
        self.effect(Verb::Send, Target::None, Flags::UPLOAD, data);
    }

    fn deeds(&mut self, parsed: &Parsed<'_>, program: &Program) {
        for deed in program.does {
            self.deed(deed, parsed);
        }
        for given in &parsed.options {
            if let Some(Do::Emit(deed)) = given.option.map(|option| option.does) {
                self.deed(&deed, parsed);
            }
        }
    }

    fn deed(&mut self, deed: &Deed, parsed: &Parsed<'_>) {
        let named = |kind: &'static str, value: &Value| Target::Named(kind, value.shown());
        match deed.aim {
            Aim::None => self.effect(deed.verb, Target::None, deed.flags, Provenance::NONE),
            Aim::Kind(kind) => {
                self.effect(deed.verb, Target::Named(kind, String::new()), deed.flags, Provenance::NONE);
            }
            Aim::First(kind) => {
                let name = parsed.operand(0).map(Value::shown).unwrap_or_default();
                self.effect(deed.verb, Target::Named(kind, name), deed.flags, Provenance::NONE);
            }
            Aim::Each(kind) if parsed.operands.is_empty() => {
                self.effect(deed.verb, Target::Named(kind, String::new()), deed.flags, Provenance::NONE);
            }
            Aim::Each(kind) => {
                for operand in &parsed.operands {
                    self.effect(deed.verb, named(kind, &operand.value), deed.flags, Provenance::NONE);
                }
            }
            Aim::Paths => {
                for operand in &parsed.operands {
                    self.path(deed.verb, &operand.value, deed.flags);
                }
            }
        }
    }

    /// What the program writes to the files it writes.
    fn content(&self, program: &Program) -> Value {
        let name = self.by.as_ref();
        if program.stdout == Source::Network {
            return Value::unknown(format!("what {name} fetches"), Provenance::NETWORK | self.taint());
        }
        match self.inputs.as_slice() {
            [only] if COPIERS.contains(&name) => only.clone(),
            _ => Value::content_of(format!("what {name} writes"), self.taint() | Provenance::FILE),
        }
    }

    fn write_all(&mut self, tasks: &[Task], content: &Value) {
        let sources: Vec<&Value> = tasks
            .iter()
            .filter(|task| matches!(task.role, Role::Read | Role::MoveFrom | Role::TransferFrom))
            .map(|task| &task.value)
            .collect();
        for task in tasks.iter().filter(|task| phase_of(task.role) == Phase::Write) {
            self.span = task.span;
            let flags = if matches!(task.role, Role::Append) { Flags::APPEND } else { Flags::TRUNCATE };
            if matches!(task.role, Role::TransferTo) && remote(&task.value).is_some() {
                self.transfer_to(&task.value, &sources);
            } else {
                let into = into_directory(&task.value, &sources);
                self.write(into.as_ref().unwrap_or(&task.value), content, flags);
            }
        }
    }

    fn transfer_to(&mut self, to: &Value, sources: &[&Value]) {
        let mut data = self.taint();
        for source in sources {
            data |= source.provenance;
        }
        self.connect(Verb::Send, &remote(to).unwrap_or_default(), Flags::UPLOAD, data);
    }
}

/// Options as a variable may hold them: the letters of the first word need no dash.
fn dashed(mut words: Vec<Value>) -> Vec<Value> {
    if let Some(first) = words.first_mut()
        && first.known_prefix().starts_with(|letter: char| letter.is_ascii_alphabetic())
    {
        let mut letters = Value::literal("-");
        letters.push(first);
        *first = letters;
    }
    words
}

/// Whether a program stops by itself, however much there is to read.
fn takes_a_part(parsed: &Parsed<'_>) -> bool {
    matches!(parsed.program, "head" | "ghead")
}

fn end(input: &mut Value) {
    input.provenance = input.provenance.without(Provenance::ENDLESS);
}
