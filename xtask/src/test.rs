//! `cargo xtask test`: everything that must hold before a change goes in.

use crate::run::{answers, cargo, cargo_with};
use crate::{Outcome, arrows, clients, generate, say, setup, words};

/// Runs every check, the quick ones first. `projects` are those that are built behind the boundary, `quick` or `full`.
pub(crate) fn run(projects: &str) -> Outcome {
    setup::run()?;
    words::check()?;
    arrows::check()?;
    cargo(&["fmt", "--all", "--check"])?;
    cargo(&["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"])?;
    cargo(&["deny", "check", "licenses", "bans", "sources"])?;
    generate::check()?;
    tests(projects)?;
    cargo(&["test", "--workspace", "--doc"])?;
    cargo(&["check", "--manifest-path", "fuzz/Cargo.toml", "--target-dir", "target/fuzz"])?;
    cargo_with(&["doc", "--workspace", "--no-deps"], &[("RUSTDOCFLAGS", "-D warnings")])?;
    say("all checks passed");
    Ok(())
}

fn tests(projects: &str) -> Outcome {
    let mut variables = vec![("HERM_PROJECTS", projects)];
    variables.extend(clients::are_ready()?.then_some(("HERM_CLIENTS", "all")));
    if answers("cargo", &["nextest", "--version"]) {
        cargo_with(&["nextest", "run", "--workspace"], &variables)
    } else {
        cargo_with(&["test", "--workspace", "--all-targets"], &variables)
    }
}
