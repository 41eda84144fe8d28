//! Settings of git that make nobody run code, and commands that change nothing else.
//!
//! This knows less than git does, on purpose: what is written in any unusual way is not taken for harmless, whatever it means.

mod commands;
pub mod ignore;
pub mod index;

pub use commands::{Sets, sets};

/// The name of a setting: `remote.origin.url`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Setting<'a> {
    /// `remote`.
    pub section: &'a str,
    /// `origin`.
    pub subject: Option<&'a str>,
    /// `url`.
    pub key: &'a str,
}

impl<'a> Setting<'a> {
    /// Reads a name with dots between its parts.
    #[must_use]
    pub fn read(name: &'a str) -> Option<Self> {
        let (section, rest) = name.split_once('.')?;
        let (subject, key) =
            rest.rsplit_once('.').map_or((None, rest), |(subject, key)| (Some(subject), key));
        Some(Self { section, subject, key })
    }

    /// Whether git runs nothing because of it, with this value.
    #[must_use]
    pub fn is_harmless(&self, value: &str) -> bool {
        let (section, key) = (self.section.to_ascii_lowercase(), self.key.to_ascii_lowercase());
        let is_plain = self.subject.is_none_or(|subject| !subject.is_empty() && is_word(subject));
        let known = HARMLESS.iter().find(|(known, has_subject, name, _)| {
            *known == section && *has_subject == self.subject.is_some() && *name == key
        });
        is_plain && known.is_some_and(|(.., admits)| admits(value))
    }
}

/// A section, whether it is about something, a key, and what its values must be.
type Known = (&'static str, bool, &'static str, fn(&str) -> bool);

const HARMLESS: &[Known] = &[
    ("branch", true, "merge", is_word),
    ("branch", true, "rebase", is_word),
    ("branch", true, "remote", is_name),
    ("color", false, "ui", is_word),
    ("commit", false, "gpgsign", is_word),
    ("core", false, "autocrlf", is_word),
    ("core", false, "bare", is_word),
    ("core", false, "eol", is_word),
    ("core", false, "filemode", is_word),
    ("core", false, "ignorecase", is_word),
    ("core", false, "logallrefupdates", is_word),
    ("core", false, "precomposeunicode", is_word),
    ("core", false, "quotepath", is_word),
    ("core", false, "repositoryformatversion", is_word),
    ("core", false, "symlinks", is_word),
    ("extensions", false, "objectformat", is_word),
    ("fetch", false, "prune", is_word),
    ("init", false, "defaultbranch", is_word),
    ("merge", false, "conflictstyle", is_word),
    ("pull", false, "ff", is_word),
    ("pull", false, "rebase", is_word),
    ("push", false, "autosetupremote", is_word),
    ("push", false, "default", is_word),
    ("rebase", false, "autostash", is_word),
    ("remote", true, "fetch", is_reference),
    ("remote", true, "pushurl", is_address),
    ("remote", true, "url", is_address),
    ("rerere", false, "enabled", is_word),
    ("submodule", true, "active", is_word),
    ("submodule", true, "url", is_address),
    ("user", false, "email", is_text),
    ("user", false, "name", is_text),
];

/// What stands for itself in a file of settings and in the name of a reference.
fn is_ordinary(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'/' | b'_')
}

/// An option would begin with a dash.
fn is_word(value: &str) -> bool {
    !value.starts_with('-') && value.bytes().all(is_ordinary)
}

/// The name of a remote. A path would be a repository that this machine obeys.
fn is_name(value: &str) -> bool {
    is_word(value) && !value.contains('/') && !matches!(value, "" | "." | "..")
}

fn is_reference(value: &str) -> bool {
    !value.starts_with('-')
        && value.bytes().all(|byte| is_ordinary(byte) || matches!(byte, b'+' | b'*' | b':'))
}

fn is_text(value: &str) -> bool {
    let is_plain = |letter: char| !letter.is_control() && !matches!(letter, '"' | '\\' | '#' | ';');
    !value.starts_with('-') && value.chars().all(is_plain)
}

/// The address of a server. `ext::` and the like name programs, a path names a repository that this machine would obey.
fn is_address(value: &str) -> bool {
    let schemes = ["git://", "http://", "https://", "ssh://"];
    let ordinary = |byte| is_ordinary(byte) || matches!(byte, b':' | b'@' | b'~' | b'%' | b'+');
    let is_plain = |rest: &str| !rest.starts_with('-') && !rest.contains("@-") && rest.bytes().all(ordinary);
    match schemes.iter().find_map(|scheme| value.strip_prefix(scheme)) {
        Some(rest) => is_plain(rest),
        None => is_plain(value) && names_a_server(value),
    }
}

/// `git@host.example:a/b`.
fn names_a_server(value: &str) -> bool {
    let user_and_rest = value.split_once('@').and_then(|(user, rest)| Some((user, rest.split_once(':')?)));
    user_and_rest.is_some_and(|(user, (host, path))| {
        let is_name =
            |part: &str| !part.is_empty() && part.bytes().all(|byte| is_ordinary(byte) && byte != b'/');
        is_name(user) && is_name(host) && !path.starts_with(':')
    })
}
