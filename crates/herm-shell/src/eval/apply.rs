//! Applying a program's description to its arguments.

use std::rc::Rc;

use super::machine::Machine;
use super::role::remote;
use super::scope::Scope;
use super::step::{Pace, Step};
use super::task::{Phase, Task, into_directory, phase_of, tasks, words_of};
use crate::effect::{Flags, Target, Verb};
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
        };
        step.scope.within = Some(invocation);
        for (variable, _) in program.env.iter().filter(|(_, role)| matches!(role, Role::Options)) {
            step.scope.unset(variable);
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
        let variables = program.env.iter().filter(|(_, role)| matches!(role, Role::Options));
        let exported = |name: &str| scope.variables.get(name).filter(|variable| variable.exported);
        let values = variables.filter_map(|(name, _)| exported(name)?.values.first());
        let given: Vec<Argument> =
            values.flat_map(|value| dashed(words_of(value))).map(|value| Argument { value, span }).collect();
        if given.is_empty() || !self.spend(u32::try_from(given.len()).unwrap_or(u32::MAX)) {
            return None;
        }
        let own = arguments.iter().cloned();
        Some(match program.syntax {
            Syntax::TarBundle => own.chain(given).collect(),
            Syntax::Expression
            | Syntax::FirstOperandEnds
            | Syntax::Gnu
            | Syntax::KeyValue
            | Syntax::SingleDash
            | Syntax::Words => given.into_iter().chain(own).collect(),
        })
    }
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
        for (name, role) in chain.iter().flat_map(|program| program.env) {
            let due = if matches!(role, Role::Prefixed(_)) { Phase::Run } else { phase_of(*role) };
            if due != phase {
                continue;
            }
            let set = self.scope.variables.get(*name).filter(|variable| variable.exported);
            if let Some(value) = set.and_then(|variable| variable.values.first()).cloned() {
                let span = self.span;
                // What it starts would obey it again, and so on without end.
                self.scope.unset(name);
                self.apply(&Task::obeyed(*role, value, span));
            }
        }
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
