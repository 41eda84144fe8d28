//! Builtins that show what the shell holds: definitions of functions, aliases, traps, settings.

use super::super::scope::Outcome;
use crate::programs::arguments::Argument;
use crate::value::{Provenance, Value};

/// Whether a builtin, called like this, shows something.
pub(super) fn prints(name: &str, arguments: &[Argument]) -> bool {
    let words: Vec<_> = arguments.iter().map(|argument| argument.value.known_prefix()).collect();
    let given = |letters: &[char]| {
        words.iter().any(|word| word.strip_prefix('-').is_some_and(|given| given.contains(letters)))
    };
    let is_alone = words.iter().all(|word| word.starts_with(['-', '+']));
    match name {
        "alias" => words.iter().any(|word| !word.contains('=')) || words.is_empty(),
        "bind" => given(&['l', 'p', 'P', 'q', 's', 'S', 'v', 'V', 'X']),
        "cd" => words.iter().any(|word| *word == "-"),
        "compgen" | "popd" | "pushd" => true,
        "complete" | "enable" | "trap" => words.is_empty() || given(&['a', 'l', 'p']),
        "declare" | "typeset" => is_alone || given(&['f', 'F', 'p']),
        "export" | "local" | "readonly" => is_alone || given(&['p']),
        "fc" => given(&['l']),
        "hash" => is_alone || given(&['t']),
        "set" => words.iter().all(|word| matches!(word.as_ref(), "-o" | "+o")),
        _ => false,
    }
}

/// The same, with what is not known of the text that is shown.
pub(super) fn shown(name: &str, mut outcomes: Vec<Outcome>) -> Vec<Outcome> {
    for outcome in outcomes.iter_mut().filter(|outcome| !outcome.output.has_hole()) {
        outcome.output.push(&Value::unknown(format!("output of {name}"), Provenance::OUTSIDE));
    }
    outcomes
}
