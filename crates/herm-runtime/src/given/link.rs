//! Links in what a tool is given.

use herm::host::Host;
use herm::url::Url;
use herm_adapters::keys;

use super::found::Found;

/// Finds what a text leads to: where it begins like a link of the web, or where links are given.
pub(super) fn find(found: &mut Found, key: &str, text: &str) {
    let plain = bare(text);
    let lower = plain.to_ascii_lowercase();
    let under_link = keys::is_link(key);
    match scheme(&lower) {
        Some(("http" | "https", rest)) if under_link || !rest.starts_with(' ') => {
            // As those that forgive read it; and as it stands, so that what programs disagree on is seen.
            found.link(&forgiving(&plain));
            found.link(text);
        }
        Some(("file", _)) => {}
        Some((scheme, rest)) if under_link => {
            let inside = ["http:", "https:"].iter().find_map(|word| lower.find(word));
            if let Some(inside) = inside.and_then(|at| plain.get(at..)) {
                found.link(&forgiving(inside));
            }
            let link = format!("http://{}", rest.trim_start_matches(SLASHES));
            if NETWORK.contains(&scheme) || is_address(&link) && rest.starts_with("//") {
                found.link(&link);
            } else if is_host(scheme, rest) {
                found.link(&format!("http://{plain}"));
            }
        }
        None if under_link || keys::is_address(key) && is_place(&plain) => under_name(found, &plain),
        Some((host, rest)) if keys::is_address(key) && is_place(host) && is_host(host, rest) => {
            found.link(&format!("http://{plain}"));
        }
        Some(_) | None => {}
    }
}

/// Whether what looks like a scheme is a host before its port, or a name before its password.
fn is_host(scheme: &str, rest: &str) -> bool {
    let is_port = rest.starts_with(|c: char| c.is_ascii_digit());
    let is_password = rest.contains('@') && scheme != "mailto" && !rest.starts_with("//");
    is_port || is_password || scheme.contains('.') || scheme == "localhost"
}

/// Whether a text is an address or the whole name of a host, and neither a street nor a mailbox nor a word.
fn is_place(plain: &str) -> bool {
    let place = plain.trim_start_matches(SLASHES);
    let is_plain = !place.contains(|c: char| c.is_whitespace() || c == '@' || c == ',');
    is_plain && (place.contains('.') || place == "localhost" || is_address(&format!("http://{place}")))
}

/// A host without a scheme, or one that begins with slashes.
fn under_name(found: &mut Found, plain: &str) {
    let is_part = plain.starts_with(['#', '?']);
    let is_path = plain.starts_with(['~', '.']) || plain.starts_with('/') && !plain.starts_with("//");
    let place = plain.trim_start_matches(SLASHES);
    let word = place.split_whitespace().next().unwrap_or_default();
    let is_prose = word.len() < place.len() && !word.contains(['.', ':', '[', '/']);
    if !is_part && !is_path && !is_prose && !word.is_empty() {
        found.link(&format!("http://{word}"));
    }
}

/// What parsers of links leave out: blanks and control characters around them, and tabs and line ends anywhere.
pub(super) fn bare(text: &str) -> String {
    let trimmed = text.trim_matches(|c: char| c.is_control() || c.is_whitespace());
    trimmed.chars().filter(|c| !c.is_control()).collect()
}

/// What stands before the first colon, where that can be a scheme, and what follows it. One letter is a drive.
pub(super) fn scheme(text: &str) -> Option<(&str, &str)> {
    let (word, rest) = text.split_once(':')?;
    let follows = |c: char| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.');
    let is_plain = word.len() > 1 && word.starts_with(|c: char| c.is_ascii_alphabetic());
    (is_plain && word.chars().all(follows)).then_some((word, rest))
}

/// A link of the web as those read it who take any number of slashes, either way.
fn forgiving(plain: &str) -> String {
    match plain.split_once(':') {
        Some((scheme, rest)) => format!("{scheme}://{}", rest.trim_start_matches(SLASHES)),
        None => plain.to_owned(),
    }
}

/// Whether a link leads to an address. A small number is the name of a thing: as an address, it leads nowhere.
fn is_address(link: &str) -> bool {
    let place = link.trim_start_matches("http://").split(['/', '?', '#']).next().unwrap_or_default();
    let is_small = place.len() < 8 && !place.contains(['.', '[']);
    !is_small && Url::read(link).is_ok_and(|url| matches!(url.host, Host::Address(_)))
}

const SLASHES: &[char] = &['/', '\\'];

/// Schemes that lead to a host.
const NETWORK: &[&str] = &[
    "dict", "ftp", "ftps", "git", "gopher", "imap", "ldap", "ldaps", "redis", "rtsp", "sftp", "smb", "smtp",
    "ssh", "telnet", "tftp", "ws", "wss",
];
