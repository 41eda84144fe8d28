//! Answers, and what comes of them.

use herm::approval::Answer;

use crate::time::Timestamp;

/// An answer that was given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Given {
    /// What.
    pub answer: Answer,
    /// By whom.
    pub by: String,
    /// When.
    pub at: Timestamp,
}

/// What came of answering.
#[derive(Clone, Debug, PartialEq, Eq)]
#[must_use]
pub enum Answered {
    /// There is no such question, or nobody needs an answer any more.
    Gone,
    /// Nobody waits any more; a yes serves the next call for exactly the same.
    Late,
    /// Somebody else was first.
    Lost(Given),
    /// This is the answer.
    Won,
}

/// What whoever asked has to do now.
#[derive(Clone, Debug, PartialEq, Eq)]
#[must_use]
pub enum Settlement {
    /// Do as it says. It is not handed out again.
    Answered(Given),
    /// The question was withdrawn, or never was.
    Gone,
    /// Nobody answered in time: that is a no.
    Silence,
    /// There was a yes, and another call for exactly the same took it.
    Spent,
    /// Wait.
    Waiting,
}

/// A yes that found nobody waiting.
#[derive(Clone, Debug, PartialEq, Eq)]
#[must_use]
pub struct LateYes {
    /// The question that it answered.
    pub question: String,
    /// The answer.
    pub given: Given,
}
