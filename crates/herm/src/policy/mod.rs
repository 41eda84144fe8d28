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
mod key;
pub mod keys;
pub mod matcher;
mod preset;
pub mod sites;
mod temper;
pub mod terminal;
pub mod titles;
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
pub use keys::{KEYS, Key};
pub use preset::{Mode, Preset};
pub use sites::{Blocklist, Site};
pub use terminal::Terminal;

use std::sync::Arc;

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
    /// The socket of the broker that asks, remembers and records; without one, whoever asks does so itself.
    pub broker: Option<AbsPath>,
    /// The users whose answers a broker takes from others.
    pub approvers: Vec<String>,
    /// How long commands may run, and how much they may print.
    pub limits: Limits,
    /// What is refused in every preset and mode.
    pub deny: Vec<Entry>,
    /// What is always asked about.
    pub ask: Vec<Entry>,
    /// What is not asked about.
    pub allow: Vec<Entry>,
    /// The directories that writing is confined to: one of each list must hold a path.
    pub safe_roots: Vec<Vec<AbsPath>>,
    /// What the `security` section says.
    pub security: Security,
    /// Where connections may go.
    pub egress: Egress,
    /// The hosts that nothing may connect to.
    pub blocklist: Blocklist,
    /// What the `terminal` section says.
    pub terminal: Terminal,
    /// The operator's hooks.
    pub hooks: Vec<Hook>,
    /// The model that answers in `smart` mode.
    pub auxiliary: Auxiliary,
    /// Commands with the decision that is expected.
    pub tests: Vec<Case>,
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
            broker: None,
            approvers: Vec::new(),
            limits: Limits::default(),
            deny: Vec::new(),
            ask: Vec::new(),
            allow: Vec::new(),
            safe_roots: Vec::new(),
            security: Security::default(),
            egress: Egress::default(),
            blocklist: Blocklist::default(),
            terminal: Terminal::default(),
            hooks: Vec::new(),
            auxiliary: Auxiliary::default(),
            tests: Vec::new(),
        }
    }
}

impl Policy {
    /// What follows from some files, in the order of their sources.
    ///
    /// # Errors
    /// When a repository's file would loosen what the others say, or a path is not absolute.
    pub fn compile(mut configs: Vec<Config>, surroundings: &Surroundings) -> Result<Self, Error> {
        configs.sort_by_key(|config| config.source);
        let mut policy = Self::default();
        let (repository, trusted): (Vec<_>, Vec<_>) =
            configs.into_iter().partition(|config| config.source == Source::Repository);
        policy.preset =
            strictest(trusted.iter().filter_map(|config| config.preset.map(|(_, preset)| preset)));
        policy.mode = strictest(trusted.iter().filter_map(|config| config.mode));
        policy.timeout = trusted.iter().filter_map(|config| config.timeout).min().unwrap_or(policy.timeout);
        for config in &repository {
            policy.tighten(config)?;
        }
        policy.environment(surroundings)?;
        let mut policy = trusted
            .into_iter()
            .chain(repository)
            .try_fold(policy, |policy, config| policy.join(config, surroundings))?;
        policy.set_preset(policy.preset);
        policy.egress.endpoints.extend(egress::configured(policy.auxiliary.base_url.as_deref()));
        policy.block();
        Ok(policy)
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

    fn environment(&mut self, surroundings: &Surroundings) -> Result<(), Error> {
        let value = surroundings.safe_root.as_deref().unwrap_or_default();
        let written = value.split(':').filter(|part| !part.is_empty());
        let located = written.map(|part| (error::Position { line: 1, column: 1 }, part.to_owned()));
        self.confine("HERMES_WRITE_SAFE_ROOT", located.collect(), surroundings)
    }

    fn join(mut self, config: Config, surroundings: &Surroundings) -> Result<Self, Error> {
        self.confine(&config.file, config.safe_root, surroundings)?;
        self.entrust(&config.file, config.broker, surroundings)?;
        self.approvers.extend(config.approvers);
        self.deny.extend(config.deny);
        self.ask.extend(config.ask);
        self.allow.extend(config.allow);
        let file = config.file;
        self.tests.extend(config.tests.into_iter().map(|case| Case { file: file.clone(), ..case }));
        self.security.join(config.security);
        self.egress.join(config.egress);
        self.terminal.join(config.terminal);
        self.hooks.extend(config.hooks);
        self.auxiliary.join(config.auxiliary);
        Ok(self)
    }

    /// Of two brokers that of the earlier file holds: a user does not escape the machine's.
    fn entrust(
        &mut self,
        file: &str,
        broker: Option<(error::Position, String)>,
        surroundings: &Surroundings,
    ) -> Result<(), Error> {
        let Some((at, text)) = broker else { return Ok(()) };
        let relative = |text| Error { file: file.to_owned(), at, problem: Problem::RelativePath(text) };
        let socket = absolute(&text, surroundings).ok_or_else(|| relative(text))?;
        self.broker.get_or_insert(socket);
        Ok(())
    }

    fn confine(
        &mut self,
        file: &str,
        written: Vec<(error::Position, String)>,
        surroundings: &Surroundings,
    ) -> Result<(), Error> {
        let root = |(at, text): (error::Position, String)| {
            absolute(&text, surroundings).ok_or_else(|| Error {
                file: file.to_owned(),
                at,
                problem: Problem::RelativePath(text),
            })
        };
        let roots = written.into_iter().map(root).collect::<Result<Vec<_>, _>>()?;
        if !roots.is_empty() {
            self.safe_roots.push(roots);
        }
        Ok(())
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
