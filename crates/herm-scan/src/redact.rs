//! Takes secrets out of a text as it goes by.

mod unfinished;

use std::collections::BTreeMap;
use std::fmt;

use crate::held::Held;
use crate::known::Known;
use crate::secrets::{
    BLANK, Body, Finder, Found, Layout, Line, Next, QUOTE, REDACTED, SPACE, is, is_material, last_newline,
    newline,
};

/// The most that is kept back: a line is judged as a whole if it is no longer.
const WINDOW: usize = 64 * 1024;

/// How far beyond a position a longer line is known when the position is judged.
const AHEAD: usize = 16 * 1024;

/// How much of what is already out is kept, for names before signs.
const BEHIND: usize = 512;

/// Takes secrets out of a text, piece by piece, and puts `[REDACTED]` in their place.
///
/// What comes out does not depend on how the text is cut into pieces. Lines are kept back until they end, and never more
/// than 64 KiB: a longer line is judged in overlapping parts. Bytes need not be text.
pub struct Redactor {
    finder: Finder,
    guesses: Guesses,
    known: Known,
    layout: Layout,
    /// Whole lines that may turn out to be a key when it ends.
    kept: Kept,
    /// What has come in and is not out yet, after what is kept to look back on.
    pending: Vec<u8>,
    /// How much of it is out.
    out: usize,
    /// The lines of a private key go by.
    key: Option<Body>,
    /// A secret longer than the window goes by.
    swallowing: bool,
    counts: BTreeMap<&'static str, usize>,
}

/// Lines that look like those of a key are kept back until one ends them: only that says what they are.
#[derive(Debug, Default)]
struct Kept {
    /// Where they begin.
    start: Option<usize>,
    /// How far lines have been looked at.
    seen: usize,
}

impl Kept {
    /// Where the lines that are kept back begin, or the end of the whole lines.
    fn until(&mut self, text: &[u8], end: usize) -> usize {
        while self.seen < end {
            let next = line_end(text, self.seen);
            let is_one = is_material(text.get(self.seen..next).unwrap_or_default(), self.start.is_some());
            self.start = self.start.filter(|start| is_one && next - start <= LONGEST_KEY);
            if is_one && self.start.is_none() {
                self.start = Some(self.seen);
            }
            self.seen = next;
        }
        self.start.unwrap_or(end)
    }

    fn put_out(&mut self, length: usize) {
        self.start = self.start.and_then(|start| start.checked_sub(length));
        self.seen = self.seen.saturating_sub(length);
    }
}

/// The most that the lines of a key may take.
const LONGEST_KEY: usize = 16 * 1024;

/// What is taken out besides values that are known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Guesses {
    Nothing,
    Secrets,
}

/// What a text that is scanned consists of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Lines {
    /// Part of a line, or one that has been read already.
    Part,
    Whole,
}

impl fmt::Debug for Redactor {
    /// What is pending, and what is known, is not for anyone to see.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Redactor").field("counts", &self.counts).finish_non_exhaustive()
    }
}

impl Default for Redactor {
    fn default() -> Self {
        Self::new()
    }
}

impl Redactor {
    /// Takes out what looks like a secret.
    #[must_use]
    pub fn new() -> Self {
        Self::with_values([])
    }

    /// Takes out what looks like a secret, and these values wherever they stand: as they are, in JSON, in addresses and
    /// in Base64. Values of fewer than six bytes are not looked for.
    #[must_use]
    pub fn with_values<'a>(values: impl IntoIterator<Item = &'a str>) -> Self {
        Self::knowing(Known::new(values))
    }

    /// Takes out what looks like a secret, and the values of these variables, which are ours: the text of a `.env` file. Beside
    /// its name, every value goes; elsewhere, all but what ordinary texts have as well.
    #[must_use]
    pub fn holding(variables: &str) -> Self {
        Self::knowing(Held::read(variables).known())
    }

    /// Takes out the values of these variables, and nothing else.
    #[must_use]
    pub fn only_holding(variables: &str) -> Self {
        Self { guesses: Guesses::Nothing, ..Self::holding(variables) }
    }

    fn knowing(known: Known) -> Self {
        Self {
            finder: Finder::new(),
            guesses: Guesses::Secrets,
            known,
            layout: Layout::default(),
            kept: Kept::default(),
            pending: Vec::new(),
            out: 0,
            key: None,
            swallowing: false,
            counts: BTreeMap::new(),
        }
    }

    /// Whether there is nothing to look for: what is fed comes out at once.
    #[must_use]
    pub fn is_idle(&self) -> bool {
        self.guesses == Guesses::Nothing && self.known.is_empty()
    }

    /// Takes in a piece of the text, and puts out what is settled.
    pub fn feed(&mut self, mut input: &[u8], output: &mut Vec<u8>) {
        if self.is_idle() {
            return output.extend_from_slice(input);
        }
        while !input.is_empty() {
            let room = WINDOW.saturating_sub(self.pending.len()).min(input.len());
            let (now, later) = input.split_at_checked(room).unwrap_or((input, &[]));
            let fresh = self.pending.len();
            self.pending.extend_from_slice(now);
            input = later;
            self.settle(fresh, output);
        }
    }

    /// Puts out the rest. What is fed afterwards is another text.
    pub fn finish(&mut self, output: &mut Vec<u8>) {
        let text = std::mem::take(&mut self.pending);
        self.scan(&text, text.len(), Lines::Whole, output);
        self.out = 0;
        self.key = None;
        self.kept = Kept::default();
        self.layout.restart();
        self.swallowing = false;
    }

    /// A text without its secrets.
    #[must_use]
    pub fn redact(&mut self, text: &str) -> String {
        let mut output = Vec::with_capacity(text.len());
        self.feed(text.as_bytes(), &mut output);
        self.finish(&mut output);
        String::from_utf8(output)
            .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned())
    }

    /// What has been taken out so far: kinds of secrets, and how many of each.
    pub fn taken(&self) -> impl Iterator<Item = (&'static str, usize)> + '_ {
        self.counts.iter().map(|(kind, count)| (*kind, *count))
    }

    /// Puts out all whole lines, or part of a line that fills the window.
    fn settle(&mut self, fresh: usize, output: &mut Vec<u8>) {
        let newline = self.pending.get(fresh..).and_then(last_newline);
        let mut text = std::mem::take(&mut self.pending);
        if let Some(newline) = newline {
            let end = match self.guesses {
                Guesses::Nothing => fresh + newline + 1,
                Guesses::Secrets => self.kept.until(&text, fresh + newline + 1),
            };
            if end > 0 {
                self.scan(text.get(..end).unwrap_or_default(), end, Lines::Whole, output);
                self.out = 0;
                text.drain(..end);
                self.kept.put_out(end);
            }
        } else if text.len() >= WINDOW {
            self.kept = Kept::default();
            self.layout.restart();
            let done = self.scan(&text, cut(&text), Lines::Part, output);
            let keep = done.saturating_sub(BEHIND);
            self.out = done - keep;
            text.drain(..keep);
        }
        self.pending = text;
    }

    /// Puts out a text up to a position, or as far as a secret goes that begins before it.
    fn scan(&mut self, text: &[u8], until: usize, lines: Lines, output: &mut Vec<u8>) -> usize {
        let whole = until == text.len();
        self.finder.restart();
        let mut laid_out = Vec::new();
        if lines == Lines::Whole && self.guesses == Guesses::Secrets {
            self.layout.read(text, self.out, until, &mut laid_out);
        }
        let mut laid_out = laid_out.into_iter().map(|found| (found.start, found.end)).peekable();
        let mut copied = self.swallow(text);
        copied = self.key_lines(text, copied, output);
        let mut at = copied;
        let mut told = self.known.find(text, at, until);
        while at < until {
            if told.is_some_and(|(start, _)| start < at) {
                told = self.known.find(text, at, until);
            }
            while laid_out.next_if(|(start, _)| *start < at).is_some() {}
            let first = laid_out.peek().copied();
            let known = match (told, first) {
                (Some(told), Some(first)) => Some(told.min(first)),
                (told, first) => told.or(first),
            };
            let end = known.map_or(until, |(start, _)| start);
            let guessed = match self.guesses {
                Guesses::Nothing => None,
                Guesses::Secrets => self.finder.next(text, at, end),
            };
            let found = match guessed {
                Some(Next::Secret(found)) => over(found, known),
                Some(Next::KeyBelow(marker)) => {
                    let next = line_end(text, marker);
                    put(output, text, copied, next);
                    self.key = Some(Body::Expected);
                    copied = self.key_lines(text, next, output);
                    at = copied;
                    continue;
                }
                None => match (known, self.finder.later()) {
                    (Some((start, end)), later) => {
                        let known = Found { start, end, kind: "known-value" };
                        later
                            .filter(|later| later.start < end)
                            .map_or(known, |later| over(later, Some((start, end))))
                    }
                    (None, Some(later)) => later,
                    (None, None) => break,
                },
            };
            put(output, text, copied, found.start.max(copied));
            output.extend_from_slice(REDACTED.as_bytes());
            *self.counts.entry(found.kind).or_default() += 1;
            copied = found.end.max(copied);
            at = copied;
            self.finder.taken(copied);
            self.swallowing = !whole && copied >= text.len();
        }
        let done = copied.max(until);
        put(output, text, copied, done);
        done
    }

    /// Passes over the rest of a secret that was too long for the window.
    fn swallow(&mut self, text: &[u8]) -> usize {
        if !self.swallowing {
            return self.out;
        }
        let rest = text.get(self.out..).unwrap_or_default();
        let length = rest.iter().position(|byte| is(*byte, SPACE | QUOTE));
        self.swallowing = length.is_none();
        length.map_or(text.len(), |length| self.out + length)
    }

    /// Passes over the lines of a private key: the first becomes `[REDACTED]`, the others nothing.
    fn key_lines(&mut self, text: &[u8], from: usize, output: &mut Vec<u8>) -> usize {
        let (mut copied, mut at) = (from, from);
        while let Some(mut body) = self.key
            && at < text.len()
        {
            let next = line_end(text, at);
            let first = body == Body::Expected;
            let line = body.line(text.get(at..next).unwrap_or_default());
            self.key = (line != Line::Other).then_some(body);
            if line == Line::Key {
                put(output, text, copied, at);
                copied = next;
                if first {
                    output.extend_from_slice(REDACTED.as_bytes());
                    *self.counts.entry("private-key").or_default() += 1;
                    copied = next - ending(text.get(at..next).unwrap_or_default());
                }
            }
            if line == Line::Header {
                put(output, text, copied, at);
                self.header(text.get(at..next).unwrap_or_default(), output);
                copied = next;
            }
            if line != Line::Other {
                at = next;
            }
        }
        put(output, text, copied, at);
        at
    }

    /// Puts out a line before a key, which is no secret by itself but may hold one.
    fn header(&mut self, line: &[u8], output: &mut Vec<u8>) {
        let (out, key) = (std::mem::take(&mut self.out), self.key.take());
        self.scan(line, line.len(), Lines::Part, output);
        self.out = out;
        self.key = self.key.or(key);
    }
}

/// One secret may reach into the next.
fn over(found: Found, known: Option<(usize, usize)>) -> Found {
    match known {
        Some((start, end)) if start < found.end => Found { end: end.max(found.end), ..found },
        Some(_) | None => found,
    }
}

fn put(output: &mut Vec<u8>, text: &[u8], start: usize, end: usize) {
    output.extend_from_slice(text.get(start..end).unwrap_or_default());
}

/// Where the line ends that a position is on: one past its end.
fn line_end(text: &[u8], at: usize) -> usize {
    let newline = text.get(at..).and_then(newline);
    newline.map_or(text.len(), |length| at + length + 1)
}

/// How many bytes end a line.
fn ending(line: &[u8]) -> usize {
    match line {
        [.., b'\r', b'\n'] => 2,
        [.., b'\n'] => 1,
        _ => 0,
    }
}

/// Where a line that is too long is cut: at a blank or a quote if there is one in sight.
fn cut(text: &[u8]) -> usize {
    let limit = text.len() - AHEAD;
    let before = text.get(limit - BEHIND..limit).unwrap_or_default();
    let blank = before.iter().rposition(|byte| is(*byte, BLANK | QUOTE));
    blank.map_or(limit, |back| limit - BEHIND + back + 1)
}
