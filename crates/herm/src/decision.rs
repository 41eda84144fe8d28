//! What becomes of a call.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use crate::approval::Answer;
use crate::facts::Facts;
use crate::finding::{Finding, Stance};
use crate::permit::Permit;

/// What becomes of a call.
#[derive(Debug, PartialEq)]
#[must_use]
pub enum Decision {
    /// It may go on.
    Allow(Permit),
    /// A person must say yes.
    Ask(Question),
    /// It is refused, whoever says yes.
    Deny(Refusal),
}

/// What a person is asked. Forgetting it leaves the call unanswered: only an answer makes a permit of it.
#[derive(Debug, PartialEq)]
#[must_use]
pub struct Question {
    /// What must be said yes to, the most telling first.
    pub findings: Vec<Finding>,
    permit: Permit,
}

/// Why a call is refused.
#[derive(Debug, PartialEq)]
#[must_use]
pub struct Refusal {
    /// What stands in the way, the most telling first.
    pub findings: Vec<Finding>,
}

impl Decision {
    fn new(findings: &[Finding], permit: Permit) -> Self {
        let standing = |stance| findings.iter().filter(|finding| finding.stance == stance).cloned().collect();
        match findings.iter().map(|finding| finding.stance).max() {
            Some(Stance::Deny) => Self::Deny(Refusal { findings: standing(Stance::Deny) }),
            Some(Stance::Ask) => Self::Ask(Question { findings: standing(Stance::Ask), permit }),
            Some(Stance::Note) | None => Self::Allow(permit),
        }
    }

    /// The word for it: `allow`, `ask` or `deny`.
    #[must_use]
    pub const fn word(&self) -> &'static str {
        match self {
            Self::Allow(_) => "allow",
            Self::Ask(_) => "ask",
            Self::Deny(_) => "deny",
        }
    }
}

impl Question {
    /// What becomes of the call now that it is answered.
    pub fn settle(self, answer: Answer) -> Decision {
        match answer {
            Answer::Always | Answer::Once | Answer::Session => Decision::Allow(self.permit),
            Answer::Deny => Decision::Deny(Refusal { findings: self.findings }),
            Answer::Try => Decision::Allow(self.permit.for_a_try()),
        }
    }

    /// What is left to ask when some of it was answered before.
    pub fn without(mut self, answered: impl Fn(&Finding) -> bool) -> Decision {
        self.findings.retain(|finding| !answered(finding));
        if self.findings.is_empty() { Decision::Allow(self.permit) } else { Decision::Ask(self) }
    }
}

/// A decision with all that led to it.
#[derive(Debug)]
#[must_use]
pub struct Ruling {
    /// What becomes of the call.
    pub decision: Decision,
    /// Everything the layers had to say, the strictest first.
    pub findings: Vec<Finding>,
    /// What was known.
    pub facts: Facts,
}

impl Ruling {
    /// The strictest finding decides. What is said twice, because code runs twice, counts once.
    pub(crate) fn new(permit: Permit, facts: Facts, mut findings: Vec<Finding>) -> Self {
        findings.sort_by_key(|finding| (Reverse(finding.stance), finding.gap));
        let mut said = BTreeSet::new();
        findings.retain(|finding| said.insert((finding.rule, finding.span, finding.reason.clone())));
        Self { decision: Decision::new(&findings, permit), findings, facts }
    }

    /// The same with more objections. There is no way to take one back.
    pub fn tighten(self, objections: Vec<Finding>) -> Self {
        let mut findings = objections;
        findings.extend(self.findings);
        let permit = match self.decision {
            Decision::Allow(permit) | Decision::Ask(Question { permit, .. }) => permit,
            Decision::Deny(refusal) => {
                findings.sort_by_key(|finding| (Reverse(finding.stance), finding.gap));
                return Self { decision: Decision::Deny(refusal), findings, facts: self.facts };
            }
        };
        Self::new(permit, self.facts, findings)
    }
}
