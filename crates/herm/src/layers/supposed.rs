//! Commands that a program may start, although nothing says that it is one that starts others.
//!
//! Most of what such a command would do is not worth a question that may be about nothing. What must never happen is: what nobody may
//! approve, what would let the agent out of its guard, and what would hand the machine to somebody else.

use std::cmp::Reverse;

use herm_shell::analysis::{Likelihood, Supposition};
use herm_shell::{Analysis, Effect};

use super::Layer;
use crate::call::{Action, Call};
use crate::facts::Facts;
use crate::finding::{Finding, Stance};
use crate::policy::{Policy, Preset};
use crate::rules::shell::bind_shell::BIND_SHELL;
use crate::rules::shell::reverse_shell::REVERSE_SHELL;
use crate::rules::{Layer as Part, RULES, Report, Rule, find, guard};

/// What must not happen, not even perhaps.
#[derive(Debug)]
pub(crate) struct Supposed;

impl Layer for Supposed {
    fn judge(&self, call: &Call, facts: &Facts, policy: &Policy) -> Vec<Finding> {
        if facts.shell.supposed.is_empty() {
            return Vec::new();
        }
        let mut alone = with_no_effects(facts);
        let mut findings = Vec::new();
        for supposition in &facts.shell.supposed {
            alone.shell.effects.clone_from(&supposition.effects);
            let doubtful = minded(&alone).into_iter().map(|finding| in_doubt(finding, supposition));
            findings.extend(doubtful.map(|finding| settled(finding, call, policy)));
        }
        findings.sort_by_key(|finding| Reverse(finding.stance));
        once_each(findings)
    }
}

/// The same call, as if it did nothing.
fn with_no_effects(facts: &Facts) -> Facts {
    let (invocations, shape) = (facts.shell.invocations.clone(), facts.shell.shape);
    Facts { shell: Analysis { invocations, shape, ..Analysis::default() }, ..Facts::default() }
}

/// The same words may read as a command in more than one way; each thing that it would do is said once.
fn once_each(findings: Vec<Finding>) -> Vec<Finding> {
    let mut kept: Vec<Finding> = Vec::new();
    for finding in findings {
        if !kept.iter().any(|other| say_the_same(other, &finding)) {
            kept.push(finding);
        }
    }
    kept
}

fn say_the_same(one: &Finding, other: &Finding) -> bool {
    let same = |(one, other): (&Effect, &Effect)| one.verb == other.verb && one.target == other.target;
    one.rule == other.rule && one.subject.as_ref().zip(other.subject.as_ref()).is_some_and(same)
}

fn minded(supposed: &Facts) -> Vec<Finding> {
    let mut findings = Vec::new();
    rules().for_each(|rule| (rule.judge)(supposed, &mut Report::new(rule, &mut findings)));
    findings
}

/// What must not happen at all, whoever would start it.
fn rules() -> impl Iterator<Item = &'static Rule> {
    RULES.iter().copied().filter(|rule| {
        let is = |other: &&Rule| other.name == rule.name;
        rule.layer == Part::Floor || guard::RULES.iter().any(is) || HANDED_OVER.iter().any(is)
    })
}

/// Shells that somebody at the other end of a connection types into.
static HANDED_OVER: &[&Rule] = &[&BIND_SHELL, &REVERSE_SHELL];

/// What becomes of a doubt that a person would settle. The boundary settles it where there is one; where nobody is asked, what nobody
/// may approve is not run on the chance that it is something else.
fn settled(finding: Finding, call: &Call, policy: &Policy) -> Finding {
    let is_of_the_floor = find(finding.rule).is_some_and(|rule| rule.layer == Part::Floor);
    if finding.stance != Stance::Ask || !finding.gap || !is_of_the_floor {
        return finding;
    }
    let is_confined = policy.isolation.is_some() && matches!(call.action, Action::Exec(_));
    if is_confined && policy.preset != Preset::Strict {
        let reason = format!("{}, so it runs confined and unasked", finding.reason);
        return Finding { stance: Stance::Note, reason, ..finding };
    }
    if policy.asks_nobody() { Finding { stance: Stance::Deny, ..finding } } else { finding }
}

/// A command that may be none is asked about, and a yes to that covers nothing else. No entry for the program that would start it
/// was written with that command in mind.
fn in_doubt(finding: Finding, supposition: &Supposition) -> Finding {
    let Supposition { by, command, likelihood, .. } = supposition;
    let (stance, gap) = match likelihood {
        Likelihood::Great => (finding.stance, finding.gap),
        Likelihood::Slight => (finding.stance.min(Stance::Ask), true),
    };
    let reason = format!("{}, if `{by}` runs `{command}`", finding.reason);
    Finding { stance, gap, reason, invocation: None, ..finding }
}
