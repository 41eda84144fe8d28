//! Judges a list of commands and shows which of them are judged otherwise than the list expects.
//!
//! Each line of the files named is a JSON object with `input` and `expect` (`allow`, `ask`, `deny`, or `stop` for either of the last two).
//! `cargo run -p herm-test --example judge -- FILE …`

#![expect(clippy::print_stdout, clippy::print_stderr, reason = "it is a program of the command line")]

use std::process::ExitCode;

use herm_shell::Lang;
use herm_test::judge::{Empty, Judge};
use serde_json::Value;

fn main() -> ExitCode {
    let judge = Judge::new();
    let (mut all, mut wrong) = (0, 0);
    for file in std::env::args().skip(1) {
        let Ok(text) = std::fs::read_to_string(&file) else {
            eprintln!("cannot read `{file}`");
            return ExitCode::from(3);
        };
        for line in text.lines().filter(|line| !line.trim().is_empty()) {
            all += 1;
            wrong += usize::from(!is_right(&judge, line));
        }
    }
    println!("{wrong} of {all} are judged otherwise than expected");
    if wrong == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Judges one line, and shows it where the verdict is another one than expected.
fn is_right(judge: &Judge, line: &str) -> bool {
    let Ok(row) = serde_json::from_str::<Value>(line) else {
        println!("not a JSON object: {line}");
        return false;
    };
    let word = |key: &str| row.get(key).and_then(Value::as_str).unwrap_or_default();
    let ruling = judge.judge_in(&judge.script(language(word("language")), word("input")), &Empty);
    let decision = ruling.decision.word();
    let expected = word("expect");
    let right = if expected == "stop" { decision != "allow" } else { decision == expected };
    if !right {
        let rules: Vec<String> = ruling
            .findings
            .iter()
            .map(|finding| format!("{} {}: {}", finding.stance.word(), finding.rule, finding.reason))
            .collect();
        println!(
            "{}: {decision}, expected {expected}\n    {}",
            word("id"),
            word("input").replace('\n', "\n    ")
        );
        for rule in rules {
            println!("    -> {rule}");
        }
    }
    right
}

/// The language of a row, the shell's unless it says otherwise.
fn language(name: &str) -> Lang {
    if name == "python" { Lang::Python } else { Lang::Shell }
}
