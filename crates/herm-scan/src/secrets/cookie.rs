//! Cookies that sign somebody in: what a server sets and a client sends back.

use super::Found;
use super::bytes::{
    BLANK, DASH, DIGIT, DOT, LETTER, QUOTE, WORD, between, byte, contains, from, is, run, until,
};
use super::letters::{entropy, random};
use super::plausible::{REDACTED, is_uuid, stands_for_something};

/// The names of headers with cookies.
const HEADERS: &[&[u8]] = &[b"cookie:", b"cookie\":", b"cookies:", b"cookie2:", b"cookie="];

/// How the names of cookies begin that count visits, or choose how a page looks.
const VISITS: &[&[u8]] = &[
    b"_ga",
    b"_gid",
    b"_gat",
    b"_gcl",
    b"_fb",
    b"_hj",
    b"_pk",
    b"_uet",
    b"_dc",
    b"__utm",
    b"_clck",
    b"_clsk",
    b"_ym",
    b"_tt",
    b"optimizely",
    b"amplitude",
    b"ajs_",
    b"intercom-id",
    b"cookieconsent",
    b"consent",
    b"optanon",
    b"euconsent",
    b"theme",
    b"lang",
    b"locale",
    b"timezone",
    b"tz",
    b"currency",
    b"ab_",
    b"experiment",
    b"visitor",
    b"nid",
    b"1p_jar",
    b"bucket",
    b"etag",
    b"cookie_",
    b"path",
    b"domain",
    b"expires",
    b"max-age",
    b"samesite",
    b"version",
    b"priority",
];

/// Adds the values of cookies in a line that begins at a position.
pub(super) fn read(line: &[u8], at: usize, found: &mut Vec<Found>) {
    let begins = |header: &&[u8]| {
        line.windows(header.len())
            .position(|part| part.eq_ignore_ascii_case(header))
            .map(|start| start + header.len())
    };
    if let Some((start, end)) = kept(line) {
        found.push(Found { start: at + start, end: at + end, kind: "cookie" });
    }
    if !contains(line, b"cookie") {
        return;
    }
    let Some(mut next) = HEADERS.iter().filter_map(begins).min() else { return };
    for _ in 0..MOST {
        next = run(line, next, BLANK | QUOTE);
        let name = until(line, next, |byte| {
            !is(*byte, WORD | DASH | DOT) && !matches!(byte, b'%' | b'$' | b'!' | b'*')
        });
        if name == next || byte(line, name) != b'=' {
            return;
        }
        let start = run(line, name + 1, QUOTE);
        let end = until(line, start, |byte| is(*byte, BLANK | QUOTE) || matches!(byte, b';' | b',' | b'\\'));
        if signs_in(between(line, next, name), between(line, start, end)) {
            found.push(Found { start: at + start, end: at + end, kind: "cookie" });
        }
        next = run(line, end, QUOTE);
        if byte(line, next) != b';' {
            return;
        }
        next += 1;
    }
}

/// The value of a cookie in a file of them: a host, whether for all of it, a path, whether in secret, a time, a name and a value.
fn kept(line: &[u8]) -> Option<(usize, usize)> {
    let mut fields = line.split(|byte| *byte == b'\t');
    let is_said = |field: Option<&[u8]>| field.is_some_and(|field| matches!(field, b"TRUE" | b"FALSE"));
    let is_one = fields.next().is_some()
        && is_said(fields.next())
        && fields.next().is_some()
        && is_said(fields.next());
    let (_, name, value) = (fields.next().filter(|_| is_one)?, fields.next()?, fields.next()?);
    signs_in(name, value).then_some((line.len() - value.len(), line.len()))
}

/// The most cookies in a line.
const MOST: usize = 64;

/// Whether a cookie is one that nobody may know: its value is by chance, and its name says nothing else.
fn signs_in(name: &[u8], value: &[u8]) -> bool {
    let is_visit = VISITS
        .iter()
        .any(|begin| name.get(..begin.len()).is_some_and(|part| part.eq_ignore_ascii_case(begin)));
    let has = |set| value.iter().any(|byte| is(*byte, set));
    let longest =
        value.split(|byte| !byte.is_ascii_alphanumeric()).max_by_key(|part| part.len()).unwrap_or_default();
    let is_chance = is_uuid(value) || longest.len() >= 16 && (random(longest) || entropy(longest) >= 3.5);
    !is_visit
        && has(DIGIT)
        && has(LETTER)
        && is_chance
        && !stands_for_something(value)
        && !from(value, 0).windows(REDACTED.len()).any(|part| part == REDACTED.as_bytes())
}
