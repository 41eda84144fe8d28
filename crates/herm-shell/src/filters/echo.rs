//! `echo`, as bash has it, and as far as programs of that name agree.

use super::Speaker;
use super::bytes::to_text;
use super::computed::{Computed, Known, Part};
use super::escape::{LONGEST, Reader, unescape};
use super::streams::printed;
use crate::value::Value;

/// What `echo` prints.
pub(super) fn echo(speaker: Speaker, arguments: &[Value]) -> Option<Computed> {
    match speaker {
        Speaker::Program => said_by_programs(arguments),
        Speaker::Shell => said_by_bash(arguments),
    }
}

/// Programs differ in every option but a first `-n`, and in whether they read escapes.
fn said_by_programs(arguments: &[Value]) -> Option<Computed> {
    let is_bare = arguments.first().and_then(Value::known).is_some_and(|word| word == "-n");
    let words = if is_bare { arguments.get(1..)? } else { arguments };
    let is_option = words.first().is_some_and(|word| word.known_prefix().starts_with('-'));
    if is_option || words.iter().any(has_escapes) {
        return None;
    }
    let mut output = Computed::unchanged(join(words));
    if !is_bare {
        output.end_line();
    }
    Some(output)
}

fn said_by_bash(arguments: &[Value]) -> Option<Computed> {
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
    if words.first().is_some_and(may_be_options) && words.iter().any(has_escapes) {
        return None;
    }
    let joined = join(words);
    let (mut output, ended) =
        if escapes { without_escapes(&joined)? } else { (Computed::unchanged(joined), false) };
    if newline && !ended {
        output.end_line();
    }
    Some(output)
}

/// The letters of a word of options. Anything else in it makes it a word to print.
fn options(word: &str) -> Option<String> {
    let letters = word.strip_prefix('-')?;
    (!letters.is_empty() && letters.chars().all(|letter| "neE".contains(letter))).then(|| letters.to_owned())
}

/// Whether a word that is not known may turn out to be options.
fn may_be_options(word: &Value) -> bool {
    let beginning = word.known_prefix();
    word.known().is_none() && (beginning.is_empty() || options(&(beginning + "n")).is_some())
}

fn has_escapes(word: &Value) -> bool {
    Known::parts(word).any(|part| matches!(part, Part::Known(text) if text.contains('\\')))
}

fn join(words: &[Value]) -> Value {
    let words: Vec<Value> = words.iter().map(printed).collect();
    Value::joined(&words, " ")
}

fn without_escapes(value: &Value) -> Option<(Computed, bool)> {
    let mut output = Computed::default().from(value.provenance);
    let mut parts = Known::parts(value).peekable();
    while let Some(part) = parts.next() {
        match part {
            Part::Known(text) => {
                // What is not known may go on with an escape.
                let is_cut = parts.peek().is_some() && may_end_in_escape(&text);
                let read = unescape(&text, Reader::Echo);
                if read.doubtful || is_cut {
                    return None;
                }
                output.write(&to_text(&read.bytes), &text);
                if read.ended {
                    return Some((output, true));
                }
            }
            Part::Open(piece) => output.keep(piece, value.provenance),
        }
    }
    Some((output, false))
}

fn may_end_in_escape(text: &str) -> bool {
    text.bytes().rev().take(LONGEST).any(|byte| byte == b'\\')
}
