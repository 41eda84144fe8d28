//! Sentences that go on speaking of a password: `the one for the guest account is …`, an answer of a chat.

use super::super::bytes::{ALNUM, BLANK, between, contains, from, is};
use super::super::chosen::{Manner, is_chosen};
use super::super::clue::Clue;
use super::super::lexicon;
use super::super::name::Strength;
use super::Span;

/// Whether the lines so far speak of a password.
#[derive(Debug, Default)]
pub(super) struct Topic {
    lines: u8,
}

/// For how many lines a topic goes on.
const LINES: u8 = 3;

/// How a sentence takes up what another was about.
const AGAIN: &[&str] = &[
    "one for ",
    "one of ",
    "that of ",
    "ones for ",
    "das fur ",
    "das vom ",
    "das von ",
    "jenes fur ",
    "celui de ",
    "celui du ",
    "celui pour ",
    "celui des ",
    "el de ",
    "la de ",
    "el del ",
    "la del ",
    "quella di ",
    "quella del ",
    "quella per ",
    "a do ",
    "a da ",
    "dat van ",
    "die van ",
    "dat voor ",
    "det for ",
    "det till ",
    "to do ",
    "for the other ",
];

/// Words behind which the value stands.
const VERBS: &[&[u8]] = &[b"is", b"ist", b"est", b"es", b"e", b"to", b"er", b"ar", b"lautet", b"was"];

impl Topic {
    pub(super) fn is_open(&self) -> bool {
        self.lines > 0
    }

    /// The value that a sentence gives whose topic stands before.
    pub(super) fn read(&mut self, line: &[u8], clues: &[Clue]) -> Option<Span> {
        self.lines = self.lines.saturating_sub(1);
        let is_prose =
            !line.iter().any(|byte| matches!(byte, b'{' | b';' | b'=' | b'(')) && line.contains(&b' ');
        let names = is_prose && clues.iter().any(|clue| clue.strength == Some(Strength::Password));
        if names {
            self.lines = LINES;
        }
        if self.lines == 0 || line.iter().any(|byte| matches!(byte, b'{' | b';' | b'=')) {
            return None;
        }
        let small = lexicon::plain(&lexicon::small(line));
        AGAIN.iter().any(|again| contains(&small, again.as_bytes())).then(|| value(line)).flatten()
    }
}

/// The word behind a verb that no sentence has.
fn value(line: &[u8]) -> Option<Span> {
    let mut at = 0;
    let mut last: &[u8] = b"";
    while at < line.len() {
        at = super::super::run(line, at, BLANK);
        let end = at + from(line, at).iter().position(|byte| is(*byte, BLANK)).unwrap_or(line.len() - at);
        let stop = (at..end)
            .rev()
            .find(|at| !matches!(line.get(*at), Some(b'.' | b',' | b')' | b'"' | b'\'' | b'`')));
        let start = (at..end).find(|at| line.get(*at).is_some_and(|byte| is(*byte, ALNUM)));
        if let (Some(start), Some(stop)) = (start, stop)
            && (last.ends_with(b":")
                || VERBS.iter().any(|verb| verb.eq_ignore_ascii_case(&lexicon::plain(last))))
            && is_chosen(between(line, start, stop + 1), Strength::Password, Manner::Word)
        {
            return Some((start, stop + 1, "password"));
        }
        last = between(line, at, end);
        at = end;
    }
    None
}
