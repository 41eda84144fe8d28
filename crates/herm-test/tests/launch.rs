//! A program that nobody knows may start what it is given: what must never happen is minded, and the rest is not.

use herm::rules::{Layer, RULES, Rule};
use herm_test::judge::{Judge, objections};

/// What must not happen, not even perhaps, besides the floor. That a gateway is left alone depends on what starts it.
const GUARDED: &[&str] =
    &["disable-guard", "guard-config", "self-approve", "stop-gateway", "unattended-agent", "yolo"];

#[test]
fn what_must_never_happen_is_minded_behind_any_program() {
    let judge = Judge::new();
    let missed: Vec<String> = RULES
        .iter()
        .filter(|rule| must_not_happen(rule))
        .flat_map(|rule| plain(rule.examples).map(|example| (rule.name, example)))
        .flat_map(|(rule, example)| {
            launched(example)
                .into_iter()
                .filter(|text| !minds(&judge, rule, text))
                .map(move |text| format!("{rule}: {text}"))
        })
        .collect();
    assert!(missed.is_empty(), "not minded:\n{}", missed.join("\n"));
}

#[test]
fn near_misses_are_near_misses_behind_any_program() {
    let judge = Judge::new();
    let found: Vec<String> = RULES
        .iter()
        .filter(|rule| must_not_happen(rule))
        .flat_map(|rule| plain(rule.near_misses).map(|miss| (rule.name, miss)))
        .flat_map(|(rule, miss)| {
            launched(miss)
                .into_iter()
                .filter(|text| minds(&judge, rule, text))
                .map(move |text| format!("{rule}: {text}"))
        })
        .collect();
    assert!(found.is_empty(), "wrongly minded:\n{}", found.join("\n"));
}

#[test]
fn what_may_be_approved_is_only_minded_where_it_is_announced() {
    let judge = Judge::new();
    for name in ["recursive-delete", "force-push", "git-reset-hard", "git-clean"] {
        let rule = herm::rules::find(name).unwrap_or_else(|| panic!("`{name}` is a rule"));
        for example in plain(rule.examples) {
            let [bare, .., announced] = launched(example);
            assert!(!minds(&judge, name, &bare), "{bare}");
            assert!(minds(&judge, name, &announced), "{announced}");
        }
    }
}

fn must_not_happen(rule: &Rule) -> bool {
    rule.layer == Layer::Floor || GUARDED.contains(&rule.name)
}

/// The ways in which a program is given another one to start.
fn launched(command: &str) -> [String; 4] {
    [
        format!("unheard-of {command}"),
        format!("unheard-of --times 3 {command}"),
        format!("./unseen.sh one {command}"),
        format!("unheard-of -- {command}"),
    ]
}

/// Those that are one command of several words, and nothing but words. What only a shell does, no program starts.
fn plain(texts: &'static [&'static str]) -> impl Iterator<Item = &'static str> {
    let is_of_shells =
        |text: &str| ["declare ", "export ", "printf "].iter().any(|name| text.starts_with(name));
    texts
        .iter()
        .copied()
        .filter(|text| text.contains(' ') && !text.contains(['|', '&', ';', '<', '>', '(']))
        .filter(move |text| !is_of_shells(text))
}

fn minds(judge: &Judge, rule: &str, text: &str) -> bool {
    objections(&judge.check(text)).any(|name| name == rule)
}
