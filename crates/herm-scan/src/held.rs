//! The secrets that are held in a file of variables.

use crate::secrets::{Writing, is_passphrase, is_password, is_secret, strength};

/// The values in a `.env` file that are taken out wherever they stand.
///
/// A file for keys holds keys: only what can be nothing but a setting is left out, because its value stands in ordinary texts as
/// well: a word, a number, a switch, a path, the address of a host, or what its name says is one.
#[must_use]
pub fn held_secrets(variables: &str) -> Vec<&str> {
    let held = |line| {
        variable(line).filter(|(name, value)| is_called_or_looks(name, value) || !is_setting(name, value))
    };
    variables.lines().filter_map(held).map(|(_, value)| value).collect()
}

/// Whether a variable is a secret by its name, or looks like one.
#[must_use]
pub fn is_secret_variable(name: &str, value: &str) -> bool {
    is_called_or_looks(name, unquoted(value.trim()))
}

fn variable(line: &str) -> Option<(&str, &str)> {
    let (name, value) = line.trim().split_once('=')?;
    let name = name.trim().trim_start_matches("export ").trim();
    (!name.starts_with('#')).then(|| (name, unquoted(value.trim())))
}

fn is_called_or_looks(name: &str, value: &str) -> bool {
    let value = value.as_bytes();
    let named =
        strength(name.as_bytes()).is_some() && (is_password(value, Writing::Bare) || is_passphrase(value));
    named || is_secret(value)
}

/// Whether a value is one that ordinary texts have as well.
fn is_setting(name: &str, value: &str) -> bool {
    let last = name.rsplit('_').next().unwrap_or_default().to_ascii_uppercase();
    let is_plain = value.chars().all(char::is_alphabetic)
        || value.chars().all(|letter| "0123456789.,:-".contains(letter));
    let is_text = value.contains([' ', ',']);
    let is_place = value.starts_with(['/', '~', '.']) || value.contains("://") || is_host(value);
    value.len() < SHORTEST || is_plain || is_text || is_place || SETTINGS.contains(&last.as_str())
}

/// Shorter values stand by chance in what is no secret.
const SHORTEST: usize = 8;

/// `mail.example.com`, `db.internal:5432`, `ann@example.com`.
fn is_host(value: &str) -> bool {
    let (host, port) = value.rsplit_once(':').unwrap_or((value, ""));
    let name = host.rsplit('@').next().unwrap_or(host);
    let label = |label: &str| {
        !label.is_empty() && label.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
    };
    name.contains('.') && name.split('.').all(label) && port.bytes().all(|byte| byte.is_ascii_digit())
}

/// How names end that are settings.
const SETTINGS: &[&str] = &[
    "ADDRESS",
    "BACKEND",
    "BRANCH",
    "BUCKET",
    "CHANNEL",
    "CHANNELS",
    "CWD",
    "DIR",
    "DIRECTORY",
    "DOMAIN",
    "EMAIL",
    "ENGINE",
    "ENV",
    "ENVIRONMENT",
    "FILE",
    "FORMAT",
    "HOME",
    "HOST",
    "IMAGE",
    "LANG",
    "LEVEL",
    "LIMIT",
    "LOCALE",
    "MODE",
    "MODEL",
    "MODELS",
    "NAME",
    "ORG",
    "ORGANIZATION",
    "PATH",
    "PLATFORM",
    "PORT",
    "PREFIX",
    "PROFILE",
    "PROJECT",
    "PROVIDER",
    "REGION",
    "ROOT",
    "SERVER",
    "TIMEOUT",
    "TIMEZONE",
    "TYPE",
    "TZ",
    "URL",
    "USER",
    "USERNAME",
    "USERS",
    "VERSION",
    "VOICE",
    "ZONE",
];

/// A value without its quotes; without them, it ends at a comment.
fn unquoted(value: &str) -> &str {
    for quote in ['"', '\''] {
        if let Some((inner, _)) = value.strip_prefix(quote).and_then(|rest| rest.split_once(quote)) {
            return inner;
        }
    }
    value.split_once(" #").map_or(value, |(value, _)| value.trim_end())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_are_told_from_settings() {
        let file = "# a comment with TOKEN=q8w7e6r5t4\nexport BOT_TOKEN='a quoted-one' # no\nDB_PASSWORD=letmein\n\
                    OTHER = \"zK9x-vQ2m-Rt7L-w4pB\"\nMODEL=claude-opus\nPORT=3000\nTOKEN_LIMIT=100000\nDEBUG=true\n\
                    API_KEY=zK9xvQ2mRt7L # comment\nBASE_URL=https://example.com\nEMPTY_TOKEN=\nnothing\n";
        assert_eq!(held_secrets(file), ["a quoted-one", "letmein", "zK9x-vQ2m-Rt7L-w4pB", "zK9xvQ2mRt7L"]);
    }

    #[test]
    fn what_says_nothing_of_itself_is_taken_for_a_secret() {
        assert_eq!(
            held_secrets("PLAIN=plain-value-xyz-12\nX=correct-horse-9"),
            ["plain-value-xyz-12", "correct-horse-9"]
        );
        assert!(!is_secret_variable("PLAIN", "plain-value-xyz-12"));
        let settings = "AUX_MODEL=claude-opus-4-5\nGREETING=good morning\nIMAP=mail.example.com:993\nFROM=ann@example.com\n\
                        DATA=/srv/data-2\nALLOWED=123456789,987654321\nLEVEL_OF=information\nSHORT=a1b2c3\nTERMINAL_ENV=docker-2024";
        assert!(held_secrets(settings).is_empty(), "{:?}", held_secrets(settings));
    }
}
