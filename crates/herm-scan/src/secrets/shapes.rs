//! Tokens that are known by their shape rather than by how they begin.

use super::Found;
use super::bytes::{
    ALNUM, BASE64, DASH, DIGIT, DOT, HEX, TILDE, URL64, WORD, before, between, byte, from, is, run, run_back,
};
use super::format::ends;
use super::letters::{entropy, random};
use super::plausible::is_token;

/// How tokens begin whose shape is more than a beginning and some letters.
pub(super) static BEGINNINGS: &[(&str, super::spoken::Spoken)] = &[
    ("1/", asana),
    ("2/", asana),
    ("1//0", google_refresh),
    ("00D", salesforce),
    ("access_token$", braintree),
    ("us", mailchimp),
    ("SHA}", scheme),
    ("SSHA}", scheme),
    ("SHA256}", scheme),
    ("SSHA256}", scheme),
    ("SHA512}", scheme),
    ("SSHA512}", scheme),
    ("MD5}", scheme),
    ("SMD5}", scheme),
    ("LS0tLS1CRUdJ", encoded_key),
    ("eyJhdXRocyI6", encoded_logins),
    ("cG9zdGdyZX", encoded_address),
    ("bXlzcWw6Ly", encoded_address),
    ("bW9uZ29kYj", encoded_address),
    ("cmVkaXM6Ly", encoded_address),
    ("cmVkaXNzOi8v", encoded_address),
    ("YW1xcDovL", encoded_address),
];

/// The hash of a password behind its scheme in braces, as directories and web servers have it.
fn scheme(text: &[u8], at: usize) -> Option<Found> {
    let start = run(text, at, ALNUM) + 1;
    let end = run(text, start, super::bytes::BASE64);
    let is_one = at.checked_sub(1).is_some_and(|open| byte(text, open) == b'{');
    (is_one && end - start >= 20).then_some(Found { start, end, kind: "password-hash" })
}

/// Numbers of a user and an application, then 32 hexadecimal digits.
fn asana(text: &[u8], at: usize) -> Option<Found> {
    let numbers = run_of_numbers(text, at + 1);
    let end = run(text, numbers + 1, HEX);
    let fits = numbers - at > 14 && byte(text, numbers) == b':' && end - numbers == 33 && ends(text, end);
    fits.then_some(Found { start: at, end, kind: "asana-token" })
}

fn run_of_numbers(text: &[u8], at: usize) -> usize {
    let length = from(text, at).iter().take(48).position(|byte| !is(*byte, DIGIT) && *byte != b'/');
    at + length.unwrap_or(0)
}

/// `1//0`, then what opens an account again and again.
fn google_refresh(text: &[u8], at: usize) -> Option<Found> {
    let end = run(text, at + 3, URL64);
    let fits = end - at >= 40 && is_token(between(text, at + 3, end)) && !is(before(text, at), DIGIT | DOT);
    fits.then_some(Found { start: at, end, kind: "google-refresh-token" })
}

/// The number of an organisation, an exclamation mark, the session.
fn salesforce(text: &[u8], at: usize) -> Option<Found> {
    let mark = run(text, at, ALNUM);
    let end = run(text, mark + 1, WORD | DOT);
    let fits = matches!(mark - at, 15 | 18) && byte(text, mark) == b'!' && end - mark > 40;
    fits.then_some(Found { start: at, end, kind: "salesforce-token" })
}

/// `access_token$production$`, the number of a merchant, the secret.
fn braintree(text: &[u8], at: usize) -> Option<Found> {
    let length = from(text, at).iter().take(128).position(|byte| !is(*byte, WORD) && *byte != b'$');
    let end = at + length.unwrap_or(from(text, at).len().min(128));
    let last = between(text, at, end).rsplit(|byte| *byte == b'$').next()?;
    let fits = last.len() >= 32 && last.iter().all(|byte| is(*byte, HEX));
    fits.then_some(Found { start: at, end, kind: "braintree-token" })
}

/// 32 hexadecimal digits, a dash, the name of a data centre, which stands here.
fn mailchimp(text: &[u8], at: usize) -> Option<Found> {
    let end = run(text, at + 2, DIGIT);
    let dash = at.checked_sub(1).filter(|dash| byte(text, *dash) == b'-')?;
    let start = run_back(text, dash, HEX, 33);
    let fits = dash - start == 32 && (1..=2).contains(&(end - at - 2)) && ends(text, end);
    fits.then_some(Found { start, end, kind: "mailchimp-key" })
}

/// A private key in Base64 once more.
fn encoded_key(text: &[u8], at: usize) -> Option<Found> {
    let found = encoded(text, at, "encoded-key")?;
    let label = decoded(between(text, at, found.end.min(at + 96)));
    label.windows(11).any(|words| words == b"PRIVATE KEY").then_some(found)
}

/// `{"auths":…` in Base64: the logins of Docker.
fn encoded_logins(text: &[u8], at: usize) -> Option<Found> {
    encoded(text, at, "encoded-logins")
}

/// An address with a user and a password in Base64.
fn encoded_address(text: &[u8], at: usize) -> Option<Found> {
    let found = encoded(text, at, "encoded-address")?;
    let address = decoded(between(text, at, found.end.min(at + 512)));
    let sign = address.windows(3).position(|sign| sign == b"://")?;
    super::url::find(&address, sign)?;
    Some(found)
}

fn encoded(text: &[u8], at: usize, kind: &'static str) -> Option<Found> {
    let end = run(text, at, BASE64);
    (end - at >= 24).then_some(Found { start: at, end, kind })
}

/// What Base64 stands for, as far as it is whole.
fn decoded(text: &[u8]) -> Vec<u8> {
    let value = |byte: &u8| match byte {
        b'A'..=b'Z' => byte - b'A',
        b'a'..=b'z' => byte - b'a' + 26,
        b'0'..=b'9' => byte - b'0' + 52,
        b'+' => 62,
        _ => 63,
    };
    let text: Vec<u8> = text.iter().filter(|byte| **byte != b'=').map(value).collect();
    let bytes = text.chunks(4).flat_map(|four| {
        let bits = (0..4).fold(0_u32, |bits, at| bits << 6 | u32::from(four.get(at).copied().unwrap_or(0)));
        let [_, one, two, three] = bits.to_be_bytes();
        let count = (four.len() * 6 / 8).min(3);
        [one, two, three].into_iter().take(count)
    });
    bytes.collect()
}

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

/// A backslash that does not stand for the end of a line, or for a character that ends a token.
fn is_escape(text: &[u8]) -> bool {
    matches!(text, [b'\\', next, ..] if !b"nrt\"'xuUeE0".contains(next))
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
