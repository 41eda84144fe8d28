//! Secrets whose names stand on other lines, or above them in a table.
//!
//! Lines come one after the other, each once, and what is remembered of those before is small: a name that waits for its
//! value, the columns of a table, where the lines of a key began. So what is found does not depend on how the text is cut.

use std::borrow::Cow;

use super::Found;
use super::bytes::{
    ALNUM, BASE64, BLANK, DASH, DIGIT, DOT, LETTER, QUOTE, WORD, between, byte, from, is, run, run_back,
};
use super::name::{Strength, strength};
use super::plausible::{Writing, is_password, is_pin, is_plain, is_secret, is_surely_secret};
use super::private_key::{begins, is_end, is_material};
use super::{encoded, sentence};

/// What the lines so far say of the next one.
#[derive(Debug, Default)]
pub(crate) struct Layout {
    named: Option<Named>,
    columns: Option<Columns>,
    is_kubernetes: Kubernetes,
    /// For how many lines a resource goes on whose result is a password.
    generated: u8,
    /// Lines of Base64 go by that hold secrets.
    is_encoded: bool,
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
    /// After `value`.
    Value,
}

/// How far the fields of a Kubernetes secret have come, whose values are all encoded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Kubernetes {
    #[default]
    No,
    /// `kind: Secret` stood here.
    Kind,
    /// So did `data:`.
    Data,
}

/// The columns of a table.
#[derive(Debug)]
struct Columns {
    separator: Separator,
    /// Which of them are secret, and where they begin.
    secret: Vec<(usize, usize, Strength)>,
    count: usize,
    /// Which has names, and which has their values.
    given: Option<((usize, usize), (usize, usize))>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Separator {
    Bar,
    Blanks,
    Comma,
    Tab,
}

/// The longest line that is read so.
const LONGEST: usize = 2_048;

/// The longest header of a table.
const HEADER: usize = 400;

/// The most lines from the kind of a resource to its result.
const GENERATED: u8 = 30;

/// How many lines may stand between a name and its value.
const WAIT: u8 = 3;

impl Layout {
    /// Another text begins.
    pub(crate) fn restart(&mut self) {
        *self = Self::default();
    }

    /// Whether the next line may be secret because of those before it.
    pub(crate) fn awaits(&self) -> bool {
        self.named.is_some() || self.columns.is_some() || self.is_encoded
    }

    /// Adds what is secret in whole lines by those before them.
    pub(crate) fn read(&mut self, text: &[u8], start: usize, end: usize, found: &mut Vec<Found>) {
        let mut key = None;
        let mut at = start;
        while at < end {
            let next = super::newline(from(text, at)).map_or(end, |length| at + length + 1).min(end);
            let line = between(text, at, next);
            if is_material(line, key.is_some()) {
                key.get_or_insert(at);
            } else if let Some(begin) = key.take()
                && (is_end(line, between(text, begin, at)) || begins(between(text, begin, at)))
            {
                found.push(Found { start: begin, end: at.saturating_sub(1), kind: "private-key" });
            }
            let word = line.trim_ascii();
            self.is_encoded = encoded::is_one(word) && (self.is_encoded || encoded::has_secret(word));
            if self.is_encoded {
                let start = at + line.iter().take_while(|byte| is(**byte, BLANK)).count();
                found.push(Found { start, end: start + word.len(), kind: "encoded-secret" });
            } else if line.len() <= LONGEST {
                let line = flat(line);
                let line = line.as_ref();
                if let Some((start, end, kind)) = self.line(line.trim_ascii_end()) {
                    found.push(Found { start: at + start, end: at + end, kind });
                }
                self.cells(line.trim_ascii_end(), at, found);
            } else {
                self.restart();
            }
            at = next;
        }
        if let Some(begin) = key.filter(|begin| begins(between(text, *begin, end))) {
            let end = if super::before(text, end) == b'\n' { end - 1 } else { end };
            found.push(Found { start: begin, end, kind: "private-key" });
        }
        found.sort_by_key(|found| (found.start, found.end));
    }

    fn line(&mut self, line: &[u8]) -> Option<(usize, usize, &'static str)> {
        let named = self.named.take();
        if let Some((start, end)) = positional(line) {
            return Some((start, end, "password"));
        }
        self.generated = self.generated.saturating_sub(1);
        if line.is_empty() {
            self.named = named
                .filter(|named| named.lines > 0 && matches!(named.place, Place::Below | Place::Told))
                .map(|named| Named { lines: named.lines - 1, ..named });
            return None;
        }
        if let Some(named) = named.filter(|named| named.place == Place::Told) {
            let found = alone(line, named.strength);
            let fits = |(start, end, _): &(usize, usize, &str)| {
                let word = between(line, *start, *end);
                !word.contains(&b' ') && sentence::is_given(word, named.strength)
            };
            if let Some(found) = found.filter(fits) {
                return Some(found);
            }
        }
        if let Some(strength) = sentence::asked(line) {
            self.wait(strength, Place::Told);
            return None;
        }
        let start = line.iter().position(|byte| is(*byte, ALNUM) || matches!(byte, b':' | b'<' | b'.'))?;
        let may_say = matches!(line.last(), Some(b':' | b'.' | b'!'));
        if let Some(strength) = may_say.then(|| sentence::announced(line)).flatten() {
            self.wait(strength, Place::Told);
            return row(line, start);
        }
        if named.is_none()
            && self.is_kubernetes == Kubernetes::No
            && self.generated == 0
            && !may_name(line, start)
        {
            return row(line, start);
        }
        let pair = Pair::read(line, start);
        let Some(pair) = pair else {
            return match named {
                Some(Named { strength, place: Place::Below, .. }) => alone(line, strength),
                Some(Named { strength, place: Place::Sign, .. })
                    if matches!(line.trim_ascii(), b":" | b"=") =>
                {
                    self.wait(strength, Place::Below);
                    None
                }
                Some(named) if named.place == Place::Value && named.lines > 0 => {
                    self.named = Some(Named { lines: named.lines - 1, ..named });
                    None
                }
                Some(_) | None => {
                    self.name_alone(line);
                    row(line, start)
                }
            };
        };
        let (name, value) =
            (between(line, pair.name.0, pair.name.1), between(line, pair.value.0, pair.value.1));
        if let Some(found) = self.kubernetes(name, value, pair.value) {
            return Some(found);
        }
        if name == b"type" && value == b"random_password" {
            self.generated = GENERATED;
        } else if self.generated > 0 && name == b"result" {
            return plausible(value, Strength::Password).then_some((pair.value.0, pair.value.1, "password"));
        }
        if is_one_of(name, NAMES) {
            if let Some(strength) = strength(value).filter(|_| is_name(value)) {
                self.wait(strength, Place::Value);
            }
            return None;
        }
        if let Some(named) = named.filter(|named| named.place == Place::Value) {
            if is_one_of(name, VALUES) {
                return plausible(value, named.strength).then_some((pair.value.0, pair.value.1, "secret"));
            }
            self.named = (named.lines > 0).then(|| Named { lines: named.lines - 1, ..named });
        }
        if matches!(value, b"" | b">" | b">-" | b"|" | b"|-" | b"\\")
            && let Some(strength) = strength(name).filter(|strength| *strength >= Strength::Secret)
        {
            self.wait(strength, Place::Below);
        } else if value == b"{"
            && let Some(strength) = strength(name).filter(|strength| *strength >= Strength::Secret)
        {
            self.wait(strength, Place::Value);
        }
        None
    }

    fn wait(&mut self, strength: Strength, place: Place) {
        self.named = Some(Named { strength, place, lines: WAIT });
    }

    /// A name in quotes, whose sign is on the next line; `variable "db_password" {`.
    fn name_alone(&mut self, line: &[u8]) {
        let line = line.trim_ascii();
        if let Some(name) = element(line) {
            if let Some(strength) = strength(name).filter(|strength| *strength >= Strength::Secret) {
                self.wait(strength, Place::Below);
            }
            return;
        }
        if let Some(rest) = line.strip_prefix(b"variable \"") {
            let end = run(rest, 0, WORD | DASH);
            if let Some(strength) = strength(between(rest, 0, end)) {
                self.wait(strength, Place::Value);
            }
            return;
        }
        let name = line.strip_prefix(b"\"").and_then(|line| line.strip_suffix(b"\"")).unwrap_or(line);
        if let Some(rest) = line.strip_prefix(b"<key>").and_then(|line| line.strip_suffix(b"</key>")) {
            if let Some(strength) = strength(rest) {
                self.wait(strength, Place::Value);
            }
        } else if name.len() < line.len()
            && !name.contains(&b' ')
            && is_name(name)
            && let Some(strength) = strength(name).filter(|strength| *strength >= Strength::Secret)
        {
            self.wait(strength, Place::Sign);
        }
    }

    /// A value below `data:` of a `kind: Secret`. Where the kind comes after the data, what is encoded says enough elsewhere.
    fn kubernetes(
        &mut self,
        name: &[u8],
        value: &[u8],
        at: (usize, usize),
    ) -> Option<(usize, usize, &'static str)> {
        match (self.is_kubernetes, name) {
            (_, b"kind") => {
                self.is_kubernetes = if value == b"Secret" { Kubernetes::Kind } else { Kubernetes::No };
            }
            (Kubernetes::Kind, b"data") => self.is_kubernetes = Kubernetes::Data,
            (Kubernetes::Data, b"metadata" | b"apiVersion" | b"type" | b"immutable") => {
                self.is_kubernetes = Kubernetes::Kind;
            }
            (Kubernetes::Data, _) if value.len() >= 4 && value.iter().all(|byte| is(*byte, BASE64)) => {
                return Some((at.0, at.1, "kubernetes-secret"));
            }
            (Kubernetes::No | Kubernetes::Kind | Kubernetes::Data, _) => {}
        }
        None
    }

    /// What stands in the secret columns of a table.
    fn cells(&mut self, line: &[u8], at: usize, found: &mut Vec<Found>) {
        if let Some(columns) = &self.columns {
            let is_rule =
                line.iter().all(|byte| is(*byte, BLANK) || matches!(byte, b'-' | b'+' | b'|' | b'=' | b':'));
            if is_rule && !line.is_empty() {
                return;
            }
            let cells = cells(line, columns.separator);
            let fits = columns.separator == Separator::Blanks || cells.len() == columns.count;
            if !fits || line.is_empty() || cells.len() < 2 {
                self.columns = None;
            } else {
                let named = columns.given.and_then(|(name, value)| {
                    let (start, end) = columns.cell(&cells, name)?;
                    let name = between(line, *start, *end).rsplit(|byte| *byte == b'/').next()?;
                    strength(name).map(|strength| (value.0, value.1, strength))
                });
                for (number, column, strength) in columns.secret.iter().chain(&named) {
                    let Some((start, end)) = columns.cell(&cells, (*number, *column)) else { continue };
                    if plausible(between(line, *start, *end), *strength) {
                        found.push(Found { start: at + start, end: at + end, kind: "secret" });
                    }
                }
                return;
            }
        }
        self.columns = header(line);
    }
}

impl Columns {
    /// The cell of a line that stands in a column.
    fn cell<'a>(&self, cells: &'a [(usize, usize)], column: (usize, usize)) -> Option<&'a (usize, usize)> {
        match self.separator {
            Separator::Blanks => cells.iter().find(|cell| cell.0 == column.1),
            Separator::Bar | Separator::Comma | Separator::Tab => cells.get(column.0),
        }
    }
}

/// A line whose drawn bars are plain ones, and what else is drawn dashes, byte for byte as long.
fn flat(line: &[u8]) -> Cow<'_, [u8]> {
    let is_drawn = |three: &[u8]| matches!(three, [0xe2, 0x94 | 0x95, _]);
    if !line.contains(&0xe2) || !line.windows(3).any(is_drawn) {
        return Cow::Borrowed(line);
    }
    let mut flat = line.to_vec();
    for at in 0..flat.len() {
        let Some(three) = flat.get_mut(at..at + 3).filter(|three| is_drawn(three)) else { continue };
        let is_bar = matches!(three, [_, 0x94, 0x82 | 0x83] | [_, 0x95, 0x91]);
        three.copy_from_slice(if is_bar { b" | " } else { b"---" });
    }
    Cow::Owned(flat)
}

/// The name of an element whose value follows on the next line: `["password"]=>` of PHP, `1) "requirepass"` of Redis.
fn element(line: &[u8]) -> Option<&[u8]> {
    let php = line.strip_prefix(b"[\"").filter(|_| line.ends_with(b"]=>"));
    let name = php.or_else(|| from(line, numbered(line)?).strip_prefix(b"\""))?;
    let end = name.iter().position(|byte| *byte == b'"')?;
    let is_whole = php.is_some() || end + 1 == name.len();
    is_whole.then(|| between(name, 0, end))
}

/// Where the element of a list begins behind its number: `12) `.
fn numbered(line: &[u8]) -> Option<usize> {
    let end = run(line, 0, DIGIT);
    (end > 0 && from(line, end).starts_with(b") ")).then_some(end + 2)
}

/// Whether a line begins with something that gives a name, or ends in a sign or a name.
fn may_name(line: &[u8], start: usize) -> bool {
    matches!(byte(line, start) | 0x20, b'k' | b'n' | b'p' | b'v' | b'e' | b'i' | b'f' | b'o')
        || matches!(line.last(), Some(b':' | b'=' | b'|' | b'-' | b'>'))
        || line.len() <= 40
}

const NAMES: &[&[u8]] = &[
    b"name",
    b"key",
    b"keyname",
    b"variable",
    b"parametername",
    b"field",
    b"env",
    b"envname",
    b"option",
    b"id",
];
const VALUES: &[&[u8]] = &[b"value", b"parametervalue", b"default", b"string", b"content", b"plaintext"];

fn is_one_of(name: &[u8], names: &[&[u8]]) -> bool {
    names.iter().any(|known| known.eq_ignore_ascii_case(name))
}

/// Whether a text is one name.
fn is_name(text: &[u8]) -> bool {
    text.len() <= super::name::LONGEST && text.iter().all(|byte| is(*byte, WORD | DASH | DOT | BLANK))
}

/// Whether a value can be what its name says, wherever it stands.
fn plausible(value: &[u8], strength: Strength) -> bool {
    let is_code = value.iter().any(|byte| matches!(byte, b'(' | b'{' | b'<'));
    !is_code
        && match strength {
            Strength::Password => is_password(value, Writing::Quoted),
            Strength::Secret => is_secret(value) || is_password(value, Writing::Quoted) && !is_plain(value),
            Strength::Authorization | Strength::Weak => is_surely_secret(value),
            Strength::Pin => is_pin(value),
        }
}

/// The only word on a line.
fn alone(line: &[u8], strength: Strength) -> Option<(usize, usize, &'static str)> {
    let mut start = run(line, 0, BLANK);
    start += numbered(from(line, start)).unwrap_or(0);
    if from(line, start).starts_with(b"string(") {
        start += from(line, start).iter().position(|byte| *byte == b'"')?;
    }
    start = run(line, start, BLANK | QUOTE);
    let end = line.iter().rposition(|byte| !is(*byte, BLANK | QUOTE) && *byte != b',')? + 1;
    plausible(between(line, start, end), strength).then_some((start, end, "secret"))
}

/// A name and a value with two blanks or a tab between, and nothing else: `DB_PASSWORD  …`, `| DB_PASSWORD | … |`.
fn row(line: &[u8], start: usize) -> Option<(usize, usize, &'static str)> {
    let end = run(line, start, WORD | DASH | DOT);
    let gap = between(line, end, run_of(line, end, |byte| is(byte, BLANK) || byte == b'|'));
    let is_apart = gap.len() >= 2 || gap == b"\t";
    let value = end + gap.len();
    let stop = run_of(line, value, |byte| !is(byte, BLANK));
    let rest = between(line, stop, line.len()).trim_ascii();
    if !is_apart || !matches!(rest, b"" | b"|") || stop <= value {
        return None;
    }
    let strength = strength(between(line, start, end)).filter(|strength| *strength >= Strength::Secret)?;
    let secret = between(line, value, stop);
    let is_mixed = secret.iter().any(|byte| is(*byte, DIGIT)) && secret.iter().any(|byte| is(*byte, LETTER));
    (is_mixed && plausible(secret, strength) && !is_plain(secret)).then_some((value, stop, "secret"))
}

fn run_of(text: &[u8], at: usize, is_in: impl Fn(u8) -> bool) -> usize {
    let length = from(text, at).iter().position(|byte| !is_in(*byte));
    length.map_or(text.len().max(at), |length| at + length)
}

/// A name, a sign and the rest of the line.
struct Pair {
    name: (usize, usize),
    value: (usize, usize),
}

impl Pair {
    fn read(line: &[u8], start: usize) -> Option<Self> {
        if from(line, start).starts_with(b"<string>") {
            let end = from(line, start + 8).iter().position(|byte| *byte == b'<')? + start + 8;
            return Some(Self { name: (start + 1, start + 7), value: (start + 8, end) });
        }
        let end = run(line, start, WORD | DASH | DOT);
        let mut at = run_of(line, end, |byte| is(byte, BLANK | QUOTE) || byte == b'\\');
        if start == end || !matches!(byte(line, at), b':' | b'=') {
            return None;
        }
        at = run_of(line, at, |byte| matches!(byte, b':' | b'=' | b'>'));
        at = run_of(line, at, |byte| is(byte, BLANK | QUOTE) || byte == b'\\');
        let stop = line
            .iter()
            .rposition(|byte| !is(*byte, BLANK | QUOTE) && !matches!(byte, b',' | b'}' | b']' | b'\\'));
        Some(Self { name: (start, end), value: (at, stop.map_or(at, |stop| stop + 1).max(at)) })
    }
}

/// The header of a table with a secret column.
fn header(line: &[u8]) -> Option<Columns> {
    if line.len() > HEADER || line.len() < 8 {
        return None;
    }
    let is_plain = |byte: &u8| {
        is(*byte, LETTER | BLANK | DASH) || matches!(byte, b'_' | b'|' | b',' | b'(' | b')' | b'#')
    };
    if !line.iter().all(is_plain) {
        return None;
    }
    let separators = [
        (Separator::Bar, b"|".as_slice()),
        (Separator::Tab, b"\t"),
        (Separator::Comma, b","),
        (Separator::Blanks, b"  "),
    ];
    let (separator, _) =
        separators.into_iter().find(|(_, sign)| line.windows(sign.len()).any(|two| two == *sign))?;
    let cells = cells(line, separator);
    let said = |cell: &(usize, usize)| {
        let cell = between(line, cell.0, cell.1);
        let words = cell.split(|byte| is(*byte, BLANK)).count();
        let joined: Vec<u8> = cell.iter().map(|byte| if is(*byte, BLANK) { b'_' } else { *byte }).collect();
        strength(&joined).filter(|said| words <= 4 && *said >= Strength::Secret)
    };
    let secret: Vec<_> = cells
        .iter()
        .enumerate()
        .filter_map(|(number, cell)| said(cell).map(|strength| (number, cell.0, strength)))
        .collect();
    let column = |names: &[&[u8]]| {
        let number = cells.iter().position(|cell| is_one_of(between(line, cell.0, cell.1), names))?;
        cells.get(number).map(|cell| (number, cell.0))
    };
    let given = column(GIVEN).zip(column(&[b"value"]));
    let is_one = cells.len() >= 2 && (!secret.is_empty() || given.is_some());
    is_one.then_some(Columns { separator, secret, count: cells.len(), given })
}

/// What the names are called in a table of names and values.
const GIVEN: &[&[u8]] = &[b"name", b"key", b"variable", b"parameter", b"setting", b"option", b"field"];

/// Where the cells of a line begin and end.
fn cells(line: &[u8], separator: Separator) -> Vec<(usize, usize)> {
    let mut cells = Vec::new();
    let mut at = 0;
    loop {
        let rest = from(line, at);
        let length = match separator {
            Separator::Bar => rest.iter().position(|byte| *byte == b'|'),
            Separator::Blanks => {
                at = run(line, at, BLANK);
                from(line, at).windows(2).position(|two| two == b"  ")
            }
            Separator::Comma => rest.iter().position(|byte| *byte == b','),
            Separator::Tab => rest.iter().position(|byte| *byte == b'\t'),
        };
        let end = length.map_or(line.len(), |length| at + length);
        let start = run(line, at, BLANK | QUOTE).min(end);
        let stop = run_back(line, end, BLANK | QUOTE, line.len()).max(start);
        cells.push((start, stop));
        if length.is_none() {
            return cells;
        }
        at = end + 1;
    }
}

/// What is secret in a line of a file that has its fields in a certain order: `.pgpass`.
fn positional(line: &[u8]) -> Option<(usize, usize)> {
    let colon = line.iter().take(64).position(|byte| !is(*byte, WORD | DASH | DOT) && *byte != b'*')?;
    let is_port = is(byte(line, colon + 1), DIGIT) || byte(line, colon + 1) == b'*';
    if byte(line, colon) != b':' || !is_port {
        return None;
    }
    let mut fields = line.splitn(5, |byte| *byte == b':');
    let (host, port) = (fields.next()?, fields.next()?);
    let (database, user, password) = (fields.next()?, fields.next()?, fields.next()?);
    let is_port = port == b"*" || (2..=5).contains(&port.len()) && port.iter().all(|byte| is(*byte, DIGIT));
    let is_word = |field: &[u8]| {
        field == b"*" || !field.is_empty() && field.iter().all(|byte| is(*byte, WORD | DASH | DOT))
    };
    let names = is_word(host) && is_word(database) && is_word(user);
    let words =
        names && [host, user].iter().all(|name| *name == b"*" || name.iter().any(|byte| is(*byte, LETTER)));
    let start = line.len() - password.len();
    (is_port && words && is_password(password, Writing::Quoted)).then_some((start, line.len()))
}
