//! Whoever may answer.

use std::fmt::Debug;

use herm::approval::Answer;

use crate::asked::Asked;

/// Whoever may answer.
pub trait People: Debug {
    /// Asks, and waits for so many seconds.
    fn ask(&mut self, asked: &Asked, seconds: u32) -> Heard;

    /// The same for a question that comes up while something runs, to which the person may be typing.
    fn interrupt(&mut self, asked: &Asked, seconds: u32) -> Heard {
        self.ask(asked, seconds)
    }

    /// Whether somebody would be asked at the terminal that this is on.
    fn is_here(&self) -> bool {
        false
    }

    /// Whether whoever performs the call asks a person of its own instead. What it is told to ask, it must not run unasked.
    fn hands_on(&self) -> bool {
        false
    }

    /// Shows what a try changed, and hears whether that is kept.
    fn weigh(&mut self, asked: &Asked, seconds: u32) -> Heard {
        let _ = (asked, seconds);
        Heard::Nobody("there is nobody to show it to".to_owned())
    }
}

/// What came of asking.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Heard {
    /// An answer.
    Answer {
        /// What it is.
        answer: Answer,
        /// Who gave it.
        by: String,
    },
    /// There is nobody to ask, and why.
    Nobody(String),
    /// Nobody answered in time.
    Silence,
}
