//! `cargo xtask setup`: the tools that the tests need. Running it twice changes nothing.

use crate::agents::Wanted;
use crate::run::{answers, cargo, output};
use crate::{Outcome, agents, projects, references, say};

/// Installs what is missing.
pub(crate) fn run(wanted: Wanted) -> Outcome {
    component("fmt", "rustfmt")?;
    component("clippy", "clippy")?;
    tool("nextest", "cargo-nextest")?;
    tool("deny", "cargo-deny@0.20.2")?;
    package("bwrap", "bubblewrap", "there is nothing to compare the sandbox with");
    if !answers("ip", &["-V"]) {
        package("ip", "iproute2", "no agent can be run");
    }
    for (command, name) in CLIENTS {
        package(command, name, "the tests of the proxy leave it out");
    }
    references::install()?;
    projects::fetch()?;
    agents::install(wanted)
}

/// Programs that the tests send through the proxy.
const CLIENTS: &[(&str, &str)] = &[
    ("curl", "curl"),
    ("git", "git"),
    ("java", "default-jdk-headless"),
    ("npm", "npm"),
    ("pip3", "python3-pip"),
    ("psql", "postgresql-client"),
];

/// A program of the system that tests and benchmarks can do without: where it cannot be had, they say so.
fn package(command: &str, package: &str, otherwise: &str) {
    let install = ["apt-get", "install", "-y", package];
    if answers(command, &["--version"]) || answers("sudo", &[["-n"].as_slice(), &install].concat()) {
        return;
    }
    let [program, arguments @ ..] = install;
    if !answers(program, &arguments) {
        say(&format!("{package} is not installed: {otherwise}"));
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
