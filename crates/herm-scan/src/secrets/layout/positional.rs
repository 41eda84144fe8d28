//! Lines that have their fields in a certain order and no names: `.pgpass`, accounts with the hashes of their passwords.

use super::super::bytes::{
    ALNUM, DASH, DIGIT, DOT, LETTER, LOWER, UPPER, WORD, between, byte, from, is, run,
};
use super::super::letters::oddness;
use super::super::plausible::{Writing, is_made_up, is_password, is_plain};
use super::Span;

/// What is secret in such a line.
pub(super) fn read(line: &[u8]) -> Option<Span> {
    pgpass(line).or_else(|| crypt(line)).map(|(start, end)| (start, end, "password"))
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
    let colon = run(line, start, WORD | DASH | DOT);
    let value = between(line, colon + 1, line.len()).trim_ascii_end();
    let is_one = byte(line, colon) == b':' && colon > start && !value.contains(&b' ');
    let fits = is_password(value, Writing::Quoted) && (is_made_up(value) || !is_plain(value));
    (is_one && fits).then_some((colon + 1, colon + 1 + value.len(), "password"))
}
