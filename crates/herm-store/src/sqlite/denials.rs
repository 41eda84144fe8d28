//! What a person refused: it covers the effect, however it is spelt.

use rusqlite::{Row, params};
use serde_json::Value;

use super::Database;
use super::columns::Json;
use crate::error::Error;
use crate::time::Timestamp;

/// What a person refused.
#[derive(Clone, Debug, PartialEq)]
pub struct Denial {
    /// In which session.
    pub session: String,
    /// The rule whose finding was refused.
    pub rule: String,
    /// The effect that was refused. Not looked into here.
    pub subject: Value,
    /// What the person was shown.
    pub shown: String,
    /// When.
    pub at: Timestamp,
}

/// The denials of a database.
#[derive(Clone, Copy, Debug)]
pub struct Denials<'a>(pub(super) &'a Database);

impl Denials<'_> {
    /// Remembers a denial.
    ///
    /// # Errors
    ///
    /// When the database cannot be written.
    pub fn add(&self, denial: &Denial) -> Result<(), Error> {
        let Denial { session, rule, subject, shown, at } = denial;
        self.0.write("add a denial to", |change| {
            change.execute(
                "INSERT INTO denials (session, rule, subject, shown, at) VALUES (?1, ?2, ?3, ?4, ?5)",
                params![session, rule, Json(subject), shown, at],
            )
        })?;
        Ok(())
    }

    /// What was refused in a session, the oldest first.
    ///
    /// # Errors
    ///
    /// When the database cannot be read.
    pub fn for_session(&self, session: &str) -> Result<Vec<Denial>, Error> {
        self.0.read("read denials from", |connection| {
            let select =
                "SELECT session, rule, subject, shown, at FROM denials WHERE session = ?1 ORDER BY number";
            connection.prepare(select)?.query_map([session], denial)?.collect()
        })
    }
}

fn denial(row: &Row<'_>) -> rusqlite::Result<Denial> {
    Ok(Denial {
        session: row.get("session")?,
        rule: row.get("rule")?,
        subject: row.get::<_, Json<Value>>("subject")?.0,
        shown: row.get("shown")?,
        at: row.get("at")?,
    })
}
