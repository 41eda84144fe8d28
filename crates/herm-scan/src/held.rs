//! The secrets that are held in a file of variables.

use crate::known::Known;
use crate::redact::Redactor;
use crate::secrets::{Writing, is_passphrase, is_password, is_secret, strength};

/// The values in a `.env` file, by where they are taken out.
///
/// A file for keys holds keys. Beside its name, every value is one. Elsewhere, what can be nothing but a setting is left, because
/// its value stands in ordinary texts as well: a switch, a small word or number, a path, a host, or what its name says is one.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Held<'a> {
    /// Taken out wherever they stand.
    anywhere: Vec<&'a str>,
    /// Taken out where they are words of their own: they are short, and their names say that they are secrets.
    words: Vec<&'a str>,
    /// Taken out beside their names alone, or in every form there.
    named: Vec<(&'a str, &'a str)>,
}

impl<'a> Held<'a> {
    pub(crate) fn read(variables: &'a str) -> Self {
        let mut held = Self::default();
        for (name, value) in variables.lines().filter_map(variable).filter(|(_, value)| !value.is_empty()) {
            let is_short = value.len() < SHORTEST;
            let is_small = SMALL.iter().any(|word| word.eq_ignore_ascii_case(value));
            if is_short && !is_small && strength(name.as_bytes()).is_some() {
                held.words.push(value);
            }
            if !is_short && (is_called_or_looks(name, value) || !is_small && !is_setting(name, value)) {
                held.anywhere.push(value);
            } else {
                held.named.push((name, value));
            }
        }
        held
    }

    pub(crate) fn known(&self) -> Known {
        Known::holding(&self.anywhere, &self.words, self.named.iter().copied())
    }
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

/// Whether a value that is neither short nor a small word is one that ordinary texts have as well.
fn is_setting(name: &str, value: &str) -> bool {
    let last = name.rsplit('_').next().unwrap_or_default().to_ascii_uppercase();
    let is_word = value.chars().all(char::is_alphabetic) && value.chars().count() < WORD;
    is_word || is_number(value) || is_path(value) || is_address(value) || SETTINGS.contains(&last.as_str())
}

/// Shorter values stand by chance in what is no secret.
const SHORTEST: usize = 6;

/// Shorter words stand in ordinary texts.
const WORD: usize = 8;

/// `30.5`, `1-5`, `08:30`: few digits.
fn is_number(value: &str) -> bool {
    let digits = value.bytes().filter(u8::is_ascii_digit).count();
    digits <= 5 && value.bytes().all(|byte| b"0123456789.,:-+%".contains(&byte))
}

/// `/srv/data`, `~/x`, `./x`, `C:\x`.
fn is_path(value: &str) -> bool {
    let is_drive = matches!(value.as_bytes(), [drive, b':', b'\\' | b'/', ..] if drive.is_ascii_alphabetic());
    ["/", "~/", "./", "../"].iter().any(|start| value.starts_with(start)) || is_drive
}

/// A host, or a link to one with no secret in it.
fn is_address(value: &str) -> bool {
    match value.split_once("://") {
        None => is_host(value),
        Some((_, rest)) => {
            let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
            !authority.contains('@') && Redactor::new().redact(value) == value
        }
    }
}

/// `mail.example.com`, `db.internal:5432`, `cache:6379`, `10.0.0.1`, `ann@example.com`.
fn is_host(value: &str) -> bool {
    let (host, port) = value.rsplit_once(':').unwrap_or((value, ""));
    let (user, name) = host.rsplit_once('@').unwrap_or(("", host));
    let is_label = |label: &str| {
        !label.is_empty() && label.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
    };
    let last = name.rsplit('.').next().unwrap_or_default();
    let is_top = last.bytes().all(|byte| byte.is_ascii_alphabetic())
        || name.bytes().all(|byte| b"0123456789.".contains(&byte));
    let is_whole = name.contains('.') && is_top
        || !port.is_empty()
            && user.is_empty()
            && name.bytes().all(|byte| byte.is_ascii_alphabetic() || byte == b'-');
    let is_port = port.len() <= 5 && port.bytes().all(|byte| byte.is_ascii_digit());
    is_whole && name.split('.').all(is_label) && is_port && !user.contains(':')
}

/// What is switched, and words that every text has.
const SMALL: &[&str] = &[
    "admin",
    "auto",
    "automatic",
    "base64",
    "changeme",
    "debug",
    "default",
    "dev",
    "develop",
    "development",
    "disable",
    "disabled",
    "docker",
    "enable",
    "enabled",
    "error",
    "example",
    "external",
    "false",
    "guest",
    "info",
    "information",
    "internal",
    "latest",
    "local",
    "localhost",
    "main",
    "manual",
    "master",
    "minimal",
    "mysql",
    "never",
    "nil",
    "no",
    "none",
    "null",
    "off",
    "on",
    "optional",
    "passwd",
    "password",
    "permissive",
    "postgres",
    "postgresql",
    "private",
    "prod",
    "production",
    "public",
    "python3",
    "readonly",
    "redis",
    "release",
    "required",
    "root",
    "sandbox",
    "secret",
    "sha256",
    "smart",
    "sqlite",
    "stable",
    "stage",
    "staging",
    "standard",
    "strict",
    "test",
    "testing",
    "trace",
    "true",
    "undefined",
    "unknown",
    "unlimited",
    "user",
    "utf-8",
    "verbose",
    "warn",
    "warning",
    "yes",
];

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

    fn anywhere(variables: &str) -> Vec<&str> {
        Held::read(variables).anywhere
    }

    #[test]
    fn secrets_are_told_from_settings() {
        let file = "# a comment with TOKEN=q8w7e6r5t4\nexport BOT_TOKEN='a quoted-one' # no\nDB_PASSWORD=letmein\n\
                    OTHER = \"zK9x-vQ2m-Rt7L-w4pB\"\nMODEL=claude-opus\nPORT=3000\nTOKEN_LIMIT=100000\nDEBUG=true\n\
                    API_KEY=zK9xvQ2mRt7L # comment\nBASE_URL=https://example.com\nEMPTY_TOKEN=\nnothing\n";
        assert_eq!(anywhere(file), ["a quoted-one", "letmein", "zK9x-vQ2m-Rt7L-w4pB", "zK9xvQ2mRt7L"]);
        let names: Vec<_> = Held::read(file).named.into_iter().map(|(name, _)| name).collect();
        assert_eq!(names, ["MODEL", "PORT", "TOKEN_LIMIT", "DEBUG", "BASE_URL"]);
    }

    #[test]
    fn what_says_nothing_of_itself_is_taken_for_a_secret() {
        for value in [
            "plain-value-xyz-12",
            "correct-horse-9",
            "supersecretvalue",
            "hunter2",
            "a1b2c3",
            "48392017",
            "123456789,987654321",
            "good morning",
            "hunter.2x",
            "https://ann:pw@example.com/x",
            "ann:pw@example.com",
        ] {
            assert_eq!(anywhere(&format!("FOO={value}")), [value]);
        }
        assert!(!is_secret_variable("PLAIN", "plain-value-xyz-12"));
    }

    #[test]
    fn what_ordinary_texts_have_is_left() {
        for line in [
            "AUX_MODEL=claude-opus-4-5",
            "IMAP=mail.example.com:993",
            "CACHE=cache:6379",
            "BIND=10.20.30.40",
            "FROM=ann@example.com",
            "DATA=/srv/data-2",
            "DATA=./data-2",
            "LEVEL_OF=information",
            "SHORT=a1b2c",
            "WORD=kitten",
            "WHEN=08:30:1",
            "FLAG=Disabled",
            "TERMINAL_ENV=docker-2024",
            "LINK=https://example.com/a/b",
        ] {
            assert!(anywhere(line).is_empty(), "{line}");
        }
    }

    #[test]
    fn short_ones_are_words_of_their_own_if_they_are_called_secrets() {
        let held = Held::read("DB_PASSWORD=xk12\nTOKEN=root\nOTHER=xk13\nSECRET=abc");
        assert_eq!(held.words, ["xk12", "abc"]);
        assert!(held.anywhere.is_empty());
    }
}
