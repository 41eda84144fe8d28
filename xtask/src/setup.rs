//! `cargo xtask setup`: the tools that the tests need. Running it twice changes nothing.

use crate::run::{answers, cargo, output};
use crate::{Outcome, projects, say};

/// Installs what is missing.
pub(crate) fn run() -> Outcome {
    component("fmt", "rustfmt")?;
    component("clippy", "clippy")?;
    tool("nextest", "cargo-nextest")?;
    tool("deny", "cargo-deny@0.20.2")?;
    package("bwrap", "bubblewrap");
    projects::fetch()
}

/// A program of the system that only a benchmark needs: where it cannot be had, that says so.
fn package(command: &str, package: &str) {
    let install = ["apt-get", "install", "-y", package];
    if answers(command, &["--version"]) || answers("sudo", &[["-n"].as_slice(), &install].concat()) {
        return;
    }
    let [program, arguments @ ..] = install;
    if !answers(program, &arguments) {
        say(&format!("{package} is not installed: there is nothing to compare the sandbox with"));
    }
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
