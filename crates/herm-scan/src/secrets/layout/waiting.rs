//! Names whose values stand on lines below them.

use super::super::bytes::{ALNUM, DASH, WORD, between, from, is, run};
use super::super::name::{Strength, strength};
use super::super::sentence;
use super::Span;
use super::pair::{NAMES, Pair, VALUES, alone, is_name, is_one_of, numbered, plausible};
use super::{codes, positional};

/// The name whose value has not come yet, if there is one.
#[derive(Debug, Default)]
pub(super) struct Waiting {
    named: Option<Named>,
}

/// A name whose value has not come yet.
#[derive(Clone, Copy, Debug)]
struct Named {
    strength: Strength,
    place: Place,
    /// How many lines it is waited for.
    lines: u8,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    /// Alone on its line, without a sign: the sign must follow.
    Sign,
    /// The next line that is not empty.
    Below,
    /// The same, if it is one word: a sentence has announced it.
    Told,
    /// Several of a list that a heading has announced: codes, or words of a phrase.
    Listed,
    /// After `value`.
    Value,
}

/// How many lines may stand between a name and its value.
const WAIT: u8 = 3;

/// What a line was for those that wait.
pub(super) enum Step {
    /// It was the value, or gave a name that waits now: nothing more is in it.
    Done(Option<Span>),
    /// It may be anything.
    Open,
}

impl Waiting {
    pub(super) fn is_open(&self) -> bool {
        self.named.is_some()
    }

    /// Reads the next line.
    pub(super) fn read(&mut self, line: &[u8]) -> Step {
        let named = self.named.take();
        if line.is_empty() {
            self.named = named
                .filter(|named| named.lines > 0 && named.place.outlasts_empty_lines())
                .map(Named::one_less);
            return Step::Done(None);
        }
        if let Some(found) = named.and_then(|named| self.listed(line, named)) {
            return Step::Done(Some(found));
        }
        if self.announced(line) {
            return Step::Open;
        }
        let Some(start) = line.iter().position(|byte| is(*byte, ALNUM) || matches!(byte, b':' | b'<' | b'.'))
        else {
            return Step::Open;
        };
        match Pair::read(line, start) {
            Some(pair) => self.pair(line, &pair, named),
            None => self.without_pair(line, named),
        }
    }

    /// A word that a sentence has announced, or one of a list of them: more of the same kind may follow.
    fn listed(&mut self, line: &[u8], named: Named) -> Option<Span> {
        let found = match named.place {
            Place::Told => told(line, named.strength),
            Place::Listed => codes::read(line),
            Place::Below if named.strength == Strength::Password => positional::account(line),
            Place::Below | Place::Sign | Place::Value => None,
        }?;
        self.named = Some(Named { lines: 0, ..named });
        Some(found)
    }

    /// Whether a sentence or a command announces something for the lines below.
    fn announced(&mut self, line: &[u8]) -> bool {
        let place = if codes::is_heading(line) {
            Some((Strength::Secret, Place::Listed))
        } else if let Some(strength) = sentence::asked(line) {
            Some((strength, Place::Told))
        } else if matches!(line.last(), Some(b':' | b'.' | b'!')) {
            sentence::announced(line).map(|strength| (strength, Place::Told))
        } else {
            None
        };
        if let Some((strength, place)) = place {
            self.wait(strength, place);
        }
        place.is_some()
    }

    fn without_pair(&mut self, line: &[u8], named: Option<Named>) -> Step {
        match named {
            Some(Named { strength, place: Place::Below, .. }) => Step::Done(alone(line, strength)),
            Some(Named { strength, place: Place::Sign, .. }) if matches!(line.trim_ascii(), b":" | b"=") => {
                self.wait(strength, Place::Below);
                Step::Done(None)
            }
            Some(named) if named.place == Place::Value && named.lines > 0 => {
                self.named = Some(named.one_less());
                Step::Done(None)
            }
            Some(_) | None => {
                self.name_alone(line.trim_ascii());
                Step::Open
            }
        }
    }

    fn pair(&mut self, line: &[u8], pair: &Pair, named: Option<Named>) -> Step {
        let (name, value) = (pair.name(line), pair.value(line));
        if is_one_of(name, NAMES) {
            if let Some(strength) = strength(value).filter(|_| is_name(value)) {
                self.wait(strength, Place::Value);
            }
            return Step::Done(None);
        }
        if let Some(named) = named.filter(|named| named.place == Place::Value) {
            if is_one_of(name, VALUES) {
                let fits = plausible(value, named.strength);
                return Step::Done(fits.then(|| pair.span("secret")));
            }
            self.named = (named.lines > 0).then(|| named.one_less());
        }
        // What a heading announces may have a heading of its own: `chpasswd:`, then `list: |`.
        let below = named.filter(|named| named.place == Place::Below && named.lines > 0);
        let said = strength(name).filter(|strength| *strength >= Strength::Secret);
        if pair.is_open(line)
            && let Some(strength) = said.or(below.map(|named| named.strength))
        {
            self.wait(strength, Place::Below);
        } else if value == b"{"
            && let Some(strength) = said
        {
            self.wait(strength, Place::Value);
        } else if self.named.is_none() {
            self.named = below.map(Named::one_less);
        }
        Step::Open
    }

    fn wait(&mut self, strength: Strength, place: Place) {
        self.named = Some(Named { strength, place, lines: WAIT });
    }

    /// A name in quotes, whose sign is on the next line; `variable "db_password" {`.
    fn name_alone(&mut self, line: &[u8]) {
        let strong = |name: &[u8]| strength(name).filter(|strength| *strength >= Strength::Secret);
        if let Some(name) = element(line) {
            if let Some(strength) = strong(name) {
                self.wait(strength, Place::Below);
            }
        } else if let Some(rest) = line.strip_prefix(b"variable \"") {
            let end = run(rest, 0, WORD | DASH);
            if let Some(strength) = strength(between(rest, 0, end)) {
                self.wait(strength, Place::Value);
            }
        } else if let Some(rest) = line.strip_prefix(b"<key>").and_then(|line| line.strip_suffix(b"</key>")) {
            if let Some(strength) = strength(rest) {
                self.wait(strength, Place::Value);
            }
        } else if let Some(name) = line.strip_prefix(b"\"").and_then(|line| line.strip_suffix(b"\""))
            && !name.contains(&b' ')
            && is_name(name)
            && let Some(strength) = strong(name)
        {
            self.wait(strength, Place::Sign);
        }
    }
}

impl Named {
    fn one_less(self) -> Self {
        Self { lines: self.lines.saturating_sub(1), ..self }
    }
}

impl Place {
    fn outlasts_empty_lines(self) -> bool {
        matches!(self, Self::Below | Self::Told | Self::Listed)
    }
}

/// The only word of a line below a sentence that has announced it.
fn told(line: &[u8], strength: Strength) -> Option<Span> {
    let found = alone(line, strength)?;
    let word = between(line, found.0, found.1);
    (!word.contains(&b' ') && sentence::is_given(word, strength)).then_some(found)
}

/// The name of an element whose value follows on the next line: `["password"]=>` of PHP, `1) "requirepass"` of Redis.
fn element(line: &[u8]) -> Option<&[u8]> {
    let php = line.strip_prefix(b"[\"").filter(|_| line.ends_with(b"]=>"));
    let name = php.or_else(|| from(line, numbered(line)?).strip_prefix(b"\""))?;
    let end = name.iter().position(|byte| *byte == b'"')?;
    let is_whole = php.is_some() || end + 1 == name.len();
    is_whole.then(|| between(name, 0, end))
}
