//! What comes back from a call.

use herm::Finding;
use herm::decision::{Question, Refusal};
use herm_store::Digest;

use crate::books::Error;
use crate::perform::Performance;
use crate::record::Consent;

/// What comes back from a call.
#[derive(Debug)]
#[must_use]
pub struct Reply {
    /// The name of its receipt.
    pub receipt: String,
    /// How it came to the decision.
    pub consent: Consent,
    /// What became of it.
    pub outcome: Outcome,
}

/// What became of a call.
#[derive(Debug)]
#[must_use]
pub enum Outcome {
    /// It was done.
    Done(Box<Performance>),
    /// herm itself failed; nothing was run, unless the message says so.
    Failed(String),
    /// It was refused.
    Refused(Box<Why>),
}

/// Why a call was refused.
#[derive(Debug)]
pub enum Why {
    /// Somebody said no.
    Answered(Refusal),
    /// What it would run keeps changing while it is asked about.
    Changing,
    /// It may not be done, whoever says yes.
    Denied(Refusal),
    /// What was answered earlier cannot be looked up.
    Forgotten(String),
    /// There was nobody to ask, and why.
    Nobody(String, Question),
    /// A model said no in the place of a person.
    Opposed(Refusal),
    /// Nobody answered in time.
    Silence(Question),
    /// The grant that covered it was used up by another call.
    Spent,
}

/// A call that is refused, with how it came to that.
#[derive(Debug)]
pub(crate) struct Refused {
    pub(crate) why: Why,
    pub(crate) consent: Consent,
}

impl Refused {
    pub(crate) fn forgetful(digest: Digest, error: &Error) -> Self {
        let mut consent = Consent::new(digest, Vec::new());
        consent.notes.extend(error.hint());
        Self { why: Why::Forgotten(error.to_string()), consent }
    }
}

impl Why {
    /// The word for it in receipts and JSON.
    #[must_use]
    pub const fn word(&self) -> &'static str {
        match self {
            Self::Answered(_) | Self::Opposed(_) => "denied",
            Self::Changing => "changing",
            Self::Denied(_) => "forbidden",
            Self::Forgotten(_) => "no-memory",
            Self::Nobody(..) => "nobody",
            Self::Silence(_) => "timeout",
            Self::Spent => "spent",
        }
    }

    /// What stands in the way.
    pub fn findings(&self) -> &[Finding] {
        match self {
            Self::Answered(refusal) | Self::Denied(refusal) | Self::Opposed(refusal) => &refusal.findings,
            Self::Nobody(_, question) | Self::Silence(question) => &question.findings,
            Self::Changing | Self::Forgotten(_) | Self::Spent => &[],
        }
    }
}

impl Outcome {
    /// The same, with a word about what could not be written down.
    pub(crate) fn noting(self, error: Option<Error>) -> Self {
        match (self, error) {
            (Self::Done(mut performance), Some(error)) => {
                performance.notes.push(format!("the outcome could not be recorded: {error}"));
                Self::Done(performance)
            }
            (outcome, _) => outcome,
        }
    }
}
