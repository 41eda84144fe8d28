//! Which hooks may run, as they were when somebody decided.

use rusqlite::{OptionalExtension, params};

use super::Database;
use crate::digest::Digest;
use crate::error::Error;
use crate::time::Timestamp;

/// What somebody decided about a hook.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Consent {
    /// The command that runs the hook.
    pub command: String,
    /// The hash of its file: a changed file was never decided about.
    pub sha256: Digest,
    /// When.
    pub decided: Timestamp,
    /// Whether it may run.
    pub allowed: bool,
}

/// The consents of a database.
#[derive(Clone, Copy, Debug)]
pub struct Consents<'a>(pub(super) &'a Database);

impl Consents<'_> {
    /// Remembers a decision; the latest about a command and its file holds.
    ///
    /// # Errors
    ///
    /// When the database cannot be written.
    pub fn decide(&self, consent: &Consent) -> Result<(), Error> {
        let Consent { command, sha256, decided, allowed } = consent;
        self.0.write("add a consent to", |change| {
            change.execute(
                "INSERT INTO consents (command, sha256, decided, allowed) VALUES (?1, ?2, ?3, ?4)
                 ON CONFLICT (command, sha256) DO UPDATE SET decided = excluded.decided, allowed = excluded.allowed",
                params![command, sha256, decided, allowed],
            )
        })?;
        Ok(())
    }

    /// What was decided about exactly this command with exactly this file.
    ///
    /// # Errors
    ///
    /// When the database cannot be read.
    pub fn find(&self, command: &str, sha256: Digest) -> Result<Option<Consent>, Error> {
        let consent = |decided, allowed| Consent { command: command.to_owned(), sha256, decided, allowed };
        self.0.read("read consents from", |connection| {
            let select = "SELECT decided, allowed FROM consents WHERE command = ?1 AND sha256 = ?2";
            let found = connection.query_row(select, params![command, sha256], |row| {
                Ok(consent(row.get("decided")?, row.get("allowed")?))
            });
            found.optional()
        })
    }
}
