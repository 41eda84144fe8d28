//! What a person allowed beforehand.

use rusqlite::{OptionalExtension, Row, params};
use serde_json::Value;

use super::Database;
use super::columns::Json;
use crate::error::Error;
use crate::identity;
use crate::time::Timestamp;

/// What a person allowed beforehand.
#[derive(Clone, Debug, PartialEq)]
pub struct Grant {
    /// Its name.
    pub id: String,
    /// What is allowed.
    pub terms: Terms,
    /// When it was taken back.
    pub revoked: Option<Timestamp>,
}

/// What a grant allows, to whom and for how long.
#[derive(Clone, Debug, PartialEq)]
pub struct Terms {
    /// For one session, or for all.
    pub session: Option<String>,
    /// The rule whose findings it answers.
    pub rule: String,
    /// What else must fit: program, path, verb, realm. Not looked into here.
    pub scope: Value,
    /// Since when.
    pub created: Timestamp,
    /// Until when; for ever if no moment is given.
    pub expires: Option<Timestamp>,
    /// How often, counting from now; any number of times if none is given.
    pub uses_left: Option<u64>,
    /// What the person said about it.
    pub note: String,
}

/// The grants of a database.
#[derive(Clone, Copy, Debug)]
pub struct Grants<'a>(pub(super) &'a Database);

impl Grants<'_> {
    /// Remembers a grant, and says how it is called.
    ///
    /// # Errors
    ///
    /// When the database cannot be written.
    pub fn add(&self, terms: &Terms) -> Result<String, Error> {
        let id = identity::random()?;
        let Terms { session, rule, scope, created, expires, uses_left, note } = terms;
        self.0.write("add a grant to", |change| {
            change.execute(
                "INSERT INTO grants (id, session, rule, scope, created, expires, uses_left, note)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
                params![id, session, rule, Json(scope), created, expires, uses_left.map(count), note],
            )
        })?;
        Ok(id)
    }

    /// All grants, even those that do not hold any more, the oldest first.
    ///
    /// # Errors
    ///
    /// When the database cannot be read.
    pub fn list(&self) -> Result<Vec<Grant>, Error> {
        self.0.read("read grants from", |connection| {
            let mut select =
                connection.prepare(&format!("SELECT {COLUMNS} FROM grants ORDER BY created, id"))?;
            select.query_map([], grant)?.collect()
        })
    }

    /// The grants that hold now in a session, the oldest first.
    ///
    /// # Errors
    ///
    /// When the database cannot be read.
    pub fn for_session(&self, session: &str, now: impl Into<Timestamp>) -> Result<Vec<Grant>, Error> {
        let select = format!(
            "SELECT {COLUMNS} FROM grants
             WHERE (session = ?1 OR session IS NULL) AND {HOLDS} AND uses_left IS NOT 0
             ORDER BY created, id"
        );
        self.0.read("read grants from", |connection| {
            connection.prepare(&select)?.query_map(params![session, now.into()], grant)?.collect()
        })
    }

    /// Uses a grant once, unless it does not hold any more. Of many who try at once, as many succeed as uses are left.
    ///
    /// # Errors
    ///
    /// When the database cannot be written.
    pub fn use_once(&self, id: &str, now: impl Into<Timestamp>) -> Result<Use, Error> {
        let now = now.into();
        let endless = format!("SELECT 1 FROM grants WHERE id = ?1 AND {HOLDS} AND uses_left IS NULL");
        let found = self.0.read("read grants from", |connection| {
            connection.query_row(&endless, params![id, now], |_| Ok(())).optional()
        })?;
        if found.is_some() {
            return Ok(Use::Granted);
        }
        let take = format!(
            "UPDATE grants SET uses_left = uses_left - 1 WHERE id = ?1 AND {HOLDS} AND uses_left > 0"
        );
        let taken = self.0.write("use a grant of", |change| change.execute(&take, params![id, now]))?;
        Ok(if taken == 1 { Use::Granted } else { Use::Refused })
    }

    /// Takes a grant back; whether there was one to take back.
    ///
    /// # Errors
    ///
    /// When the database cannot be written.
    pub fn revoke(&self, id: &str, now: impl Into<Timestamp>) -> Result<bool, Error> {
        let now = now.into();
        let revoked = self.0.write("revoke a grant of", |change| {
            change
                .execute("UPDATE grants SET revoked = ?2 WHERE id = ?1 AND revoked IS NULL", params![id, now])
        })?;
        Ok(revoked == 1)
    }
}

/// What came of using a grant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub enum Use {
    /// It held, and one use of it is spent.
    Granted,
    /// It is unknown, used up, expired or revoked.
    Refused,
}

const COLUMNS: &str = "id, session, rule, scope, created, expires, uses_left, note, revoked";

/// Uses apart: the second parameter is now.
const HOLDS: &str = "revoked IS NULL AND (expires IS NULL OR expires > ?2)";

fn grant(row: &Row<'_>) -> rusqlite::Result<Grant> {
    Ok(Grant {
        id: row.get("id")?,
        terms: Terms {
            session: row.get("session")?,
            rule: row.get("rule")?,
            scope: row.get::<_, Json<Value>>("scope")?.0,
            created: row.get("created")?,
            expires: row.get("expires")?,
            uses_left: row.get::<_, Option<i64>>("uses_left")?.map(i64::unsigned_abs),
            note: row.get("note")?,
        },
        revoked: row.get("revoked")?,
    })
}

fn count(uses: u64) -> i64 {
    i64::try_from(uses).unwrap_or(i64::MAX)
}
