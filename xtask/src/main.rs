//! Checks, generates and measures this workspace: `cargo xtask test`.

#![forbid(unsafe_code)]
#![expect(clippy::disallowed_methods, reason = "a tool for developers runs cargo and writes files")]

mod agents;
mod arrows;
mod bench;
mod generate;
mod guest;
mod package;
mod projects;
mod references;
mod run;
mod screens;
mod setup;
mod test;
mod words;

use std::io::{self, Write};
use std::process::ExitCode;

use agents::Wanted;
use test::Effort;

/// What a task comes to: the error is a sentence for people.
type Outcome = Result<(), String>;

fn main() -> ExitCode {
    let arguments: Vec<_> = std::env::args().skip(1).collect();
    let words: Vec<_> = arguments.iter().map(String::as_str).collect();
    let outcome = match words.as_slice() {
        ["bench"] => bench::run(),
        ["generate"] => generate::write(),
        ["generate", "--check"] => generate::check(),
        ["guest", probes @ ..] => guest::run(probes),
        ["screens"] => screens::write(),
        ["setup"] => setup::run(Wanted::Some),
        ["setup", "--agents"] => setup::run(Wanted::All),
        ["test"] => test::run(Effort::Quick, Wanted::Some),
        ["test", "--agents"] => test::run(Effort::Quick, Wanted::All),
        ["test", "--full"] => test::run(Effort::Full, Wanted::All),
        _ => Err(USAGE.to_owned()),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            say(&format!("xtask: {problem}"));
            ExitCode::FAILURE
        }
    }
}

const USAGE: &str = "usage: cargo xtask bench | generate [--check] | guest [PROBE…] | screens | setup [--agents] | test [--agents | --full]";

/// Says what is going on.
fn say(text: &str) {
    // Nothing is left to be done when standard error is closed.
    let _ = writeln!(io::stderr(), "{text}");
}
