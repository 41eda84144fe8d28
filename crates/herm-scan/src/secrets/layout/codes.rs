//! Codes and words that open an account again: below a heading, one or several on a line.

use super::super::bytes::{
    ALNUM, BLANK, DASH, DIGIT, LETTER, LOWER, UPPER, between, byte, contains, from, is,
};
use super::super::plausible::is_mnemonic;
use super::Span;

/// How such headings name what follows, with the word that must stand beside it.
const HEADINGS: &[(&[u8], &[&[u8]])] = &[
    (b"recovery", &[b"code", b"key", b"phrase", b"words"]),
    (b"backup", &[b"code", b"phrase", b"words"]),
    (b"scratch", &[b"code"]),
    (b"seed", &[b"phrase", b"words"]),
    (b"mnemonic", &[b""]),
    (b"one-time", &[b"code", b"pass"]),
    (b"unseal", &[b"key"]),
    (b"wallet", &[b"words", b"backup", b"seed", b"phrase"]),
    (b"12", &[b"words", b"mots", b"palabras", b"parole"]),
    (b"24", &[b"words", b"mots", b"palabras", b"parole"]),
    (b"twelve", &[b"words"]),
];

/// The longest heading.
const HEADING: usize = 120;

/// Whether a line announces such codes.
pub(super) fn is_heading(line: &[u8]) -> bool {
    let says = |(one, others): &(&[u8], &[&[u8]])| {
        contains(line, one) && others.iter().any(|other| contains(line, other))
    };
    line.len() <= HEADING
        && !line.iter().any(|byte| matches!(byte, b'{' | b'=' | b';'))
        && HEADINGS.iter().any(says)
}

/// The codes that fill a line, or the words of a phrase.
pub(super) fn read(line: &[u8]) -> Option<Span> {
    let start = line.iter().position(|byte| is(*byte, ALNUM))?;
    let start = start + super::pair::numbered(between(line, start, line.len())).unwrap_or(0);
    let end = line.iter().rposition(|byte| is(*byte, ALNUM))? + 1;
    let codes = between(line, start, end);
    let words = || codes.split(|byte| is(*byte, BLANK)).filter(|word| !word.is_empty());
    let is_list =
        words().count() <= 10 && (words().all(is_code) || words().count() > 1 && words().all(is_group));
    (is_list || is_mnemonic(codes) || is_numbered(from(line, 0))).then_some((start, end, "recovery-code"))
}

/// `1. kettle  2. ticket  3. orbit`: words of a phrase with their numbers.
fn is_numbered(line: &[u8]) -> bool {
    let mut words = line.split(|byte| is(*byte, BLANK)).filter(|word| !word.is_empty());
    let is_number = |word: &[u8]| matches!(word.split_last(), Some((b'.' | b')' | b':', digits)) if !digits.is_empty() && digits.iter().all(|byte| is(*byte, DIGIT)));
    let mut count = 0;
    while let Some(number) = words.next() {
        let word = words.next().unwrap_or_default();
        if !is_number(number) || !(3..=8).contains(&word.len()) || !word.iter().all(|byte| is(*byte, LOWER)) {
            return false;
        }
        count += 1;
    }
    count > 0
}

/// `48d1b-41c7b`, `1234-5678`, `ABCD-EFGH-JKLM`: nothing that a sentence has.
fn is_code(word: &[u8]) -> bool {
    let has = |set| word.iter().any(|byte| is(*byte, set));
    let is_one = word.iter().all(|byte| is(*byte, ALNUM | DASH)) && byte(word, 0) != b'-';
    let shouts = has(DASH) && has(UPPER) && !has(LOWER);
    is_one
        && (4..=40).contains(&word.len())
        && (has(DIGIT) && (has(LETTER) || has(DASH) || word.len() >= 6) || shouts)
}

/// A group of digits, of which one alone would be a count.
fn is_group(word: &[u8]) -> bool {
    (3..=8).contains(&word.len()) && word.iter().all(|byte| is(*byte, DIGIT))
}
