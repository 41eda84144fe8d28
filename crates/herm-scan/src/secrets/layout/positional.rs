//! Lines that have their fields in a certain order and no names: `.pgpass`, accounts with the hashes of their passwords.

use super::super::bytes::{
    ALNUM, BLANK, DASH, DIGIT, DOT, LETTER, LOWER, QUOTE, UPPER, WORD, between, byte, from, is, run, run_back,
};
use super::super::chosen::{self, Manner};
use super::super::letters::oddness;
use super::super::name::Strength;
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
    let mut fields = fields(line);
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
    // Times at the beginning of a line have colons as well: whether this is a password comes last.
    if !is_port || !words {
        return None;
    }
    // A place in a file has a column, which is a short number, where a port stands here.
    let is_chosen =
        || (port == b"*" || port.len() >= 4) && chosen::is_chosen(password, Strength::Password, Manner::Line);
    let fits = is_password(password, Writing::Quoted) || chosen::is_marked(password) && is_chosen();
    fits.then_some((start, line.len()))
}

/// The fields of a line: four up to colons without a backslash before them, and all that is left.
fn fields(line: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut rest = Some(line);
    let mut count = 0;
    std::iter::from_fn(move || {
        let all = rest.take()?;
        count += 1;
        let is_end = |at: &usize| byte(all, *at) == b':' && super::super::before(all, *at) != b'\\';
        let end = if count < 5 { (0..all.len()).find(is_end) } else { None };
        rest = end.map(|end| from(all, end + 1));
        Some(between(all, 0, end.unwrap_or(all.len())))
    })
}

/// A row without a heading whose cells say whose password it is: an address, a user, and what no name looks like.
pub(super) fn of_account(line: &[u8]) -> Option<Span> {
    if line.len() > ROW {
        return None;
    }
    let has_cells = |sign: &u8| line.split(|byte| byte == sign).nth(2).is_some();
    let sign = [b'|', b'\t', b';', b','].into_iter().find(has_cells)?;
    let mut at = 0;
    let mut last = usize::MAX;
    for (number, cell) in line.split(|byte| *byte == sign).enumerate() {
        let start = run(line, at, BLANK | QUOTE).min(at + cell.len());
        let end = run_back(line, at + cell.len(), BLANK | QUOTE, cell.len()).max(start);
        let inner = between(line, start, end);
        if is_whose(inner) {
            last = number;
        } else if number > last && number - last <= 2 && is_sturdy(inner) {
            return Some((start, end, "password"));
        }
        at += cell.len() + 1;
    }
    None
}

/// Where the address of a page or of a mailbox comes next. Most lines have none, so that this is looked for once for many of them.
pub(super) fn address(text: &[u8], at: usize) -> usize {
    let mut rest = from(text, at);
    let mut start = at;
    while let Some((chunk, _)) = rest.split_first_chunk::<CHUNK>() {
        let next = from(rest, 1);
        // There is no branch in here, so that the compiler makes vectors of it.
        let pairs = chunk.iter().zip(next).fold(0, |seen, (one, two)| {
            seen | u8::from(*one == b'@') | (u8::from(*one == b':') & u8::from(*two == b'/'))
        });
        if pairs != 0 || next.len() < CHUNK {
            break;
        }
        rest = from(rest, CHUNK);
        start += CHUNK;
    }
    let is_one = |two: &[u8]| matches!(two, [b'@', _] | [b':', b'/']);
    rest.windows(2).position(is_one).map_or(text.len(), |length| start + length)
}

/// How many bytes are looked at together.
const CHUNK: usize = 64;

/// The longest such row.
const ROW: usize = 400;

/// Whether a cell says whose password another one is: the address of a page or of a mailbox.
fn is_whose(cell: &[u8]) -> bool {
    let scheme = cell.windows(3).position(|sign| sign == b"://").is_some_and(|at| at <= 8);
    let mailbox = || {
        let mut parts = cell.split(|byte| *byte == b'@');
        let is_word = |part: Option<&[u8]>| {
            part.is_some_and(|part| {
                !part.is_empty() && part.iter().all(|byte| is(*byte, WORD | DASH | DOT) || *byte == b'+')
            })
        };
        is_word(parts.next())
            && parts.next().is_some_and(|host| host.contains(&b'.') && is_word(Some(host)))
            && parts.next().is_none()
    };
    !cell.contains(&b' ') && (scheme || mailbox())
}

/// Whether a cell has all that a password has and neither a name, a number, a time nor a hash: a sign or a hump, a digit, letters.
fn is_sturdy(cell: &[u8]) -> bool {
    let has = |set| cell.iter().any(|byte| is(*byte, set));
    let is_hex = cell.iter().all(|byte| is(*byte, super::super::bytes::ANY_HEX | DASH));
    // A name with a number and a dash is that of a chapter, a release or a machine.
    let is_odd = cell.iter().any(|byte| b"!#$%^&*+?~=".contains(byte))
        || has(UPPER) && has(LOWER) && !has(DASH | DOT | super::super::bytes::UNDERSCORE);
    let is_plain = cell
        .iter()
        .all(|byte| byte.is_ascii_graphic() && !matches!(byte, b'/' | b':' | b'(' | b'{' | b'<' | b'['));
    (8..=64).contains(&cell.len())
        && is_plain
        && !is_hex
        && is_odd
        && has(LOWER)
        && has(DIGIT)
        && is_made_up(cell)
        && !is_whose(cell)
        && !is_moment(cell)
}

/// `2024-01-30T07:44Z`, `14-Jun-2024`
fn is_moment(cell: &[u8]) -> bool {
    let digits = cell.iter().filter(|byte| is(**byte, DIGIT)).count();
    let dashes = cell.iter().filter(|byte| matches!(byte, b'-' | b'.')).count();
    digits >= 5 && dashes >= 2
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
