//! Values that a sentence gives, whatever its words are: a name, some words, and a word that nobody would write.
//!
//! Other readers know notations. This one knows none: it asks of each word that follows a name whether something introduces it
//! (a colon, a verb) and how far it is from being a word.

use super::Found;
use super::bytes::{ALNUM, ANY_HEX, BLANK, DIGIT, DOT, LETTER, LOWER, QUOTE, UPPER, between, contains, is};
use super::chosen::{Manner, is_chosen};
use super::clue::Clue;
use super::list::List;
use super::name::{self, Strength};
use super::plausible::{
    REDACTED, Writing, is_made_up, is_password, is_pin, is_plain, is_secret, is_surely_secret, is_uuid,
};

/// How many words behind a name are looked at.
const WORDS: usize = 24;

/// The words that introduce a value.
const VERBS: &[&[u8]] = &[
    b"is",
    b"are",
    b"to",
    b"was",
    b"be",
    b"becomes",
    b"lautet",
    b"ist",
    b"est",
    b"es",
    b"=",
    b"->",
    b"=>",
    b"\xe2\x86\x92",
    b":",
    b"as",
    b"e",
    b"jest",
    b"lyder",
    b"\xc3\xa8",
    b"\xc3\xa9",
    b"\xc3\xa4r",
    b"er",
    b"on",
    b"je",
    b"este",
    b"luidt",
    b"\xe2\x80\x94",
    b"\xe2\x80\x93",
];

/// Words that may stand between a verb and the value.
const ARTICLES: &[&[u8]] = &[
    b"le", b"la", b"el", b"il", b"o", b"a", b"der", b"die", b"das", b"the", b"now", b"still", b"jetzt",
    b"ora", b"ahora", b"teraz",
];

/// Whose value it is that stands behind them.
static OTHERS: List = List::new(
    "\
    address arn at build by checksum commit digest error etag file fingerprint from hash \
    host id image in job md5 name path public request rev revision run sha \
    sha1 sha256 sha512 trace url user username uuid version",
);

/// Adds what the names of a line that begins at a position say of the words behind them.
pub(super) fn read(line: &[u8], clues: &[Clue], at: usize, found: &mut Vec<Found>) {
    let mut clues = clues.iter().copied().peekable();
    while let Some(clue) = clues.next() {
        let end = clues.peek().map_or(line.len(), |next| next.start);
        let before = between(line, 0, clue.start);
        if before.ends_with(b".svg?") || name::is_of_resource(before) || name::is_of_digest(before) {
            continue;
        }
        if let Some(one) = clue.strength.and_then(|strength| behind(line, clue, strength, end)) {
            found.push(Found { start: at + one.start, end: at + one.end, ..one });
        }
    }
}

/// The value that stands behind a name, before another name.
fn behind(line: &[u8], clue: Clue, strength: Strength, end: usize) -> Option<Found> {
    // It is a verb as well, and a stage of programs.
    if between(line, clue.start, clue.end).eq_ignore_ascii_case(b"pass") {
        return None;
    }
    let mut last: &[u8] = b"";
    let mut was_introduced = false;
    let mut is_other = false;
    for (count, (start, word)) in words(line, clue.end, end).take(WORDS).enumerate() {
        if is_code(last) || word.contains(&b'[') && contains(word, REDACTED.as_bytes()) {
            return None;
        }
        let (open, value) = stripped(word);
        let goes_on = was_introduced && ARTICLES.contains(&last);
        let is_introduced = count > 0 && (introduces(last) || goes_on || count == 1 && is_apart(last))
            || count == 0 && (strength == Strength::Pin || is_given_with(line, clue.start));
        was_introduced = is_introduced;
        if is_introduced && !is_other && fits(value, strength) || is_surely(value, strength, is_other) {
            let start = start + open;
            return Some(Found { start, end: start + value.len(), kind: "secret" });
        }
        is_other = OTHERS.has(&bare(word).to_ascii_lowercase());
        last = word;
    }
    None
}

/// The words between two positions, and where they begin. What is left of the name's own word is one.
fn words(line: &[u8], start: usize, end: usize) -> impl Iterator<Item = (usize, &[u8])> {
    let mut at = start;
    std::iter::from_fn(move || {
        at = super::run(line, at, BLANK);
        let stop = at
            + between(line, at, line.len())
                .iter()
                .position(|byte| is(*byte, BLANK))
                .unwrap_or(line.len() - at);
        let word = (at, between(line, at, stop));
        let is_one = at < end && stop > at;
        at = stop;
        is_one.then_some(word)
    })
}

/// A word without what encloses it and what ends its sentence; and how much of that stood before.
fn stripped(word: &[u8]) -> (usize, &[u8]) {
    let opens = |byte: &u8| is(*byte, QUOTE) || matches!(byte, b'(' | b'[' | b'<' | b'*' | b'{');
    let closes =
        |byte: &u8| is(*byte, QUOTE) || matches!(byte, b')' | b']' | b'>' | b'.' | b',' | b';' | b':' | b'}');
    let open = word.iter().take_while(|byte| opens(byte)).count();
    let close = word.iter().skip(open).rev().take_while(|byte| closes(byte)).count();
    (open, between(word, open, word.len() - close))
}

/// A word without the signs around it.
fn bare(word: &[u8]) -> &[u8] {
    let start = word.iter().position(|byte| is(*byte, ALNUM)).unwrap_or(word.len());
    let end = word.iter().rposition(|byte| is(*byte, ALNUM)).map_or(start, |end| end + 1);
    between(word, start, end)
}

/// Whether a word says that a value follows.
pub(super) fn introduces(word: &[u8]) -> bool {
    word.ends_with(b":") || word.ends_with(b"=") || VERBS.iter().any(|verb| verb.eq_ignore_ascii_case(word))
}

/// Whether a word may stand between a verb and a value.
pub(super) fn is_article(word: &[u8]) -> bool {
    ARTICLES.iter().any(|article| article.eq_ignore_ascii_case(word))
}

/// `with password …`: whoever says it so gives it.
fn is_given_with(line: &[u8], name: usize) -> bool {
    let before = between(line, name.saturating_sub(12), name).trim_ascii_end();
    let word = before.rsplit(|byte| is(*byte, BLANK)).next().unwrap_or_default();
    [&b"with"[..], b"mit", b"avec", b"con", b"com", b"met", b"med"].contains(&word)
}

/// A sign of its own between a name and a value: an arrow, a dash.
fn is_apart(word: &[u8]) -> bool {
    !word.is_empty() && word.iter().all(|byte| !is(*byte, ALNUM)) && !word.ends_with(b",")
}

/// Whether a word is one of a program rather than of a sentence.
fn is_code(word: &[u8]) -> bool {
    word.iter().any(|byte| matches!(byte, b'{' | b'}' | b';' | b'|' | b'$' | b'\\'))
        || word.windows(2).any(|two| two == b"==" || two == b"&&" || two == b"::")
}

/// Whether a word that something introduces is what the name says.
fn fits(value: &[u8], strength: Strength) -> bool {
    if is_call(value) || value.starts_with(b"$") {
        return false;
    }
    match strength {
        Strength::Password => {
            let is_odd = is_password(value, Writing::Quoted) && (is_made_up(value) || !is_plain(value));
            !is_uuid(value) && (is_odd || is_chosen(value, strength, Manner::Word))
        }
        Strength::Secret => is_secret(value) && !is_uuid(value),
        Strength::Pin => {
            is_pin(value) || value.split_last().is_some_and(|(last, digits)| *last == b'#' && is_pin(digits))
        }
        Strength::Authorization | Strength::Weak => false,
    }
}

/// Whether a word is so random that it needs no introduction: it has letters of both cases and digits, and is no path.
fn is_surely(value: &[u8], strength: Strength, is_other: bool) -> bool {
    // Nothing shorter is.
    if value.len() < 20 {
        return false;
    }
    let has = |set| value.iter().any(|byte| is(*byte, set));
    let is_hex = value.iter().all(|byte| is(*byte, ANY_HEX));
    let is_path = value.contains(&b'/')
        || value.contains(&b':')
        || value.iter().filter(|byte| is(**byte, DOT)).count() > 1;
    strength >= Strength::Secret
        && !is_other
        && !is_hex
        && !is_path
        && !is_call(value)
        && has(UPPER)
        && has(LOWER)
        && has(DIGIT)
        && has(LETTER)
        && is_surely_secret(value)
}

/// A word with signs within it that a program has and a value seldom.
fn is_call(value: &[u8]) -> bool {
    value.iter().any(|byte| matches!(byte, b'(' | b'{' | b'[' | b'<' | b'=' | b';' | b'"' | b'\\'))
        || value.windows(2).any(|two| two == b"::")
        || value.contains(&b'/') && value.contains(&b'.')
}
