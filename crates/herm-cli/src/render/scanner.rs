//! Rulings in the words of tirith, as Hermes reads them.

use std::collections::BTreeSet;

use herm::approval::{Breadth, Scope};
use herm::call::Call;
use herm::{Finding, Stance};
use herm_runtime::store::Digest;
use herm_scan::Redactor;
use serde_json::{Value, json};

use super::escape::escape;

/// What a scanner says.
#[derive(Debug)]
pub(crate) struct Report {
    pub(crate) verdict: Verdict,
    /// A line of JSON.
    pub(crate) text: String,
}

/// What becomes of a command, from the mildest to the strictest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    Allow,
    Warn,
    Block,
}

impl Verdict {
    /// The exit status that says so.
    pub(crate) const fn code(self) -> u8 {
        match self {
            Self::Allow => 0,
            Self::Block => 1,
            Self::Warn => 2,
        }
    }

    pub(crate) fn of(code: u8) -> Option<Self> {
        [Self::Allow, Self::Block, Self::Warn].into_iter().find(|verdict| verdict.code() == code)
    }

    const fn word(self) -> &'static str {
        match self {
            Self::Allow => "allow",
            Self::Block => "block",
            Self::Warn => "warn",
        }
    }
}

impl Report {
    pub(crate) fn allow() -> Self {
        Self::new(Verdict::Allow, "", &[])
    }

    /// What stands in the way of a command.
    ///
    /// Hermes remembers a yes under the name of the first finding alone, and hides everything else that a later command with that name
    /// brings along. So that name is made of all that was found: a yes covers that, and nothing that is new.
    pub(crate) fn objection(verdict: Verdict, findings: &[Finding], call: &Call) -> Self {
        let summary = findings.iter().map(description).collect::<Vec<_>>().join("; ");
        let whole = approval(verdict, findings, call);
        let names =
            std::iter::once(whole.as_str()).chain(findings.iter().skip(1).map(|finding| finding.rule));
        let findings: Vec<_> =
            findings.iter().zip(names).map(|(finding, name)| described(finding, name)).collect();
        Self::new(verdict, &summary, &findings)
    }

    /// A block because something went wrong: nothing was judged, so a yes to it is a yes to this command alone.
    pub(crate) fn failure(why: &str, command: &str) -> Self {
        let why = shown(why);
        let finding = json!({
            "rule_id": format!("herm-failed@{}", brief(command)),
            "severity": "CRITICAL",
            "title": "herm could not judge this",
            "description": why,
        });
        Self::new(Verdict::Block, &why, &[finding])
    }

    fn new(verdict: Verdict, summary: &str, findings: &[Value]) -> Self {
        let report = json!({ "action": verdict.word(), "findings": findings, "summary": summary });
        Self { verdict, text: format!("{report}\n") }
    }
}

fn described(finding: &Finding, name: &str) -> Value {
    let title = herm::rules::find(finding.rule).map_or(finding.rule, |rule| rule.title);
    json!({
        "rule_id": name,
        "severity": severity(finding),
        "title": title,
        "description": description(finding),
    })
}

fn description(finding: &Finding) -> String {
    let instead = finding.instead.as_ref().map(|instead| format!(". {instead}")).unwrap_or_default();
    shown(&format!("{}{instead}", finding.reason))
}

const fn severity(finding: &Finding) -> &'static str {
    match (finding.stance, finding.gap) {
        (Stance::Deny, _) => "CRITICAL",
        (Stance::Ask, false) => "HIGH",
        (Stance::Ask, true) => "MEDIUM",
        (Stance::Note, _) => "INFO",
    }
}

/// Hermes shows it at a terminal and in chats.
fn shown(text: &str) -> String {
    escape(&Redactor::new().redact(text)).into_owned()
}

/// The name under which a yes is remembered: the rules, and what a yes for the session covers. What nobody may approve is this very text.
fn approval(verdict: Verdict, findings: &[Finding], call: &Call) -> String {
    let text = call.action.text();
    let covered = |finding: &Finding| match Scope::of(finding, Breadth::Session, call, text) {
        Scope::Entry(entry) if verdict != Verdict::Block => entry,
        Scope::Entry(_) | Scope::Exact { .. } => format!("{}\0{text}", finding.rule),
    };
    let covered: BTreeSet<_> = findings.iter().map(covered).collect();
    let rules: BTreeSet<_> = findings.iter().map(|finding| finding.rule).collect();
    let name = rules.into_iter().collect::<Vec<_>>().join("+");
    format!("{name}@{}", brief(&covered.into_iter().collect::<Vec<_>>().join("\0\0")))
}

/// Enough of a digest that nobody finds another text with it.
fn brief(text: &str) -> String {
    Digest::of(text.as_bytes()).to_string().chars().take(DIGITS).collect()
}

const DIGITS: usize = 32;
