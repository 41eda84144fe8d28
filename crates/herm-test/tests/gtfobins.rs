//! The programs that `GTFOBins` knows a way out of: the way out is caught, and the same program used plainly is free.
//!
//! `cases/gtfobins/*.toml` has a table for each program: `escapes`, which ask or deny; `harmless`, as near to them as
//! can be, which are allowed; and `short`, escapes that are missed, each with the reason why. `programs` at the
//! top says how many programs there are, so that none vanishes unseen.

#![expect(clippy::unwrap_used, reason = "a case that cannot be read has failed")]

use std::fs;
use std::path::{Path, PathBuf};

use herm_test::judge::{Judge, objections};
use toml::{Table, Value};

#[test]
fn gtfobins_escapes_are_caught_and_their_near_misses_are_free() {
    let judge = Judge::new();
    let wrong: Vec<_> =
        files().iter().flat_map(|file| listed(file)).flat_map(|program| program.complaints(&judge)).collect();
    assert!(wrong.is_empty(), "{} are judged differently:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn every_program_has_an_escape_and_a_near_miss_that_name_it() {
    let mut wrong = Vec::new();
    for file in files() {
        let programs = listed(&file);
        let promised = read(&file).get("programs").and_then(Value::as_integer);
        if promised != i64::try_from(programs.len()).ok() {
            wrong.push(format!("{} has {} programs, not {promised:?}", file.display(), programs.len()));
        }
        wrong.extend(programs.iter().filter_map(Listed::malformed));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// A program and what is expected of its uses.
struct Listed {
    name: String,
    escapes: Vec<String>,
    harmless: Vec<String>,
    short: Vec<String>,
}

impl Listed {
    fn new(name: &str, entry: &Value) -> Self {
        let list = |key: &str| entry.get(key).and_then(Value::as_array).cloned().unwrap_or_default();
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        Self {
            name: name.to_owned(),
            escapes: list("escapes").iter().map(text).collect(),
            harmless: list("harmless").iter().map(text).collect(),
            short: list("short").iter().map(missed).collect(),
        }
    }

    fn complaints(&self, judge: &Judge) -> Vec<String> {
        let missed = self.escapes.iter().filter(|command| judge.decision(command) == "allow");
        let known = self.short.iter().filter(|command| judge.decision(command) != "allow");
        let flagged = self.harmless.iter().filter_map(|command| {
            let ruling = judge.check(command);
            let found: Vec<_> = objections(&ruling).collect();
            (ruling.decision.word() != "allow").then(|| format!("{}: {found:?}: {command}", self.name))
        });
        let missed = missed.map(|command| format!("{}: missed: {command}", self.name));
        let known = known.map(|command| format!("{}: caught now, so list it so: {command}", self.name));
        missed.chain(known).chain(flagged).collect()
    }

    fn malformed(&self) -> Option<String> {
        let escapes = || self.escapes.iter().chain(&self.short);
        if escapes().next().is_none() || self.harmless.is_empty() {
            return Some(format!("{}: lacks an escape or a near miss", self.name));
        }
        let stray = escapes().chain(&self.harmless).find(|command| !command.contains(&self.name));
        stray.map(|command| format!("{}: is not in: {command}", self.name))
    }
}

/// An escape that is missed, and why.
fn missed(entry: &Value) -> String {
    let text = |key: &str| entry.get(key).and_then(Value::as_str).unwrap();
    assert!(!text("why").is_empty(), "no reason for {}", text("command"));
    text("command").to_owned()
}

fn listed(file: &Path) -> Vec<Listed> {
    let table = read(file);
    let programs = table.iter().filter(|(_, entry)| entry.is_table());
    programs.map(|(name, entry)| Listed::new(name, entry)).collect()
}

#[expect(clippy::panic, reason = "a file of cases that cannot be read must be named")]
fn read(file: &Path) -> Table {
    let text = fs::read_to_string(file).unwrap();
    text.parse().unwrap_or_else(|error| panic!("{}: {error}", file.display()))
}

fn files() -> Vec<PathBuf> {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../cases/gtfobins");
    let mut files: Vec<_> = directory.read_dir().unwrap().map(|entry| entry.unwrap().path()).collect();
    assert!(!files.is_empty(), "no programs are listed");
    files.sort();
    files
}
