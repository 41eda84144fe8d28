//! A question, from the moment it is asked.

use herm::approval::Answer;
use rusqlite::Row;
use rusqlite::types::Type;
use serde_json::Value;

use super::answer::Given;
use crate::digest::Digest;
use crate::time::Timestamp;

/// What is to be asked.
#[derive(Clone, Debug, PartialEq)]
pub struct Draft {
    /// The session of the agent.
    pub session: String,
    /// When it is asked.
    pub asked: Timestamp,
    /// Until when somebody waits.
    pub expires: Timestamp,
    /// Who waits.
    pub asker: Asker,
    /// The hash of the exact action, to which the answer is bound.
    pub binding: Digest,
    /// What people are shown. Not looked into here.
    pub shown: Value,
}

/// The process that waits for the answer. Numbers of processes are used again; with its start, one is meant for good.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Asker {
    /// Its number.
    pub pid: u32,
    /// When it was started, in whatever the system counts.
    pub started: u64,
    /// Whose it is.
    pub uid: u32,
}

/// A question that was asked.
#[derive(Clone, Debug, PartialEq)]
pub struct Question {
    /// Its name.
    pub id: String,
    /// What was asked.
    pub draft: Draft,
    /// What became of it.
    pub state: State,
}

/// Which of the questions that can be answered are wanted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Wanted<'a> {
    /// Those whose names begin like this.
    pub beginning: &'a str,
    /// The oldest of them, at most so many; all of them otherwise.
    pub most: Option<u32>,
    /// Those that this user asked; those of everybody otherwise.
    pub uid: Option<u32>,
}

/// What became of a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum State {
    /// Somebody answered.
    Answered {
        /// What, and who.
        given: Given,
        /// Whether its time was over.
        late: bool,
        /// When it served a call.
        taken: Option<Timestamp>,
    },
    /// Its time is over, and it can still be answered.
    Expired,
    /// It waits for an answer.
    Pending,
    /// Nobody needs the answer any more.
    Withdrawn,
}

impl State {
    /// The answer, if there is one.
    #[must_use]
    pub fn given(&self) -> Option<&Given> {
        match self {
            Self::Answered { given, .. } => Some(given),
            Self::Expired | Self::Pending | Self::Withdrawn => None,
        }
    }

    pub(super) fn from_row(row: &Row<'_>) -> rusqlite::Result<Self> {
        let word: String = row.get("state")?;
        match word.as_str() {
            "answered" => {
                Ok(Self::Answered { given: given(row)?, late: row.get("late")?, taken: row.get("taken")? })
            }
            "expired" => Ok(Self::Expired),
            "pending" => Ok(Self::Pending),
            "withdrawn" => Ok(Self::Withdrawn),
            _ => Err(unknown("state")),
        }
    }
}

fn given(row: &Row<'_>) -> rusqlite::Result<Given> {
    let word: String = row.get("answer")?;
    let answer = Answer::from_word(&word).ok_or_else(|| unknown("answer"))?;
    Ok(Given { answer, by: row.get("answered_by")?, at: row.get("answered")? })
}

/// A word that the database itself would not have taken.
fn unknown(column: &str) -> rusqlite::Error {
    rusqlite::Error::InvalidColumnType(0, column.to_owned(), Type::Text)
}
