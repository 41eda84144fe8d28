//! Sentences that give a secret at the end of their line, or announce the one below it.

use super::Found;
use super::bytes::{BLANK, DASH, DIGIT, DOT, LETTER, QUOTE, WORD, between, from, is, run, run_back};
use super::chosen::{Manner, is_chosen};
use super::clue;
use super::name::{LONGEST, Strength, strength};
use super::plausible::{
    Writing, is_made_up, is_password, is_pin, is_plain, is_secret, is_surely_secret, is_uuid,
};

/// The longest sentence that is read.
const SENTENCE: usize = 160;

/// Words behind which nothing but the value stands.
const VERBS: &[&[u8]] = &[b"is", b"are", b"to", b"lautet", b"ist", b"est", b"es", b"was", b"="];

/// Whose value it is that follows them, if a colon does.
const OTHERS: &[&[u8]] = &[
    b"at",
    b"by",
    b"checksum",
    b"commit",
    b"digest",
    b"error",
    b"file",
    b"fingerprint",
    b"from",
    b"hash",
    b"id",
    b"in",
    b"image",
    b"job",
    b"md5",
    b"name",
    b"path",
    b"request",
    b"run",
    b"sha",
    b"sha1",
    b"sha256",
    b"sha512",
    b"trace",
    b"url",
    b"version",
];

/// What the words of a sentence name, alone or two together.
pub(super) fn names(sentence: &[u8]) -> Option<Strength> {
    if !clue::is_in(sentence) {
        return None;
    }
    let words = || sentence.split(|byte| !is(*byte, WORD | DASH)).filter(|word| !word.is_empty());
    let pairs = words().zip(words().skip(1)).map(|(one, two)| [one, b"_", two].concat());
    words().map(<[u8]>::to_vec).chain(pairs).filter_map(|name| strength(&name)).max()
}

/// The value at the end of the line on which a name stands: `The password for bob is …`, `password generated for root: …`.
pub(super) fn at_end(text: &[u8], at: usize) -> Option<Found> {
    let near = between(text, at, text.len().min(at + SENTENCE));
    let ends = |byte: &u8| matches!(byte, b'\n' | b'\r' | b'"' | b'\\' | b'<');
    let length = near.iter().position(ends).unwrap_or(near.len());
    if length == SENTENCE {
        return None;
    }
    let line = between(near, 0, length).trim_ascii_end();
    let start = line.iter().rposition(|byte| is(*byte, BLANK))? + 1;
    let before = between(line, 0, start).trim_ascii_end();
    let has_colon = before.ends_with(b":");
    let before = before.strip_suffix(b":").unwrap_or(before).trim_ascii_end();
    let verb = before.rsplit(|byte| is(*byte, BLANK)).next()?;
    let has_verb = VERBS.contains(&verb);
    // A name right before a colon has its own reader.
    if !before.contains(&b' ') || !(has_colon || has_verb) {
        return None;
    }
    let last = from(line, start);
    let open = usize::from(last.first().is_some_and(|byte| is(*byte, QUOTE)));
    let end = last.len() - last.iter().rev().take_while(|byte| is(**byte, QUOTE) || **byte == b'.').count();
    let secret = between(last, open, end);
    let is_code = secret.iter().any(|byte| matches!(byte, b'(' | b'{' | b'[' | b'/' | b'='));
    let fits = match said(text, at, before)? {
        Strength::Password => {
            is_password(secret, Writing::Quoted)
                && !is_code
                && (is_sturdy(secret) || has_verb && is_made_up(secret))
        }
        Strength::Secret => {
            let is_other = OTHERS.iter().any(|other| other.eq_ignore_ascii_case(verb));
            !is_other && !is_uuid(secret) && is_surely_secret(secret)
        }
        Strength::Weak => is_surely_secret(secret) && is_numbered(before),
        Strength::Pin => is_pin(secret),
        Strength::Authorization => false,
    };
    let (start, end) = (at + start + open, at + start + end);
    fits.then_some(Found { start, end, kind: "secret" })
}

/// What the name says that begins here or before, together with the words after it: `token count` says nothing.
fn said(text: &[u8], at: usize, sentence: &[u8]) -> Option<Strength> {
    let start = run_back(text, at, WORD | DASH | DOT, LONGEST);
    let end = run(text, at, WORD);
    let next = run(text, end, BLANK);
    // What stands beside a name in quotes or in a list is no sentence.
    if next == end {
        return None;
    }
    let next = between(text, next, run(text, next, WORD));
    let name = between(text, start, end);
    let said = strength(&[name, b"_", next].concat())?;
    Some(names(sentence).unwrap_or(said).max(said)).filter(|_| strength(name).is_some())
}

/// `Key 3`: one of several.
fn is_numbered(before: &[u8]) -> bool {
    let mut words = before.split(|byte| is(*byte, BLANK)).skip(1);
    matches!((words.next(), words.next()), (Some(number), None) if number.iter().all(|byte| is(*byte, DIGIT)))
}

/// Whether a value has signs that words, names and numbers of versions do not have.
fn is_sturdy(value: &[u8]) -> bool {
    let has = |set| value.iter().any(|byte| is(*byte, set));
    let has_sign = value.iter().any(|byte| byte.is_ascii_punctuation() && !b"-_./:,'\"`".contains(byte));
    !is_plain(value) || has(LETTER) && has(DIGIT) && has_sign
}

/// What a line announces for the next one: `Please use the following password:`, `Your token has been created.`
pub(super) fn announced(line: &[u8]) -> Option<Strength> {
    let line = line.trim_ascii();
    let (last, _) = line.split_last()?;
    let is_code = line.iter().any(|byte| matches!(byte, b'{' | b'=' | b';' | b'"'));
    let is_short = || line.split(|byte| *byte == b' ').nth(2).is_none();
    if line.len() > SENTENCE || !matches!(last, b':' | b'.' | b'!') || is_code || is_short() {
        return None;
    }
    let said = names(line).filter(|said| *said >= Strength::Secret)?;
    let mut words = line.split(|byte| !is(*byte, LETTER));
    let gives = |word: &[u8]| GIVING.iter().any(|giving| giving.eq_ignore_ascii_case(word));
    if *last == b':' { Some(said) } else { words.any(gives).then_some(Strength::Weak) }
}

/// What a line announces whose sentence goes on below, as mail breaks it: `your temporary password is =`.
pub(super) fn broken(line: &[u8]) -> Option<Strength> {
    let sentence = line.strip_suffix(b"=")?.trim_ascii_end();
    let verb = sentence.rsplit(|byte| is(*byte, BLANK)).next()?;
    let is_given = VERBS.contains(&verb) || verb.ends_with(b":");
    names(sentence).filter(|said| is_given && sentence.len() <= SENTENCE && *said >= Strength::Secret)
}

/// What a sentence does that gives somebody a secret.
const GIVING: &[&[u8]] =
    &[b"your", b"created", b"generated", b"following", b"copy", b"save", b"below", b"new"];

/// Whether a value is the only word of the line below a sentence that announced it.
pub(super) fn is_given(value: &[u8], strength: Strength) -> bool {
    match strength {
        Strength::Password => {
            !is_plain(value) && is_password(value, Writing::Quoted)
                || is_made_up(value)
                || is_chosen(value, strength, Manner::Word)
        }
        Strength::Secret => is_secret(value),
        Strength::Authorization | Strength::Weak => is_surely_secret(value),
        Strength::Pin => is_pin(value),
    }
}
