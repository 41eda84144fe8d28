//! What people are asked.
//!
//! A question waits until somebody answers it or its time is over: then the call is refused, but the question stays
//! listed. A yes that nobody waits for any more, because it came late or because who asked is gone, serves the next
//! call that is bound to the very same action in the same session; and every yes serves one call only.
//!
//! An answer reaches the disk before whoever gave it is told so. Whoever waits for it may hear it a moment earlier, since
//! a loss of power ends the wait as well. That an answer was handed out may be forgotten then, and with it the session
//! that it was for.

use herm::approval::Answer;
use rusqlite::{Connection, OptionalExtension, Row, Transaction, params};
use serde_json::Value;

use super::Database;
use super::columns::Json;
use crate::digest::Digest;
use crate::error::Error;
use crate::identity;
use crate::time::Timestamp;

mod answer;
mod question;

pub use self::answer::{Answered, Given, LateYes, Settlement};
pub use self::question::{Asker, Draft, Question, State, Wanted};

/// The questions of a database.
#[derive(Clone, Copy, Debug)]
pub struct Questions<'a>(pub(super) &'a Database);

impl Questions<'_> {
    /// Asks. An expired question about the same action is withdrawn, so that no answer to it can come on top.
    ///
    /// # Errors
    ///
    /// When the database cannot be written.
    pub fn ask(&self, draft: &Draft) -> Result<Question, Error> {
        let id = identity::random()?;
        self.0.write_soon("add a question to", |change| {
            change.execute(
                "UPDATE questions SET state = 'withdrawn' WHERE session = ?1 AND binding = ?2 AND state = 'expired'",
                params![draft.session, draft.binding],
            )?;
            let Draft { session, asked, expires, asker, binding, shown } = draft;
            change.execute(
                "INSERT INTO questions (id, session, asked, expires, pid, started, uid, binding, shown, state)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, 'pending')",
                params![
                    id,
                    session,
                    asked,
                    expires,
                    asker.pid,
                    i64::try_from(asker.started).unwrap_or(i64::MAX),
                    asker.uid,
                    binding,
                    Json(shown)
                ],
            )
        })?;
        Ok(Question { id, draft: draft.clone(), state: State::Pending })
    }

    /// The question of this name.
    ///
    /// # Errors
    ///
    /// When the database cannot be read.
    pub fn find(&self, id: &str) -> Result<Option<Question>, Error> {
        self.0.read("read questions from", |connection| find(connection, id))
    }

    /// The questions that wait for an answer, of one session or of all, in the order in which they were asked.
    ///
    /// # Errors
    ///
    /// When the database cannot be read.
    pub fn pending(&self, session: Option<&str>) -> Result<Vec<Question>, Error> {
        self.select("state = 'pending'", session)
    }

    /// The questions that can be answered: those that wait, and those whose time is over.
    ///
    /// # Errors
    ///
    /// When the database cannot be read.
    pub fn listed(&self, session: Option<&str>) -> Result<Vec<Question>, Error> {
        self.select("state IN ('pending', 'expired')", session)
    }

    /// Those of them that are wanted.
    ///
    /// # Errors
    ///
    /// When the database cannot be read.
    pub fn wanted(&self, wanted: Wanted<'_>) -> Result<Vec<Question>, Error> {
        // What comes last sorts after every letter of a name.
        let select = "SELECT * FROM questions
                      WHERE state IN ('pending', 'expired') AND id BETWEEN ?1 AND ?1 || '~' AND (?2 IS NULL OR uid = ?2)
                      ORDER BY number LIMIT ?3";
        let most = wanted.most.map_or(-1, i64::from);
        self.0.read("read questions from", |connection| {
            let row = params![wanted.beginning, wanted.uid, most];
            connection.prepare(select)?.query_map(row, Question::from_row)?.collect()
        })
    }

    /// The answers that nobody who waits has heard yet: the names of their questions.
    ///
    /// # Errors
    ///
    /// When the database cannot be read.
    pub fn unheard(&self) -> Result<Vec<String>, Error> {
        let select = "SELECT id FROM questions WHERE state = 'answered' AND taken IS NULL AND NOT late";
        self.0.read("read questions from", |connection| {
            connection.prepare(select)?.query_map([], |row| row.get("id"))?.collect()
        })
    }

    fn select(self, which: &str, session: Option<&str>) -> Result<Vec<Question>, Error> {
        let session_is = if session.is_some() { "session = ?1" } else { "?1 IS NULL" };
        let select = format!("SELECT * FROM questions WHERE {which} AND {session_is} ORDER BY number");
        self.0.read("read questions from", |connection| {
            connection.prepare(&select)?.query_map([session], Question::from_row)?.collect()
        })
    }

    /// Answers a question. Of many who answer at once, one wins.
    ///
    /// # Errors
    ///
    /// When the database cannot be written.
    pub fn answer(
        &self,
        id: &str,
        answer: Answer,
        by: &str,
        now: impl Into<Timestamp>,
    ) -> Result<Answered, Error> {
        let answered = self.answer_soon(id, answer, by, now)?;
        self.0.flush().map(|()| answered)
    }

    /// The same, but the answer reaches the disk with [`Database::flush`] only. Everybody sees it when this returns.
    ///
    /// # Errors
    ///
    /// When the database cannot be written.
    pub fn answer_soon(
        &self,
        id: &str,
        answer: Answer,
        by: &str,
        now: impl Into<Timestamp>,
    ) -> Result<Answered, Error> {
        let now = now.into();
        self.0.write_soon("answer a question of", |change| {
            let late = change.query_row(
                "UPDATE questions
                 SET state = 'answered', answer = ?2, answered_by = ?3, answered = ?4,
                     late = (state = 'expired' OR expires <= ?4)
                 WHERE id = ?1 AND state IN ('pending', 'expired')
                 RETURNING late",
                params![id, answer.word(), by, now],
                |row| row.get("late"),
            );
            let Some(late) = late.optional()? else { return lost(change, id) };
            if answer == Answer::Deny {
                forget_yes(change, id, now)?;
            }
            Ok(if late { Answered::Late } else { Answered::Won })
        })
    }

    /// Marks the questions whose time is over, and says how many there were.
    ///
    /// # Errors
    ///
    /// When the database cannot be written.
    pub fn expire(&self, now: impl Into<Timestamp>) -> Result<usize, Error> {
        let now = now.into();
        let due = "SELECT EXISTS (SELECT 1 FROM questions WHERE state = 'pending' AND expires <= ?1)";
        let due = |connection: &Connection| connection.query_row(due, params![now], |row| row.get(0));
        if !self.0.read("read questions from", due)? {
            return Ok(0);
        }
        self.0.write_soon("expire questions of", |change| {
            change.execute(
                "UPDATE questions SET state = 'expired' WHERE state = 'pending' AND expires <= ?1",
                params![now],
            )
        })
    }

    /// Takes a question back, because nobody needs the answer any more; whether it still waited.
    ///
    /// # Errors
    ///
    /// When the database cannot be written.
    pub fn withdraw(&self, id: &str) -> Result<bool, Error> {
        let withdrawn = self.0.write_soon("withdraw a question of", |change| {
            change.execute(
                "UPDATE questions SET state = 'withdrawn' WHERE id = ?1 AND state IN ('pending', 'expired')",
                params![id],
            )
        })?;
        Ok(withdrawn == 1)
    }

    /// Forgets the questions from before a moment that nobody waits for, and says how many there were. What became of
    /// them is in the ledger.
    ///
    /// # Errors
    ///
    /// When the database cannot be written.
    pub fn forget(&self, before: impl Into<Timestamp>) -> Result<usize, Error> {
        let before = before.into();
        self.0.write_soon("forget questions of", |change| {
            change.execute("DELETE FROM questions WHERE state <> 'pending' AND asked < ?1", params![before])
        })
    }

    /// What whoever asked has to do now. An answer is handed out once.
    ///
    /// While there is none, nothing is written, so that this can be called as often as one likes.
    ///
    /// # Errors
    ///
    /// When the database cannot be read or written.
    pub fn settle(&self, id: &str, now: impl Into<Timestamp>) -> Result<Settlement, Error> {
        let now = now.into();
        let waits = |question: &Question| question.state == State::Pending && now < question.draft.expires;
        if self.find(id)?.as_ref().is_some_and(waits) {
            return Ok(Settlement::Waiting);
        }
        self.0.write_soon("settle a question of", |change| settle(change, id, now))
    }

    /// A yes to exactly this action in this session that served nobody yet; it serves whoever calls this.
    ///
    /// # Errors
    ///
    /// When the database cannot be written.
    pub fn late_yes(
        &self,
        binding: Digest,
        session: &str,
        now: impl Into<Timestamp>,
    ) -> Result<Option<LateYes>, Error> {
        let now = now.into();
        let found =
            self.0.read("read questions from", |connection| waiting_yes(connection, binding, session))?;
        if found.is_none() {
            return Ok(None);
        }
        self.0.write_soon("take an answer from", |change| {
            let Some(question) = waiting_yes(change, binding, session)? else { return Ok(None) };
            take(change, &question.id, now)?;
            let given = question.state.given().cloned();
            Ok(given.map(|given| LateYes { question: question.id, given }))
        })
    }
}

fn find(connection: &Connection, id: &str) -> rusqlite::Result<Option<Question>> {
    connection.query_row("SELECT * FROM questions WHERE id = ?1", [id], Question::from_row).optional()
}

/// The oldest yes that served nobody.
fn waiting_yes(
    connection: &Connection,
    binding: Digest,
    session: &str,
) -> rusqlite::Result<Option<Question>> {
    let select = "SELECT * FROM questions
                  WHERE session = ?1 AND binding = ?2 AND state = 'answered' AND taken IS NULL AND answer <> 'deny'
                  ORDER BY number LIMIT 1";
    connection.query_row(select, params![session, binding], Question::from_row).optional()
}

fn take(change: &Transaction<'_>, id: &str, now: Timestamp) -> rusqlite::Result<usize> {
    change.execute("UPDATE questions SET taken = ?2 WHERE id = ?1 AND taken IS NULL", params![id, now])
}

/// A no takes back every yes to the same action that served nobody yet.
fn forget_yes(change: &Transaction<'_>, id: &str, now: Timestamp) -> rusqlite::Result<usize> {
    change.execute(
        "UPDATE questions SET taken = ?2
         WHERE (session, binding) = (SELECT session, binding FROM questions WHERE id = ?1)
           AND state = 'answered' AND taken IS NULL AND answer <> 'deny'",
        params![id, now],
    )
}

fn lost(change: &Transaction<'_>, id: &str) -> rusqlite::Result<Answered> {
    let question = find(change, id)?;
    let given = question.as_ref().and_then(|question| question.state.given());
    Ok(given.map_or(Answered::Gone, |given| Answered::Lost(given.clone())))
}

fn settle(change: &Transaction<'_>, id: &str, now: Timestamp) -> rusqlite::Result<Settlement> {
    let Some(question) = find(change, id)? else { return Ok(Settlement::Gone) };
    match question.state {
        State::Pending if now < question.draft.expires => Ok(Settlement::Waiting),
        State::Pending => {
            change.execute("UPDATE questions SET state = 'expired' WHERE id = ?1", [id])?;
            Ok(Settlement::Silence)
        }
        State::Expired | State::Answered { late: true, .. } => Ok(Settlement::Silence),
        State::Withdrawn => Ok(Settlement::Gone),
        State::Answered { taken: Some(_), .. } => Ok(Settlement::Spent),
        State::Answered { given, .. } => {
            take(change, id, now)?;
            Ok(Settlement::Answered(given))
        }
    }
}

impl Question {
    fn from_row(row: &Row<'_>) -> rusqlite::Result<Self> {
        Ok(Self {
            id: row.get("id")?,
            draft: Draft {
                session: row.get("session")?,
                asked: row.get("asked")?,
                expires: row.get("expires")?,
                asker: Asker {
                    pid: row.get("pid")?,
                    started: row.get::<_, i64>("started")?.unsigned_abs(),
                    uid: row.get("uid")?,
                },
                binding: row.get("binding")?,
                shown: row.get::<_, Json<Value>>("shown")?.0,
            },
            state: State::from_row(row)?,
        })
    }
}
