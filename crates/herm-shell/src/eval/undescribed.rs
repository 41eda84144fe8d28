//! What a description leaves open, read once more as commands: what stands behind options that it does not explain, operands of a
//! sub-command that it does not have, input that is given in the place of a file.

use std::rc::Rc;

use super::launch::KEEPING;
use super::machine::Machine;
use super::net::keeps_words;
use super::scope::Scope;
use super::step::Step;
use super::suppose::Starter;
use crate::analysis::Likelihood;
use crate::lang::Lang;
use crate::programs::arguments::{Argument, Given, Parsed};
use crate::programs::schema::{Do, Operands, Program, Role, Syntax};
use crate::span::Span;
use crate::value::{Piece, Value};

impl Machine<'_> {
    /// What a program of which nothing is known is fed, and the files that the text wrote for it: that may be its code.
    pub(super) fn net_fed(&mut self, starter: Starter<'_>, arguments: &[Argument], scope: &Scope) {
        if let Some(stdin) = scope.stdin.clone() {
            self.net(starter, std::iter::once(stdin.as_ref()), scope);
        }
        self.net_files(starter, arguments, scope);
    }

    fn net_files(&mut self, starter: Starter<'_>, arguments: &[Argument], scope: &Scope) {
        if self.files.size() == 0 {
            return;
        }
        for argument in arguments {
            if !self.spend(1) {
                return;
            }
            let path = self.target(&argument.value, scope).path;
            if let Some(content) = self.files.content(&path).cloned() {
                self.net(starter, std::iter::once(&content), scope);
            }
        }
    }

    /// Code of which parts are not known: they may be empty, or words of their own, and in an option they may end it and name everything.
    pub(super) fn net_holes(&mut self, text: &Value, scope: &Scope, invocation: usize, span: Span) {
        if !text.has_hole() || !self.spend(1) {
            return;
        }
        let mut seen = Vec::new();
        for filling in [Filling::Nothing, Filling::Blank, Filling::Root] {
            let code = filled(text, filling);
            if seen.contains(&code) || !self.spend_bytes(code.len()) {
                continue;
            }
            let value = Value::literal(code.as_str());
            let starter = Starter { name: Lang::Shell.name(), invocation, span };
            self.undone(|machine| {
                machine.aside(Likelihood::Slight, &code, starter, |machine| {
                    let command = super::launch::Command::Text(value);
                    machine.start(&command, starter, &[], scope);
                });
            });
            seen.push(code);
        }
    }
}

impl Step<'_, '_> {
    /// What the description says nothing of, besides options that it does not have.
    pub(super) fn net_undescribed(&mut self, parsed: &Parsed<'_>, program: &Program) {
        if keeps_words(program) || parsed.all.is_empty() {
            return;
        }
        let mut words: Vec<Argument> = behind_long(parsed);
        words.extend(piped(parsed));
        if has_no_such_command(parsed, program) {
            words.extend(free_operands(parsed));
        }
        let files = if has_no_such_command(parsed, program) || says_nothing(program) {
            parsed.operands.iter().copied().cloned().collect()
        } else {
            Vec::new()
        };
        let stdin = self.scope.stdin.clone().filter(|_| reads_input(parsed, program));
        let bounds = bounds(parsed, program);
        if words.is_empty() && files.is_empty() && stdin.is_none() && bounds.is_empty()
            || !self.machine.spend(1)
        {
            return;
        }
        let (by, scope) = (Rc::clone(&self.by), self.scope.clone());
        let starter = Starter { name: &by, invocation: self.invocation, span: self.span };
        self.machine.net_operands(starter, &words, &scope);
        self.machine.net_files(starter, &files, &scope);
        if let Some(stdin) = stdin {
            self.machine.net(starter, std::iter::once(stdin.as_ref()), &scope);
        }
        self.machine.mind_worst(starter, parsed.all, &bounds, &scope);
    }
}

/// What stands in for a part of code that is not known.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Filling {
    Nothing,
    Blank,
    /// Everything, as a word of its own, where the part stands in an option.
    Root,
}

fn filled(text: &Value, filling: Filling) -> String {
    let mut code = String::new();
    for piece in &text.pieces {
        match piece {
            Piece::Literal(text) | Piece::Glob(text) => code.push_str(text),
            Piece::Hole(_) => {
                let word = code.rsplit(char::is_whitespace).next().unwrap_or_default();
                code.push_str(match filling {
                    Filling::Nothing => "",
                    Filling::Root if word.starts_with('-') && !word.starts_with("--") => " / ",
                    Filling::Blank | Filling::Root => " ",
                });
            }
        }
    }
    code
}

/// What stands behind words that may be long options with one dash, which the description reads as letters: `-eval CODE`.
fn behind_long(parsed: &Parsed<'_>) -> Vec<Argument> {
    let is_long = |word: &str| {
        word.strip_prefix('-').is_some_and(|name| {
            name.len() > 3
                && name.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-')
                && !name.starts_with('-')
        })
    };
    let is_read = |argument: &Argument| {
        let mut own = parsed.options.iter().filter(|given| std::ptr::eq(given.argument, argument)).peekable();
        own.peek().is_some() && own.all(|given| given.name.len() > 2 && given.option.is_some())
    };
    parsed
        .all
        .windows(2)
        .filter_map(|pair| {
            let [option, behind] = pair else { return None };
            let word = option.value.known()?;
            (is_long(&word) && !is_read(option)).then(|| behind.clone())
        })
        .collect()
}

/// Values that would be files if they did not begin with a mark by which many programs start a command instead.
fn piped(parsed: &Parsed<'_>) -> impl Iterator<Item = Argument> {
    let is_file = |given: &&Given<'_>| match given.option.map(|option| option.does) {
        Some(Do::Is(role) | Do::Before(role) | Do::StopWith(role)) => {
            matches!(role, Role::Append | Role::Read | Role::SendFile | Role::Write)
        }
        Some(Do::Emit(_) | Do::Nothing | Do::Operands(_) | Do::Set(_) | Do::Stop) => false,
        None => given.name.len() <= 2,
    };
    let short = parsed.options.iter().filter(is_file).flat_map(|given| {
        let at = parsed.all.iter().position(|argument| std::ptr::eq(argument, given.argument));
        let behind = at.and_then(|at| parsed.all.get(at + 1)).filter(|_| given.option.is_none());
        let own = given.values.iter().map(|value| Argument { value: value.clone(), span: given.span });
        own.chain(behind.cloned()).collect::<Vec<_>>()
    });
    short.filter(|argument| argument.value.known_prefix().trim_start().starts_with(['|', '!']))
}

/// Whether the words are those of a sub-command that is not described.
fn has_no_such_command(parsed: &Parsed<'_>, program: &Program) -> bool {
    !program.subs.is_empty()
        && !parsed.taken
        && program.syntax != Syntax::Words
        && matches!(program.operands, Operands::None | Operands::Rest(Role::Inert))
}

/// Whether the description of a language names places of operands and says of none what stands there.
fn says_nothing(program: &Program) -> bool {
    matches!(program.operands, Operands::Each(roles) if roles.iter().all(|role| matches!(role, Role::Inert)))
}

/// Operands that are no value of an option, unless a word before says that they are kept or looked for.
fn free_operands(parsed: &Parsed<'_>) -> Vec<Argument> {
    let is_kept =
        |argument: &&Argument| argument.value.known().is_some_and(|word| KEEPING.contains(&word.as_ref()));
    if parsed.operands.iter().copied().any(|operand| is_kept(&operand)) {
        return Vec::new();
    }
    let follows_option = |operand: &Argument| {
        let at = parsed.all.iter().position(|argument| std::ptr::eq(argument, operand));
        let before = at.and_then(|at| at.checked_sub(1)).and_then(|at| parsed.all.get(at));
        before.is_some_and(|before| before.value.known_prefix().starts_with('-'))
    };
    parsed.operands.iter().copied().filter(|operand| !follows_option(operand)).cloned().collect()
}

/// Whether standard input takes the place of the file that says what is to be done: `-f -`.
fn reads_input(parsed: &Parsed<'_>, program: &Program) -> bool {
    let is_input =
        |value: &Value| value.known().is_some_and(|word| matches!(word.as_ref(), "-" | "/dev/stdin"));
    let is_file =
        |name: &str| matches!(name, "-f" | "--file") || name.ends_with("file") && !name.contains("body");
    matches!(program.stdin, Role::Inert)
        && parsed.options.iter().any(|given| {
            let is_inert = match given.option.map(|option| option.does) {
                Some(Do::Is(role)) => matches!(role, Role::Inert),
                Some(Do::Nothing) | None => true,
                Some(
                    Do::Before(_) | Do::Emit(_) | Do::Operands(_) | Do::Set(_) | Do::Stop | Do::StopWith(_),
                ) => false,
            };
            is_inert && is_file(&given.name) && given.values.iter().any(is_input)
        })
}

/// What a program that empties is told of where it is to do so, and operands that are none by its syntax.
fn bounds(parsed: &Parsed<'_>, program: &Program) -> Vec<Argument> {
    if program.syntax == Syntax::KeyValue {
        return parsed.operands.iter().copied().cloned().collect();
    }
    let empties =
        |word: &&str| matches!(*word, "clean" | "clear" | "empty" | "erase" | "nuke" | "purge" | "wipe");
    if !parsed.all.iter().any(|argument| empties(&argument.value.known_prefix().as_ref())) {
        return Vec::new();
    }
    let is_inert = |given: &&Given<'_>| {
        given.name.ends_with("dir")
            && given.option.is_some_and(|option| matches!(option.does, Do::Nothing | Do::Is(Role::Inert)))
    };
    let values = parsed.options.iter().filter(is_inert);
    values
        .flat_map(|given| {
            given.values.iter().map(|value| Argument { value: value.clone(), span: given.span })
        })
        .collect()
}
