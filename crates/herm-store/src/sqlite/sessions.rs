//! The sessions of agents.

use rusqlite::{OptionalExtension, Row, params};
use serde_json::Value;

use super::Database;
use super::columns::Json;
use crate::error::Error;
use crate::time::Timestamp;

/// One session of an agent.
#[derive(Clone, Debug, PartialEq)]
pub struct Session {
    /// Its name.
    pub id: String,
    /// The profile that it runs under.
    pub profile: String,
    /// Whether its person switched questions off.
    pub yolo: Yolo,
    /// When it began.
    pub started: Timestamp,
    /// What is known of it so far. Not looked into here.
    pub summary: Value,
}

/// Whether questions are switched off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Yolo {
    /// Questions are asked.
    Off,
    /// Questions are answered with yes; refusals hold.
    On,
}

/// The sessions of a database.
#[derive(Clone, Copy, Debug)]
pub struct Sessions<'a>(pub(super) &'a Database);

impl Sessions<'_> {
    /// Remembers a session, unless one of its name is there already; that one stays as it is.
    ///
    /// # Errors
    ///
    /// When the database cannot be written.
    pub fn start(&self, session: &Session) -> Result<(), Error> {
        let Session { id, profile, yolo, started, summary } = session;
        self.0.write("add a session to", |change| {
            change.execute(
                "INSERT INTO sessions (id, profile, yolo, started, summary) VALUES (?1, ?2, ?3, ?4, ?5)
                 ON CONFLICT (id) DO NOTHING",
                params![id, profile, *yolo == Yolo::On, started, Json(summary)],
            )
        })?;
        Ok(())
    }

    /// The session of this name.
    ///
    /// # Errors
    ///
    /// When the database cannot be read.
    pub fn find(&self, id: &str) -> Result<Option<Session>, Error> {
        self.0.read("read sessions from", |connection| {
            let select = "SELECT id, profile, yolo, started, summary FROM sessions WHERE id = ?1";
            connection.query_row(select, [id], session).optional()
        })
    }

    /// All sessions, the latest first.
    ///
    /// # Errors
    ///
    /// When the database cannot be read.
    pub fn list(&self) -> Result<Vec<Session>, Error> {
        self.0.read("read sessions from", |connection| {
            let select = "SELECT id, profile, yolo, started, summary FROM sessions ORDER BY started DESC, id";
            connection.prepare(select)?.query_map([], session)?.collect()
        })
    }

    /// Switches questions off or on; whether there is such a session.
    ///
    /// # Errors
    ///
    /// When the database cannot be written.
    pub fn set_yolo(&self, id: &str, yolo: Yolo) -> Result<bool, Error> {
        let changed = self.0.write("change a session of", |change| {
            change.execute("UPDATE sessions SET yolo = ?2 WHERE id = ?1", params![id, yolo == Yolo::On])
        })?;
        Ok(changed == 1)
    }

    /// Replaces what is known of a session; whether there is such a session.
    ///
    /// # Errors
    ///
    /// When the database cannot be written.
    pub fn set_summary(&self, id: &str, summary: &Value) -> Result<bool, Error> {
        let changed = self.0.write("change a session of", |change| {
            change.execute("UPDATE sessions SET summary = ?2 WHERE id = ?1", params![id, Json(summary)])
        })?;
        Ok(changed == 1)
    }
}

fn session(row: &Row<'_>) -> rusqlite::Result<Session> {
    Ok(Session {
        id: row.get("id")?,
        profile: row.get("profile")?,
        yolo: if row.get("yolo")? { Yolo::On } else { Yolo::Off },
        started: row.get("started")?,
        summary: row.get::<_, Json<Value>>("summary")?.0,
    })
}
