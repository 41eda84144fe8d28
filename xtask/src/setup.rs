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
    for (command, name) in ORACLES {
        package(command, name, "what it computes is compared with nothing");
    }
    locale();
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

/// Programs that say what filters and functions of languages compute.
const ORACLES: &[(&str, &str)] = &[
    ("awk", "mawk"),
    ("column", "bsdextrautils"),
    ("gawk", "gawk"),
    ("jq", "jq"),
    ("localedef", "locales"),
    ("lua5.4", "lua5.4"),
    ("node", "nodejs"),
    ("openssl", "openssl"),
    ("perl", "perl"),
    ("php", "php-cli"),
    ("ruby", "ruby"),
    ("tclsh", "tcl"),
    ("xxd", "xxd"),
];

/// The locale of most machines, beside those that every one has: order and letters are others there.
fn locale() {
    let made = ["-i", "en_US", "-f", "UTF-8", "en_US.UTF-8"];
    if !answers("localedef", &made) && !answers("sudo", &[["-n", "localedef"].as_slice(), &made].concat()) {
        say("the locale en_US.UTF-8 is not there: nothing is compared in it");
    }
}

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
