//! Commands that a program may start, although nothing says that it is one that starts others.
//!
//! Most of what such a command would do is not worth a question that may be about nothing. What must never happen is: what nobody may
//! approve, what would let the agent out of its guard, and what would hand the machine to somebody else.

use std::cmp::Reverse;

use herm_shell::Analysis;
use herm_shell::analysis::{Likelihood, Supposition};

use super::Layer;
use crate::call::Call;
use crate::facts::Facts;
use crate::finding::{Finding, Stance};
use crate::policy::Policy;
use crate::rules::shell::bind_shell::BIND_SHELL;
use crate::rules::shell::reverse_shell::REVERSE_SHELL;
use crate::rules::{Layer as Part, RULES, Report, Rule, guard};

/// What must not happen, not even perhaps.
#[derive(Debug)]
pub(crate) struct Supposed;

impl Layer for Supposed {
    fn judge(&self, _call: &Call, facts: &Facts, _policy: &Policy) -> Vec<Finding> {
        let mut findings: Vec<Finding> =
            facts.shell.supposed.iter().flat_map(|supposition| minded(supposition, facts)).collect();
        findings.sort_by_key(|finding| Reverse(finding.stance));
        once_each(findings)
    }
}

/// The same words may read as a command in more than one way; each thing that it would do is said once.
fn once_each(findings: Vec<Finding>) -> Vec<Finding> {
    let same = |one: &Finding, other: &Finding| {
        let done =
            |finding: &Finding| finding.subject.as_ref().map(|effect| (effect.verb, effect.target.clone()));
        one.rule == other.rule && done(one) == done(other)
    };
    let mut kept: Vec<Finding> = Vec::new();
    for finding in findings {
        if !kept.iter().any(|other| same(other, &finding)) {
            kept.push(finding);
        }
    }
    kept
}

fn minded(supposition: &Supposition, facts: &Facts) -> Vec<Finding> {
    let supposed = Facts {
        shell: Analysis {
            invocations: facts.shell.invocations.clone(),
            effects: supposition.effects.clone(),
            shape: facts.shell.shape,
            ..Analysis::default()
        },
        ..Facts::default()
    };
    let mut findings = Vec::new();
    rules().for_each(|rule| (rule.judge)(&supposed, &mut Report::new(rule, &mut findings)));
    findings.into_iter().map(|finding| in_doubt(finding, supposition)).collect()
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
