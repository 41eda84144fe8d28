//! Lines of network devices, which have words in a row and no signs: `tacacs-server key …`, `ip ospf authentication-key …`.

use super::Found;
use super::bytes::{BLANK, DIGIT, QUOTE, between, byte, is, until};
use super::chosen::{Manner, is_chosen, is_marked};
use super::name::Strength;

/// The most words of such a line.
const WORDS: usize = 24;

/// What such lines begin with.
const BEGINNINGS: &[&[u8]] = &[
    b"aaa",
    b"createUser",
    b"d-i",
    b"usm",
    b"area",
    b"authentication",
    b"authentication-key",
    b"crypto",
    b"enable",
    b"hsrp",
    b"ip",
    b"ipsec",
    b"isis",
    b"key",
    b"key-string",
    b"local-user",
    b"message-digest-key",
    b"neighbor",
    b"ntp",
    b"password",
    b"peer",
    b"ppp",
    b"pre-shared-key",
    b"radius",
    b"radius-server",
    b"secret",
    b"server",
    b"server-private",
    b"set",
    b"snmp",
    b"snmp-server",
    b"standby",
    b"super",
    b"tacacs",
    b"tacacs-server",
    b"tunnel-group",
    b"user",
    b"username",
    b"vrrp",
    b"wpa-passphrase",
    b"wpa-psk",
    b"config",
    b"login",
    b"ikev1",
    b"ikev2",
    b"security",
    b"wlan",
    b"dot11",
    b"encryption",
    b"radius-common-pw",
    b"ldap-login-password",
    b"password-encryption",
];

/// The words behind which the secret stands.
const KEYS: &[&[u8]] = &[
    b"password",
    b"insecure-password",
    b"SHA",
    b"MD5",
    b"AES",
    b"DES",
    b"secret",
    b"key",
    b"key-string",
    b"psk",
    b"ascii-text",
    b"pre-shared-key",
    b"preshared-key",
    b"authentication-key",
    b"passphrase",
    b"wpa-passphrase",
    b"simple",
    b"cipher",
    b"irreversible-cipher",
    b"plain-text-password-value",
    b"encrypted-password",
    b"hexadecimal",
    b"auth",
    b"priv",
    b"sha",
    b"md5",
    b"ascii",
    b"community",
    b"shared-secret",
    b"psksecret",
    b"passwd",
    b"ldap-login-password",
    b"key-chain-secret",
];

/// Adds what such a line that begins at a position gives.
pub(super) fn read(line: &[u8], at: usize, found: &mut Vec<Found>) {
    let mut all = words(line);
    let Some(mut first) = all.next() else { return };
    // What a search prints before each line.
    if of(line, first).ends_with(b":") {
        first = all.next().unwrap_or(first);
    }
    if !BEGINNINGS.contains(&of(line, first))
        || between(line, first.0, line.len()).iter().any(|byte| matches!(byte, b'=' | b'(' | b':'))
            && of(line, first) != b"set"
            && of(line, first) != b"user"
    {
        return;
    }
    let (mut last, mut is_key) = (of(line, first), KEYS.contains(&of(line, first)));
    for span in all.take(WORDS) {
        let word = of(line, span);
        // A number says how what follows is written.
        let is_number = word.len() <= 2 && word.iter().all(|byte| is(*byte, DIGIT));
        let is_kind = is_key
            && (is_number || [&b"ENC"[..], b"encrypted", b"plain", b"cleartext", b"clear"].contains(&word));
        if is_key && !is_kind && !KEYS.contains(&word) {
            if fits(word, last, super::before(line, span.0)) {
                found.push(Found { start: at + span.0, end: at + span.1, kind: "password" });
            }
            is_key = false;
        }
        if !is_kind {
            is_key = KEYS.contains(&word);
            last = word;
        }
    }
}

/// Whether a word is what the one before it says.
fn fits(word: &[u8], key: &[u8], before: u8) -> bool {
    let is_word = [&b"sha"[..], b"md5", b"auth", b"priv", b"simple", b"key", b"SHA", b"MD5", b"AES", b"DES"]
        .contains(&key);
    let is_public = [&b"public"[..], b"private"].contains(&word);
    !is_public
        && is_chosen(word, Strength::Password, if is(before, QUOTE) { Manner::Quoted } else { Manner::Line })
        && (!is_word || is_marked(word))
        && is_marked(word)
}

fn of(line: &[u8], span: (usize, usize)) -> &[u8] {
    between(line, span.0, span.1)
}

/// Where the words of a line stand, without quotes around them.
fn words(line: &[u8]) -> impl Iterator<Item = (usize, usize)> + '_ {
    let mut at = 0;
    std::iter::from_fn(move || {
        at = super::run(line, at, BLANK);
        if at >= line.len() {
            return None;
        }
        let quote = Some(byte(line, at)).filter(|byte| is(*byte, QUOTE));
        let start = at + usize::from(quote.is_some());
        let is_end = |byte: &u8| quote.map_or(is(*byte, BLANK) || *byte == b';', |quote| *byte == quote);
        let end = until(line, start, is_end);
        at = end + 1;
        Some((start, end))
    })
}
