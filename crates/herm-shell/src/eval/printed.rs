//! What goes into a program and comes out of it: standard input as code, and what is printed.

use std::rc::Rc;

use super::paths::either_way;
use super::step::Step;
use crate::effect::{Flags, Realm, Target, Verb};
use crate::filters::{self, Speaker};
use crate::lang::Lang;
use crate::place::Extent;
use crate::programs::arguments::{Argument, Parsed};
use crate::programs::opens_shell;
use crate::programs::schema::{Program, Role, Source};
use crate::sink::Sink;
use crate::value::{Provenance, Value};

impl Step<'_, '_> {
    /// Standard input is code for an interpreter that was given nothing else to run, or that takes it whatever it was given.
    pub(super) fn run_input(&mut self, program: &Program, parsed: &Parsed<'_>) {
        let language = self.input_language(program, parsed).or_else(|| self.shell_fed(parsed));
        let Some(lang) = language else { return };
        if self.scope.to_network && parsed.has("-i") {
            return self.be_driven(lang);
        }
        // `-p` is for keeping rights that the caller lent: nobody starts a shell so but from a set-user-ID file.
        let keeps_rights = parsed.has("-p") && BOURNE.contains(&parsed.program);
        let through = lang == Lang::Shell
            && self.scope.realm == Realm::Here
            && (keeps_rights || self.machine.is_started_through_another(self.invocation));
        let parameters = parsed.operands.iter().map(|operand| operand.value.clone()).collect();
        let own = self.scope.positional.replace(Rc::new(parameters));
        self.take_code(lang, if through { Flags::HOOK } else { Flags::NONE });
        self.scope.positional = own;
    }

    /// The shell that a program starts where it is given no command, if there is something for it to read.
    fn shell_fed(&self, parsed: &Parsed<'_>) -> Option<Lang> {
        let input = self.scope.stdin.as_deref().filter(|input| !input.pieces.is_empty())?;
        let inherited = Value::unknown("standard input", Provenance::OUTSIDE);
        let is_fed = *input != inherited && !self.ran && !parsed.taken && opens_shell(parsed);
        is_fed.then_some(Lang::Shell)
    }

    fn input_language(&self, program: &Program, parsed: &Parsed<'_>) -> Option<Lang> {
        if let Role::Interact(lang) = program.stdin {
            return (!parsed.taken).then_some(lang);
        }
        let Role::Code(lang) = program.stdin else { return None };
        let told = lang == Lang::Shell && parsed.has("-s");
        (told || !self.ran && !parsed.taken).then_some(lang)
    }

    /// Runs what stands on standard input; where that is a terminal, code is waited for.
    pub(super) fn take_code(&mut self, lang: Lang, flags: Flags) {
        let Some(input) = self.scope.stdin.take() else {
            let target = Target::Code(lang, None);
            return self.effect(Verb::Execute, target, flags | Flags::INTERACTIVE, Provenance::NONE);
        };
        if self.scope.to_network && input.provenance.has(Provenance::NETWORK) {
            self.be_driven(lang);
        } else {
            // What is read as code is not there to be read by that code.
            let mut printed = self.printed.take().unwrap_or_default();
            printed.push(&self.code(lang, &input));
            self.printed = Some(printed);
        }
        self.scope.stdin = Some(input);
    }

    /// Whoever is at the other end says what runs here.
    fn be_driven(&mut self, lang: Lang) {
        let flags = Flags::REMOTE_CONTROL | Flags::INTERACTIVE;
        self.effect(Verb::Execute, Target::Code(lang, None), flags, Provenance::NETWORK);
    }

    /// What a program prints. What a filter makes of one file is a part of it.
    pub(super) fn output(&mut self, parsed: &Parsed<'_>, program: &Program) -> Value {
        let output = self.said(parsed, program);
        let filters = matches!(program.stdout, Source::Computed | Source::Input);
        match self.inputs.as_slice() {
            [input] if filters => match input.source().or_else(|| input.listing()) {
                Some(file) => output.made_of(&file),
                None => output,
            },
            _ => output,
        }
    }

    fn said(&mut self, parsed: &Parsed<'_>, program: &Program) -> Value {
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
            if machine.files.is_unsettled(&target.path)
                && let Some(content) = machine.files.content(&target.path)
            {
                return either_way(content, &target.path);
            }
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
            if target.extent == Extent::Exact {
                return Value::content_of(target.path, provenance);
            }
            Value::unknown(target.path, provenance)
        };
        filters::compute(Speaker::Program, &self.by, &arguments, &stdin, &mut read, &machine.fuel)
    }
}

const BOURNE: &[&str] = &["ash", "bash", "dash", "ksh", "posh", "sh", "yash", "zsh"];

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
