//! Whoever may answer.

use std::fmt::Debug;

use herm::approval::Answer;

use crate::asked::Asked;

/// Whoever may answer.
pub trait People: Debug {
    /// Asks, and waits for so many seconds.
    fn ask(&mut self, asked: &Asked, seconds: u32) -> Heard;
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
