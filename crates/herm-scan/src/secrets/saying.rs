//! The one grammar of a line that gives a secret: a name, a sign, a value, whatever the notation is.
//!
//! Other readers know notations well and judge values by how they look. This one knows any sign between a name and a value, any
//! quotes and escapes around both, and judges a value behind a name that can mean nothing else by what it is not.

mod open;
mod sign;

use super::Found;
use super::bytes::{
    ALNUM, BASE64, BLANK, DASH, DIGIT, DOT, QUOTE, WORD, before, between, byte, from, is, run, until,
};
use super::chosen::{Manner, is_chosen, is_made_secret, is_marked};
use super::clue::Clue;
use super::name::{self, Strength};
use super::plausible::{REDACTED, is_mnemonic, is_surely_secret, is_uuid};
pub(super) use open::Open;
use sign::{Sign, after_name};

/// Adds the values of all names in a line that begins at a position.
pub(super) fn read(line: &[u8], clues: &[Clue], at: usize, found: &mut Vec<Found>) {
    if let Some((start, end)) = groups(line) {
        found.push(Found { start: at + start, end: at + end, kind: "secret" });
    }
    let mut done = 0;
    for clue in clues.iter().copied() {
        if clue.start < done {
            continue;
        }
        // Whatever the line holds, each name is judged by what is near.
        let near = line.get(..clue.end + NEAR).unwrap_or(line);
        let spans = Said::new(near, clue).map(|said| said.values()).unwrap_or_default();
        for (start, end) in spans {
            // A value that goes on beyond that ends at a blank or a quote.
            let end = if end < near.len() { end } else { until(line, end, |byte| is(*byte, BLANK | QUOTE)) };
            let is_fresh =
                !between(line, start, end).windows(REDACTED.len()).any(|part| part == REDACTED.as_bytes());
            if is_fresh && end > start {
                found.push(Found { start: at + start, end: at + end, kind: "secret" });
                done = done.max(end);
            }
        }
    }
}

/// How much of a line is looked at behind a name. No password is longer, and no phrase.
const NEAR: usize = 640;

/// A key that somebody types, in groups of four: `n4rr ngyl 6mjc …`.
fn groups(line: &[u8]) -> Option<(usize, usize)> {
    let is_base32 = |byte: &u8| byte.is_ascii_alphabetic() || matches!(byte, b'2'..=b'7');
    let is_group = |at: usize| {
        between(line, at, at + 4).iter().filter(|byte| is_base32(byte)).count() == 4
            && !is(byte(line, at + 4), ALNUM)
    };
    let mut at = 0;
    while at < line.len() {
        let end = (at..line.len()).step_by(5).find(|at| !is_group(*at)).unwrap_or(line.len());
        let has_digit = between(line, at, end).iter().filter(|byte| is(**byte, DIGIT)).count() > 1;
        if end >= at + 30 && has_digit {
            return Some((at, end.min(line.len())));
        }
        at = run(line, until(line, at, |byte| is(*byte, BLANK)), BLANK);
    }
    None
}

/// A name in a line that says something.
struct Said<'a> {
    line: &'a [u8],
    clue: Clue,
    strength: Strength,
    /// The name can mean nothing but a secret.
    is_sure: bool,
    /// The identifier of a secret is one.
    is_id: bool,
}

impl<'a> Said<'a> {
    fn new(line: &'a [u8], clue: Clue) -> Option<Self> {
        let name = between(line, clue.start, clue.end);
        let strength = clue.strength.filter(|strength| *strength != Strength::Authorization)?;
        // It is a verb as well, and a stage of programs.
        let is_verb = name.eq_ignore_ascii_case(b"pass")
            && !is_assigned(line, clue.end)
            && super::bytes::before(line, clue.start) != b'<';
        // The token of a badge is in every README, a key that is an identifier is public, and what an object is given by a program is a name.
        let before = between(line, 0, clue.start);
        let is_public = before.ends_with(b".svg?")
            || before.ends_with(b"did:")
            || before.ends_with(b"/") && name == b"passwd"
            || name::is_of_resource(before)
            || name::is_of_digest(before);
        let is_field = name.starts_with(b"self.") || name.starts_with(b"this.");
        let is_text = || line.get(clue.end..).unwrap_or_default().iter().any(|byte| is(*byte, QUOTE));
        (!is_verb && !is_public && (!is_field || is_text())).then(|| Self {
            line,
            clue,
            strength,
            is_sure: name::is_sure(name),
            is_id: is_id(line, clue),
        })
    }

    /// Where the values stand that the name gives.
    fn values(&self) -> Vec<(usize, usize)> {
        if let Some(value) = self.before().or_else(|| self.beside()) {
            return vec![value];
        }
        let Some((sign, at)) = after_name(self.line, self.clue.end) else { return Vec::new() };
        if name::is_named_again(self.line, at, self.strength) {
            return Vec::new();
        }
        if let Some(list) = self.list(sign, at) {
            return list;
        }
        if let Some(value) = self.decoded(sign, at) {
            return vec![value];
        }
        if self.strength == Strength::Weak {
            return self.account(sign, at).into_iter().collect();
        }
        let value = match sign {
            Sign::Gives | Sign::Told if byte(self.line, at) == b'<' => {
                self.element(at).or_else(|| self.given(at, sign))
            }
            Sign::Gives | Sign::Told => self.given(at, sign),
            Sign::Element => self.element(at),
            Sign::Call => self.quoted(at, Manner::Quoted),
            Sign::Default => self
                .quoted(at, Manner::Quoted)
                .filter(|(start, end)| is_marked(between(self.line, *start, *end))),
            Sign::Argument => {
                self.quoted(at, Manner::Quoted).filter(|_| self.is_argument()).or_else(|| self.defaulted(at))
            }
            Sign::Next => self.next(at),
            Sign::Column => self.column(at),
            Sign::Cell => self.cell(at),
        };
        value.into_iter().collect()
    }

    fn fits(&self, value: &[u8], manner: Manner) -> bool {
        let is_id = self.is_id && is_uuid(value);
        is_id || is_chosen(value, self.strength, manner) || self.is_sure && is_made_secret(value, manner)
    }

    /// A value in quotes.
    fn quoted(&self, at: usize, manner: Manner) -> Option<(usize, usize)> {
        let (start, end) = Open::read(self.line, at)?.inner(self.line)?;
        self.fits(between(self.line, start, end), manner).then_some((start, end))
    }

    /// A value behind a sign that gives it.
    fn given(&self, at: usize, sign: Sign) -> Option<(usize, usize)> {
        // What YAML says of a value before it.
        let tag = ["!!binary ", "!!str "].iter().find(|tag| from(self.line, at).starts_with(tag.as_bytes()));
        let at = at + tag.map_or(0, |tag| tag.len());
        if let Some(open) = Open::read(self.line, at) {
            let (start, end) = open.inner(self.line)?;
            let value = between(self.line, start, end);
            return (self.fits(value, Manner::Quoted) || is_mnemonic(value)).then_some((start, end));
        }
        if between(self.line, 0, self.clue.start).ends_with(b"${") {
            return self.default(at);
        }
        if let Some(end) = self.closed_later(at) {
            let value = between(self.line, at, end);
            let fits =
                self.fits(value, Manner::Line) || value.contains(&b' ') && self.fits(value, Manner::Quoted);
            return fits.then_some((at, end));
        }
        if let Some(typed) = behind_type(self.line, at) {
            return self.quoted(typed, Manner::Quoted);
        }
        self.encoded(at)
            .or_else(|| self.rest(at, sign))
            .or_else(|| self.field(at))
            .or_else(|| self.word(at, Manner::Word))
    }

    /// What stands in for a variable that is not set: `${DB_PASSWORD:-…}`.
    fn default(&self, at: usize) -> Option<(usize, usize)> {
        let start = at + usize::from(matches!(byte(self.line, at), b'-' | b'='));
        let end = until(self.line, start, |byte| *byte == b'}');
        let is_one = !matches!(byte(self.line, at), b'?' | b'+') && byte(self.line, end) == b'}';
        (is_one && self.fits(between(self.line, start, end), Manner::Quoted)).then_some((start, end))
    }

    /// A word right behind its sign, as lists of fields have it: up to a blank or to what ends a field.
    fn field(&self, at: usize) -> Option<(usize, usize)> {
        let is_glued = before(self.line, at) == b'=' && byte(self.line, self.clue.end) == b'=';
        if byte(self.line, at) == b'{' {
            let end = until(self.line, at, |byte| *byte == b'}');
            let end = if from(self.line, end).starts_with(b"}}") {
                end + 2 + from(self.line, end + 2).iter().position(|byte| *byte == b'}')?
            } else {
                end
            };
            let is_odbc = is_glued && byte(self.line, end + 1) == b';';
            return is_odbc
                .then_some((at + 1, end))
                .filter(|(start, end)| self.fits(between(self.line, *start, *end), Manner::Quoted));
        }
        let near = between(self.line, at, self.line.len().min(at + 256));
        let stops = |byte: &u8| is(*byte, BLANK | QUOTE) || b",;)<>|\\".contains(byte) || *byte == 0x1b;
        let length = near.iter().position(stops).unwrap_or(near.len());
        let value = between(near, 0, length);
        let value = between(value, 0, next_field(value).unwrap_or(value.len()));
        let is_shown = value.ends_with(b"}") || self.is_in_braces(at + value.len());
        let value = value.strip_suffix(b"}").unwrap_or(value);
        let is_odd = || {
            value.iter().any(|byte| is(*byte, DIGIT))
                && !value.iter().any(|byte| matches!(byte, b'(' | b'['))
                && self.fits(value, Manner::Quoted)
        };
        let fits = is_glued && (self.fits(value, Manner::Line) && (is_marked(value) || is_shown) || is_odd());
        fits.then_some((at, at + value.len()))
    }

    /// Whether a field stands among others in braces, as programs show what they hold: `Props{user=ann, password=…, pool=10}`.
    fn is_in_braces(&self, end: usize) -> bool {
        let open = between(self.line, 0, self.clue.start)
            .iter()
            .rposition(|byte| matches!(byte, b'{' | b'(' | b'}'));
        open.is_some_and(|at| byte(self.line, at) == b'{') && matches!(byte(self.line, end), b',' | b'}')
    }

    /// Where the quote stands that opened before the name: `"ADMIN_PASSWORD=…"`.
    fn closed_later(&self, at: usize) -> Option<usize> {
        let quote = byte(self.line, self.clue.start.checked_sub(1)?);
        let is_open = is(quote, QUOTE) && matches!(byte(self.line, self.clue.end), b'=' | b':');
        let length = from(self.line, at).iter().take(256).position(|byte| *byte == quote)?;
        let slashes = usize::from(super::bytes::before(self.line, at + length) == b'\\');
        is_open.then_some(at + length - slashes)
    }

    /// `userPassword:: TGF0…=`, as LDIF has what is not ASCII.
    fn encoded(&self, at: usize) -> Option<(usize, usize)> {
        let is_ldif = from(self.line, self.clue.end).starts_with(b":: ") && self.strength >= Strength::Secret;
        let end = run(self.line, at, BASE64);
        (is_ldif && end == self.line.len() && end - at >= 4).then_some((at, end))
    }

    /// All that is left of the line, where the name is all that stands before.
    fn rest(&self, at: usize, sign: Sign) -> Option<(usize, usize)> {
        let is_setting = sign == Sign::Gives && self.begins_line()
            || sign == Sign::Told && self.strength == Strength::Password;
        let rest = between(self.line, at, self.line.len());
        let rest = between(rest, 0, comment(rest).unwrap_or(rest.len())).trim_ascii_end();
        let rest = between(rest, 0, next_field(rest).unwrap_or(rest.len()));
        let name = between(self.line, self.clue.start, self.clue.end);
        // `passwd: files systemd`
        let is_system = name == b"passwd" && rest.contains(&b' ');
        if !is_setting || is_system {
            return self.phrase(at, rest);
        }
        // An assignment of a shell ends at a blank, unless words follow that no command has.
        let is_shell = byte(self.line, at.saturating_sub(1)) == b'=' && rest.contains(&b' ');
        if is_shell && !is_row_of_words(rest) {
            return None;
        }
        self.fits(rest, Manner::Line).then_some((at, at + rest.len())).or_else(|| self.phrase(at, rest))
    }

    /// The words that open a wallet.
    fn phrase(&self, at: usize, rest: &[u8]) -> Option<(usize, usize)> {
        (self.strength >= Strength::Secret && is_mnemonic(rest)).then_some((at, at + rest.len()))
    }

    /// The word that stands at a position.
    fn word(&self, at: usize, manner: Manner) -> Option<(usize, usize)> {
        let stops = |byte: &u8| is(*byte, BLANK | QUOTE) || b",;&)}]|<>".contains(byte) || *byte == 0x1b;
        let end = until(self.line, at, stops);
        // What goes on behind a bracket is a call.
        let value = between(self.line, at, end);
        if value.ends_with(b"..") || matches!(byte(self.line, end), b'<' | b'(' | b'[' | b'{') {
            return None;
        }
        let value = value.strip_suffix(b".").unwrap_or(value);
        self.fits(value, manner).then_some((at, at + value.len()))
    }

    /// The next word, without a sign: in quotes, or as all that is left of a setting.
    fn next(&self, at: usize) -> Option<(usize, usize)> {
        if Open::read(self.line, at).is_some() {
            let span = self.quoted(at, Manner::Quoted)?;
            let value = between(self.line, span.0, span.1);
            let is_setting = self.stands_alone()
                || before(self.line, self.clue.start) == b':'
                || between(self.line, 0, self.clue.start).ends_with(b"#define ");
            let is_last = from(self.line, span.1 + 1).trim_ascii().len() <= 2;
            let is_one = is_marked(value) || value.contains(&b' ') || is_setting && is_last;
            return is_one.then_some(span);
        }
        let rest = from(self.line, at).trim_ascii_end();
        let is_last = !rest.iter().any(|byte| is(*byte, BLANK)) && self.stands_alone();
        (is_last && self.fits(rest, Manner::Line) && is_marked(rest)).then_some((at, at + rest.len()))
    }

    /// The only word behind some blanks.
    fn column(&self, at: usize) -> Option<(usize, usize)> {
        let mut at = at;
        for kind in [&b"SecureString"[..], b"String", b"string", b"secret", b"password"] {
            let behind = at + kind.len();
            if from(self.line, at).starts_with(kind) && is(byte(self.line, behind), BLANK) {
                at = run(self.line, behind, BLANK);
            }
        }
        let rest = from(self.line, at).trim_ascii_end();
        let is_one = self.begins_line() && !rest.iter().any(|byte| is(*byte, BLANK));
        (is_one && self.fits(rest, Manner::Line) && is_marked(rest)).then_some((at, at + rest.len()))
    }

    /// The next cell of a table that is drawn.
    fn cell(&self, at: usize) -> Option<(usize, usize)> {
        let rest = from(self.line, at);
        let length = rest.iter().position(|byte| *byte == b'|')?;
        let cell = between(rest, 0, length).trim_ascii_end();
        let is_one =
            self.begins_line() && !cell.contains(&b' ') && self.fits(cell, Manner::Line) && is_marked(cell);
        is_one.then_some((at, at + cell.len()))
    }

    /// The text of an element, or of the one right inside it.
    fn element(&self, at: usize) -> Option<(usize, usize)> {
        let mut start = at;
        if byte(self.line, start) == b'<' && byte(self.line, start + 1) != b'!' {
            let tag = from(self.line, start).iter().position(|byte| *byte == b'>')?;
            let is_inner = is(byte(self.line, start + 1), ALNUM) && tag <= 32;
            start += is_inner.then_some(tag + 1)?;
        }
        if from(self.line, start).starts_with(b"<![CDATA[") {
            start += 9;
            let length = from(self.line, start).windows(3).position(|three| three == b"]]>")?;
            return self
                .fits(between(self.line, start, start + length), Manner::Quoted)
                .then_some((start, start + length));
        }
        let rest = from(self.line, start);
        let is_last = between(self.line, self.clue.end, at).starts_with(b"</");
        let close = rest.iter().position(|byte| *byte == b'<');
        let length = close.or_else(|| is_last.then_some(rest.len()))?;
        let text = between(self.line, start, start + length);
        self.fits(text, Manner::Quoted).then_some((start, start + length))
    }

    /// A user and a password behind one name: `BASIC_AUTH=ann:…`, `NEO4J_AUTH=ann/…`.
    fn account(&self, sign: Sign, at: usize) -> Option<(usize, usize)> {
        let name = between(self.line, self.clue.start, self.clue.end).to_ascii_lowercase();
        let start =
            Open::read(self.line, at).and_then(|open| open.inner(self.line)).map_or(at, |(start, _)| start);
        let user = run(self.line, start, WORD | DASH | DOT);
        let end = until(self.line, user + 1, |byte| {
            is(*byte, BLANK | QUOTE) || matches!(byte, b'^' | b',' | b';' | b'/' | b':' | b'@')
        });
        let value = between(self.line, user + 1, end);
        let is_one = name.ends_with(b"auth")
            && matches!(sign, Sign::Gives | Sign::Next)
            && user > start
            && matches!(byte(self.line, user), b':' | b'/');
        (is_one && is_marked(value) && is_chosen(value, Strength::Password, Manner::Line))
            .then_some((user + 1, end))
    }

    /// Several values in brackets: texts, or the bytes of a key.
    fn list(&self, sign: Sign, at: usize) -> Option<Vec<(usize, usize)>> {
        if sign != Sign::Gives
            || !matches!(byte(self.line, at), b'[' | b'{' | b'(')
            || self.strength < Strength::Weak
        {
            return None;
        }
        let inside = from(self.line, at + 1);
        let length =
            inside.iter().position(|byte| matches!(byte, b']' | b'}' | b')')).unwrap_or(inside.len());
        if is_bytes(between(inside, 0, length)) {
            return Some(vec![(at + 1, at + 1 + length)]);
        }
        if self.strength < Strength::Secret {
            return None;
        }
        let mut spans = Vec::new();
        let mut next = run(self.line, at + 1, BLANK);
        while let Some((start, end)) = Open::read(self.line, next).and_then(|open| open.inner(self.line)) {
            let value = between(self.line, start, end);
            if self.fits(value, Manner::Quoted) && is_marked(value) {
                spans.push((start, end));
            }
            let comma = run(self.line, end + 1, BLANK);
            if byte(self.line, comma) != b',' {
                break;
            }
            next = run(self.line, comma + 1, BLANK);
        }
        (!spans.is_empty()).then_some(spans)
    }

    /// What an option stands for that is not given: `add_argument("--password", default="…")`.
    fn defaulted(&self, at: usize) -> Option<(usize, usize)> {
        let near = between(self.line, at, self.line.len().min(at + 160));
        let word = near.windows(7).position(|word| word.eq_ignore_ascii_case(b"default"))?;
        let sign = run(self.line, at + word, WORD);
        let value = run(self.line, sign, BLANK | super::bytes::SIGN);
        let span = (value > sign).then(|| self.quoted(value, Manner::Quoted)).flatten()?;
        is_marked(between(self.line, span.0, span.1)).then_some(span)
    }

    /// A text that a call makes the bytes of a key of: `key: Buffer.from("…", "hex")`, `KEY = bytes.fromhex("…")`.
    fn decoded(&self, sign: Sign, at: usize) -> Option<(usize, usize)> {
        if sign != Sign::Gives || self.strength < Strength::Weak {
            return None;
        }
        let start = run(self.line, at, BLANK);
        let start = if from(self.line, start).starts_with(b"new ") { start + 4 } else { start };
        let open = until(self.line, start, |byte| {
            !is(*byte, WORD | DOT) && !matches!(byte, b':' | b'!' | b'[' | b']')
        });
        let callee = between(self.line, start, open).to_ascii_lowercase();
        let makes =
            DECODING.iter().any(|verb| callee.windows(verb.len()).any(|part| part == verb.as_bytes()));
        if byte(self.line, open) != b'(' || !makes {
            return None;
        }
        let (start, end) = Open::read(self.line, run(self.line, open + 1, BLANK))?.inner(self.line)?;
        let value = between(self.line, start, end);
        is_surely_secret(value).then_some((start, end))
    }

    /// The value that stands before its name: `"value": "…", "name": "DB_PASSWORD"`.
    fn before(&self) -> Option<(usize, usize)> {
        let key = self.key()?;
        let comma = strip(self.line, key, |byte| is(byte, QUOTE | BLANK) || byte == b'\\').checked_sub(1)?;
        let end = strip(self.line, comma, |byte| is(byte, BLANK)).checked_sub(1)?;
        let quote = byte(self.line, end);
        let is_text = byte(self.line, comma) == b',' && is(quote, QUOTE);
        let from = end.saturating_sub(256);
        let start = from + between(self.line, from, end).iter().rposition(|byte| *byte == quote)? + 1;
        let sign = strip(self.line, start, |byte| is(byte, QUOTE | BLANK) || byte == b':' || byte == b'=');
        let is_value = between(self.line, 0, sign).to_ascii_lowercase().ends_with(b"value");
        let end = end - usize::from(byte(self.line, end.saturating_sub(1)) == b'\\');
        (is_text && is_value && self.fits(between(self.line, start, end), Manner::Quoted))
            .then_some((start, end))
    }

    /// Where the word begins that says that the name is the name of something: `"name": "…"`, `key="…"`.
    fn key(&self) -> Option<usize> {
        let mut end = strip(self.line, self.clue.start, |byte| is(byte, QUOTE | BLANK) || byte == b'\\');
        end = end
            .checked_sub(1)
            .filter(|at| matches!(byte(self.line, *at), b':' | b'=') && end < self.clue.start)?;
        end = strip(self.line, end, |byte| is(byte, QUOTE | BLANK) || byte == b'\\');
        let key = strip(self.line, end, |byte| is(byte, ALNUM));
        NAMES
            .iter()
            .any(|name| name.as_bytes().eq_ignore_ascii_case(between(self.line, key, end)))
            .then_some(key)
    }

    /// The value that stands behind its name, of the same thing: `"name": "DB_PASSWORD", "value": "…"`.
    fn beside(&self) -> Option<(usize, usize)> {
        self.key()?;
        let near = between(self.line, self.clue.end, self.line.len().min(self.clue.end + 200));
        let near =
            between(near, 0, near.iter().position(|byte| matches!(byte, b'}' | b'>')).unwrap_or(near.len()));
        let is_value = |word: &[u8]| word.eq_ignore_ascii_case(b"value");
        let word = near.windows(5).position(is_value)?;
        let end = self.clue.end + word + 5;
        let before = super::bytes::before(self.line, end - 5);
        let (sign, at) =
            after_name(self.line, end).filter(|_| is(before, BLANK | QUOTE) || before == b',')?;
        (sign == Sign::Gives).then(|| self.quoted(at, Manner::Quoted)).flatten()
    }

    /// Whether nothing but the name stands before, and what introduces it: a list, a variable, the place of a line in a file.
    fn begins_line(&self) -> bool {
        let before = between(self.line, self.clue.start.saturating_sub(PREFIX), self.clue.start);
        // What quotes a mail or says who speaks stands before all of it.
        let quoted = before.windows(2).rposition(|two| two == b"> ").map_or(0, |at| at + 2);
        let before = between(before, quoted, before.len());
        let is_sign = |byte: &u8| b"={}()<>;,?&\"'`".contains(byte);
        let words =
            before.split(|byte| is(*byte, BLANK)).filter(|word| word.iter().any(|byte| is(*byte, ALNUM)));
        !before.iter().any(is_sign) && words.count() <= 4
    }

    /// Whether nothing stands before the name at all.
    fn stands_alone(&self) -> bool {
        between(self.line, 0, self.clue.start).iter().all(|byte| is(*byte, BLANK))
    }

    /// Whether the name is the first argument of something that sets: `setProperty("db.password", "…")`.
    fn is_argument(&self) -> bool {
        let open = strip(self.line, self.clue.start, |byte| {
            is(byte, QUOTE | BLANK) || byte == b'\\' || is(byte, ALNUM) || b"._-".contains(&byte)
        });
        let Some(call) = open.checked_sub(1).filter(|at| byte(self.line, *at) == b'(') else { return false };
        let callee = between(self.line, strip(self.line, call, |byte| is(byte, ALNUM) || byte == b'_'), call);
        let callee = callee.to_ascii_lowercase();
        SETTING.iter().any(|verb| callee.starts_with(verb.as_bytes()) || callee.ends_with(verb.as_bytes()))
    }
}

/// What the names of calls have in them that make bytes of a text.
const DECODING: &[&str] = &[
    "from", "hex", "decode", "base64", "b64", "bytes", "atob", "fernet", "key", "secret", "parse", "encode",
    "utf8", "ascii",
];

/// `secret_id`, `SecretID`, `Secret ID`
fn is_id(line: &[u8], clue: Clue) -> bool {
    let name = between(line, clue.start, clue.end).to_ascii_lowercase();
    let next = between(line, clue.end, clue.end + 3).to_ascii_lowercase();
    name.ends_with(b"secret_id")
        || name.ends_with(b"secretid")
        || name.ends_with(b"secret-id")
        || name.ends_with(b"secret id")
        || name.ends_with(b"secret") && next == b" id"
}

/// How much before a name says whether it begins its line.
const PREFIX: usize = 96;

/// How functions begin or end that give a value to a name.
const SETTING: &[&str] = &[
    "set",
    "put",
    "define",
    "add",
    "append",
    "insert",
    "param",
    "property",
    "env",
    "header",
    "config",
    "with",
    "update",
    "assign",
    "setting",
    "attribute",
    "field",
    "entry",
    "pair",
];

/// What the names are called of things that have names and values.
const NAMES: &[&str] = &[
    "name",
    "key",
    "variable",
    "field",
    "id",
    "parameter",
    "property",
    "envname",
    "parametername",
    "option",
    "setting",
    "type",
    "label",
    "kind",
];

/// Where the value begins behind the type of a variable: `password: &str = "…"`.
fn behind_type(line: &[u8], at: usize) -> Option<usize> {
    let is_type = |byte: &u8| is(*byte, WORD | BLANK | DOT) || b"&<>[]*?|':,".contains(byte);
    let near = between(line, at, line.len().min(at + 64));
    let sign = near.iter().position(|byte| *byte == b'=')?;
    let value = run(line, at + sign + 1, BLANK);
    let is_apart = is(before(line, at + sign), BLANK);
    (is_apart
        && near.iter().take(sign).all(is_type)
        && Open::read(line, value).is_some()
        && byte(line, value) != b'\'')
        .then_some(value)
}

/// Whether a sign gives what stands before it a value.
fn is_assigned(line: &[u8], end: usize) -> bool {
    let at = run(line, end, BLANK | QUOTE);
    matches!(byte(line, at), b'=' | b':')
}

/// The bytes of a key: numbers of one byte each, with commas between.
fn is_bytes(text: &[u8]) -> bool {
    let number = |part: &[u8]| {
        let part = part.trim_ascii();
        let is_hex = part.len() == 4 && part.starts_with(b"0x");
        is_hex || (1..=3).contains(&part.len()) && part.iter().all(|byte| is(*byte, DIGIT))
    };
    let parts = || text.split(|byte| *byte == b',').filter(|part| !part.trim_ascii().is_empty());
    parts().count() >= 8 && parts().all(number)
}

/// Where a comment begins behind a value.
fn comment(rest: &[u8]) -> Option<usize> {
    rest.windows(3)
        .position(|three| matches!(three, [b' ' | b'\t', b'#', b' ']) || three == b" //" || three == b" --")
}

/// Whether several words are such as a passphrase has: no options, no paths, and none that is a password by itself.
fn is_row_of_words(rest: &[u8]) -> bool {
    let mut words = rest.split(|byte| is(*byte, BLANK));
    let is_word =
        |word: &[u8]| !word.starts_with(b"-") && !word.iter().any(|byte| b"/=:$;|&><".contains(byte));
    rest.split(|byte| is(*byte, BLANK)).all(is_word)
        && words.next().is_some_and(|first| !is_marked(first) || first.len() < 6)
}

/// Where the next field of a form begins: `&name=`.
fn next_field(rest: &[u8]) -> Option<usize> {
    let is_field = |at: usize| {
        let name = run(rest, at + 1, WORD | DASH | DOT);
        byte(rest, at) == b'&' && name > at + 1 && byte(rest, name) == b'='
    };
    (0..rest.len().min(PREFIX)).find(|at| is_field(*at))
}

/// Where what stands before a position begins, as far as its bytes are such; never far.
fn strip(line: &[u8], end: usize, is_such: impl Fn(u8) -> bool) -> usize {
    let start = end.saturating_sub(64);
    let kept = between(line, start, end).iter().rposition(|byte| !is_such(*byte));
    kept.map_or(start, |at| start + at + 1)
}
