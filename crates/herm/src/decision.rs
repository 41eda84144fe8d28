//! What becomes of a call.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use crate::call::Call;
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

/// What a person is asked. Forgetting it leaves the call unanswered: only an answer could make a permit of it.
#[derive(Debug, PartialEq)]
#[must_use]
pub struct Question {
    /// What must be said yes to, the most telling first.
    pub findings: Vec<Finding>,
}

/// Why a call is refused.
#[derive(Debug, PartialEq)]
#[must_use]
pub struct Refusal {
    /// What stands in the way, the most telling first.
    pub findings: Vec<Finding>,
}

impl Decision {
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
    pub(crate) fn new(call: &Call, facts: Facts, mut findings: Vec<Finding>) -> Self {
        findings.sort_by_key(|finding| (Reverse(finding.stance), finding.gap));
        let mut said = BTreeSet::new();
        findings.retain(|finding| said.insert((finding.rule, finding.span, finding.reason.clone())));
        let standing = |stance| findings.iter().filter(|finding| finding.stance == stance).cloned().collect();
        let decision = match findings.first().map(|finding| finding.stance) {
            Some(Stance::Deny) => Decision::Deny(Refusal { findings: standing(Stance::Deny) }),
            Some(Stance::Ask) => Decision::Ask(Question { findings: standing(Stance::Ask) }),
            Some(Stance::Note) | None => Decision::Allow(Permit::new(call)),
        };
        Self { decision, findings, facts }
    }
}
