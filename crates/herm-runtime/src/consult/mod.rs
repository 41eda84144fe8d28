//! Those who are consulted after the judgement: the operator's [hooks], [tirith], and a model that [reviews](reviewer).
//!
//! Hooks and tirith can only object: they answer with findings, and [`Ruling::tighten`](herm::Ruling::tighten) takes no
//! others. The reviewer answers a question like a person does, and sees nothing but questions.

pub(crate) mod boundary;
mod child;
pub(crate) mod edits;
pub mod hooks;
mod place;
pub mod reviewer;
pub mod tirith;
mod words;

pub use place::Place;

use herm::rules::Rule;
use herm::{Finding, Stance};

/// What a consultant has to say about a call as a whole.
pub(crate) fn finding(rule: &'static Rule, stance: Stance, reason: String, instead: &str) -> Finding {
    Finding {
        rule: rule.name,
        stance,
        gap: false,
        subject: None,
        invocation: None,
        span: None,
        reason,
        instead: (!instead.is_empty()).then(|| instead.to_owned()),
    }
}

/// What another program says, on one line, without anything a terminal would obey, and not too long.
fn quoted(text: &str) -> String {
    let mut words = String::new();
    for word in text.split(|c: char| c.is_whitespace() || c.is_control()).filter(|word| !word.is_empty()) {
        if !words.is_empty() {
            words.push(' ');
        }
        words.push_str(word);
    }
    match words.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", words.get(..end).unwrap_or_default()),
        None => words,
    }
}

/// The most characters of what another program says that are passed on.
const LONGEST: usize = 1000;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_others_say_stays_on_one_line() {
        assert_eq!(quoted(" a\n\u{1b}[31mb\t c\u{7f}\r\n"), "a [31mb c");
        assert_eq!(quoted(&"ä".repeat(1001)), format!("{}…", "ä".repeat(1000)));
    }
}
