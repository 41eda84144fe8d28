//! Matchers over effects: `effect:delete path:/srv/**`.
//!
//! A matcher is a list of `key:value` words, all of which must hold of one effect:
//!
//! | key | value |
//! |---|---|
//! | `effect` | a verb: `delete`, `write`, `send`, `change-mode` … |
//! | `flag` | how: `recursive`, `forced`, `in-place` … |
//! | `from` | where the data came from: `network`, `secret`, `decoded`, `file`, `outside` |
//! | `host` | a glob over host names |
//! | `kind` | the kind of a named thing: `branch`, `container`, `remote-branch` … |
//! | `name` | a glob over the names of such things |
//! | `path` | a glob over absolute paths; `*` stays within a name, `**` does not, `~/` is the home directory |
//! | `program` | a glob over plain program names |
//! | `realm` | where: `here`, `container`, `remote` |
//! | `rights` | with whose rights: `own`, `other` (`sudo`) |
//! | `rule` | a glob over the names of rules that mind the effect |
//!
//! In `command_allowlist`, a matcher that does not say where and with whose rights means here and one's own.

use herm_shell::place::Extent;
use herm_shell::{Effect, Flags, PathTarget, Provenance, Realm, Target, Verb};

use super::error::Problem;
use super::glob::Glob;
use crate::finding::Finding;
use crate::rules::RULES;

/// A matcher over effects.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Matcher {
    verb: Option<Verb>,
    flag: Option<&'static str>,
    from: Option<&'static str>,
    host: Option<Glob>,
    kind: Option<String>,
    name: Option<Glob>,
    path: Option<String>,
    program: Option<Glob>,
    realm: Option<&'static str>,
    rights: Option<&'static str>,
    rule: Option<Glob>,
}

/// Which way a match leans when the path is not wholly known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Lean {
    /// It matches when it may be meant.
    Tighten,
    /// It matches only when it is certainly meant.
    Loosen,
}

const KEYS: &[&str] =
    &["effect", "flag", "from", "host", "kind", "name", "path", "program", "realm", "rights", "rule"];

impl Matcher {
    /// Whether a text is written as a matcher: its first word begins with a key.
    pub(crate) fn is_written(text: &str) -> bool {
        text.split_whitespace().next().and_then(key).is_some()
    }

    /// Reads a matcher.
    pub(crate) fn new(text: &str) -> Result<Self, Problem> {
        text.split_whitespace().try_fold(Self::default(), Self::with)
    }

    fn with(mut self, word: &str) -> Result<Self, Problem> {
        let unknown = || Problem::MatcherKey { word: word.to_owned(), keys: KEYS };
        let (key, value) = key(word).ok_or_else(unknown)?;
        let wrong = || Problem::MatcherValue { key: key.to_owned(), value: value.to_owned() };
        match key {
            "effect" => self.verb = Some(verb(value).ok_or_else(wrong)?),
            "flag" => self.flag = Some(all_flags().find(|flag| dashed(flag) == value).ok_or_else(wrong)?),
            "from" => self.from = Some(all_origins().find(|from| dashed(from) == value).ok_or_else(wrong)?),
            "host" => self.host = Some(Glob::text(&value.to_lowercase())),
            "kind" => self.kind = Some(value.to_owned()),
            "name" => self.name = Some(Glob::text(value)),
            "path" if value.starts_with(['/', '*']) || value.starts_with("~/") => {
                self.path = Some(value.to_owned());
            }
            "program" => self.program = Some(Glob::text(value)),
            "realm" => self.realm = Some(one_of(REALMS, value).ok_or_else(wrong)?),
            "rights" => self.rights = Some(one_of(RIGHTS, value).ok_or_else(wrong)?),
            "rule" => self.rule = Some(rules(value)?),
            "path" => return Err(wrong()),
            _ => return Err(unknown()),
        }
        Ok(self)
    }

    /// Whether it names rules, so that it speaks about findings rather than effects.
    pub(crate) fn names_rules(&self) -> bool {
        self.rule.is_some()
    }

    /// Whether it says nothing but which program.
    pub(crate) fn only_program(&self) -> Option<&Glob> {
        let bare = Self { program: self.program.clone(), ..Self::default() };
        self.program.as_ref().filter(|_| *self == bare)
    }

    /// Whether it means a finding: the rule, if it names one, and the effect that the finding is about.
    pub(crate) fn finding(&self, finding: &Finding, home: &str, lean: Lean) -> bool {
        let only_rule = Self { rule: self.rule.clone(), ..Self::default() } == *self;
        let effect = || finding.subject.as_ref().is_some_and(|effect| self.effect(effect, home, lean));
        self.rule.as_ref().is_none_or(|rule| rule.matches(finding.rule)) && (only_rule || effect())
    }

    /// Whether it means an effect, whichever rule minds it.
    pub(crate) fn effect(&self, effect: &Effect, home: &str, lean: Lean) -> bool {
        self.verb.is_none_or(|verb| effect.verb == verb)
            && self.flag.is_none_or(|flag| effect.flags.words().any(|word| word == flag))
            && self.from.is_none_or(|from| effect.provenance.words().any(|word| word == from))
            && self.program.as_ref().is_none_or(|program| program.matches(&effect.by))
            && (lean == Lean::Tighten || self.reaches_below(effect.flags))
            && says(self.realm, realm(&effect.realm), "here", lean)
            && says(self.rights, rights(effect), "own", lean)
            && self.target(&effect.target, effect.flags, home, lean)
    }

    /// Whether it covers everything below as well, when everything below is touched: one exact path does not say so.
    fn reaches_below(&self, flags: Flags) -> bool {
        let exact = self.path.as_ref().is_some_and(|path| !path.ends_with("**"));
        !flags.has(Flags::RECURSIVE) || !exact || self.flag == Some("recursive")
    }

    fn target(&self, target: &Target, flags: Flags, home: &str, lean: Lean) -> bool {
        let host = if let Target::Host(host) = target { host.host.as_deref() } else { None };
        let (kind, name) = if let Target::Named(kind, name) = target {
            (Some(dashed(kind)), Some(name))
        } else {
            (None, None)
        };
        let path = if let Target::Path(path) = target { Some(path) } else { None };
        self.host.as_ref().is_none_or(|glob| host.is_some_and(|host| glob.matches(host)))
            && self.kind.as_ref().is_none_or(|wanted| kind.as_ref() == Some(wanted))
            && self.name.as_ref().is_none_or(|glob| name.is_some_and(|name| glob.matches(name)))
            && self
                .path
                .as_ref()
                .is_none_or(|glob| path.is_some_and(|path| covers(glob, path, flags, home, lean)))
    }
}

/// Whether a path is meant. For a rule that tightens, a directory that holds what is meant counts as well when
/// everything below it is touched, or when the rest of the path is not known.
fn covers(glob: &str, path: &PathTarget, flags: Flags, home: &str, lean: Lean) -> bool {
    let expanded = glob.strip_prefix("~/").map_or_else(|| glob.to_owned(), |rest| format!("{home}/{rest}"));
    let glob = Glob::path(&expanded);
    let whole = match path.extent {
        Extent::Children | Extent::Exact | Extent::Pattern => true,
        Extent::Prefix | Extent::Unknown => false,
    };
    match lean {
        Lean::Loosen => whole && path.path.starts_with('/') && glob.matches(&inside(path)),
        Lean::Tighten => {
            let below = path.extent != Extent::Exact || flags.has(Flags::RECURSIVE);
            let known = path.path.trim_end_matches('/');
            glob.matches(&path.path)
                || glob.matches(&inside(path))
                || path.extent == Extent::Unknown
                || below && glob.literal_prefix().starts_with(known)
        }
    }
}

/// Something that stands for what the path covers: the path itself, or a file in the directory.
fn inside(path: &PathTarget) -> String {
    match path.extent {
        Extent::Children | Extent::Pattern => format!("{}/*", path.path.trim_end_matches('/')),
        Extent::Exact | Extent::Prefix | Extent::Unknown => path.path.clone(),
    }
}

const REALMS: &[&str] = &["container", "here", "remote"];
const RIGHTS: &[&str] = &["other", "own"];

fn one_of(words: &[&'static str], value: &str) -> Option<&'static str> {
    words.iter().copied().find(|word| *word == value)
}

fn realm(realm: &Realm) -> &'static str {
    match realm {
        Realm::Container { .. } => "container",
        Realm::Here => "here",
        Realm::Remote(_) => "remote",
    }
}

fn rights(effect: &Effect) -> &'static str {
    if effect.privileged { "other" } else { "own" }
}

/// Whether a word is what is wanted. Silence means the usual when it would loosen, and everything when it would tighten.
fn says(wanted: Option<&str>, word: &str, usual: &str, lean: Lean) -> bool {
    match (wanted, lean) {
        (Some(wanted), _) => wanted == word,
        (None, Lean::Loosen) => word == usual,
        (None, Lean::Tighten) => true,
    }
}

fn key(word: &str) -> Option<(&str, &str)> {
    word.split_once(':').filter(|(key, value)| KEYS.contains(key) && !value.is_empty())
}

/// `in place` is written `in-place`.
fn dashed(words: &str) -> String {
    words.replace(' ', "-")
}

/// The words that `flag:` knows, before blanks become dashes.
pub fn all_flags() -> impl Iterator<Item = &'static str> {
    Flags::NONE.complement().words()
}

/// The words that `from:` knows.
pub fn all_origins() -> impl Iterator<Item = &'static str> {
    Provenance::NONE.complement().words()
}

fn verb(name: &str) -> Option<Verb> {
    VERBS.iter().find(|(word, _)| *word == name).map(|(_, verb)| *verb)
}

/// The verbs, as matchers write them.
pub static VERBS: &[(&str, Verb)] = &[
    ("account", Verb::Account),
    ("change-attributes", Verb::ChangeAttributes),
    ("change-mode", Verb::ChangeMode),
    ("change-owner", Verb::ChangeOwner),
    ("configure", Verb::Configure),
    ("connect", Verb::Connect),
    ("delete", Verb::Delete),
    ("destroy", Verb::Destroy),
    ("disable", Verb::Disable),
    ("discard", Verb::Discard),
    ("escalate", Verb::Escalate),
    ("execute", Verb::Execute),
    ("exhaust", Verb::Exhaust),
    ("format", Verb::Format),
    ("install", Verb::Install),
    ("kill", Verb::Kill),
    ("link", Verb::Link),
    ("listen", Verb::Listen),
    ("load", Verb::Load),
    ("login", Verb::Login),
    ("mount", Verb::Mount),
    ("persist", Verb::Persist),
    ("power", Verb::Power),
    ("publish", Verb::Publish),
    ("read", Verb::Read),
    ("rewrite", Verb::Rewrite),
    ("send", Verb::Send),
    ("service", Verb::Service),
    ("uninstall", Verb::Uninstall),
    ("write", Verb::Write),
];

/// A glob over the names of rules; one that matches none is a slip.
fn rules(value: &str) -> Result<Glob, Problem> {
    let glob = Glob::text(value);
    let known = RULES.iter().any(|rule| glob.matches(rule.name));
    known.then_some(glob).ok_or_else(|| Problem::UnknownRule(value.to_owned()))
}
