//! A program whose name is only known when it runs.
//!
//! `$FOO -rf /` is as strict as the most dangerous program that these operands fit: it is tried on each that could do what nobody may
//! approve, where it takes every option that stands there.

use super::machine::Machine;
use super::scope::Scope;
use super::suppose::Starter;
use crate::analysis::Likelihood;
use crate::effect::Certainty;
use crate::place::{Extent, Places};
use crate::programs;
use crate::programs::arguments::{self, Argument, Given};
use crate::value::Value;

/// How surely words are those of a program that they fit.
type Sureness = fn(&[Argument]) -> Likelihood;

/// Programs that can do what nobody may approve, with how surely these words are theirs when they fit.
const WORST: &[(&str, Sureness)] = &[
    ("chmod", mode),
    ("chown", never_surely),
    ("dd", surely),
    ("kill", surely),
    ("mkfs", never_surely),
    ("rm", forced),
    ("shred", never_surely),
    ("wipefs", never_surely),
];

/// Programs of which the first word says what they do, and that can lose what cannot be had back.
const COMMANDED: &[&str] =
    &["aws", "az", "docker", "gcloud", "gh", "git", "helm", "kubectl", "npm", "systemctl", "terraform"];

impl Machine<'_> {
    /// What a command word may be that is not known. Words that only a deletion is given, which is told not to ask, are those of one.
    pub(super) fn call_hidden(&mut self, starter: Starter<'_>, arguments: &[Argument], scope: &Scope) {
        self.call_worst(starter, arguments, scope);
        self.call_commanded(starter, arguments, scope);
        self.call_opened(starter, arguments, scope);
        let Some(program) = programs::find("rm").filter(|_| forced(arguments) == Likelihood::Great) else {
            return;
        };
        let (parsed, _) = arguments::parse(program, "rm", arguments);
        if parsed.options.iter().all(|given| given.option.is_some()) && !parsed.operands.is_empty() {
            let certainty = Certainty::May;
            let inner = Scope { certainty, within: Some(starter.invocation), ..scope.clone() };
            self.undone(|machine| {
                let _ = machine.call_program("rm", arguments, &[], inner, starter.span);
            });
        }
    }

    /// A word that is not known beside everything, or a home, may be the option that takes it all: `"$1" "$2" ~`.
    fn call_opened(&mut self, starter: Starter<'_>, arguments: &[Argument], scope: &Scope) {
        let is_open = |argument: &Argument| {
            let beginning = argument.value.known_prefix();
            argument.value.known().is_none() && (beginning.is_empty() || beginning.starts_with('-'))
        };
        if !arguments.iter().any(is_open) {
            return;
        }
        for argument in arguments.iter().filter(|argument| argument.value.known().is_some()) {
            let target = self.target(&argument.value, scope);
            if target.extent != Extent::Exact || !target.places.any(Places::HOME.and(Places::ROOT)) {
                continue;
            }
            let all = Argument { value: Value::literal("-rf"), span: argument.span };
            let words = [all, argument.clone()];
            let command = format!("rm -rf {}", argument.value.shown());
            self.undone(|machine| {
                machine.aside(Likelihood::Slight, &command, starter, |machine| {
                    let inner = Scope {
                        certainty: Certainty::May,
                        within: Some(starter.invocation),
                        ..scope.clone()
                    };
                    let _ = machine.call_program("rm", &words, &[], inner, starter.span);
                });
            });
        }
    }

    /// Words that begin with a sub-command and fit it are those of whoever has it.
    fn call_commanded(&mut self, starter: Starter<'_>, arguments: &[Argument], scope: &Scope) {
        for name in COMMANDED {
            let Some(program) = programs::find(name).filter(|_| self.spend(1)) else { continue };
            let (parsed, _) = arguments::parse(program, name, arguments);
            let fits = !parsed.subcommands.is_empty()
                && !parsed.operands.is_empty()
                && parsed.options.iter().all(|given| given.option.is_some());
            if fits {
                let certainty = Certainty::May;
                let inner = Scope { certainty, within: Some(starter.invocation), ..scope.clone() };
                self.undone(|machine| {
                    let _ = machine.call_program(name, arguments, &[], inner, starter.span);
                });
            }
        }
    }

    /// What a program would do that is not known itself.
    pub(super) fn call_worst(&mut self, starter: Starter<'_>, arguments: &[Argument], scope: &Scope) {
        if arguments.is_empty() {
            return;
        }
        self.suppose(starter, arguments, scope);
        if searches(arguments) {
            return;
        }
        self.net_operands(starter, arguments, scope);
        self.net_fed(starter, arguments, scope);
        if !arguments.iter().any(|argument| may_matter(&argument.value.known_prefix())) {
            return;
        }
        for (name, likelihood) in WORST {
            let units = u32::try_from(arguments.len()).unwrap_or(u32::MAX);
            let Some(program) = programs::find(name).filter(|_| self.spend(units)) else { continue };
            let (parsed, _) = arguments::parse(program, name, arguments);
            // A number behind a dash is a signal or a group of processes.
            let is_known =
                |given: &Given<'_>| given.option.is_some() || *name == "kill" && is_number(&given.name);
            let is_signal = *name == "kill" && signals_all(arguments);
            let is_own = is_signal || !parsed.options.is_empty() && parsed.options.iter().all(is_known);
            let names_disk =
                |argument: &Argument| self.target(&argument.value, scope).places.has(Places::BLOCK_DEVICE);
            let is_of_disks = matches!(*name, "mkfs" | "shred" | "wipefs");
            if !is_own && *name != "mkfs" || is_of_disks && !arguments.iter().any(names_disk) {
                continue;
            }
            let command =
                arguments.iter().fold((*name).to_owned(), |line, word| line + " " + &word.value.shown());
            self.undone(|machine| {
                machine.aside(likelihood(arguments), &command, starter, |machine| {
                    let mut inner = scope.clone();
                    inner.certainty = Certainty::May;
                    inner.within = Some(starter.invocation);
                    let _ = machine.call_program(name, arguments, &[], inner, starter.span);
                });
            });
        }
    }
}

/// Whether a word may name what nobody may touch: a path from the root or the home, or every process.
fn may_matter(word: &str) -> bool {
    word.contains('/') || word == "-1"
}

/// Whether the words are those of a search: several letters together that only searches take so, then the text that is looked for and
/// where. A code's option is not among them.
fn searches(arguments: &[Argument]) -> bool {
    let [options, text, place, ..] = arguments else { return false };
    let word = |argument: &Argument| argument.value.known().unwrap_or_default().into_owned();
    let letters = word(options);
    let letters = letters.strip_prefix('-').unwrap_or_default();
    letters.len() > 1
        && letters.contains('n')
        && letters.bytes().all(|letter| b"EFHInqrRiolw".contains(&letter))
        && word(text).contains(char::is_whitespace)
        && !word(place).starts_with('/')
}

/// Whether the words are a signal and every process: `-9 -1`, `-KILL -1`, `-s 9 -1`.
fn signals_all(arguments: &[Argument]) -> bool {
    let [first, .., last] = arguments else { return false };
    let first = first.value.shown();
    let is_name = first
        .strip_prefix('-')
        .is_some_and(|name| name.len() > 2 && name.bytes().all(|letter| letter.is_ascii_uppercase()));
    last.value.shown() == "-1" && (is_number(&first) || is_name || matches!(first.as_str(), "-s" | "-n"))
}

/// Whether an option is a number.
fn is_number(option: &str) -> bool {
    option
        .strip_prefix('-')
        .is_some_and(|digits| !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()))
}

fn surely(_: &[Argument]) -> Likelihood {
    Likelihood::Great
}

fn never_surely(_: &[Argument]) -> Likelihood {
    Likelihood::Slight
}

/// Much is recursive; only what deletes is also told not to ask.
fn forced(arguments: &[Argument]) -> Likelihood {
    let given = |short: char, long: &str| {
        arguments.iter().any(|argument| {
            let word = argument.value.known_prefix();
            let bundle = word.strip_prefix('-').filter(|rest| !rest.starts_with('-'));
            word == long || bundle.is_some_and(|rest| rest.contains(short))
        })
    };
    let is_deep = given('r', "--recursive") || given('R', "--recursive");
    if is_deep && given('f', "--force") { Likelihood::Great } else { Likelihood::Slight }
}

/// Who is told a mode is told who may do what.
fn mode(arguments: &[Argument]) -> Likelihood {
    let operands = arguments.iter().map(|argument| argument.value.known_prefix());
    let first = operands.into_iter().find(|word| !word.starts_with('-')).unwrap_or_default();
    let is_mode = !first.is_empty()
        && first.bytes().all(|byte| b"01234567".contains(&byte) || b"ugoa+-=rwxst,X".contains(&byte));
    if is_mode { Likelihood::Great } else { Likelihood::Slight }
}
