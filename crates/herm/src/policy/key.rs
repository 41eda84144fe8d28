//! What a key of the configuration is.

use super::config::Config;
use super::value::Wrong;
use super::yaml::Node;

/// A key of the configuration.
#[derive(Clone, Copy, Debug)]
pub struct Key {
    /// Its path: `approvals.deny`.
    pub path: &'static str,
    /// What its value is.
    pub kind: Kind,
    /// What holds without it, as YAML.
    pub default: &'static str,
    /// What it does, in a sentence.
    pub about: &'static str,
    /// Who may set it.
    pub scope: Scope,
    pub(super) set: Set,
}

/// What becomes of a value.
pub(super) type Set = fn(&Key, &mut Config, &Node) -> Result<(), Wrong>;

/// What a value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// `true` or `false`.
    Boolean,
    /// Commands with the decision that is expected.
    Cases,
    /// One of these words.
    Choice(&'static [&'static str]),
    /// Secrets with the hosts that they are for.
    Credentials,
    /// Rule names, descriptions, matchers or patterns.
    Entries,
    /// Hooks: a list of them, or tools with theirs.
    Hooks,
    /// Mappings, under names that the person chose.
    Mappings,
    /// A whole number.
    Number,
    /// A path, or a list of them.
    Paths,
    /// Servers of tools with what holds for them.
    Servers,
    /// A text.
    Text,
    /// A text, or a list of them.
    TextOrTexts,
    /// A list of texts.
    Texts,
}

/// Who may set a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// Anyone: it can only tighten.
    Everywhere,
    /// The machine's and the user's own files.
    Trusted,
}
