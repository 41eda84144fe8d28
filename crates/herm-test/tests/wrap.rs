//! A command is judged by what it does, through whatever it is run; mentioning it does nothing.

use herm_test::bash;
use herm_test::judge::{Judge, objections};
use herm_test::wrap::{Dice, FLOOR, MENTIONS, WRAPPERS, wrapped};

/// How many nestings are tried.
const TRIES: usize = 3_000;
/// How deeply they nest.
const DEPTH: usize = 4;

#[test]
fn every_wrapper_is_seen_through() {
    let judge = Judge::new();
    let mut wrong = Vec::new();
    for (name, wrap) in WRAPPERS {
        for (command, rule) in FLOOR {
            wrong.extend(complaint(&judge, &wrap(command), name, rule));
        }
    }
    assert!(wrong.is_empty(), "{} got through:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn nested_wrappers_are_seen_through() {
    let judge = Judge::new();
    let mut dice = Dice::new(42);
    let mut wrong = Vec::new();
    for _ in 0..TRIES {
        let (text, names, rule) = wrapped(&mut dice, DEPTH);
        wrong.extend(complaint(&judge, &text, &names, rule));
    }
    assert!(wrong.is_empty(), "{} of {TRIES} got through:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn mentioning_a_command_is_free() {
    let judge = Judge::new();
    let mut wrong = Vec::new();
    for (name, mention) in MENTIONS {
        for (command, _) in FLOOR {
            let text = mention(command);
            if judge.decision(&text) != "allow" {
                wrong.push(format!("{name}: {text}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn mentioning_a_wrapped_command_is_free() {
    let judge = Judge::new();
    let mut dice = Dice::new(7);
    let mut wrong = Vec::new();
    for _ in 0..TRIES / 4 {
        let (text, names, _) = wrapped(&mut dice, 2);
        for (name, mention) in MENTIONS {
            let text = mention(&text);
            if judge.decision(&text) != "allow" {
                wrong.push(format!("{name}({names}): {text}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{} were held up:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn wrappers_and_mentions_are_valid_shell() {
    let texts: Vec<_> = WRAPPERS.iter().chain(MENTIONS).map(|(_, wrap)| wrap("rm -rf /")).collect();
    let invalid: Vec<_> = texts
        .iter()
        .zip(bash::accepts_each(&texts))
        .filter(|(_, valid)| !valid)
        .map(|(text, _)| text)
        .collect();
    assert!(invalid.is_empty(), "{invalid:#?}");
}

fn complaint(judge: &Judge, text: &str, name: &str, rule: &str) -> Option<String> {
    let ruling = judge.check(text);
    let found: Vec<_> = objections(&ruling).collect();
    let right = ruling.decision.word() == "deny" && found.contains(&rule);
    (!right).then(|| format!("{name}: {} {found:?}: {text}", ruling.decision.word()))
}
