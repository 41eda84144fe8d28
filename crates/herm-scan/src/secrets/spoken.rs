//! Secrets that words announce rather than signs: `The password for ann is …`, `IDENTIFIED BY '…'`, `AUTH …`.

use super::Found;
use super::bytes::{
    ALNUM, BLANK, DASH, DIGIT, DOT, LETTER, LOWER, NEWLINE, QUOTE, SPACE, WORD, before, between, byte,
    contains, from, is, run,
};
use super::name::Strength;
use super::plausible::{Writing, is_made_up, is_password, is_pin, is_plain, is_secret, is_worded};
use super::sentence;
use super::value::{self, Value};

/// Words that a secret may follow, and how to tell.
pub(super) static WORDS: &[(&str, Spoken)] = &[
    ("is ", said),
    ("is: ", said),
    ("BY ", identified),
    ("by '", identified),
    ("AUTH ", sent),
    ("requirepass ", set),
    ("masterauth ", set),
    ("on >", allowed),
    ("PSK \"", shared),
    ("EAP \"", shared),
    ("XAUTH \"", shared),
    ("rootpw ", last_word),
    ("add_user ", last_word),
    ("change_password ", last_word),
    ("community ", community),
    ("rocommunity ", community),
    ("rwcommunity ", community),
];

/// Tells what secret the word announces that stands at a position.
pub(super) type Spoken = fn(&[u8], usize) -> Option<Found>;

/// How far back a sentence is looked at.
const SENTENCE: usize = 64;

/// `Your new API key is: …`, `password for ann is …`
fn said(text: &[u8], at: usize) -> Option<Found> {
    let sentence = between(text, at.saturating_sub(SENTENCE), at);
    let sentence = sentence.rsplit(|byte| matches!(byte, b'\n' | b'.' | b';' | b'=')).next()?;
    let strength = sentence::names(sentence)?;
    let sign = usize::from(byte(text, at + 2) == b':');
    let value = trimmed(text, value::word(text, at + 2 + sign)?);
    let secret = value.of(text);
    let mixed = secret.iter().any(|byte| is(*byte, DIGIT)) && secret.iter().any(|byte| is(*byte, LETTER));
    let fits = match strength {
        Strength::Password => {
            mixed && is_password(secret, Writing::Quoted) && (!is_plain(secret) || sign > 0)
        }
        Strength::Secret => is_secret(secret),
        Strength::Pin => is_pin(secret),
        Strength::Authorization | Strength::Weak => false,
    };
    (fits && !value::is_expression(text, &value)).then_some(found(value, "secret"))
}

/// `IDENTIFIED BY '…'`, `IDENTIFIED WITH … BY '…'`
fn identified(text: &[u8], at: usize) -> Option<Found> {
    let near = between(text, at.saturating_sub(SENTENCE), at).to_ascii_lowercase();
    let value = value::word(text, at + 2).filter(|value| value.writing == Writing::Quoted)?;
    let is_told = near.windows(10).any(|word| word == b"identified");
    let secret = value.of(text);
    let fits = is_password(secret, Writing::Bare) || is_worded(secret);
    (is_told && fits).then_some(found(value, "password"))
}

/// `: PSK "…"`, `ann : EAP "…"` in the secrets of a gateway: in quotes, at the end of the line.
fn shared(text: &[u8], at: usize) -> Option<Found> {
    let value = value::word(text, run(text, at, ALNUM)).filter(|value| value.writing == Writing::Quoted)?;
    let line = between(text, at.saturating_sub(SENTENCE), at).rsplit(|byte| is(*byte, NEWLINE)).next()?;
    let is_one =
        line.trim_ascii_end().ends_with(b":") && is(byte(text, run(text, value.end + 1, BLANK)), NEWLINE);
    let fits = is_password(value.of(text), Writing::Bare) || is_worded(value.of(text));
    (is_one && fits).then_some(found(value, "password"))
}

/// `rootpw --plaintext …`, `rabbitmqctl add_user ann …`: the last word of the line.
fn last_word(text: &[u8], at: usize) -> Option<Found> {
    let near = between(text, at, text.len().min(at + SENTENCE));
    let line = near.split(|byte| is(*byte, NEWLINE)).next()?.trim_ascii_end();
    let start = line.iter().rposition(|byte| is(*byte, BLANK))? + 1;
    let quote = usize::from(is(byte(line, start), QUOTE));
    let value = Value { start: at + start + quote, end: at + line.len() - quote, writing: Writing::Bare };
    let secret = value.of(text);
    (byte(secret, 0) != b'-' && is_password(secret, Writing::Bare)).then_some(found(value, "password"))
}

/// `AUTH …`, `AUTH user …`, as a client of Redis says it: the last word of its line.
fn sent(text: &[u8], at: usize) -> Option<Found> {
    let mut value = value::word(text, at + 4)?;
    let next = run(text, value.end, BLANK);
    if !is(byte(text, next), NEWLINE) {
        value = value::word(text, value.end)?;
    }
    let is_last = is(byte(text, run(text, value.end, BLANK)), NEWLINE);
    let secret = value.of(text);
    // Methods of other protocols are in capitals: `AUTH CRAM-MD5`.
    let is_one = !is_plain(secret) || is_made_up(secret) && secret.iter().any(|byte| is(*byte, LOWER));
    (is_last && is_password(secret, Writing::Quoted) && is_one).then_some(found(value, "password"))
}

/// `requirepass …` in the settings of Redis: the last word of its line.
fn set(text: &[u8], at: usize) -> Option<Found> {
    let value = value::word(text, run(text, at, ALNUM))?;
    let is_last = is(byte(text, run(text, value.end, BLANK | QUOTE)), NEWLINE);
    (is_last && is_password(value.of(text), Writing::Bare)).then_some(found(value, "password"))
}

/// `user ann on >…` in the users of Redis.
fn allowed(text: &[u8], at: usize) -> Option<Found> {
    let before = between(text, at.saturating_sub(SENTENCE), at).rsplit(|byte| is(*byte, NEWLINE)).next()?;
    let is_user = contains(before, b"user ");
    let end =
        from(text, at + 4).iter().position(|byte| is(*byte, SPACE)).map_or(text.len(), |end| at + 4 + end);
    let value = Value { start: at + 4, end, writing: Writing::Bare };
    (is_user && is_password(value.of(text), Writing::Bare)).then_some(found(value, "password"))
}

/// `snmp-server community … RO`, `rocommunity …`
fn community(text: &[u8], at: usize) -> Option<Found> {
    let is_one = byte(text, at) == b'r' || between(text, 0, at).ends_with(b"snmp-server ");
    let value = value::word(text, run(text, at, ALNUM))?;
    let is_public = [&b"public"[..], b"private"].contains(&value.of(text));
    let fits = is_one && !is_public && is_password(value.of(text), Writing::Bare);
    fits.then_some(found(value, "password"))
}

/// The password of a user of a network device, behind the number of its encoding: `secret 9 …`, `password 0 …`.
pub(super) fn of_device(text: &[u8], at: usize) -> Option<Found> {
    let end = run(text, at, ALNUM);
    let name = between(text, at, end);
    let is_numbered =
        matches!(byte(text, end + 1), b'0' | b'5' | b'7' | b'8' | b'9') && byte(text, end + 2) == b' ';
    let line = between(text, at.saturating_sub(SENTENCE), at).rsplit(|byte| is(*byte, NEWLINE)).next()?;
    let line = line.trim_ascii_start();
    let is_user = line.starts_with(b"username ") || line.starts_with(b"enable ");
    if byte(text, end) != b' ' || ![&b"password"[..], b"secret"].contains(&name) || !(is_numbered || is_user)
    {
        return None;
    }
    let value = value::word(text, if is_numbered { end + 2 } else { end })?;
    let secret = value.of(text);
    let fits = is_password(secret, if is_user { Writing::Bare } else { Writing::Quoted });
    (fits && !value::is_expression(text, &value)).then_some(found(value, "password"))
}

/// Whether a name stands in a line that gives variables without a sign: `ENV NAME value`.
pub(super) fn is_directive(line: &[u8]) -> bool {
    [&b"ENV"[..], b"ARG", b"setenv", b"set -gx", b"set -x"].contains(&line.trim_ascii())
}

/// The hash of a password, as `crypt` writes it: the number of a method stands here, between dollars.
pub(super) fn crypt(text: &[u8], at: usize) -> Option<Found> {
    let start = at.checked_sub(1).filter(|start| byte(text, *start) == b'$')?;
    let mut end = at;
    while is(byte(text, end), ALNUM | DOT | super::bytes::PLUS_SLASH | super::bytes::EQUALS)
        || matches!(byte(text, end), b'$' | b',')
    {
        end += 1;
    }
    let last = between(text, at, end).rsplit(|byte| *byte == b'$').next()?;
    let parts = between(text, at, end).split(|byte| *byte == b'$').skip(1).count();
    (parts >= 2 && last.len() >= 20).then_some(Found { start, end, kind: "password-hash" })
}

/// What the dollars of `crypt` have between them.
pub(super) const METHODS: &[&str] =
    &["1$", "2a$", "2b$", "2y$", "5$", "6$", "7$", "8$", "9$", "y$", "gy$", "apr1$", "argon2i$", "argon2id$"];

/// The password behind a user in an address without a scheme: `//user:…@host`.
pub(super) fn in_address(text: &[u8], colon: usize) -> Option<Found> {
    if let Some(found) = in_driver_address(text, colon) {
        return Some(found);
    }
    let start = super::run_back(text, colon, WORD | DASH | DOT, 64);
    let end = run(text, colon + 1, WORD | DASH | DOT);
    let is_one = start < colon && between(text, 0, start).ends_with(b"//") && byte(text, end) == b'@';
    let secret = between(text, colon + 1, end);
    (is_one && super::plausible::is_url_password(secret)).then_some(Found {
        start: colon + 1,
        end,
        kind: "url-password",
    })
}

/// The password in an address as drivers of databases have it: `user:…@tcp(host)`, `oracle:thin:user/…@host`.
fn in_driver_address(text: &[u8], colon: usize) -> Option<Found> {
    let near = between(text, colon + 1, text.len().min(colon + 1 + SENTENCE));
    let near = near.split(|byte| is(*byte, SPACE | QUOTE)).next()?;
    let at = near.iter().rposition(|byte| *byte == b'@')?;
    let host = from(near, at + 1);
    let user = if host.starts_with(b"tcp(") || host.starts_with(b"unix(") {
        is(before(text, colon), WORD).then_some(0)?
    } else {
        let is_oracle =
            [&b":thin"[..], b":oci"].iter().any(|driver| between(text, 0, colon).ends_with(driver));
        let user = run(near, 0, WORD);
        (is_oracle && byte(near, user) == b'/').then_some(user + 1)?
    };
    let fits = super::plausible::is_url_password(between(near, user, at));
    fits.then_some(Found { start: colon + 1 + user, end: colon + 1 + at, kind: "url-password" })
}

/// A value without the full stop that ends its sentence.
fn trimmed(text: &[u8], value: Value) -> Value {
    let ends = value.writing != Writing::Quoted && value.of(text).ends_with(b".");
    Value { end: value.end - usize::from(ends), ..value }
}

fn found(value: Value, kind: &'static str) -> Found {
    Found { start: value.start, end: value.end, kind }
}
