//! Lines that have their fields in a certain order and no names: `.pgpass`, accounts with the hashes of their passwords.

use super::super::bytes::{
    ALNUM, DASH, DIGIT, DOT, LETTER, LOWER, UPPER, WORD, between, byte, from, is, run,
};
use super::super::letters::oddness;
use super::super::plausible::{Writing, is_made_up, is_password, is_plain};
use super::Span;

/// What is secret in such a line.
pub(super) fn read(line: &[u8]) -> Option<Span> {
    let found = pgpass(line).or_else(|| crypt(line));
    found
        .or_else(|| two_texts(line))
        .or_else(|| relay(line))
        .or_else(|| dumped(line))
        .map(|(start, end)| (start, end, "password"))
}

/// `host:port:database:user:password`
fn pgpass(line: &[u8]) -> Option<(usize, usize)> {
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

/// `"ann" "…"`, alone on its line: a user and a password.
fn two_texts(line: &[u8]) -> Option<(usize, usize)> {
    let rest = line.strip_prefix(b"\"")?;
    let user = rest.iter().position(|byte| *byte == b'"')?;
    let rest = from(rest, user + 1).strip_prefix(b" \"")?.strip_suffix(b"\"")?;
    let is_user = user > 0 && between(line, 1, user + 1).iter().all(|byte| is(*byte, WORD | DASH | DOT));
    let has = |set| rest.iter().any(|byte| is(*byte, set));
    let fits = !rest.contains(&b'"') && has(DIGIT) && has(LETTER) && is_password(rest, Writing::Quoted);
    (is_user && fits).then_some((line.len() - 1 - rest.len(), line.len() - 1))
}

/// `[smtp.example.com]:587 ann:…`, as a mail server logs in at another.
fn relay(line: &[u8]) -> Option<(usize, usize)> {
    let host = line.strip_prefix(b"[")?.iter().position(|byte| *byte == b']')? + 2;
    let port = run(line, host + 1, DIGIT);
    let user = run(line, port, super::super::bytes::BLANK);
    let colon = user + from(line, user).iter().position(|byte| *byte == b':')?;
    let value = between(line, colon + 1, line.len());
    let is_one =
        byte(line, host) == b':' && port > host + 1 && user > port && colon > user && !value.contains(&b' ');
    (is_one && is_password(value, Writing::Bare)).then_some((colon + 1, line.len()))
}

/// `ann:1004:aad3…:94a9…:::`, as dumps of accounts have the hashes of their passwords.
fn dumped(line: &[u8]) -> Option<(usize, usize)> {
    let hashes = line.strip_suffix(b":::")?;
    let is_hash =
        |hash: &[u8]| hash.len() == 32 && hash.iter().all(|byte| is(*byte, super::super::bytes::ANY_HEX));
    let (one, two) = (from(hashes, hashes.len().checked_sub(65)?), from(hashes, hashes.len() - 32));
    (is_hash(between(one, 0, 32)) && is_hash(two)).then_some((hashes.len() - 32, hashes.len()))
}

/// `ann:rqXexS6ZhobKA`, the oldest kind of hash: thirteen characters, two of them salt.
fn crypt(line: &[u8]) -> Option<(usize, usize)> {
    let colon = run(line, 0, WORD | DASH);
    let start = colon + 1;
    let end =
        start + from(line, start).iter().take_while(|byte| is(**byte, ALNUM | DOT) || **byte == b'/').count();
    let hash = between(line, start, end);
    let has = |set| hash.iter().any(|byte| is(*byte, set));
    let is_one =
        colon > 0 && byte(line, colon) == b':' && hash.len() == 13 && matches!(byte(line, end), b':' | b'\n');
    let is_whole = end == line.len() || byte(line, end) == b':';
    (is_one && is_whole && has(UPPER) && has(LOWER) && has(DIGIT) && oddness(hash) >= 30)
        .then_some((start, end))
}

/// The password behind a user: `ubuntu:Sunny-Radar-31`, where a list of such has been announced.
pub(super) fn account(line: &[u8]) -> Option<Span> {
    let start = line.iter().position(|byte| is(*byte, ALNUM))?;
    let domain = run(line, start, WORD | DASH | DOT);
    let colon = if byte(line, domain) == b'\\' { run(line, domain + 1, WORD | DASH | DOT) } else { domain };
    let value = between(line, colon + 1, line.len()).trim_ascii_end();
    let is_one = byte(line, colon) == b':' && colon > start && !value.contains(&b' ');
    let fits = is_password(value, Writing::Quoted) && (is_made_up(value) || !is_plain(value));
    (is_one && fits).then_some((colon + 1, colon + 1 + value.len(), "password"))
}
