//! Rulings and rules for programs.

use herm::rules::RULES;
use herm::{Finding, Ruling};
use serde_json::{Value, json};

use super::human;

/// A ruling: `decision`, and `findings` from the strictest to the mildest.
pub(crate) fn ruling(ruling: &Ruling) -> Value {
    let findings: Vec<_> = ruling.findings.iter().map(finding).collect();
    json!({ "decision": ruling.decision.word(), "findings": findings })
}

pub(crate) fn finding(finding: &Finding) -> Value {
    let rule = herm::rules::find(finding.rule);
    json!({
        "rule": finding.rule,
        "stance": finding.stance.word(),
        "gap": finding.gap,
        "span": finding.span.map(|span| [span.start, span.end]),
        "effect": finding.subject.as_ref().map(human::effect),
        "reason": finding.reason,
        "why": rule.map(|rule| rule.matters),
        "instead": finding.instead,
        "try": rule.map(|rule| rule.suggestion).filter(|suggestion| !suggestion.is_empty()),
    })
}

/// Every rule.
pub(crate) fn rules() -> Value {
    RULES.iter().map(|each| rule(each)).collect()
}

/// One rule.
pub(crate) fn rule(rule: &herm::rules::Rule) -> Value {
    json!({
        "name": rule.name,
        "title": rule.title,
        "layer": format!("{:?}", rule.layer).to_lowercase(),
        "stance": rule.stance.word(),
        "finds": rule.finds,
        "matters": rule.matters,
        "instead": rule.instead,
        "suggestion": rule.suggestion,
        "examples": rule.examples,
        "near_misses": rule.near_misses,
    })
}
