//! Counts how many commands of a list are asked about or refused, with a boundary and without one.
//!
//! Each line of the files named is a command, or a JSON object with `input`. Every one that is stopped is shown with what it is stopped
//! for: `both` behind a boundary as well, `local` only without one.
//! `cargo run -p herm-test --example questions -- FILE …`

#![expect(clippy::print_stdout, clippy::print_stderr, reason = "it is a program of the command line")]

use std::collections::BTreeMap;
use std::process::ExitCode;

use herm::{Ruling, Stance};
use herm_test::judge::{Empty, Judge, objections};
use serde_json::Value;

/// What was stopped so far.
#[derive(Default)]
struct Count {
    all: usize,
    local: usize,
    confined: usize,
    rules: BTreeMap<&'static str, usize>,
}

fn main() -> ExitCode {
    let (local, confined) = (Judge::new(), Judge::confined());
    let mut count = Count::default();
    for file in std::env::args().skip(1) {
        let Ok(text) = std::fs::read_to_string(&file) else {
            eprintln!("cannot read `{file}`");
            return ExitCode::from(3);
        };
        for line in text.lines().filter(|line| !line.trim().is_empty()) {
            let command = command(line);
            let ruling = |judge: &Judge| judge.judge_in(&judge.call(&command), &Empty);
            count.add(&command, &ruling(&local), &ruling(&confined));
        }
    }
    count.tell();
    ExitCode::SUCCESS
}

/// The command on a line.
fn command(line: &str) -> String {
    let row = serde_json::from_str::<Value>(line).ok();
    let input = row.as_ref().and_then(|row| row.get("input")).and_then(Value::as_str);
    input.unwrap_or(line).to_owned()
}

impl Count {
    fn add(&mut self, command: &str, local: &Ruling, confined: &Ruling) {
        let is_stopped = |ruling: &Ruling| ruling.decision.word() != "allow";
        self.all += 1;
        self.confined += usize::from(is_stopped(confined));
        if !is_stopped(local) {
            return;
        }
        self.local += 1;
        for rule in objections(local) {
            *self.rules.entry(rule).or_default() += 1;
        }
        let place = if is_stopped(confined) { "both" } else { "local" };
        println!("{place} {}: {}", local.decision.word(), command.replace('\n', "\n    "));
        for finding in local.findings.iter().filter(|finding| finding.stance != Stance::Note) {
            println!("    -> {}: {}", finding.rule, finding.reason);
        }
    }

    #[expect(clippy::cast_precision_loss, reason = "a list of commands is short")]
    fn tell(&self) {
        let share = |stopped: usize| stopped as f64 * 100.0 / self.all.max(1) as f64;
        let mut rules: Vec<_> = self.rules.iter().collect();
        rules.sort_by_key(|(rule, times)| (std::cmp::Reverse(**times), **rule));
        for (rule, times) in rules {
            println!("{times:>5} {rule}");
        }
        println!("{} commands", self.all);
        println!("without a boundary: {} stopped, {:.2} of 100", self.local, share(self.local));
        println!("behind a boundary: {} stopped, {:.2} of 100", self.confined, share(self.confined));
    }
}
