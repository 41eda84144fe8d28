//! Whether the person's tools work in the sandbox.

use std::ffi::OsString;
use std::path::Path;

use herm_sandbox::process::{Ending, Spec};

use super::probe::{Ground, hear};
use super::{Group, Row, State};
use crate::environment;
use crate::files;

/// Tools, and what makes each say which one it is.
const TOOLS: &[(&str, &str)] = &[
    ("bash", "--version"),
    ("cargo", "--version"),
    ("cc", "--version"),
    ("deno", "--version"),
    ("git", "--version"),
    ("go", "version"),
    ("java", "-version"),
    ("make", "--version"),
    ("node", "--version"),
    ("npm", "--version"),
    ("python3", "--version"),
    ("ruby", "--version"),
    ("rustc", "--version"),
    ("uv", "--version"),
];

pub(super) fn rows(ground: &Ground<'_>) -> Vec<Row> {
    let path = environment::harmless("PATH").unwrap_or_default();
    let there =
        |(name, _): &&(&str, &str)| std::env::split_paths(&path).any(|place| is_program(&place.join(name)));
    TOOLS.iter().filter(there).filter_map(|(name, word)| row(ground, name, word)).collect()
}

/// Nothing about one that does not run outside either.
fn row(ground: &Ground<'_>, name: &str, word: &str) -> Option<Row> {
    let words = || (OsString::from(name), vec![OsString::from(word)]);
    let (program, arguments) = words();
    let why = match ends(ground.spec(program, arguments)) {
        Ok(()) => return Some(Row::new(Group::Probe, "works", State::Holds, format!("run {name} {word}"))),
        Err(why) => why,
    };
    let (program, arguments) = words();
    ends(ground.open(program, arguments)).ok()?;
    let row = Row::new(Group::Probe, "does not work", State::Weaker, format!("run {name} {word}: {why}"));
    Some(row.advised("it works outside: the sandbox does not show what it needs"))
}

fn ends(spec: Spec) -> Result<(), String> {
    match hear(spec)?.ending {
        Ending::Exited(0) => Ok(()),
        Ending::Exited(code) => Err(format!("it ended with code {code}")),
        Ending::Signalled(signal) => Err(format!("signal {signal} ended it")),
        Ending::Cancelled | Ending::TimedOut => Err("it took too long".to_owned()),
    }
}

fn is_program(path: &Path) -> bool {
    files::regular(path).is_some_and(files::Regular::is_program)
}
