//! Every rule keeps the promises of its own page.

use std::collections::BTreeSet;

use crate::common::{act, check, policy};
use herm::approval::Denial;
use herm::call::{Drift, Tool};
use herm::fetch::{Fetch, Resolved};
use herm::policy::Isolation;
use herm::rules::{Layer, RULES, Rule};
use herm::{AbsPath, Action, Ruling};

/// The policy under which a rule speaks.
fn stage(rule: &Rule) -> herm::Policy {
    let mut policy = policy(match (rule.layer, rule.name) {
        (Layer::Strict, _) => "approvals: {preset: strict}",
        (_, "outside-safe-root") => "file_safety: {write_safe_root: ~/project}",
        (_, "denied-by-user") => "approvals: {deny: ['sudo *']}",
        (_, "blocked-website") => {
            "security: {website_blocklist: {enabled: true, domains: [blocked.example]}}"
        }
        (_, "unlisted-host") => "egress: {allowed_domains: [example.com]}",
        (_, "asked-by-user") => "approvals: {ask: ['sudo *']}",
        (_, _) => "",
    });
    if rule.name == "lost-move" {
        let shared = vec![AbsPath::new("/home/dev/project").unwrap()];
        policy.isolation = Some(Isolation { shared, ..Isolation::default() });
    }
    policy
}

/// Whether a rule minds a command.
fn speaks(rule: &Rule, command: &str) -> bool {
    if rule.name == "denied-before" {
        let facts = check(stage(rule), command).facts;
        return !denial().objections(&facts, command).is_empty();
    }
    let ruling = if is_link(rule, command) {
        fetch(rule, command)
    } else if ["changed-tool", "unknown-tool"].contains(&rule.name) && command.ends_with('}') {
        call(rule, command)
    } else {
        check(stage(rule), command)
    };
    ruling.findings.iter().any(|finding| finding.rule == rule.name)
}

/// Whether an example is a link rather than a command.
fn is_link(rule: &Rule, example: &str) -> bool {
    let links = ["foreign-scheme", "private-address", "special-address", "unreadable-url", "unresolved-host"];
    links.contains(&rule.name) || example.starts_with("http")
}

/// What becomes of a connection; of one that is about names without addresses, when none is found.
fn fetch(rule: &Rule, link: &str) -> Ruling {
    let resolved = if rule.name == "unresolved-host" { Resolved::Nowhere } else { Resolved::Unasked };
    act(stage(rule), Action::Fetch(Fetch::url(link).resolved(resolved)))
}

/// What becomes of a call of a tool, written as its name and its arguments.
fn call(rule: &Rule, text: &str) -> Ruling {
    let (name, arguments) = text.split_once(' ').unwrap();
    let tool = Tool::new(name, arguments, Vec::new());
    let is_changed = rule.name == "changed-tool";
    act(stage(rule), Action::Tool(if is_changed { tool.drifted(Drift::Changed, "1f") } else { tool }))
}

/// What is kept when `rm -rf build` is denied.
fn denial() -> Denial {
    let denied = check(policy(""), "rm -rf build");
    Denial::of(&denied.findings, "rm -rf build", "rm -rf build")
}

/// Other programs find these: their examples are run where those are run.
fn is_found_elsewhere(rule: &Rule) -> bool {
    let elsewhere = [
        "agent-asks",
        "edit-approval",
        "edit-lever",
        "edit-outside",
        "fronted-host",
        "hook-objection",
        "tirith-finding",
        "unseen-edit",
        "weaker-sandbox",
    ];
    elsewhere.contains(&rule.name)
}

#[test]
fn names_and_titles_are_unique() {
    let names: BTreeSet<_> = RULES.iter().map(|rule| rule.name).collect();
    let titles: BTreeSet<_> = RULES.iter().map(|rule| rule.title.to_lowercase()).collect();
    assert_eq!((names.len(), titles.len()), (RULES.len(), RULES.len()));
}

#[test]
fn names_are_words_joined_by_dashes() {
    let plain = |name: &str| name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-');
    let odd: Vec<_> = RULES.iter().map(|rule| rule.name).filter(|name| !plain(name)).collect();
    assert!(odd.is_empty(), "{odd:?}");
}

#[test]
fn every_rule_has_examples_and_near_misses() {
    let poor: Vec<_> =
        RULES.iter().filter(|rule| rule.examples.len().min(rule.near_misses.len()) < 3).collect();
    assert!(poor.is_empty(), "{:?}", poor.iter().map(|rule| rule.name).collect::<Vec<_>>());
}

#[test]
fn every_page_is_written_in_sentences() {
    for rule in RULES {
        for sentence in [rule.finds, rule.matters, rule.instead] {
            assert!(sentence.ends_with('.'), "{}: {sentence}", rule.name);
        }
    }
}

#[test]
fn every_example_is_found_by_its_own_rule() {
    let missed: Vec<_> = RULES
        .iter()
        .filter(|rule| !is_found_elsewhere(rule))
        .flat_map(|rule| rule.examples.iter().map(move |example| (rule, *example)))
        .filter(|(rule, example)| !speaks(rule, example))
        .map(|(rule, example)| format!("{}: {example}", rule.name))
        .collect();
    assert!(missed.is_empty(), "not found:\n{}", missed.join("\n"));
}

#[test]
fn no_near_miss_is_found() {
    let found: Vec<_> = RULES
        .iter()
        .flat_map(|rule| rule.near_misses.iter().map(move |miss| (rule, *miss)))
        .filter(|(rule, miss)| speaks(rule, miss))
        .map(|(rule, miss)| format!("{}: {miss}", rule.name))
        .collect();
    assert!(found.is_empty(), "wrongly found:\n{}", found.join("\n"));
}

#[test]
fn every_suggestion_is_allowed() {
    let refused: Vec<_> = RULES
        .iter()
        .filter(|rule| !rule.suggestion.is_empty())
        .filter(|rule| check(stage(rule), rule.suggestion).decision.word() != "allow")
        .map(|rule| format!("{}: {}", rule.name, rule.suggestion))
        .collect();
    assert!(refused.is_empty(), "not allowed:\n{}", refused.join("\n"));
}
