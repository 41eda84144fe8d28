//! Where agents are and where they keep their files.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use herm_adapters::Agent;
use herm_adapters::wiring::command::{Added, Call, named_home};
use herm_adapters::wiring::{Scope, wiring};

use super::plan::Plan;
use crate::environment;
use crate::files;
use crate::setup::{self, Wishes};

/// Where everything is.
#[derive(Clone, Debug)]
pub struct Places {
    /// The home directory of the user.
    pub home: PathBuf,
    /// Where herm keeps its own files.
    pub guard: PathBuf,
    /// The working directory.
    pub cwd: PathBuf,
    /// The root of the machine's settings.
    pub root: PathBuf,
    /// Where herm lies, as agents are told.
    pub herm: PathBuf,
    /// Whether agents' own variables say where their files are: for another's home they say nothing.
    pub heeds_variables: bool,
}

/// An agent that is there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// The agent.
    pub agent: Agent,
    /// The program that starts it.
    pub program: Option<PathBuf>,
}

impl Places {
    /// The places of whoever started herm.
    ///
    /// # Errors
    /// When a path is not absolute.
    pub fn new(wishes: &Wishes) -> Result<Self, setup::Problem> {
        let (home, cwd, guard) = setup::located(wishes)?;
        Ok(Self {
            home: home.as_str().into(),
            guard,
            cwd: cwd.as_str().into(),
            root: "/".into(),
            herm: own_program(),
            heeds_variables: wishes.home.is_none(),
        })
    }

    /// The agents that are there: their program is found, or their settings are.
    #[must_use]
    pub fn agents(&self) -> Vec<Found> {
        Agent::ALL.iter().filter_map(|agent| self.find(*agent)).collect()
    }

    /// An agent, if it is there.
    #[must_use]
    pub fn find(&self, agent: Agent) -> Option<Found> {
        let known = wiring(agent);
        let program = known.programs.iter().find_map(|name| program(name));
        // Where an agent has a sign of its own, its program has a name that others have as well.
        let sign = known.sign.map(|sign| self.home.join(sign));
        let is_named = program.is_some() && sign.is_none();
        let mut signs = sign.into_iter().chain([self.directory(agent, Scope::User)]);
        let is_here = is_named || signs.any(|sign| files::exists(&sign));
        is_here.then_some(Found { agent, program })
    }

    /// Where an agent keeps its settings.
    #[must_use]
    pub fn directory(&self, agent: Agent, scope: Scope) -> PathBuf {
        let known = wiring(agent);
        match scope {
            Scope::System => self.root.join(known.system.unwrap_or_default()),
            Scope::User => {
                let named =
                    known.user.variable.filter(|_| self.heeds_variables).and_then(environment::of_agent);
                match named.map(PathBuf::from).filter(|named| named.is_absolute()) {
                    Some(named) if known.user.within.is_empty() => named,
                    Some(named) => named.join(known.user.within),
                    None => self.home.join(known.user.home),
                }
            }
        }
    }

    /// Where originals are kept. Those of the machine belong to nobody's home: who wires it may not be who takes it back.
    pub(super) fn keeping(&self, scope: Scope) -> PathBuf {
        match scope {
            Scope::System => self.root.join("var/lib/herm"),
            Scope::User => self.guard.clone(),
        }
    }

    /// How an agent is told to call herm. For the whole machine each user has a home of herm's own.
    #[must_use]
    pub fn call(&self, agent: Agent, scope: Scope) -> Call {
        let is_usual = scope == Scope::System || self.guard == self.usual();
        let herm_home = (!is_usual).then(|| self.guard.display().to_string());
        Call { agent, program: self.herm.display().to_string(), herm_home, added: Added::default() }
    }

    /// Where a hook keeps its files that is called so. It asks the machine where its home is, and no variable.
    #[must_use]
    pub fn guard_of(&self, call: &str) -> PathBuf {
        named_home(call).map_or_else(|| self.usual(), PathBuf::from)
    }

    /// Where hooks keep their files: those that are there, and those that would be written for this user.
    #[must_use]
    pub fn guards(&self) -> Vec<PathBuf> {
        let scopes = [Scope::System, Scope::User];
        let plans = self
            .agents()
            .into_iter()
            .flat_map(|found| scopes.map(|scope| Plan::new(self, found.agent, scope)));
        let steps = plans.flat_map(|plan| plan.steps);
        let there = steps.flat_map(|step| step.commands()).map(|line| self.guard_of(&line));
        // It is the same for every agent.
        let wanted = self.guard_of(&self.call(Agent::ClaudeCode, Scope::User).line());
        let all: BTreeSet<PathBuf> = there.chain([wanted]).collect();
        all.into_iter().collect()
    }

    fn usual(&self) -> PathBuf {
        let home = environment::own_home().filter(|_| self.heeds_variables);
        home.as_deref().unwrap_or(&self.home).join(".herm")
    }

    /// The first part of the way to herm that others than root can change. Who can put another program there decides for everybody.
    #[must_use]
    pub fn weak_spot(&self) -> Option<PathBuf> {
        let real = files::real(&self.herm)?;
        let is_weak = |path: &&Path| {
            let owner = files::owner(path).map(|(owner, _)| owner);
            let mode = files::mode(path).unwrap_or(0o777);
            // In a directory such as /tmp nobody can replace what is another's.
            owner != Some(0) || mode & 0o022 != 0 && mode & 0o1000 == 0
        };
        real.ancestors().find(is_weak).map(Path::to_owned)
    }
}

/// Where this program lies. The name in `PATH` is preferred where it leads here: it stays when herm is replaced by a newer one.
fn own_program() -> PathBuf {
    let own = std::env::current_exe().unwrap_or_else(|_| PathBuf::from("herm"));
    let leads_here = |file: &PathBuf| files::real(file).is_some_and(|real| Some(real) == files::real(&own));
    program("herm").filter(leads_here).unwrap_or(own)
}

/// The first program of this name in `PATH`.
pub(super) fn program(name: &str) -> Option<PathBuf> {
    let path = environment::harmless("PATH")?;
    let candidates = std::env::split_paths(&path).filter(|directory| directory.is_absolute());
    candidates.map(|directory| directory.join(name)).find(|file| is_program(file))
}

fn is_program(file: &Path) -> bool {
    files::regular(file).is_some_and(files::Regular::is_program)
}
