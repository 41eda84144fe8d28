//! Rulings, rules and policies for programs.

use herm::policy::terminal::Wanted;
use herm::policy::{Entry, Site};
use herm::rules::RULES;
use herm::{AbsPath, Finding, Policy, Ruling};
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

/// What holds.
pub(crate) fn policy(policy: &Policy) -> Value {
    let entries =
        |entries: &[Entry]| entries.iter().map(|entry| entry.written().to_owned()).collect::<Vec<_>>();
    let names = |wanted: &[Wanted]| wanted.iter().map(|wanted| wanted.name.clone()).collect::<Vec<_>>();
    let roots = |roots: &Vec<AbsPath>| roots.iter().map(|root| root.as_str().to_owned()).collect::<Vec<_>>();
    let sites = |list: &[Site]| list.iter().map(|site| site.written().to_owned()).collect::<Vec<_>>();
    json!({
        "approvals": {
            "preset": policy.preset.word(),
            "mode": policy.mode.word(),
            "timeout": policy.timeout,
            "broker": policy.broker.as_ref().map(herm::AbsPath::as_str),
            "approvers": policy.approvers,
            "deny": entries(&policy.deny),
            "ask": entries(&policy.ask),
        },
        "command_allowlist": entries(&policy.allow),
        "egress": {
            "allowed_domains": policy.egress.allowed.iter().map(|list| sites(list)).collect::<Vec<_>>(),
            "endpoints": policy.egress.endpoints.iter().map(ToString::to_string).collect::<Vec<_>>(),
        },
        "file_safety": { "write_safe_root": policy.safe_roots.iter().map(roots).collect::<Vec<_>>() },
        "security": { "website_blocklist": {
            "enabled": policy.security.blocklist_enabled == Some(true),
            "domains": policy.security.blocked_domains,
            "shared_files": policy.security.blocklist_files,
        }},
        "terminal": {
            "timeout": policy.limits.time.as_secs(),
            "max_timeout": policy.limits.longest.as_secs(),
            "env_passthrough": names(&policy.terminal.passthrough),
            "credential_files": names(&policy.terminal.credentials),
        },
    })
}
