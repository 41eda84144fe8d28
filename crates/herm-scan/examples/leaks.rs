//! Redacts a list of texts and shows which of them leak or are changed in vain.
//!
//! Each line of the files named is a JSON object with `name`, `text`, `secrets` and `leak`. Where `leak` is false the text must
//! stay as it is; everywhere else no eight bytes of a secret may be left.
//! `cargo run -p herm-scan --example leaks -- FILE …`

#![expect(clippy::print_stdout, clippy::print_stderr, reason = "it is a program of the command line")]
#![expect(clippy::disallowed_methods, reason = "it reads the lists that are named")]

use std::process::ExitCode;

use herm_scan::Redactor;
use serde_json::Value;

/// A part of a secret that is as long says too much of it.
const PART: usize = 8;

fn main() -> ExitCode {
    let (mut leaking, mut secret, mut changed, mut plain) = (0, 0, 0, 0);
    for file in std::env::args().skip(1) {
        let Ok(text) = std::fs::read_to_string(&file) else {
            eprintln!("cannot read `{file}`");
            return ExitCode::from(3);
        };
        for line in text.lines().filter(|line| !line.trim().is_empty()) {
            let Ok(row) = serde_json::from_str::<Value>(line) else {
                eprintln!("not a JSON object: {line}");
                return ExitCode::from(3);
            };
            let is_wrong = !is_right(&row);
            let (wrong, all) =
                if has_secret(&row) { (&mut leaking, &mut secret) } else { (&mut changed, &mut plain) };
            *wrong += usize::from(is_wrong);
            *all += 1;
        }
    }
    println!("{leaking} of {secret} leak, {changed} of {plain} are changed in vain");
    if leaking + changed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn has_secret(row: &Value) -> bool {
    row.get("leak").and_then(Value::as_bool).unwrap_or(true)
}

/// Redacts one text, and shows it where the outcome is another one than expected.
fn is_right(row: &Value) -> bool {
    let word = |key: &str| row.get(key).and_then(Value::as_str).unwrap_or_default();
    let output = Redactor::new().redact(word("text"));
    if !has_secret(row) {
        if output != word("text") {
            println!("== {}: changed", word("name"));
            show_changes(word("text"), &output);
        }
        return output == word("text");
    }
    let secrets = row.get("secrets").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    let left: Vec<&str> =
        secrets.iter().filter_map(Value::as_str).filter(|secret| is_left(&output, secret)).collect();
    if !left.is_empty() {
        println!("== {}: leaks {left:?}\n{}", word("name"), output.trim_end());
    }
    left.is_empty()
}

/// Whether a secret, or a part of it, is still in a text.
fn is_left(output: &str, secret: &str) -> bool {
    output.contains(secret)
        || secret
            .as_bytes()
            .windows(PART)
            .any(|part| output.as_bytes().windows(PART).any(|left| left == part))
}

fn show_changes(text: &str, output: &str) {
    for (before, after) in text.lines().zip(output.lines()).filter(|(before, after)| before != after) {
        println!("  - {before}\n  + {after}");
    }
}
