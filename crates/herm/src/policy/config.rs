//! What a configuration file says.

use super::auxiliary::Auxiliary;
use super::egress::Egress;
use super::entry::Entry;
use super::error::{Error, Position, Problem};
use super::hooks::Hook;
use super::kept::Kept;
use super::keys::{self, STRICT_SECTIONS, Scope};
use super::mcp::Servers;
use super::mistakes::Mistakes;
use super::sandbox;
use super::terminal::Terminal;
use super::undo::Undo;
use super::value::{Wrong, all, choice, named, text, wrong};
use super::yaml::{self, Content, Node};
use super::{Mode, Preset, Released};
use crate::rules;

/// What a configuration file says, as written. [`super::Policy`] is what follows from all of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Config {
    /// Whose file it is.
    pub source: Source,
    /// The file.
    pub file: String,
    pub(super) preset: Option<(Position, Preset)>,
    pub(super) mode: Option<Mode>,
    pub(super) timeout: Option<u32>,
    pub(super) undo: Undo,
    pub(super) broker: Option<(Position, String)>,
    pub(super) python: Option<(Position, String)>,
    pub(super) approvers: Vec<String>,
    pub(super) deny: Vec<Entry>,
    pub(super) ask: Vec<Entry>,
    pub(super) allow: Vec<Entry>,
    pub(super) safe_root: Vec<(Position, String)>,
    pub(super) edit_approval: bool,
    pub(super) security: Security,
    pub(super) egress: Egress,
    pub(super) sandbox: sandbox::Written,
    pub(super) released: Option<Released>,
    pub(super) terminal: Terminal,
    pub(super) hooks: Vec<Hook>,
    pub(super) auxiliary: Auxiliary,
    pub(super) mcp: Servers,
    pub(super) tests: Vec<Case>,
    pub(super) kept: Vec<(&'static str, Kept)>,
    /// The keys that it sets, and where.
    pub(super) said: Vec<(&'static str, Position)>,
    /// What it says that nothing here makes use of, and where.
    pub unused: Vec<(Position, String)>,
    /// Whether it is one that Hermes reads as well.
    is_of_hermes: bool,
}

/// Whose file it is; in the order in which they are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Source {
    /// The machine's.
    Managed,
    /// The user's.
    User,
    /// A repository's, which may only tighten.
    Repository,
}

/// What the `security` section says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Security {
    /// Whether secrets are taken out of what tools print.
    pub redact_secrets: Option<bool>,
    /// Whether tirith is called as well.
    pub tirith_enabled: Option<bool>,
    /// Where it is.
    pub tirith_path: Option<String>,
    /// Seconds to wait for it.
    pub tirith_timeout: Option<u32>,
    /// Whether commands go on without it.
    pub tirith_fail_open: Option<bool>,
    /// Whether its block asks instead of denying.
    pub tirith_block_asks: Option<bool>,
    /// Whether the list of hosts holds.
    pub blocklist_enabled: Option<bool>,
    /// Hosts that nothing may connect to.
    pub blocked_domains: Vec<String>,
    /// Files with more of them.
    pub blocklist_files: Vec<String>,
}

/// A command with the decision that is expected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Case {
    /// The file it stands in.
    pub file: String,
    /// Where it stands.
    pub at: Position,
    /// The command.
    pub command: String,
    /// `allow`, `ask` or `deny`.
    pub expect: String,
    /// A rule that must have something to say.
    pub rule: Option<String>,
}

impl Config {
    /// How strict it wants judgements to be, where it says so.
    #[must_use]
    pub fn preset(&self) -> Option<Preset> {
        self.preset.map(|(_, preset)| preset)
    }

    /// A file that says nothing.
    #[must_use]
    pub fn empty(source: Source, file: &str) -> Self {
        Self {
            source,
            file: file.to_owned(),
            preset: None,
            mode: None,
            timeout: None,
            undo: Undo::default(),
            broker: None,
            python: None,
            approvers: Vec::new(),
            deny: Vec::new(),
            ask: Vec::new(),
            allow: Vec::new(),
            safe_root: Vec::new(),
            edit_approval: false,
            security: Security::default(),
            egress: Egress::default(),
            sandbox: sandbox::Written::default(),
            released: None,
            terminal: Terminal::default(),
            hooks: Vec::new(),
            auxiliary: Auxiliary::default(),
            mcp: Servers::default(),
            tests: Vec::new(),
            kept: Vec::new(),
            said: Vec::new(),
            unused: Vec::new(),
            is_of_hermes: false,
        }
    }

    /// Reads a configuration file.
    ///
    /// Sections of Hermes that mean nothing here are passed over; in the sections that decide about safety, an unknown
    /// key is an error, since a mistyped rule would otherwise be no rule.
    ///
    /// # Errors
    /// With file, line and column, for the first thing that is wrong.
    pub fn read(source: Source, file: &str, content: &str) -> Result<Self, Error> {
        Self::check(source, file, content).map_err(|mistakes| mistakes.first)
    }

    /// The same, for whoever wants to know of every mistake.
    ///
    /// # Errors
    /// With file, line and column, for everything that is wrong. What is not YAML is the only mistake.
    pub fn check(source: Source, file: &str, content: &str) -> Result<Self, Mistakes> {
        let mut config = Self::empty(source, file);
        let read = yaml::read(content).map_err(Wrong::from).and_then(|root| config.section("", &root));
        let mut wrong = read.err().map_or_else(Vec::new, |Wrong(located)| located);
        wrong.sort_by_key(|(at, _)| *at);
        let located = |(at, problem)| Error { file: file.to_owned(), at, problem };
        Mistakes::unless(wrong.into_iter().map(located).collect(), config)
    }

    fn section(&mut self, path: &str, node: &Node) -> Result<(), Wrong> {
        let pairs = match &node.content {
            Content::Map(pairs) => pairs,
            Content::Null => return Ok(()),
            Content::Alias | Content::List(_) | Content::Text(_) => return Err(not_a_mapping(node, path)),
        };
        if path.is_empty() {
            let names = pairs.iter().filter_map(|(key, _)| text(key, "a key").ok());
            self.is_of_hermes |=
                self.source == Source::User && names.into_iter().any(|name| OF_HERMES.contains(&name));
        }
        let read =
            named(pairs).map(|pair| pair.and_then(|(key, name, value)| self.key(path, name, key.at, value)));
        all(read).map(drop)
    }

    fn key(&mut self, section: &str, name: &str, at: Position, value: &Node) -> Result<(), Wrong> {
        let path = if section.is_empty() { name.to_owned() } else { format!("{section}.{name}") };
        if let Some(key) = keys::find(&path) {
            if key.scope == Scope::Trusted && self.source == Source::Repository {
                return Err(Wrong::from((at, Problem::Loosens(path))));
            }
            // What is not said is as usual.
            if value.content == Content::Null {
                return Ok(());
            }
            self.said.push((key.path, at));
            return (key.set)(key, self, value);
        }
        if keys::is_section(&path) {
            return self.section(&path, value);
        }
        // Documents show a file below its own name, and so it is copied.
        if section.is_empty() && self.file.rsplit('/').next() == Some(name) {
            return self.section("", value);
        }
        let problem = Problem::UnknownKey { key: name.to_owned(), section: section.to_owned() };
        let strict = self.source == Source::Repository || self.is_strict(section);
        // A key that is nearly one of ours is a slip, and would silently be no rule.
        if strict || problem.hint().is_some() {
            return Err(Wrong::from((at, problem)));
        }
        self.unused.push((at, path));
        Ok(())
    }

    /// Whether an unknown key in a section is a mistake. A later Hermes may have more of them in the section that it shares with us.
    fn is_strict(&self, section: &str) -> bool {
        STRICT_SECTIONS.contains(&section) && !(self.is_of_hermes && section == "approvals")
    }
}

/// Keys at the top of a file that nobody but Hermes has.
const OF_HERMES: &[&str] = &["_config_version", "agent", "display", "model", "toolsets"];

impl Case {
    pub(super) fn read(node: &Node) -> Result<Self, Wrong> {
        let Content::Map(pairs) = &node.content else { return Err(not_a_mapping(node, "tests")) };
        let mut case = Self {
            file: String::new(),
            at: node.at,
            command: String::new(),
            expect: String::new(),
            rule: None,
        };
        all(named(pairs).map(|pair| pair.and_then(|(key, name, value)| case.set(key, name, value))))?;
        let missing = |key| Err(Wrong::from((node.at, Problem::Missing(key))));
        match (case.command.as_str(), case.expect.as_str()) {
            ("", _) => missing("command"),
            (_, "") => missing("expect"),
            (_, _) => Ok(case),
        }
    }

    fn set(&mut self, key: &Node, name: &str, value: &Node) -> Result<(), Wrong> {
        match name {
            "command" => text(value, "command")?.clone_into(&mut self.command),
            "expect" => choice(value, "expect", &["allow", "ask", "deny"])?.clone_into(&mut self.expect),
            "rule" => self.rule = Some(known_rule(value)?),
            other => {
                let problem = Problem::UnknownKey { key: other.to_owned(), section: "tests".to_owned() };
                return Err(Wrong::from((key.at, problem)));
            }
        }
        Ok(())
    }
}

fn known_rule(node: &Node) -> Result<String, Wrong> {
    let name = text(node, "rule")?;
    let unknown = || Wrong::from((node.at, Problem::UnknownRule(name.to_owned())));
    rules::find(name).map(|rule| rule.name.to_owned()).ok_or_else(unknown)
}

fn not_a_mapping(node: &Node, path: &str) -> Wrong {
    wrong(node, if path.is_empty() { "the file" } else { path }, "a mapping")
}
