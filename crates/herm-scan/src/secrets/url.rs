//! Addresses that carry a password, a token, or are secret as a whole.

use super::Found;
use super::bytes::{QUOTE, SPACE, URL64, between, contains, from, is};
use super::keyed;
use super::plausible::{is_surely_secret, is_url_password};

/// What is secret in the address whose `://` stands here.
pub(super) fn find(text: &[u8], at: usize) -> Option<Found> {
    let authority = at + 3;
    let end = end_of_authority(text, authority);
    let Some(user) = user_end(text, authority, end) else {
        return webhook(text, authority, end).or_else(|| keyed::find(text, authority, end));
    };
    let colon = between(text, authority, user).iter().position(|byte| *byte == b':');
    match colon.map(|colon| authority + colon + 1) {
        Some(start) => password(text, start, user),
        None => token(text, authority, user),
    }
}

fn end_of_authority(text: &[u8], at: usize) -> usize {
    let ends =
        |byte: &u8| is(*byte, SPACE | QUOTE) || matches!(byte, b'/' | b'?' | b'#' | b'<' | b'>' | b'\\');
    from(text, at).iter().position(ends).map_or(text.len(), |length| at + length)
}

/// Passwords may hold an `@`, hosts may not.
fn user_end(text: &[u8], start: usize, end: usize) -> Option<usize> {
    between(text, start, end).iter().rposition(|byte| *byte == b'@').map(|at| start + at)
}

fn password(text: &[u8], start: usize, end: usize) -> Option<Found> {
    is_url_password(between(text, start, end)).then_some(Found { start, end, kind: "url-password" })
}

fn token(text: &[u8], start: usize, end: usize) -> Option<Found> {
    is_surely_secret(between(text, start, end)).then_some(Found { start, end, kind: "url-token" })
}

/// Addresses to which anyone may post who knows them.
const WEBHOOKS: &[(&str, &str)] = &[
    ("hooks.slack.com", "/services/"),
    ("hooks.slack.com", "/workflows/"),
    ("hooks.slack.com", "/triggers/"),
    ("discord.com", "/api/webhooks/"),
    ("discordapp.com", "/api/webhooks/"),
    ("webhook.office.com", "/webhookb2/"),
    ("hooks.zapier.com", "/hooks/catch/"),
    ("outlook.office.com", "/webhook/"),
    ("chat.googleapis.com", "/v1/spaces/"),
];

fn webhook(text: &[u8], authority: usize, end: usize) -> Option<Found> {
    let host = between(text, authority, end);
    let path = |(name, path): &(&str, &str)| {
        (host.ends_with(name.as_bytes()) && from(text, end).starts_with(path.as_bytes()))
            .then_some(end + path.len())
    };
    let start = WEBHOOKS.iter().find_map(path)?;
    let stop = from(text, start).iter().position(|byte| !is(*byte, URL64) && !matches!(byte, b'/' | b'@'));
    let end = stop.map_or(text.len(), |length| start + length);
    let secret = between(text, start, end);
    let real = secret.len() >= 20 && !contains(secret, b"xxx") && secret.iter().any(u8::is_ascii_digit);
    real.then_some(Found { start, end, kind: "webhook" })
}
