//! `getopts`.

use std::borrow::Cow;

use super::super::machine::Machine;
use super::super::scope::{Outcome, Scope, Status};
use super::values;
use crate::programs::arguments::{Argument, tail};
use crate::span::Span;
use crate::value::{Provenance, Value};

/// Where the place within a bundle of options is kept. No variable has such a name.
const WITHIN: &str = "-within";

/// Where `getopts` is: which word is next, and which letter of it.
#[derive(Clone, Copy)]
struct Position {
    word: usize,
    letter: usize,
}

impl Machine<'_> {
    /// Takes the next option of the words: its letter goes to the named variable, its value to `OPTARG`.
    pub(super) fn getopts(&mut self, arguments: &[Argument], mut scope: Scope, span: Span) -> Vec<Outcome> {
        self.record("getopts", arguments, &scope, span);
        let [letters, name, words @ ..] = arguments else {
            return vec![Outcome::of(scope, Status::Failure)];
        };
        let (Some(letters), Some(name)) = (letters.value.known(), name.value.known()) else {
            scope.set("OPTARG", Value::unknown("$OPTARG", Provenance::OUTSIDE));
            return vec![Outcome::of(scope, Status::Either)];
        };
        let words = if words.is_empty() { scope.positional.as_deref().cloned() } else { Some(values(words)) };
        let status = match words {
            Some(words) => self.next_option(&letters, &name, &words, &mut scope),
            None => self.some_option(&name, Provenance::OUTSIDE, &mut scope),
        };
        vec![Outcome::of(scope, status)]
    }

    fn next_option(&mut self, letters: &str, name: &str, words: &[Value], scope: &mut Scope) -> Status {
        let at = position(scope);
        let Some(word) = words.get(at.word) else { return self.no_option(name, at.word, scope) };
        let Some(text) = word.known() else {
            advance(Position { word: at.word + 1, letter: 1 }, scope);
            return self.some_option(name, word.provenance, scope);
        };
        if text == "--" || !text.starts_with('-') || text == "-" {
            return self.no_option(name, at.word + usize::from(text == "--"), scope);
        }
        let Some((start, letter)) = text.char_indices().nth(at.letter) else {
            return self.no_option(name, at.word, scope);
        };
        let behind = start + letter.len_utf8();
        let glued = behind < text.len();
        match letters.split_once(letter).filter(|_| letter != ':') {
            Some((_, after)) if after.starts_with(':') => {
                let given = if glued { Some(tail(word, behind)) } else { words.get(at.word + 1).cloned() };
                scope.set("OPTARG", given.unwrap_or_default());
                advance(Position { word: at.word + if glued { 1 } else { 2 }, letter: 1 }, scope);
                self.store(name, Value::literal(letter.to_string()), scope);
            }
            found => {
                let (word, letter_next) = if glued { (at.word, at.letter + 1) } else { (at.word + 1, 1) };
                advance(Position { word, letter: letter_next }, scope);
                let shown = if found.is_some() { letter } else { '?' };
                scope.set(
                    "OPTARG",
                    if found.is_some() { Value::default() } else { Value::literal(letter.to_string()) },
                );
                self.store(name, Value::literal(shown.to_string()), scope);
            }
        }
        Status::Success
    }

    /// An option of which nothing more is known than that it may be there.
    fn some_option(&mut self, name: &str, origin: Provenance, scope: &mut Scope) -> Status {
        self.store(name, Value::unknown(format!("${name}"), origin | Provenance::OUTSIDE), scope);
        scope.set("OPTARG", Value::unknown("$OPTARG", origin | Provenance::OUTSIDE));
        Status::Either
    }

    fn no_option(&mut self, name: &str, next: usize, scope: &mut Scope) -> Status {
        advance(Position { word: next, letter: 1 }, scope);
        self.store(name, Value::literal("?"), scope);
        Status::Failure
    }
}

/// A text that sets `OPTIND` itself begins at the first letter of that word.
fn position(scope: &Scope) -> Position {
    let number = |name: &str| scope.scalar(name).and_then(Value::known)?.parse::<usize>().ok();
    let next = number("OPTIND").unwrap_or(1).max(1);
    let kept = scope.scalar(WITHIN).and_then(Value::known).map(Cow::into_owned).unwrap_or_default();
    let letter = kept.split_once(' ').filter(|(word, _)| word.parse() == Ok(next));
    Position { word: next - 1, letter: letter.and_then(|(_, at)| at.parse().ok()).unwrap_or(1) }
}

fn advance(to: Position, scope: &mut Scope) {
    let next = to.word + 1;
    scope.set("OPTIND", Value::literal(next.to_string()));
    scope.set(WITHIN, Value::literal(format!("{next} {}", to.letter)));
}
