//! Addresses whose path or query is the key: by the form that a host publishes, or because the path says that it is a hook.

use super::Found;
use super::bytes::{DIGIT, QUOTE, SPACE, between, byte, contains, from, is, until};
use super::letters::random;
use super::plausible::{is_placeholder, is_surely_secret, is_uuid};

/// Hosts, and what stands before the key in their addresses: a part of the path, or a name in the query.
const HOSTS: &[(&str, &str)] = &[
    ("infura.io", "/v3/"),
    ("alchemy.com", "/v2/"),
    ("alchemyapi.io", "/v2/"),
    ("quiknode.pro", "/"),
    ("ankr.com", "/"),
    ("blastapi.io", "/"),
    ("getblock.io", "/"),
    ("chainstack.com", "/"),
    ("nodereal.io", "/v1/"),
    ("drpc.org", "dkey="),
    ("statuscake.com", "PK="),
    ("openweathermap.org", "appid="),
    ("openweathermap.org", "APPID="),
    ("hc-ping.com", "/"),
    ("healthchecks.io", "/ping/"),
    ("cronitor.link", "/p/"),
    ("nosnch.in", "/"),
    ("uptimerobot.com", "/m"),
    ("ifttt.com", "/with/key/"),
    ("datadoghq.com", "/input/"),
    ("loggly.com", "/inputs/"),
    ("sumologic.com", "/receiver/v1/http/"),
    ("pagerduty.com", "/integration/"),
    ("vercel.com", "/integrations/deploy/"),
    ("webhook.site", "/"),
    ("render.com", "key="),
];

/// Parts of a path, or of the first name of a host, behind which anyone may post who knows the rest.
const HOOKS: &[&[u8]] = &[
    b"hook",
    b"hooks",
    b"webhook",
    b"webhooks",
    b"webhookb2",
    b"build_hooks",
    b"deploy_hooks",
    b"incoming",
    b"incoming-webhook",
    b"heartbeat",
    b"heartbeats",
];

/// How much of an address is looked at behind its host.
const ADDRESS: usize = 256;

/// The shortest key of a host that is known.
const SHORTEST: usize = 12;

/// What is secret in an address whose host stands between two positions.
pub(super) fn find(text: &[u8], host: usize, path: usize) -> Option<Found> {
    let text = text.get(..path + ADDRESS).unwrap_or(text);
    let end =
        until(text, path, |byte| is(*byte, SPACE | QUOTE) || matches!(byte, b'<' | b'>' | b'\\' | b')'));
    let name = between(text, host, path);
    let name = name.split(|byte| *byte == b':').next().unwrap_or_default();
    let (start, end) = by_host(text, name, path, end).or_else(|| as_hook(text, name, path, end))?;
    Some(Found { start, end, kind: "url-key" })
}

/// The key in an address of a host that is known.
fn by_host(text: &[u8], host: &[u8], path: usize, end: usize) -> Option<(usize, usize)> {
    let is_of = |name: &str| {
        host.strip_suffix(name.as_bytes()).is_some_and(|rest| rest.is_empty() || rest.ends_with(b"."))
    };
    HOSTS.iter().filter(|(name, _)| is_of(name)).find_map(|(_, sign)| {
        let address = between(text, path, end);
        let behind =
            address.windows(sign.len()).position(|part| part == sign.as_bytes())? + path + sign.len();
        // Where the path is all that there is, the last part of it is the key.
        let start = if *sign == "/" { last_part(text, path, end) } else { behind };
        let stop = part_end(text, start, end);
        is_key(between(text, start, stop)).then_some((start, stop))
    })
}

/// What makes a hook one that nobody else can call.
fn as_hook(text: &[u8], host: &[u8], path: usize, end: usize) -> Option<(usize, usize)> {
    let label = host.split(|byte| *byte == b'.').next().unwrap_or_default();
    let mut is_hook = HOOKS.contains(&label);
    let mut at = path;
    let mut found: Option<(usize, usize)> = None;
    while at < end && byte(text, at) == b'/' {
        let stop = part_end(text, at + 1, end);
        let part = between(text, at + 1, stop);
        if is_hook && (is_uuid(part) || part.len() >= 20 && is_key(part) && is_surely_secret(part)) {
            found = Some((found.map_or(at + 1, |(start, _)| start), stop));
        }
        is_hook |= HOOKS.contains(&part);
        at = stop;
    }
    found
}

/// Where the last part of a path begins.
fn last_part(text: &[u8], path: usize, end: usize) -> usize {
    let query = until(text, path, |byte| matches!(byte, b'?' | b'#')).min(end);
    let whole = between(text, path, query);
    let whole = whole.strip_suffix(b"/").unwrap_or(whole);
    path + whole.iter().rposition(|byte| *byte == b'/').map_or(0, |at| at + 1)
}

fn part_end(text: &[u8], start: usize, end: usize) -> usize {
    until(text, start, |byte| matches!(byte, b'/' | b'?' | b'&' | b'#' | b',' | b';')).min(end)
}

/// Whether a part of an address is a key rather than a word or a number.
fn is_key(part: &[u8]) -> bool {
    let digits = part.iter().filter(|byte| is(**byte, DIGIT)).count();
    let is_plain = from(part, 0).iter().all(|byte| byte.is_ascii_alphanumeric() || b"-_~.".contains(byte));
    part.len() >= SHORTEST
        && is_plain
        && digits >= 2
        && digits < part.len()
        && (is_uuid(part) || random(part))
        && !is_placeholder(part)
        && !contains(part, b"your")
}
