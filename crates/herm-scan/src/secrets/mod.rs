//! Secrets: what they look like, one file a family, and where the next one stands.
//!
//! A text is read once from left to right. Three things make it stop: the beginning of a word (tokens with a known
//! beginning or shape, options, programs), a sign between a name and a value, and `://`. Nothing looks beyond the end
//! of a line, so that a text may be read in any number of pieces that end where lines do.

mod assignment;
mod bytes;
mod card;
mod chat;
mod chosen;
mod cloud;
mod clue;
mod coded;
mod command_line;
mod cookie;
mod device;
mod encoded;
mod forges;
mod format;
mod index;
mod keyed;
mod layout;
mod letters;
mod lexicon;
mod list;
mod models;
mod name;
mod nearby;
mod payment;
mod places;
mod plausible;
mod private_key;
mod published;
mod saying;
mod sentence;
mod shapes;
mod sieve;
mod spoken;
mod telemetry;
mod url;
mod value;

pub(crate) use bytes::{
    ALNUM, BLANK, DIGIT, QUOTE, SPACE, WORD, before, between, byte, from, is, last_newline, newline, run,
    run_back,
};
pub(crate) use layout::Layout;
pub(crate) use name::strength;
pub(crate) use plausible::{REDACTED, Writing, is_passphrase, is_password, is_secret};
pub(crate) use private_key::{Body, Line, is_material};

use command_line::Program;
use index::{Entry, Index};
use places::{Places, SPAN, Window};
use private_key::Marker;
use sieve::BEFORE;

/// A secret in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Found {
    pub(crate) start: usize,
    pub(crate) end: usize,
    pub(crate) kind: &'static str,
}

/// What comes next in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Next {
    /// A secret.
    Secret(Found),
    /// A private key begins on the line after this position.
    KeyBelow(usize),
}

/// Looks for secrets, and remembers of the line so far what matters for the rest of it.
#[derive(Debug)]
pub(crate) struct Finder {
    index: &'static Index,
    /// The last program that was named, and where its line ends.
    program: Option<&'static Program>,
    line_end: usize,
    later: Option<Found>,
    /// What stands before has been taken out: nothing looks back on it.
    floor: usize,
}

impl Finder {
    pub(crate) fn new() -> Self {
        Self { index: Index::shared(), program: None, line_end: 0, later: None, floor: 0 }
    }

    /// The first thing that shows itself from one position up to another; it may end beyond.
    ///
    /// Each place is judged by what is near, so that no text makes it look at the same bytes over and over.
    pub(crate) fn next(&mut self, text: &[u8], mut at: usize, until: usize) -> Option<Next> {
        while at < until {
            let start = at.checked_sub(BEFORE).filter(|start| *start >= self.floor);
            let places = match start.and_then(|start| text.get(start..)).and_then(<[u8]>::first_chunk) {
                Some(window) => Places::read(&self.index.sieve, window),
                None => Places::read(&self.index.sieve, &self.padded(text, at)),
            };
            for place in places.map(|place| at + place).take_while(|place| *place < until) {
                if self.later.is_some_and(|later| later.start <= place) {
                    return self.later().map(Next::Secret);
                }
                match self.place(text, place) {
                    Some(Next::Secret(found)) => {
                        if let found @ Some(_) = self.in_order(place, found) {
                            return found;
                        }
                    }
                    found @ Some(Next::KeyBelow(_)) => return found,
                    None => {}
                }
            }
            at += SPAN;
        }
        None
    }

    /// The bytes around a position, with line ends where there are none or they have been taken out.
    fn padded(&self, text: &[u8], at: usize) -> Window {
        let mut window: Window = [b'\n'; _];
        let start = at.saturating_sub(BEFORE).max(self.floor);
        let missing = (start + BEFORE).saturating_sub(at);
        for (to, from) in window.iter_mut().skip(missing).zip(from(text, start)) {
            *to = *from;
        }
        window
    }

    /// A secret that showed itself before its beginning, and whose beginning has not come yet.
    pub(crate) fn later(&mut self) -> Option<Found> {
        self.later.take()
    }

    /// A secret that begins further on waits until what stands before it has been looked at: a user may be a token, and a
    /// password follow.
    fn in_order(&mut self, place: usize, found: Found) -> Option<Next> {
        match self.later {
            Some(later) if found.end > later.start => {
                self.later = None;
                let (start, end) = (found.start.min(later.start), found.end.max(later.end));
                Some(Next::Secret(Found { start, end, ..later }))
            }
            None if found.start > place + 1 => {
                self.later = Some(found);
                None
            }
            Some(_) | None => Some(Next::Secret(found)),
        }
    }

    fn place(&mut self, text: &[u8], at: usize) -> Option<Next> {
        let (line_end, floor) = (self.line_end, self.floor);
        let near = from(near(text, at), floor);
        let found = if is(byte(text, at), ALNUM) {
            self.word(near, at - floor)
        } else {
            sign(near, at - floor).map(Next::Secret)
        };
        // A program was named here, on a line whose end is not known yet.
        if self.line_end != line_end {
            self.line_end = newline(from(text, at)).map_or(text.len(), |length| at + length);
        }
        match found? {
            Next::Secret(found) => {
                let found = Found { start: found.start + floor, end: found.end + floor, ..found };
                let found = stretched(text, at, found);
                is_fresh(text, at, found).then_some(Next::Secret(found))
            }
            // A key is longer than what is near.
            Next::KeyBelow(marker) => match private_key::marker(text, marker + floor)? {
                Marker::Here(found) => Some(Next::Secret(found)),
                Marker::Below => Some(Next::KeyBelow(marker + floor)),
            },
        }
    }

    /// What the word that begins here is, or the one that begins behind an escape.
    fn word(&mut self, text: &[u8], at: usize) -> Option<Next> {
        let escaped = past_escape(text, at).and_then(|at| self.plain_word(text, at));
        escaped.or_else(|| self.plain_word(text, at))
    }

    fn plain_word(&mut self, text: &[u8], at: usize) -> Option<Next> {
        if before(text, at) == b'-'
            && let Some(found) = self.option(text, at)
        {
            return Some(Next::Secret(found));
        }
        if let Some(found) = shapes::find(text, at) {
            return Some(Next::Secret(found));
        }
        self.index.entries(text, at).find_map(|entry| self.entry(entry, text, at))
    }

    fn entry(&mut self, entry: &Entry, text: &[u8], at: usize) -> Option<Next> {
        match entry {
            Entry::Format(format) => format.find(text, at).map(Next::Secret),
            Entry::Marker => private_key::marker(text, at).map(|_| Next::KeyBelow(at)),
            Entry::Phrase => assignment::phrase(text, at).map(Next::Secret),
            Entry::Shape(find) => find(text, at).map(Next::Secret),
            Entry::Program(program) => {
                // `https://…` and `mysql:8` are no commands.
                let next = byte(text, at + program.name.len());
                if !is(next, ALNUM) && !matches!(next, b':' | b'/') {
                    self.program = Some(program);
                    self.line_end = self.line_end.max(at + self.floor + 1);
                }
                None
            }
        }
    }

    /// Another text begins, or the same one at another position.
    pub(crate) fn restart(&mut self) {
        *self = Self::new();
    }

    /// Everything up to a position has been taken out.
    pub(crate) fn taken(&mut self, end: usize) {
        self.floor = end;
    }

    /// The value of the option whose name begins here, after a dash.
    fn option(&self, text: &[u8], at: usize) -> Option<Found> {
        let dashes = run_back(text, at, bytes::DASH, 3);
        if at - dashes > 2 || !is(before(text, dashes), SPACE | QUOTE) {
            return None;
        }
        let program = self.program.filter(|_| at + self.floor < self.line_end);
        let given = program.and_then(|program| program.find(text, dashes + 1));
        given.or_else(|| assignment::option(text, at))
    }
}

fn sign(text: &[u8], at: usize) -> Option<Found> {
    match byte(text, at) {
        b':' if from(text, at).starts_with(b"://") => url::find(text, at),
        b'~' => shapes::azure(text, at),
        b':' => assignment::find(text, at).or_else(|| spoken::in_address(text, at)),
        _ => assignment::find(text, at),
    }
}

/// What is near a position. It is long enough to tell any secret, though not for all of every secret.
fn near(text: &[u8], at: usize) -> &[u8] {
    text.get(..at + NEAR).unwrap_or(text)
}

const NEAR: usize = 1024;

/// A secret that goes beyond what is near ends at a blank or a quote.
fn stretched(text: &[u8], at: usize, found: Found) -> Found {
    if found.end < near(text, at).len() || found.end == text.len() {
        return found;
    }
    Found { end: run_to(text, found.end, SPACE | QUOTE), ..found }
}

/// Where a byte of a set comes next.
fn run_to(text: &[u8], at: usize, set: bytes::Set) -> usize {
    let length = from(text, at).iter().position(|byte| is(*byte, set));
    length.map_or(text.len(), |length| at + length)
}

/// Whether nothing was taken out here before: what is left around it is no secret.
fn is_fresh(text: &[u8], at: usize, found: Found) -> bool {
    let around = from(text, at.min(found.start));
    let around = around.get(..found.end + REDACTED.len() - at.min(found.start)).unwrap_or(around);
    !around.windows(REDACTED.len()).any(|window| window == REDACTED.as_bytes())
}

/// The spellings of the character that begins a change of colour.
const ESCAPES: &[&[u8]] = &[b"\x1b", b"\\x1b", b"\\x1B", b"\\033", b"\\e", b"\\E", b"\\u001b", b"\\u001B"];

/// Where the next word begins when this one begins with what ends an escape: `\n`, `%20`, `ESC [31m`.
fn past_escape(text: &[u8], at: usize) -> Option<usize> {
    let past = match (before(text, at), byte(text, at)) {
        (b'\\', b'n' | b'r' | b't') => at + 1,
        (b'%', _) if is(byte(text, at), bytes::ANY_HEX) && is(byte(text, at + 1), bytes::ANY_HEX) => at + 2,
        (b'\\', b'u' | b'U' | b'x') => {
            let length = if byte(text, at) == b'x' { 2 } else { 4 };
            let is_code =
                between(text, at + 1, at + 1 + length).iter().all(|digit| is(*digit, bytes::ANY_HEX));
            is_code.then_some(at + 1 + length)?
        }
        (b'[' | b';', _) => {
            let end = run(text, at, DIGIT);
            let behind = text.get(at.saturating_sub(24)..at)?;
            let open = behind.iter().rposition(|byte| !is(*byte, DIGIT) && *byte != b';')?;
            let (escape, numbers) = behind.split_at_checked(open)?;
            let is_escape = numbers.first() == Some(&b'[') && ESCAPES.iter().any(|one| escape.ends_with(one));
            (byte(text, end) == b'm' && is_escape).then_some(end + 1)?
        }
        _ => return None,
    };
    is(byte(text, past), ALNUM).then_some(past)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What texts are put together from, so that much of it is nearly a secret.
    const PARTS: &[&str] = &[
        "\n",
        " ",
        "  ",
        "\t",
        "=",
        ":",
        ": ",
        " = ",
        ":=",
        "=>",
        "==",
        "!=",
        "<=",
        "::",
        "->",
        "\"",
        "'",
        "`",
        "\\n",
        "\\\"",
        "\\t",
        ",",
        ", ",
        ";",
        "@",
        "://",
        "/",
        "&",
        "?",
        "-",
        "--",
        "_",
        ".",
        "(",
        ")",
        "[",
        "]",
        "<",
        ">",
        "%20",
        "\u{1b}[31m",
        "\u{1b}[m",
        "~",
        "b\"",
        "token",
        "API_KEY",
        "password",
        "<secret>",
        "Authorization",
        "Bearer ",
        "key ",
        "heroku",
        "?sig=",
        "https",
        "curl -u ",
        "mysql -p",
        "7z -p",
        "--token ",
        "-----BEGIN PRIVATE KEY-----",
        concat!("gh", "p_"),
        concat!("sk", "-"),
        concat!("AK", "IA"),
        concat!("ey", "J"),
        "MTk4NjIyNDgzNDcxOTI1MjQ4.",
        "123456789:",
        "bot123456789:AA",
        "login ",
        "Private-Lines: 2",
        "\"name\": \"token\", \"value\"",
        "value",
        "a1c2Q~",
        ".atlasv1.",
        "s.",
        "YC",
        "zip",
        "hooks.slack.com/services/",
        "zK9xvQ2mRt7Lw4pB",
        "q8w7e6",
    ];

    struct Random(u64);

    impl Random {
        fn below(&mut self, end: usize) -> usize {
            self.0 ^= self.0 << 13;
            self.0 ^= self.0 >> 7;
            self.0 ^= self.0 << 17;
            usize::try_from(self.0 % u64::try_from(end).unwrap()).unwrap()
        }

        fn text(&mut self) -> String {
            (0..40).map(|_| PARTS[self.below(PARTS.len())]).collect()
        }
    }

    /// The places in the first bytes of a text that are worth looking at.
    fn places(finder: &Finder, text: &[u8]) -> Vec<usize> {
        (0..text.len())
            .step_by(SPAN)
            .flat_map(|at| {
                Places::read(&finder.index.sieve, &finder.padded(text, at)).map(move |place| at + place)
            })
            .collect()
    }

    #[test]
    fn what_the_sieve_drops_is_nothing() {
        let mut random = Random(0x2545_f491_4f6c_dd1d);
        let mut found = 0;
        for _ in 0..3000 {
            let text = random.text();
            let text = text.as_bytes();
            let kept = places(&Finder::new(), text);
            let begins = |at: usize, set: bytes::Set| is(byte(text, at), set) && !is(before(text, at), set);
            let sign = |byte: u8| b"=:,>~".contains(&byte);
            for at in (0..text.len())
                .filter(|at| begins(*at, ALNUM) || sign(byte(text, *at)) && !sign(before(text, *at)))
            {
                let is_secret = Finder::new().place(text, at).is_some();
                found += usize::from(is_secret);
                let shown = || String::from_utf8_lossy(from(text, at.saturating_sub(30))).into_owned();
                assert!(!is_secret || kept.contains(&at), "{:?}", shown());
            }
        }
        assert!(found > 500, "{found}");
    }
}
