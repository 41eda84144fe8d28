//! What stands between a name and its value.

use super::super::bytes::{ALNUM, BLANK, DIGIT, QUOTE, between, byte, from, is, run};
use super::super::chosen;
use super::super::lexicon;
use super::super::name::is_neutral;
use super::open::Open;

/// How a name is tied to its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sign {
    /// `=`, `:`, `=>`, `->`, `:=`.
    Gives,
    /// A sign or a verb behind some words: `Password for the alarm: …`.
    Told,
    /// `<password>…`
    Element,
    /// `setPassword("…")`
    Call,
    /// `ENV["DB_PASSWORD"] || "…"`
    Default,
    /// `"password", "…"`
    Argument,
    /// `password "…"`
    Next,
    /// `password    …`
    Column,
    /// `| password | … |`
    Cell,
}

/// The most that may stand between a name and its value.
const GAP: usize = 48;

/// The sign behind a name that ends at a position, and where the value begins.
pub(super) fn after_name(line: &[u8], end: usize) -> Option<(Sign, usize)> {
    if byte(line, end) == b'(' && Open::read(line, end + 1).is_some() {
        // Of several arguments another reader knows which is the password.
        let inner = Open::read(line, end + 1).and_then(|open| open.inner(line));
        return inner.filter(|(_, close)| byte(line, close + 1) != b',').map(|_| (Sign::Call, end + 1));
    }
    if let Some(value) = default(line, end) {
        return Some((Sign::Default, value));
    }
    if let Some(text) =
        past_tags(line, end).filter(|text| between(line, end + 1, *text).windows(2).any(opens_tag))
    {
        return Some((Sign::Element, text));
    }
    let closed = close(line, end);
    if byte(line, closed) == b'>' && closed > 0 && is_tag(line, end) {
        return Some((Sign::Element, run(line, closed + 1, BLANK)));
    }
    if let Some(close) = attributed(line, end) {
        return Some((Sign::Element, run(line, close + 1, BLANK)));
    }
    let is_constant = || {
        between(line, end.saturating_sub(6), end)
            .iter()
            .all(|byte| is(*byte, super::super::bytes::UPPER) || *byte == b'_')
    };
    if byte(line, end) == b',' && is_constant() {
        return Some((Sign::Next, run(line, end + 1, BLANK)))
            .filter(|(_, at)| Open::read(line, *at).is_some());
    }
    if byte(line, closed) == b',' && closed > end && is(byte(line, closed - 1), QUOTE) {
        return Some((Sign::Argument, run(line, closed + 1, BLANK)));
    }
    let at = past_blanks(line, closed);
    if byte(line, at) == b'(' && at > closed && Open::read(line, at + 1).is_some() {
        return Some((Sign::Next, at + 1));
    }
    let at = past_qualifier(line, at);
    if let Some(value) = giving(line, at) {
        return Some((Sign::Gives, value));
    }
    let apart = at - closed;
    match byte(line, at) {
        b'|' if apart > 0 => Some((Sign::Cell, run(line, at + 1, BLANK))),
        _ if apart > 0 && (Open::read(line, at).is_some()) => Some((Sign::Next, at)),
        _ if apart >= 2 || between(line, closed, at) == b"\t" => Some((Sign::Column, at)),
        _ if apart == 0 => None,
        _ => told(line, at).map(|value| (Sign::Told, value)).or_else(|| next(line, closed, at)),
    }
}

fn next(line: &[u8], closed: usize, at: usize) -> Option<(Sign, usize)> {
    (at == closed + 1 && at < line.len()).then_some((Sign::Next, at))
}

/// Where the value begins that stands in for a variable that is not set: `process.env.DB_PASSWORD ?? "…"`.
fn default(line: &[u8], end: usize) -> Option<usize> {
    let closes = |byte: u8| is(byte, QUOTE) || matches!(byte, b'\\' | b']' | b')' | b'}');
    let most = line.len().min(end + 8);
    let past = (end..most).find(|at| !closes(byte(line, *at)))?;
    let at = run(line, past, BLANK);
    let sign = DEFAULTS.iter().find(|sign| from(line, at).starts_with(sign.as_bytes()))?;
    let value = run(line, at + sign.len(), BLANK);
    Open::read(line, value).map(|_| value)
}

/// What says that a value stands in for another.
const DEFAULTS: &[&str] = &["??", "||", "?:", "or ", "{ ", "//"];

/// Whether a tag opens an element.
fn opens_tag(two: &[u8]) -> bool {
    matches!(two, [b'<', next] if is(*next, ALNUM))
}

/// Behind the tags that end one element and begin another: `</td><td><b>`.
fn past_tags(line: &[u8], at: usize) -> Option<usize> {
    if !from(line, at).starts_with(b"</") {
        return None;
    }
    let mut at = at;
    for _ in 0..5 {
        at = run(line, at, BLANK);
        if byte(line, at) != b'<' {
            return Some(at);
        }
        at += from(line, at).iter().take(64).position(|byte| *byte == b'>')? + 1;
    }
    None
}

/// Behind what closes a name: quotes, brackets, emphasis, escapes.
fn close(line: &[u8], end: usize) -> usize {
    let most = line.len().min(end + 12);
    let is_closing = |byte: u8| is(byte, QUOTE) || matches!(byte, b'\\' | b']' | b'*' | b'}');
    let past = (end..most).find(|at| !is_closing(byte(line, *at))).unwrap_or(most);
    let past = past_length(line, past);
    let written = ["\u{201d}", "\u{201c}", "\u{bb}", "&quot;", "&#34;", "\\u0022", "%22", "\u{300d}"];
    let length = written
        .iter()
        .find(|quote| from(line, past).starts_with(quote.as_bytes()))
        .map_or(0, |quote| quote.len());
    // The backslash of `\u0022` looks like one that stands before a quote.
    let back = if past > end && byte(line, past - 1) == b'\\' && from(line, past).starts_with(b"u0022") {
        5
    } else {
        0
    };
    past + length + back
}

/// Where the tag ends whose element has the name, behind its attributes: `<password type="x">`.
fn attributed(line: &[u8], end: usize) -> Option<usize> {
    let near = between(line, end.saturating_sub(96), end);
    let open = near.iter().rposition(|byte| is(*byte, BLANK | QUOTE) || matches!(byte, b'<' | b'>'))?;
    let close = || from(line, end).iter().take(160).position(|byte| matches!(byte, b'>' | b'<'));
    let is_tag = byte(near, open) == b'<' && byte(line, end) == b' ';
    is_tag
        .then(close)
        .flatten()
        .map(|length| end + length)
        .filter(|at| byte(line, *at) == b'>' && byte(line, *at - 1) != b'/')
}

/// Behind how long a list is: `device_key[32]`.
fn past_length(line: &[u8], at: usize) -> usize {
    let digits = run(line, at + 1, DIGIT);
    if byte(line, at) == b'[' && byte(line, digits) == b']' && digits - at <= 24 { digits + 1 } else { at }
}

/// Whether the name is that of an element, or of an attribute that ends its tag.
fn is_tag(line: &[u8], end: usize) -> bool {
    let start = end.saturating_sub(160);
    let near = between(line, start, end);
    let open = near.iter().rposition(|byte| matches!(byte, b'<' | b'>'));
    let names = |at: usize| is(byte(near, at + 1), ALNUM) || lexicon::is_foreign(near, at + 1);
    open.is_some_and(|at| {
        byte(near, at) == b'<' && names(at) && (!is(byte(line, end), QUOTE) || is_attribute(near))
    })
}

/// Whether a name is the value of an attribute that gives names: `<entry key="db.password">`.
fn is_attribute(near: &[u8]) -> bool {
    let open = near.iter().rposition(|byte| is(*byte, QUOTE)).unwrap_or(0);
    let before = between(near, 0, open).to_ascii_lowercase();
    NAMING.iter().any(|name| before.ends_with(name.as_bytes()))
}

const NAMING: &[&str] = &["name=", "key=", "id=", "field=", "property=", "n=", "label=", "title=", "attr="];

/// Behind blanks and escapes that change a colour.
fn past_blanks(line: &[u8], at: usize) -> usize {
    let mut at = at;
    for _ in 0..4 {
        at = run(line, at, BLANK).min(at + GAP);
        let Some(rest) = from(line, at).strip_prefix(b"\x1b[") else { break };
        let codes = rest.iter().take_while(|byte| is(**byte, DIGIT) || **byte == b';').count();
        at += if byte(rest, codes) == b'm' { codes + 3 } else { break };
    }
    at
}

/// Behind what a bracket says more exactly: `Password (admin): …`.
fn past_qualifier(line: &[u8], at: usize) -> usize {
    if byte(line, at) != b'(' {
        return at;
    }
    let near = between(line, at, line.len().min(at + GAP));
    let end = near.iter().position(|byte| *byte == b')');
    end.map_or(at, |length| run(line, at + length + 1, BLANK))
}

/// Where the value begins behind a sign that gives it.
fn giving(line: &[u8], at: usize) -> Option<usize> {
    let rest = from(line, at);
    let length = SIGNS.iter().find(|sign| rest.starts_with(sign.as_bytes()))?.len();
    let behind = at + length;
    let is_path = length == 2 && rest.starts_with(b"::") && byte(line, behind) != b' ';
    let compares = matches!(byte(line, behind), b'=' | b'~') && byte(line, behind + 1) == b'=';
    if is_path || compares || rest.starts_with(b"==") {
        return None;
    }
    let behind = from(line, behind).iter().take(4).take_while(|byte| **byte == b'*').count() + behind;
    let value = past_blanks(line, behind);
    let value = past_tags(line, value).unwrap_or(value);
    (value < line.len()).then_some(value)
}

const SIGNS: &[&str] = &[
    ":=", "=>", "->", "::", "?=", "+=", "<-", "=", ":", "\u{ff1a}", "\u{ff1d}", "\u{2192}", "\u{21d2}",
    "%3D", "%3A", "\u{662f}", "\u{4e3a}", "\u{70ba}", "\u{306f}", "&#61;",
];

/// Where the value begins behind some words and a colon, or behind a verb.
fn told(line: &[u8], at: usize) -> Option<usize> {
    let mut at = at;
    for _ in 0..WORDS {
        let end = between(line, at, line.len())
            .iter()
            .position(|byte| is(*byte, BLANK))
            .map_or(line.len(), |end| at + end);
        let word = between(line, at, end);
        let bare = word.strip_suffix(b":").or_else(|| word.strip_suffix(b"=")).unwrap_or(word);
        let next = run(line, end, BLANK);
        let is_bracketed = byte(word, 0) == b'(' && bare.ends_with(b")");
        let bare = if is_bracketed { between(bare, 1, bare.len() - 1) } else { bare };
        if next >= line.len()
            || word.is_empty()
            || !bare.iter().copied().all(is_of_sentence)
            || is_about_it(bare)
        {
            return None;
        }
        if word.ends_with(b":") || word.ends_with(b"=") {
            return Some(next);
        }
        let is_verb = VERBS.contains(&word) && is_last(line, next);
        if is_verb || LINKS.contains(&word) && Open::read(line, next).is_some() {
            return Some(next);
        }
        at = next;
    }
    None
}

/// How many words may say what a password is for.
const WORDS: usize = 7;

/// Words that say plainly that the value follows.
const VERBS: &[&[u8]] = &[
    b"lautet",
    b"lyder",
    b"=",
    b"->",
    b"=>",
    "\u{2192}".as_bytes(),
    b":",
    "\u{2014}".as_bytes(),
    "\u{2013}".as_bytes(),
];

/// Words behind which a value in quotes is the value.
const LINKS: &[&[u8]] = &[
    b"is",
    b"ist",
    b"est",
    b"es",
    b"to",
    b"are",
    b"was",
    b"becomes",
    b"jest",
    b"er",
    b"on",
    "\u{e8}".as_bytes(),
    "\u{e9}".as_bytes(),
    "\u{e4}r".as_bytes(),
    b"auf",
    b"en",
];

/// Whether what begins at a position is the last word of its line.
fn is_last(line: &[u8], at: usize) -> bool {
    !from(line, at).trim_ascii_end().iter().any(|byte| is(*byte, BLANK))
}

fn is_of_sentence(byte: u8) -> bool {
    is(byte, ALNUM) || byte >= 0x80 || b"-.'/@_=>:".contains(&byte)
}

/// Whether a word between says that the value is something about a secret.
fn is_about_it(word: &[u8]) -> bool {
    is_neutral(word) || chosen::is_talk_word(word)
}
