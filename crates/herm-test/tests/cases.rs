//! The commands in `cases/` get the decision, and the reason, that they are listed under.

#![expect(clippy::unwrap_used, reason = "a case that cannot be read has failed")]

use std::fs;
use std::path::{Path, PathBuf};

use herm_test::judge::{Judge, objections};
use toml::{Table, Value};

#[test]
fn every_case_is_judged_as_listed() {
    let judge = Judge::new();
    let wrong: Vec<_> =
        files().iter().flat_map(|file| listed(file)).filter_map(|case| case.complaint(&judge)).collect();
    assert!(wrong.is_empty(), "{} cases are judged differently:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn every_known_shortcoming_is_still_one() {
    let judge = Judge::new();
    let short = files().into_iter().flat_map(|file| shortcomings(&file));
    let right: Vec<_> = short.filter(|case| judge.decision(&case.command) == case.want).collect();
    assert!(right.is_empty(), "now judged as wanted, so list them as cases: {right:#?}");
}

#[test]
fn no_case_is_listed_twice() {
    let mut commands: Vec<_> =
        files().iter().flat_map(|file| listed(file)).map(|case| case.command).collect();
    commands.sort();
    let twice: Vec<_> =
        commands.windows(2).filter(|pair| pair[0] == pair[1]).map(|pair| pair[0].clone()).collect();
    assert!(twice.is_empty(), "{twice:#?}");
}

/// A command, the decision about it and, where it is not allowed, the rule that must be among the reasons.
#[derive(Debug)]
struct Case {
    decision: String,
    rule: String,
    command: String,
}

impl Case {
    fn complaint(&self, judge: &Judge) -> Option<String> {
        let ruling = judge.check(&self.command);
        let found: Vec<_> = objections(&ruling).collect();
        let decision = ruling.decision.word();
        let right = decision == self.decision && (decision == "allow" || found.contains(&self.rule.as_str()));
        let Self { decision: wanted, rule, command } = self;
        (!right).then(|| format!("{wanted} {rule}: {decision} {found:?}: {command}"))
    }
}

/// A command that is judged wrongly, and the decision that would be right.
#[derive(Debug)]
struct Shortcoming {
    command: String,
    want: String,
}

fn listed(file: &Path) -> Vec<Case> {
    let table = read(file);
    let decisions = ["allow", "ask", "deny"].into_iter().filter_map(|word| Some((word, table.get(word)?)));
    let mut cases = Vec::new();
    for (decision, rules) in decisions {
        for (rule, commands) in rules.as_table().unwrap() {
            let texts =
                commands.as_array().unwrap().iter().map(|command| command.as_str().unwrap().to_owned());
            cases.extend(texts.map(|command| Case {
                decision: decision.to_owned(),
                rule: rule.clone(),
                command,
            }));
        }
    }
    cases
}

fn shortcomings(file: &Path) -> Vec<Shortcoming> {
    let table = read(file);
    let reasons = table.get("short").and_then(Value::as_table).into_iter().flatten();
    let entries = reasons.flat_map(|(_, entries)| entries.as_array().unwrap());
    let text = |entry: &Value, key: &str| entry.get(key).and_then(Value::as_str).unwrap().to_owned();
    entries.map(|entry| Shortcoming { command: text(entry, "command"), want: text(entry, "want") }).collect()
}

#[expect(clippy::panic, reason = "a file of cases that cannot be read must be named")]
fn read(file: &Path) -> Table {
    let text = fs::read_to_string(file).unwrap();
    text.parse().unwrap_or_else(|error| panic!("{}: {error}", file.display()))
}

fn files() -> Vec<PathBuf> {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../cases");
    let entries = directory.read_dir().unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<_> = entries.filter(|path| path.is_file()).collect();
    files.sort();
    files
}
