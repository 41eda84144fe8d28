//! What is wrong with a configuration, and where.

use std::fmt;

use super::matcher::VERBS;
use super::{Preset, keys};
use crate::environment::NotMounted;
use crate::rules::RULES;
use crate::spelling::nearest;

/// What is wrong with a configuration, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    /// The file.
    pub file: String,
    /// Where in it.
    pub at: Position,
    /// What.
    pub problem: Problem,
}

/// A place in a file; both count from one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Position {
    /// The line.
    pub line: usize,
    /// The column, in characters.
    pub column: usize,
}

/// What is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Problem {
    /// A key stands twice in a section.
    Duplicate(String),
    /// An entry is empty.
    EmptyEntry,
    /// A repository's file tries to loosen.
    Loosens(String),
    /// A repository's file asks for a preset that is less strict than the one in force.
    LooserPreset {
        /// What it asks for.
        asked: Preset,
        /// What is in force.
        held: Preset,
    },
    /// A word of a matcher has no key, or an unknown one.
    MatcherKey {
        /// The word.
        word: String,
        /// The keys there are.
        keys: &'static [&'static str],
    },
    /// A key of a matcher does not know this value.
    MatcherValue {
        /// The key.
        key: String,
        /// The value.
        value: String,
    },
    /// A key is missing.
    Missing(&'static str),
    /// A credential lacks something.
    NoCredential(&'static str),
    /// A hook runs nothing.
    NoCommand,
    /// Commands would have no time at all.
    NoTime(String),
    /// A text that is no host.
    NotASite(String),
    /// A text that is no host with a port.
    NotAnEndpoint(String),
    /// A credential file that is not mounted.
    NotMounted {
        /// The file.
        name: String,
        /// Why.
        why: NotMounted,
    },
    /// A variable that is not passed on.
    NotPassed {
        /// The variable.
        name: String,
        /// Why, after its name.
        why: String,
    },
    /// A path that no command sees.
    NotShown {
        /// The path.
        path: String,
        /// Why.
        why: String,
    },
    /// A path must be absolute, or begin with `~/`.
    RelativePath(String),
    /// A secret stands in the file.
    Secret(&'static str),
    /// A rule that does not exist.
    UnknownRule(String),
    /// It is not YAML.
    Syntax(String),
    /// A key that does not exist.
    UnknownKey {
        /// The key.
        key: String,
        /// The section; empty at the top.
        section: String,
    },
    /// A value of the wrong kind.
    WrongKind {
        /// The key.
        key: String,
        /// What is expected.
        expected: String,
    },
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}: {}", self.file, self.at.line, self.at.column, self.problem)
    }
}

impl std::error::Error for Error {}

impl Error {
    /// What to do about it, where there is something to say.
    #[must_use]
    pub fn hint(&self) -> Option<String> {
        self.problem.hint()
    }
}

impl Problem {
    /// What to do about it, in a sentence fragment.
    #[must_use]
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::Duplicate(_) => Some("join both into one".to_owned()),
            Self::EmptyEntry => Some("remove it, or write what it should match, such as `sudo *`".to_owned()),
            Self::Loosens(_) | Self::LooserPreset { .. } => {
                Some("set it in the user's own configuration, if it is meant".to_owned())
            }
            Self::MatcherKey { word, .. } => matcher_key_hint(word),
            Self::MatcherValue { key, value } => matcher_hint(key, value),
            Self::Missing(_) => Some("a test is written `{command: ls, expect: allow}`".to_owned()),
            Self::NoCommand => {
                Some("a hook is written `{matcher: terminal, command: ~/check.py, timeout: 5}`".to_owned())
            }
            Self::NoTime(_) => Some("there is always a limit; leave it out for the usual one".to_owned()),
            Self::NoCredential(_) => {
                Some("a credential is written `{secret: '${NAME}', hosts: [api.example.com]}`".to_owned())
            }
            Self::NotASite(_) => Some("write `example.com`, `*.example.com` or an address".to_owned()),
            Self::NotAnEndpoint(_) => Some("write `localhost:8080`: a port belongs to it".to_owned()),
            Self::NotMounted { .. } => {
                Some("name a file in herm's own directory, such as `google_token.json`".to_owned())
            }
            Self::NotPassed { .. } => {
                Some("remove it: what belongs to the agent itself is not for its commands".to_owned())
            }
            Self::NotShown { .. } => Some(
                "name a directory without secrets; single files with credentials are for `terminal.credential_files`"
                    .to_owned(),
            ),
            Self::RelativePath(_) => Some("begin it with `/` or `~/`".to_owned()),
            Self::Secret(_) => Some(
                "move it to `.env`, and write `${NAME}` here if that line has a name of its own".to_owned(),
            ),
            Self::Syntax(_) => {
                Some("indent with blanks, and quote texts that hold `:`, `#`, `*` or `[`".to_owned())
            }
            Self::UnknownKey { key, section } => key_hint(key, section),
            Self::UnknownRule(name) => rule_hint(name),
            Self::WrongKind { expected, .. } if expected == "a list" => {
                Some("write it as `[one, two]`, or one on a line after a `-`".to_owned())
            }
            Self::WrongKind { expected, .. } if expected == "a mapping" => {
                Some("write `key: value`, one on a line".to_owned())
            }
            Self::WrongKind { .. } => None,
        }
    }
}

/// A path alone is easily taken for a matcher's; a slip in a key is near one.
fn matcher_key_hint(word: &str) -> Option<String> {
    let key = word.split(':').next().unwrap_or_default();
    let keys = ["effect", "flag", "from", "host", "kind", "path", "program", "rule"];
    if word.starts_with(['/', '~']) {
        Some(meant(&format!("path:{word}")))
    } else {
        nearest(key, keys).map(meant)
    }
}

fn matcher_hint(key: &str, value: &str) -> Option<String> {
    match key {
        "effect" => nearest(value, VERBS.iter().map(|(word, _)| *word)).map(meant),
        "path" => Some("begin it with `/`, `~/` or `*`".to_owned()),
        _ => None,
    }
}

fn key_hint(key: &str, section: &str) -> Option<String> {
    let inside = |path: &'static str| match section {
        "" => path.split('.').next(),
        "tests" => None,
        _ => path.strip_prefix(section)?.strip_prefix('.')?.split('.').next(),
    };
    let known: Vec<&str> = keys::all().into_iter().filter_map(|known| inside(known.path)).collect();
    nearest(key, known).map(meant)
}

fn rule_hint(name: &str) -> Option<String> {
    let near = nearest(name, RULES.iter().map(|rule| rule.name)).map(meant);
    near.or_else(|| Some("`herm rules` lists them".to_owned()))
}

fn meant(word: &str) -> String {
    format!("did you mean `{word}`?")
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Duplicate(key) => write!(f, "`{key}` stands here twice"),
            Self::EmptyEntry => write!(f, "the entry is empty"),
            Self::Loosens(key) => write!(f, "a repository may only tighten, so it cannot set `{key}`"),
            Self::LooserPreset { asked, held } => {
                write!(
                    f,
                    "a repository may only tighten: `{}` is looser than `{}`",
                    asked.word(),
                    held.word()
                )
            }
            Self::MatcherKey { word, keys } => {
                write!(f, "`{word}` is not a part of a matcher: expected {}", one_of(keys, ":"))
            }
            Self::MatcherValue { key, value } => write!(f, "`{value}` is not something that `{key}:` knows"),
            Self::Missing(key) => write!(f, "`{key}` is missing"),
            Self::NoCommand => write!(f, "the hook has no command"),
            Self::NoTime(key) => write!(f, "`{key}` must be at least 1: in 0 seconds nothing can run"),
            Self::NoCredential(what) => write!(f, "the credential has {what}"),
            Self::NotASite(text) => write!(f, "`{text}` is no host"),
            Self::NotAnEndpoint(text) => write!(f, "`{text}` is no host with a port"),
            Self::NotMounted { name, why } => write!(f, "`{name}` is not mounted: {why}"),
            Self::NotPassed { name, why } => write!(f, "`{name}` is not passed on: {why}"),
            Self::NotShown { path, why } => write!(f, "`{path}` is not shown: {why}"),
            Self::RelativePath(path) => write!(f, "`{path}` is not absolute"),
            Self::Secret(key) => write!(f, "`{key}` must not hold the key itself"),
            Self::Syntax(message) => write!(f, "not valid YAML: {message}"),
            Self::UnknownRule(name) => write!(f, "there is no rule `{name}`"),
            Self::UnknownKey { key, section } if section.is_empty() => write!(f, "unknown key `{key}`"),
            Self::UnknownKey { key, section } => write!(f, "unknown key `{key}` in `{section}`"),
            Self::WrongKind { key, expected } if key.contains(' ') => write!(f, "{key} must be {expected}"),
            Self::WrongKind { key, expected } => write!(f, "`{key}` must be {expected}"),
        }
    }
}

/// `a:`, `b:` or `c:`.
pub(crate) fn one_of(words: &[&str], suffix: &str) -> String {
    let ticked: Vec<_> = words.iter().map(|word| format!("`{word}{suffix}`")).collect();
    match ticked.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, rest)) => format!("{} or {last}", rest.join(", ")),
        None => String::new(),
    }
}
