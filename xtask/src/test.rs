//! `cargo xtask test`: everything that must hold before a change goes in.

use crate::agents::Wanted;
use crate::run::{answers, cargo, cargo_with};
use crate::{Outcome, agents, arrows, generate, references, say, setup, words};

/// Runs every check, the quick ones first. `projects` are those that are built behind the boundary, `quick` or `full`; `agents` those
/// that are run with herm as their hook.
pub(crate) fn run(projects: &str, agents: Wanted) -> Outcome {
    setup::run(agents)?;
    words::check()?;
    arrows::check()?;
    cargo(&["fmt", "--all", "--check"])?;
    cargo(&["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"])?;
    cargo(&["deny", "check", "licenses", "bans", "sources"])?;
    generate::check()?;
    tests(projects, &agents::ready(agents)?)?;
    cargo(&["test", "--workspace", "--doc"])?;
    cargo(&["check", "--manifest-path", "fuzz/Cargo.toml", "--target-dir", "target/fuzz"])?;
    cargo_with(&["doc", "--workspace", "--no-deps"], &[("RUSTDOCFLAGS", "-D warnings")])?;
    say("all checks passed");
    Ok(())
}

fn tests(projects: &str, agents: &str) -> Outcome {
    let references = references::ready()?;
    let mut variables = vec![("HERM_AGENTS", agents), ("HERM_PROJECTS", projects)];
    variables.extend(references.as_deref().map(|place| ("HERM_REFERENCES", place)));
    if answers("cargo", &["nextest", "--version"]) {
        cargo_with(&["nextest", "run", "--workspace"], &variables)
    } else {
        cargo_with(&["test", "--workspace", "--all-targets"], &variables)
    }
}
