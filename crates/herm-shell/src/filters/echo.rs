//! `echo`, as bash has it.

use super::bytes::to_text;
use super::escape::{Reader, unescape};
use super::streams::printed;
use crate::value::{Piece, Value};

/// What `echo` prints.
pub(super) fn echo(arguments: &[Value]) -> Option<Value> {
    let (mut newline, mut escapes) = (true, false);
    let mut words = arguments;
    while let Some((first, rest)) = words.split_first() {
        let Some(letters) = first.known().and_then(|word| options(&word)) else { break };
        for letter in letters.chars() {
            match letter {
                'n' => newline = false,
                other => escapes = other == 'e',
            }
        }
        words = rest;
    }
    let joined = join(words);
    let (mut output, ended) = if escapes { without_escapes(&joined)? } else { (joined, false) };
    if newline && !ended {
        output.push_str("\n");
    }
    Some(output)
}

/// The letters of a word of options. Anything else in it makes it a word to print.
fn options(word: &str) -> Option<String> {
    let letters = word.strip_prefix('-')?;
    (!letters.is_empty() && letters.chars().all(|letter| "neE".contains(letter))).then(|| letters.to_owned())
}

fn join(words: &[Value]) -> Value {
    let words: Vec<Value> = words.iter().map(printed).collect();
    Value::joined(&words, " ")
}

fn without_escapes(value: &Value) -> Option<(Value, bool)> {
    let mut output = Value::default().from(value.provenance);
    for piece in &value.pieces {
        match piece {
            Piece::Literal(text) => {
                let read = unescape(text, Reader::Echo);
                if read.doubtful {
                    return None;
                }
                output.push_str(&to_text(&read.bytes));
                if read.ended {
                    return Some((output, true));
                }
            }
            Piece::Glob(_) | Piece::Hole(_) => output.pieces.push(piece.clone()),
        }
    }
    Some((output, false))
}
