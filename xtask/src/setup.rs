//! `cargo xtask setup`: the tools that the tests need. Running it twice changes nothing.

use crate::Outcome;
use crate::run::{answers, cargo, output};

/// Installs what is missing.
pub(crate) fn run() -> Outcome {
    component("fmt", "rustfmt")?;
    component("clippy", "clippy")?;
    tool("nextest", "cargo-nextest")?;
    tool("deny", "cargo-deny@0.20.2")
}

fn component(command: &str, component: &str) -> Outcome {
    if answers("cargo", &[command, "--version"]) {
        return Ok(());
    }
    output("rustup", &["component", "add", component]).map(drop)
}

fn tool(command: &str, package: &str) -> Outcome {
    if answers("cargo", &[command, "--version"]) { Ok(()) } else { cargo(&["install", "--locked", package]) }
}
