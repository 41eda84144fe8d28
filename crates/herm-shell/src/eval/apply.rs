//! Applying a program's description to its arguments.

use std::rc::Rc;

use super::machine::Machine;
use super::scope::Scope;
use super::step::{Pace, Step};
use super::task::{Phase, Task, into_directory, is_assignment, phase_of, tasks, words_of};
use crate::effect::{Flags, Realm, Target, Verb};
use crate::filters;
use crate::lang::Lang;
use crate::programs::arguments::{self, Argument, Parsed};
use crate::programs::schema::{Aim, Deed, Do, Program, Role, Source};
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
        if parsed.stopped {
            return Value::unknown(format!("output of {name}"), Provenance::NONE);
        }
        step.carry_out(&parsed, &chain)
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
        self.read_handed(parsed.all);
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
                self.apply(&Task { role: *role, value, rest: Vec::new(), span, by_option: true });
            }
        }
    }

    /// What a program does with standard input besides running it.
    fn take_input(&mut self, program: &Program) {
        let consumes = matches!(program.stdout, Source::Input | Source::Decoded | Source::Computed);
        let Some(stdin) = self.scope.stdin.clone() else { return };
        if matches!(program.stdin, Role::Send) {
            self.event_send(stdin.provenance);
        } else if consumes && self.inputs.is_empty() && !matches!(program.stdin, Role::Code(_)) {
            self.inputs.push(stdin.as_ref().clone());
        }
    }

    fn event_send(&mut self, data: Provenance) {
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
            _ => Value::unknown(format!("what {name} writes"), self.taint() | Provenance::FILE),
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

    fn apply(&mut self, task: &Task) {
        let value = &task.value;
        match task.role {
            Role::Inert | Role::Append | Role::Write | Role::TransferTo => {}
            Role::Environment => self.set_from(value),
            Role::Directory => self.change_directory(value),
            Role::Read => {
                let _ = self.read(value);
            }
            Role::MoveFrom => {
                let target = self.machine.target(value, &self.scope);
                let content = self.machine.files.content(&target.path).cloned();
                self.inputs.push(content.unwrap_or_else(|| Value::unknown(target.path, Provenance::FILE)));
                self.path(Verb::Delete, value, Flags::MOVE);
            }
            Role::Delete => self.path(Verb::Delete, value, Flags::NONE),
            Role::ChangeMode => self.path(Verb::ChangeMode, value, Flags::NONE),
            Role::ChangeOwner => self.path(Verb::ChangeOwner, value, Flags::NONE),
            Role::Link => self.link_to(value, task),
            Role::Host => self.connect(Verb::Connect, value, Flags::NONE, Provenance::NONE),
            Role::Url => self.url(value),
            Role::Send => self.send(value),
            Role::SendFile => {
                let content = self.read(value);
                self.event_send(content.provenance);
            }
            Role::TransferFrom => self.transfer_from(value),
            Role::AtFile(role) => self.at_file(value, *role, task),
            Role::Prefixed(prefixes) => self.prefixed(value, prefixes, task),
            Role::Argv | Role::Program => self.started(task, Self::run_command),
            Role::ArgvText => self.started(task, |step, task| {
                let words = words_of(&task.value);
                step.print_of(|step| step.run(&words, &Value::default()));
            }),
            Role::Code(lang) => {
                self.started(task, |step, task| {
                    step.name_parameters(&task.rest);
                    step.print_of(|step| step.code(lang, &task.value));
                });
            }
            Role::Expanded => {
                let mut scope = self.scope.clone();
                self.machine.injected(&task.value, &mut scope);
            }
            Role::Library => self.started(task, Self::load),
            Role::Plugin(lang) => self.started(task, |step, task| step.plug_in(lang, task)),
            Role::Script(lang) => {
                self.started(task, |step, task| step.script(lang, &task.value, &task.rest));
            }
        }
    }

    /// `bash -c CODE NAME ARGUMENT…`: what follows the code is `$0`, `$1` and so on.
    fn name_parameters(&mut self, words: &[Value]) {
        let Some((name, arguments)) = words.split_first() else { return };
        self.scope.set("0", name.clone());
        self.scope.positional = Some(Rc::new(arguments.to_vec()));
    }

    fn set_from(&mut self, value: &Value) {
        let text = value.known_prefix();
        if let Some(at) = text.find('=') {
            let name = text.get(..at).unwrap_or_default().to_owned();
            self.set_variable(&name, &arguments::tail(value, at + 1));
        }
    }

    fn link_to(&mut self, value: &Value, task: &Task) {
        match task.rest.first() {
            Some(to) => Sink::link(self, value, to, Flags::NONE),
            None => self.path(Verb::Link, value, Flags::NONE),
        }
    }

    fn url(&mut self, value: &Value) {
        if let Some(path) = value.known_prefix().strip_prefix("file://") {
            let _ = self.read(&Value::literal(path));
            return;
        }
        self.connect(Verb::Connect, value, Flags::DOWNLOAD, Provenance::NONE);
    }

    fn send(&mut self, value: &Value) {
        self.effect(Verb::Send, Target::None, Flags::UPLOAD, value.provenance);
    }

    fn transfer_from(&mut self, value: &Value) {
        match remote(value) {
            Some(host) => {
                self.connect(Verb::Connect, &host, Flags::DOWNLOAD, Provenance::NONE);
                self.inputs.push(Value::unknown(value.shown(), Provenance::NETWORK));
            }
            None => {
                let _ = self.read(value);
            }
        }
    }

    fn at_file(&mut self, value: &Value, role: Role, task: &Task) {
        let is_file = value.known_prefix().starts_with('@');
        let value = if is_file { arguments::tail(value, 1) } else { value.clone() };
        let role = match (is_file, role) {
            (true, Role::Send) => Role::SendFile,
            (_, role) => role,
        };
        self.apply(&Task { role, value, rest: Vec::new(), span: task.span, by_option: task.by_option });
    }

    fn prefixed(&mut self, value: &Value, prefixes: &'static [(&'static str, Role)], task: &Task) {
        let text = value.known_prefix();
        let found = prefixes.iter().find(|(prefix, _)| text.starts_with(prefix));
        if let Some((prefix, role)) = found {
            let inner = Task {
                role: *role,
                value: arguments::tail(value, prefix.len()),
                rest: Vec::new(),
                span: task.span,
                by_option: task.by_option,
            };
            if phase_of(*role) == Phase::Write {
                let content = Value::unknown("output", self.taint());
                self.write(&inner.value, &content, Flags::TRUNCATE);
            } else {
                self.apply(&inner);
            }
        }
    }

    /// Starts something; what an option brought runs through a hook, unless running it is what the program is for.
    fn started(&mut self, task: &Task, start: impl FnOnce(&mut Self, &Task)) {
        let hooked = self.scope.hooked;
        let fills_window = matches!(task.role, Role::Argv) && crate::programs::houses_shells(&self.by);
        self.scope.hooked |= task.by_option && !fills_window;
        start(self, task);
        self.scope.hooked = hooked;
    }

    fn load(&mut self, task: &Task) {
        let (by, scope) = (Rc::clone(&self.by), self.scope.clone());
        self.machine.loaded(&task.value, &scope, &by, self.invocation, self.span);
    }

    /// An add-on that the text wrote is read; of any other one only the place is known.
    fn plug_in(&mut self, lang: Lang, task: &Task) {
        let target = self.machine.target(&task.value, &self.scope);
        if self.machine.files.content(&target.path).is_none_or(|content| content.known().is_none()) {
            self.load(task);
        }
        self.script(lang, &task.value, &task.rest);
    }

    fn print_of(&mut self, run: impl FnOnce(&mut Self) -> Value) {
        let output = run(self);
        self.printed = Some(output);
    }

    /// Runs a command given as words; assignments before it are its environment.
    fn run_command(&mut self, task: &Task) {
        let mut argv: Vec<Value> =
            std::iter::once(task.value.clone()).chain(task.rest.iter().cloned()).collect();
        while argv.first().is_some_and(is_assignment) {
            let assignment = argv.remove(0);
            self.set_from(&assignment);
        }
        if !argv.is_empty() {
            self.print_of(|step| step.run(&argv, &Value::default()));
        }
    }

    /// Standard input is code for an interpreter that was given nothing else to run.
    fn run_input(&mut self, program: &Program, parsed: &Parsed<'_>) {
        let Role::Code(lang) = program.stdin else { return };
        if (self.ran || parsed.taken) && !parsed.has("-s") {
            return;
        }
        let stdin = self.scope.stdin.clone();
        let driven = self.scope.to_network
            && (parsed.has("-i")
                || stdin.as_ref().is_some_and(|input| input.provenance.has(Provenance::NETWORK)));
        if driven {
            self.effect(
                Verb::Execute,
                Target::Code(lang, None),
                Flags::REMOTE_CONTROL | Flags::INTERACTIVE,
                Provenance::NETWORK,
            );
            return;
        }
        if let Some(input) = stdin {
            let parameters = parsed.operands.iter().map(|operand| operand.value.clone()).collect();
            self.print_of(|step| {
                step.scope.stdin = None;
                step.scope.positional = Some(Rc::new(parameters));
                step.code(lang, &input)
            });
        } else {
            // `-p` is for keeping rights that the caller lent: nobody starts a shell so but from a set-user-ID file.
            let keeps_rights = parsed.has("-p") && BOURNE.contains(&parsed.program);
            let through = lang == Lang::Shell
                && self.scope.realm == Realm::Here
                && (keeps_rights || self.machine.is_started_through_another(self.invocation));
            let flags = if through { Flags::HOOK } else { Flags::NONE };
            self.effect(
                Verb::Execute,
                Target::Code(lang, None),
                flags | Flags::INTERACTIVE,
                Provenance::NONE,
            );
        }
    }

    fn output(&mut self, parsed: &Parsed<'_>, program: &Program) -> Value {
        if let Some(printed) = self.printed.take() {
            return printed;
        }
        let shown = format!("output of {}", self.by);
        let taint = self.taint();
        match program.stdout {
            Source::Computed => {
                let decoded = if decodes(parsed) { Provenance::DECODED } else { Provenance::OUTSIDE };
                self.computed(parsed).unwrap_or_else(|| Value::unknown(shown, taint | decoded))
            }
            Source::Decoded => {
                self.computed(parsed).unwrap_or_else(|| Value::unknown(shown, taint | Provenance::DECODED))
            }
            Source::Input => self.computed(parsed).unwrap_or_else(|| {
                Value::unknown(shown, if taint.is_empty() { Provenance::OUTSIDE } else { taint })
            }),
            Source::Network => Value::unknown(shown, taint | Provenance::NETWORK),
            Source::Nothing | Source::Settings => Value::default(),
            Source::Secret => Value::unknown(shown, taint | Provenance::SECRET),
            Source::Unknown if taint.is_empty() && prints_completion(parsed.all) => Value::default(),
            Source::Unknown => Value::unknown(shown, taint | Provenance::OUTSIDE),
        }
    }

    fn computed(&mut self, parsed: &Parsed<'_>) -> Option<Value> {
        let arguments: Vec<Value> = parsed.all.iter().map(|argument| argument.value.clone()).collect();
        let stdin = self.stdin();
        let (machine, scope) = (&*self.machine, &self.scope);
        let mut read = |path: &Value| {
            let target = machine.target(path, scope);
            if let Some(content) = machine.files.content(&target.path) {
                return content.clone();
            }
            let provenance = if target.places.any(crate::place::Places::CREDENTIAL) {
                Provenance::SECRET
            } else if target.places.any(crate::place::Places::ENDLESS) {
                Provenance::ENDLESS
            } else {
                Provenance::FILE
            };
            Value::unknown(target.path, provenance)
        };
        filters::compute(&self.by, &arguments, &stdin, &mut read, &machine.fuel)
    }
}

const BOURNE: &[&str] = &["ash", "bash", "dash", "ksh", "posh", "sh", "yash", "zsh"];

/// Whether a program stops by itself, however much there is to read.
fn takes_a_part(parsed: &Parsed<'_>) -> bool {
    matches!(parsed.program, "head" | "ghead")
}

fn end(input: &mut Value) {
    input.provenance = input.provenance.without(Provenance::ENDLESS);
}

/// `user@host:path`: the host.
fn remote(value: &Value) -> Option<Value> {
    let text = value.known_prefix();
    let before = text.split(':').next().filter(|before| before.len() < text.len())?;
    if before.contains('/') || before.is_empty() {
        return text.starts_with("rsync://").then(|| value.clone());
    }
    Some(Value::literal(before))
}

/// Whether a text filter was asked to decode.
fn decodes(parsed: &Parsed<'_>) -> bool {
    match parsed.program {
        "base64" | "base32" | "basenc" | "base16" | "uudecode" => parsed.has("-d --decode -D"),
        "xxd" => parsed.has("-r -revert"),
        "gunzip" | "zcat" | "bzcat" | "xzcat" | "unxz" | "bunzip2" | "rev" => true,
        _ => false,
    }
}

/// Whether a program is asked for the code by which a shell completes its arguments (`kubectl completion bash`).
/// That is its own, as any settings are: reading it does no more than running the program did.
pub(crate) fn prints_completion(arguments: &[Argument]) -> bool {
    let first = arguments.first().and_then(|argument| argument.value.known());
    matches!(
        first.as_deref(),
        Some("completion" | "completions" | "generate-shell-completion" | "gen-completions")
    )
}
