//! What holds for a judgement: presets, the user's rules, the safe root.
//!
//! [`Config`] is what one file says, [`Policy`] is what follows from all of them. Files are read in the order managed,
//! user, repository. Lists of rules are joined; of single values the strictest holds; a repository may only tighten.

pub mod auxiliary;
pub mod config;
pub mod credential;
pub mod edit;
pub mod egress;
pub mod entry;
pub mod error;
pub mod glob;
pub mod hooks;
mod isolation;
mod kept;
mod key;
pub mod keys;
pub mod matcher;
pub mod mcp;
mod mistakes;
mod preset;
mod released;
pub mod sandbox;
pub mod sites;
mod temper;
pub mod terminal;
pub mod titles;
mod undo;
mod value;
pub mod words;
pub(crate) mod yaml;

pub use auxiliary::Auxiliary;
pub use config::{Case, Config, Security, Source};
pub use credential::Credential;
pub use egress::Egress;
pub use entry::Entry;
pub use error::{Error, Problem};
pub use hooks::Hook;
pub use isolation::Isolation;
pub use kept::Kept;
pub use keys::Key;
pub use mistakes::Mistakes;
pub use preset::{Mode, Preset};
pub use released::Released;
pub use sandbox::Sandbox;
pub use sites::{Blocklist, Site};
pub use terminal::Terminal;
pub use undo::Undo;

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::enforcement::Backend;
use crate::limits::Limits;
use crate::path::AbsPath;

/// What holds for a judgement.
#[derive(Clone, Debug)]
pub struct Policy {
    /// How strict it is.
    pub preset: Preset,
    /// Who answers questions.
    pub mode: Mode,
    /// Seconds to wait for an answer.
    pub timeout: u32,
    /// How much of what tries have kept can be taken back.
    pub undo: Undo,
    /// The socket of the broker that asks, remembers and records; without one, whoever asks does so itself.
    pub broker: Option<AbsPath>,
    /// The users whose answers a broker takes from others.
    pub approvers: Vec<String>,
    /// How long commands may run, and how much they may print.
    pub limits: Limits,
    /// Where commands run.
    pub backend: Backend,
    /// What commands share with the machine, where they run behind a boundary.
    pub isolation: Option<Isolation>,
    /// Where herm keeps its own files, under every name that is known of it.
    pub own: Vec<AbsPath>,
    /// What is refused in every preset and mode.
    pub deny: Vec<Entry>,
    /// What is always asked about.
    pub ask: Vec<Entry>,
    /// What is not asked about.
    pub allow: Vec<Entry>,
    /// The directories that writing is confined to: one of each list must hold a path.
    pub safe_roots: Vec<Vec<AbsPath>>,
    /// Whether a person sees every change that herm makes to files for an agent before it is made.
    pub edit_approval: bool,
    /// What the `security` section says.
    pub security: Security,
    /// Where connections may go.
    pub egress: Egress,
    /// The hosts that nothing may connect to.
    pub blocklist: Blocklist,
    /// What is demanded of the sandbox.
    pub sandbox: Sandbox,
    /// Which of the commands that are released to agents herm runs itself.
    pub released: Released,
    /// What the `terminal` section says.
    pub terminal: Terminal,
    /// The Python that runs scripts; the system's own without one.
    pub python: Option<AbsPath>,
    /// The operator's hooks.
    pub hooks: Vec<Hook>,
    /// The model that answers in `smart` mode.
    pub auxiliary: Auxiliary,
    /// What holds for servers of tools.
    pub mcp: mcp::Servers,
    /// Commands with the decision that is expected.
    pub tests: Vec<Case>,
    /// What has no effect yet.
    pub kept: BTreeMap<&'static str, Kept>,
    /// Which file says what.
    pub origins: Vec<Origin>,
}

/// Where a key is set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin {
    /// The key.
    pub key: &'static str,
    /// The file.
    pub file: String,
    /// Where in it.
    pub at: error::Position,
}

/// What the files cannot say about themselves.
#[derive(Clone, Debug, Default)]
pub struct Surroundings {
    /// The home directory, for `~/`.
    pub home: Option<AbsPath>,
    /// The value of `HERMES_WRITE_SAFE_ROOT`: directories separated by colons.
    pub safe_root: Option<String>,
}

impl Default for Policy {
    fn default() -> Self {
        Self {
            preset: Preset::default(),
            mode: Mode::default(),
            timeout: 60,
            undo: Undo::default(),
            broker: None,
            approvers: Vec::new(),
            limits: Limits::default(),
            backend: Backend::default(),
            isolation: None,
            own: Vec::new(),
            deny: Vec::new(),
            ask: Vec::new(),
            allow: Vec::new(),
            safe_roots: Vec::new(),
            edit_approval: false,
            security: Security::default(),
            egress: Egress::default(),
            blocklist: Blocklist::default(),
            sandbox: Sandbox::default(),
            released: Released::default(),
            terminal: Terminal::default(),
            python: None,
            hooks: Vec::new(),
            auxiliary: Auxiliary::default(),
            mcp: mcp::Servers::default(),
            tests: Vec::new(),
            kept: BTreeMap::new(),
            origins: Vec::new(),
        }
    }
}

impl Policy {
    /// What follows from some files, in the order of their sources.
    ///
    /// # Errors
    /// When a repository's file would loosen what the others say, or a path is not absolute.
    pub fn compile(configs: Vec<Config>, surroundings: &Surroundings) -> Result<Self, Error> {
        Self::check(configs, surroundings).map_err(|mistakes| mistakes.first)
    }

    /// The same, for whoever wants to know of every mistake.
    ///
    /// # Errors
    /// As for [`compile`](Self::compile), for everything that is wrong.
    pub fn check(mut configs: Vec<Config>, surroundings: &Surroundings) -> Result<Self, Mistakes> {
        configs.sort_by_key(|config| config.source);
        let mut policy = Self::default();
        let mut wrong = Vec::new();
        let (repository, trusted): (Vec<_>, Vec<_>) =
            configs.into_iter().partition(|config| config.source == Source::Repository);
        policy.preset =
            strictest(trusted.iter().filter_map(|config| config.preset.map(|(_, preset)| preset)));
        policy.mode = strictest(trusted.iter().filter_map(|config| config.mode));
        policy.released = strictest(trusted.iter().filter_map(|config| config.released));
        policy.timeout = trusted.iter().filter_map(|config| config.timeout).min().unwrap_or(policy.timeout);
        let all = trusted.iter().chain(&repository);
        policy.sandbox.profile = sandbox::profile(all.filter_map(|config| config.sandbox.profile));
        for config in &repository {
            wrong.extend(policy.tighten(config).err());
        }
        wrong.extend(policy.environment(surroundings));
        for config in trusted.into_iter().chain(repository) {
            wrong.extend(policy.join(config, surroundings));
        }
        policy.set_preset(policy.preset);
        let model = egress::configured(policy.auxiliary.base_url.as_deref());
        policy.egress.endpoints.extend(model.filter(|model| !policy.egress.endpoints.contains(model)));
        policy.block();
        Mistakes::unless(wrong, policy)
    }

    /// Judges as strictly as this preset, whatever the files say.
    pub fn set_preset(&mut self, preset: Preset) {
        self.preset = preset;
        self.limits = Limits::set(preset, self.terminal.timeout, self.terminal.max_timeout);
    }

    /// The files with more hosts that nothing may connect to. Who compiles the policy reads them into [`Policy::blocklist`].
    #[must_use]
    pub fn shared_files(&self) -> &[String] {
        if self.security.blocklist_enabled == Some(true) { &self.security.blocklist_files } else { &[] }
    }

    fn block(&mut self) {
        if self.security.blocklist_enabled == Some(true) {
            let source = Arc::from("`security.website_blocklist.domains`");
            let sites = self.security.blocked_domains.iter().filter_map(|text| Site::read(text).ok());
            sites.for_each(|site| self.blocklist.block(site, &source));
            // Until somebody reads them, nobody knows what they hold.
            self.security.blocklist_files.iter().for_each(|file| self.blocklist.miss(file));
        }
    }

    fn tighten(&mut self, config: &Config) -> Result<(), Error> {
        let Some((at, asked)) = config.preset else { return Ok(()) };
        if asked < self.preset {
            let problem = Problem::LooserPreset { asked, held: self.preset };
            return Err(Error { file: config.file.clone(), at, problem });
        }
        self.preset = asked;
        Ok(())
    }

    fn environment(&mut self, surroundings: &Surroundings) -> Vec<Error> {
        let value = surroundings.safe_root.as_deref().unwrap_or_default();
        let written = value.split(':').filter(|part| !part.is_empty());
        let located = written.map(|part| (error::Position { line: 1, column: 1 }, part.to_owned()));
        self.confine("HERMES_WRITE_SAFE_ROOT", located.collect(), surroundings)
    }

    /// Takes in what a file says, but for what was settled before. What is wrong with it is told.
    fn join(&mut self, config: Config, surroundings: &Surroundings) -> Vec<Error> {
        let file = config.file;
        let mut wrong = self.confine(&file, config.safe_root, surroundings);
        wrong.extend(self.sandbox.join(config.sandbox, (config.source, &file), surroundings));
        for (written, held) in [(config.broker, &mut self.broker), (config.python, &mut self.python)] {
            wrong.extend(settle(held, &file, written, surroundings).err());
        }
        self.approvers.extend(config.approvers);
        self.edit_approval |= config.edit_approval;
        self.deny.extend(config.deny);
        self.ask.extend(config.ask);
        self.allow.extend(config.allow);
        self.tests.extend(config.tests.into_iter().map(|case| Case { file: file.clone(), ..case }));
        self.security.join(config.security);
        self.egress.join(config.egress);
        self.terminal.join(config.terminal);
        self.undo.join(config.undo);
        self.hooks.extend(config.hooks);
        self.auxiliary.join(config.auxiliary);
        self.mcp.join(config.mcp);
        let (deny, allow) = self.mcp.entries();
        for (entries, held) in [(deny, &mut self.deny), (allow, &mut self.allow)] {
            let new: Vec<_> = entries.into_iter().filter(|entry| !held.contains(entry)).collect();
            held.extend(new);
        }
        self.kept.extend(config.kept);
        self.origins.extend(config.said.into_iter().map(|(key, at)| Origin { key, file: file.clone(), at }));
        wrong
    }

    fn confine(
        &mut self,
        file: &str,
        written: Vec<(error::Position, String)>,
        surroundings: &Surroundings,
    ) -> Vec<Error> {
        let (mut roots, mut wrong) = (Vec::new(), Vec::new());
        for (at, text) in written {
            match rooted(file, at, text, surroundings) {
                Ok(root) => roots.push(root),
                Err(error) => wrong.push(error),
            }
        }
        if !roots.is_empty() {
            self.safe_roots.push(roots);
        }
        wrong
    }
}

impl Security {
    /// Of what guards, the strictest holds: whoever manages the machine can be tightened, not overruled. Otherwise what a
    /// later file says replaces what an earlier one said; lists are joined.
    fn join(&mut self, other: Self) {
        self.redact_secrets = either(self.redact_secrets, other.redact_secrets, |a, b| a || b);
        self.tirith_enabled = either(self.tirith_enabled, other.tirith_enabled, |a, b| a || b);
        self.tirith_path = self.tirith_path.take().or(other.tirith_path);
        self.tirith_timeout = other.tirith_timeout.or(self.tirith_timeout);
        self.tirith_fail_open = either(self.tirith_fail_open, other.tirith_fail_open, |a, b| a && b);
        self.tirith_block_asks = either(self.tirith_block_asks, other.tirith_block_asks, |a, b| a && b);
        self.blocklist_enabled = either(self.blocklist_enabled, other.blocklist_enabled, |a, b| a || b);
        self.blocked_domains.extend(other.blocked_domains);
        self.blocklist_files.extend(other.blocklist_files);
    }
}

fn either(one: Option<bool>, other: Option<bool>, both: fn(bool, bool) -> bool) -> Option<bool> {
    match (one, other) {
        (Some(one), Some(other)) => Some(both(one, other)),
        (one, other) => one.or(other),
    }
}

fn strictest<T: Ord + Default>(set: impl Iterator<Item = T>) -> T {
    set.max().unwrap_or_default()
}

/// Of two paths that of the earlier file holds: a user does not escape what the machine says.
fn settle(
    held: &mut Option<AbsPath>,
    file: &str,
    written: Option<(error::Position, String)>,
    surroundings: &Surroundings,
) -> Result<(), Error> {
    let Some((at, text)) = written else { return Ok(()) };
    held.get_or_insert(rooted(file, at, text, surroundings)?);
    Ok(())
}

fn rooted(
    file: &str,
    at: error::Position,
    text: String,
    surroundings: &Surroundings,
) -> Result<AbsPath, Error> {
    let relative = |text| Error { file: file.to_owned(), at, problem: Problem::RelativePath(text) };
    absolute(&text, surroundings).ok_or_else(|| relative(text))
}

fn absolute(text: &str, surroundings: &Surroundings) -> Option<AbsPath> {
    let home = surroundings.home.as_ref();
    let expanded = match text.strip_prefix('~') {
        Some(rest) if rest.is_empty() || rest.starts_with('/') => format!("{}{rest}", home?),
        Some(_) | None => text.to_owned(),
    };
    AbsPath::new(&expanded).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn compiled(files: &[(Source, &str)]) -> Result<Policy, Error> {
        let read = |(source, content): &(Source, &str)| Config::read(*source, "config.yaml", content);
        Policy::compile(files.iter().map(read).collect::<Result<_, _>>()?, &Surroundings::default())
    }

    #[test]
    fn a_user_does_not_escape_the_broker_of_the_machine() {
        let managed = (Source::Managed, "approvals:\n  broker: /run/herm/broker.sock\n");
        let user = (Source::User, "approvals:\n  broker: /tmp/mine.sock\n");
        let broker = |files: &[_]| compiled(files).unwrap().broker.map(|socket| socket.as_str().to_owned());
        assert_eq!(broker(&[user, managed]).as_deref(), Some("/run/herm/broker.sock"));
        assert_eq!(broker(&[user]).as_deref(), Some("/tmp/mine.sock"));
        assert_eq!(broker(&[]), None);
    }

    #[test]
    fn a_repository_names_neither_broker_nor_approvers() {
        for content in ["approvals:\n  broker: /tmp/mine.sock\n", "approvals:\n  approvers: [ann]\n"] {
            assert!(compiled(&[(Source::Repository, content)]).is_err(), "{content}");
        }
        assert!(compiled(&[(Source::User, "approvals:\n  broker: mine.sock\n")]).is_err());
        let named = compiled(&[(Source::User, "approvals:\n  approvers: [ann, 1002]\n")]).unwrap();
        assert_eq!(named.approvers, ["ann", "1002"]);
    }
}
