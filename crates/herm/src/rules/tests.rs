//! Every rule is complete.

use std::collections::HashSet;

use super::RULES;

#[test]
fn names_are_unique_and_plain() {
    let mut seen = HashSet::new();
    for rule in RULES {
        assert!(seen.insert(rule.name), "`{}` is listed twice", rule.name);
        assert!(rule.name.chars().all(|c| c.is_ascii_lowercase() || c == '-'), "{}", rule.name);
    }
}

#[test]
fn every_rule_has_examples_near_misses_and_words() {
    for rule in RULES {
        assert!(rule.examples.len() >= 3, "{}", rule.name);
        assert!(rule.near_misses.len() >= 3, "{}", rule.name);
        for text in [rule.title, rule.finds, rule.matters, rule.instead] {
            assert!(!text.is_empty(), "{}", rule.name);
        }
        assert!(
            [rule.finds, rule.matters, rule.instead].iter().all(|text| text.ends_with('.')),
            "{}",
            rule.name
        );
    }
}
