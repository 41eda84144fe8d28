//! `cargo xtask test`: everything that must hold before a change goes in.

use crate::agents::Wanted;
use crate::run::{answers, cargo, cargo_with};
use crate::{Outcome, agents, arrows, generate, references, say, setup, words};

/// How much is tried.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Effort {
    /// Larger projects behind the boundary, and many more values that oracles are asked about.
    Full,
    /// What every change is tried with.
    Quick,
}

impl Effort {
    /// The projects that are built behind the boundary.
    fn projects(self) -> &'static str {
        match self {
            Self::Full => "full",
            Self::Quick => "quick",
        }
    }

    /// How many times as many values as usual the oracles are asked about.
    fn values(self) -> &'static str {
        match self {
            Self::Full => "100",
            Self::Quick => "1",
        }
    }
}

/// Runs every check, the quick ones first. `agents` are those that are run with herm as their hook.
pub(crate) fn run(effort: Effort, agents: Wanted) -> Outcome {
    setup::run(agents)?;
    words::check()?;
    arrows::check()?;
    cargo(&["fmt", "--all", "--check"])?;
    cargo(&["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"])?;
    cargo(&["deny", "check", "licenses", "bans", "sources"])?;
    generate::check()?;
    tests(effort, &agents::ready(agents)?)?;
    cargo(&["test", "--workspace", "--doc"])?;
    cargo(&["check", "--manifest-path", "fuzz/Cargo.toml", "--target-dir", "target/fuzz"])?;
    cargo_with(&["doc", "--workspace", "--no-deps"], &[("RUSTDOCFLAGS", "-D warnings")])?;
    say("all checks passed");
    Ok(())
}

fn tests(effort: Effort, agents: &str) -> Outcome {
    let references = references::ready()?;
    let mut variables =
        vec![("HERM_AGENTS", agents), ("HERM_ORACLE", effort.values()), ("HERM_PROJECTS", effort.projects())];
    variables.extend(references.as_deref().map(|place| ("HERM_REFERENCES", place)));
    if answers("cargo", &["nextest", "--version"]) {
        cargo_with(&["nextest", "run", "--workspace"], &variables)
    } else {
        cargo_with(&["test", "--workspace", "--all-targets"], &variables)
    }
}
