//! Tokens that are known by their shape rather than by how they begin.

use super::Found;
use super::bytes::{
    ALNUM, BASE64, DASH, DIGIT, DOT, TILDE, URL64, WORD, before, between, byte, from, is, run, run_back,
};
use super::format::ends;
use super::letters::{entropy, random};
use super::plausible::is_token;

/// A token that begins with the word that begins here.
pub(super) fn find(text: &[u8], at: usize) -> Option<Found> {
    match byte(text, at) {
        b'0'..=b'9' => telegram(text, at).or_else(|| facebook(text, at)),
        // In an address the number follows without a break: `…/bot123456789:…/getMe`.
        b'b' if from(text, at).starts_with(b"bot") => telegram(text, at + 3),
        b'M' | b'N' | b'O' => discord(text, at),
        b'e' => web_token(text, at),
        b'a' => terraform(text, at),
        _ => None,
    }
}

/// The number of a bot, a colon, 35 characters.
fn telegram(text: &[u8], at: usize) -> Option<Found> {
    if !is(byte(text, at + 5), DIGIT) {
        return None;
    }
    let colon = run(text, at, DIGIT);
    let end = run(text, colon + 1, URL64);
    let fits = (6..=14).contains(&(colon - at))
        && byte(text, colon) == b':'
        && (34..=36).contains(&(end - colon - 1));
    (fits && is_token(between(text, colon + 1, end))).then_some(Found {
        start: at,
        end,
        kind: "telegram-token",
    })
}

/// The number of an application, a bar, its secret.
fn facebook(text: &[u8], at: usize) -> Option<Found> {
    if !is(byte(text, at + 14), DIGIT) {
        return None;
    }
    let bar = run(text, at, DIGIT);
    let end = run(text, bar + 1, URL64);
    let fits =
        (15..=16).contains(&(bar - at)) && byte(text, bar) == b'|' && (27..=40).contains(&(end - bar - 1));
    (fits && is_token(between(text, bar + 1, end))).then_some(Found {
        start: at,
        end,
        kind: "facebook-token",
    })
}

/// The number of a user in Base64, a time, a signature.
fn discord(text: &[u8], at: usize) -> Option<Found> {
    if !is(byte(text, at + 22), WORD | DASH) {
        return None;
    }
    let first = run(text, at, WORD | DASH);
    if !(23..=28).contains(&(first - at)) || byte(text, first) != b'.' {
        return None;
    }
    let second = run(text, first + 1, URL64);
    let end = run(text, second + 1, URL64);
    let fits = second - first == 7 && byte(text, second) == b'.' && (25..=42).contains(&(end - second - 1));
    (fits && is_token(between(text, at, end))).then_some(Found { start: at, end, kind: "discord-token" })
}

/// A header and claims, both objects of JSON in Base64, and a signature. Without the signature, or with other parts, it
/// is no less of a secret.
fn web_token(text: &[u8], at: usize) -> Option<Found> {
    if byte(text, at + 1) != b'y' {
        return None;
    }
    let header = run(text, at, URL64);
    if header - at < 16 || byte(text, header) != b'.' || !from(text, header + 1).starts_with(b"ey") {
        return None;
    }
    let mut end = header;
    while is(byte(text, end), URL64 | DOT | BASE64) || is_escape(from(text, end)) {
        end += 1;
    }
    let end = end - trailing_dots(between(text, header, end));
    (end - header > 16 && entropy(between(text, at, end)) > 3.0).then_some(Found {
        start: at,
        end,
        kind: "web-token",
    })
}

/// A backslash that does not stand for the end of a line.
fn is_escape(text: &[u8]) -> bool {
    matches!(text, [b'\\', next, ..] if !matches!(next, b'n' | b'r' | b't' | b'"' | b'\''))
}

/// A single full stop may be an empty signature: taking it along does no harm where a blank follows anyway.
fn trailing_dots(text: &[u8]) -> usize {
    text.iter().rev().take_while(|byte| **byte == b'.').count().saturating_sub(1)
}

/// Fourteen characters, `.atlasv1.`, sixty more: this is about the middle word.
fn terraform(text: &[u8], at: usize) -> Option<Found> {
    if !from(text, at).starts_with(b"atlasv1.") || before(text, at) != b'.' {
        return None;
    }
    let start = run_back(text, at - 1, ALNUM, 14);
    let end = run(text, at + 8, URL64 | super::bytes::EQUALS);
    (end - at > 40).then_some(Found { start, end, kind: "terraform-token" })
}

/// A client secret of Azure, by its `Q~`, which stands here.
pub(super) fn azure(text: &[u8], tilde: usize) -> Option<Found> {
    let start = tilde.checked_sub(5)?;
    let set = WORD | TILDE | DOT;
    let head = between(text, start, tilde);
    let fits = matches!(head, [_, _, _, digit, b'Q'] if is(*digit, DIGIT))
        && head.iter().all(|byte| is(*byte, set))
        && !is(before(text, start), set | DASH);
    let end = run(text, tilde + 1, set | DASH);
    let fits = fits && (31..=34).contains(&(end - tilde - 1)) && ends(text, end);
    (fits && random(between(text, start, end))).then_some(Found { start, end, kind: "azure-secret" })
}
