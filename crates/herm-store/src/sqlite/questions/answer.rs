//! Answers, and what comes of them.

use crate::time::Timestamp;

/// What a person says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// Yes, from now on.
    Always,
    /// No.
    Deny,
    /// Yes, this time.
    Once,
    /// Yes, in this session.
    Session,
}

impl Answer {
    /// As it is written.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Always => "always",
            Self::Deny => "deny",
            Self::Once => "once",
            Self::Session => "session",
        }
    }

    /// Reads it.
    #[must_use]
    pub fn parse(word: &str) -> Option<Self> {
        [Self::Always, Self::Deny, Self::Once, Self::Session].into_iter().find(|answer| answer.word() == word)
    }
}

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
