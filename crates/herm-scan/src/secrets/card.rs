//! Numbers of payment cards, and the code on their back.

use super::Found;
use super::bytes::{ALNUM, BLANK, DIGIT, NEWLINE, QUOTE, between, byte, contains, from, is, run};

/// How far behind the word a number is looked for.
const NEAR: usize = 256;

/// The number of the card that the word speaks of that begins here.
pub(super) fn number(text: &[u8], at: usize) -> Option<Found> {
    let near = between(text, at, text.len().min(at + NEAR));
    let near = near.split(|byte| is(*byte, NEWLINE)).next()?;
    let mut start = 0;
    while start < near.len() {
        start += from(near, start).iter().position(|byte| is(*byte, DIGIT))?;
        let end = digits_end(near, start);
        let is_word = is(super::before(near, start), ALNUM) || is(byte(near, end), ALNUM);
        if !is_word && is_number(between(near, start, end)) {
            return Some(Found { start: at + start, end: at + end, kind: "card-number" });
        }
        start = run(near, end, ALNUM).max(start + 1);
    }
    None
}

/// `"code": "…"` in what is about a card: three or four digits.
pub(super) fn code(text: &[u8], at: usize) -> Option<Found> {
    let line = between(text, at.saturating_sub(NEAR), at).rsplit(|byte| is(*byte, NEWLINE)).next()?;
    let start = run(text, run(text, at, ALNUM), BLANK | QUOTE | super::bytes::SIGN);
    let end = run(text, start, DIGIT);
    let is_one = (3..=4).contains(&(end - start)) && !is(byte(text, end), ALNUM);
    // What stands before the number may have gone by already.
    let is_of_card = contains(line, b"card") && contains(line, b"number") || contains(line, b"\"exp");
    (is_one && is_of_card).then_some(Found { start, end, kind: "card-code" })
}

/// `CVV: 128`: the code on the back, behind its name.
pub(super) fn back(text: &[u8], at: usize) -> Option<Found> {
    let name = run(text, at, ALNUM);
    let start = run(text, name, BLANK | QUOTE | super::bytes::SIGN);
    let end = run(text, start, DIGIT);
    let is_one =
        start > name && start - name <= 5 && (3..=4).contains(&(end - start)) && !is(byte(text, end), ALNUM);
    is_one.then_some(Found { start, end, kind: "card-code" })
}

/// Where digits end that may have a blank or a dash between groups.
fn digits_end(text: &[u8], start: usize) -> usize {
    let mut end = run(text, start, DIGIT);
    while matches!(byte(text, end), b' ' | b'-') && is(byte(text, end + 1), DIGIT) {
        end = run(text, end + 1, DIGIT);
    }
    end
}

/// Whether digits are the number of a card: begun as those of the networks are, ended by the digit that checks the others.
fn is_number(text: &[u8]) -> bool {
    let digits: Vec<u32> =
        text.iter().filter(|byte| is(**byte, DIGIT)).map(|byte| u32::from(byte - b'0')).collect();
    let mut kinds = digits.clone();
    kinds.sort_unstable();
    kinds.dedup();
    let twice =
        |(at, digit): (usize, &u32)| if at % 2 == 1 { digit * 2 / 10 + digit * 2 % 10 } else { *digit };
    let sum: u32 = digits.iter().rev().enumerate().map(twice).sum();
    // Numbers for tests are a few digits over and over.
    let is_real = kinds.len() > 3;
    (14..=19).contains(&digits.len())
        && matches!(digits.first(), Some(2..=6))
        && is_real
        && sum.is_multiple_of(10)
}
