//! Installs the real agents that are run against a stand-in for their model.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use toml::Table;

use crate::Outcome;
use crate::package::{Package, filled, listed, unless_lacking, word};

const LIST: &str = "xtask/agents.toml";

/// Where they are kept: `NAME-VERSION/bin` is what is run.
const SHELF: &str = "target/agents";

/// Which of them are wanted.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Wanted {
    /// Every one.
    All,
    /// Those that every change is tried with.
    Some,
}

/// Installs what is not there yet.
pub(crate) fn install(wanted: Wanted) -> Outcome {
    chosen(wanted)?.iter().try_for_each(|agent| unless_lacking(agent.install()))
}

/// The names of those that are there.
pub(crate) fn ready(wanted: Wanted) -> Result<String, String> {
    let ready = chosen(wanted)?.into_iter().filter(|agent| agent.package.is_ready());
    Ok(ready.map(|agent| agent.package.name).collect::<Vec<_>>().join(" "))
}

fn chosen(wanted: Wanted) -> Result<Vec<Agent>, String> {
    let agents: Result<Vec<_>, _> = listed(LIST, "agent")?.iter().map(Agent::of).collect();
    Ok(agents?.into_iter().filter(|agent| wanted == Wanted::All || agent.is_always).collect())
}

struct Agent {
    package: Package,
    /// What is run.
    program: PathBuf,
    is_always: bool,
}

impl Agent {
    fn of(table: &Table) -> Result<Self, String> {
        let program = filled(&word(table, "program")?, &word(table, "version")?);
        Ok(Self {
            package: Package::of(table, SHELF)?,
            program: Path::new("..").join(program),
            is_always: word(table, "when")? == "always",
        })
    }

    fn install(&self) -> Outcome {
        self.package.install(|| {
            let bin = self.package.place.join("bin");
            fs::create_dir_all(&bin)?;
            symlink(&self.program, bin.join(self.program.file_name().unwrap_or_default()))
        })
    }
}
