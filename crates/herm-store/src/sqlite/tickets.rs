//! What a hook has released so that herm itself runs it, once.

use rusqlite::{OptionalExtension, Row, params};
use serde_json::Value;

use super::Database;
use super::columns::Json;
use crate::digest::Digest;
use crate::error::Error;
use crate::identity;
use crate::time::Timestamp;

/// What is released, to whom and for how long.
#[derive(Clone, Debug, PartialEq)]
pub struct Ticket {
    /// In which session.
    pub session: String,
    /// Since when.
    pub issued: Timestamp,
    /// Until when.
    pub expires: Timestamp,
    /// What may be run, and on what terms. Not looked into here.
    pub terms: Value,
}

/// What came of redeeming a ticket.
#[derive(Clone, Debug, PartialEq)]
#[must_use]
pub enum Redeemed {
    /// Its time was over.
    Expired(Ticket),
    /// It serves this run, and no other.
    Given(Ticket),
    /// There is none with this secret.
    Unknown,
    /// It has served a run already.
    Used(Ticket),
}

/// The tickets of a database.
#[derive(Clone, Copy, Debug)]
pub struct Tickets<'a>(pub(super) &'a Database);

impl Tickets<'_> {
    /// Remembers a ticket, and says its secret, which is not kept. Those that nobody can ask about any more are forgotten.
    ///
    /// # Errors
    ///
    /// When the database cannot be written, or the operating system has no random numbers.
    pub fn issue(&self, ticket: &Ticket) -> Result<String, Error> {
        let secret = format!("{}{}", identity::random()?, identity::random()?);
        let Ticket { session, issued, expires, terms } = ticket;
        let forgotten = Timestamp::from_millis(issued.millis().saturating_sub(REMEMBERED));
        // One that a loss of power takes is unknown, and nothing runs for it.
        self.0.write_soon("add a ticket to", |change| {
            change.execute("DELETE FROM tickets WHERE expires < ?1", params![forgotten])?;
            change.execute(
                "INSERT INTO tickets (secret, session, issued, expires, terms) VALUES (?1, ?2, ?3, ?4, ?5)",
                params![hash(&secret), session, issued, expires, Json(terms)],
            )
        })?;
        Ok(secret)
    }

    /// Takes a ticket for a run. Of many who try at once, one is given it.
    ///
    /// # Errors
    ///
    /// When the database cannot be read or written.
    pub fn redeem(&self, secret: &str, now: impl Into<Timestamp>) -> Result<Redeemed, Error> {
        let (hash, now) = (hash(secret), now.into());
        self.0.write("redeem a ticket of", |change| {
            let take = "UPDATE tickets SET redeemed = ?2, missed = NULL WHERE secret = ?1 AND redeemed IS NULL AND expires > ?2";
            let taken = change.execute(take, params![hash, now])?;
            let select = "SELECT session, issued, expires, terms, redeemed FROM tickets WHERE secret = ?1";
            let found = change.query_row(select, params![hash], |row| {
                Ok((ticket(row)?, row.get::<_, Option<Timestamp>>("redeemed")?))
            });
            Ok(match found.optional()? {
                None => Redeemed::Unknown,
                Some((ticket, _)) if taken == 1 => Redeemed::Given(ticket),
                Some((ticket, Some(_))) => Redeemed::Used(ticket),
                Some((ticket, None)) => Redeemed::Expired(ticket),
            })
        })
    }

    /// The ticket with this secret, whatever became of it.
    ///
    /// # Errors
    ///
    /// When the database cannot be read.
    pub fn find(&self, secret: &str) -> Result<Option<Ticket>, Error> {
        let select = "SELECT session, issued, expires, terms FROM tickets WHERE secret = ?1";
        self.0.read("read tickets from", |connection| {
            connection.query_row(select, params![hash(secret)], ticket).optional()
        })
    }

    /// The same, if it could be redeemed now.
    ///
    /// # Errors
    ///
    /// When the database cannot be read.
    pub fn standing(&self, secret: &str, now: impl Into<Timestamp>) -> Result<Option<Ticket>, Error> {
        let select = "SELECT session, issued, expires, terms FROM tickets WHERE secret = ?1 AND redeemed IS NULL AND expires > ?2";
        let now = now.into();
        self.0.read("read tickets from", |connection| {
            connection.query_row(select, params![hash(secret), now], ticket).optional()
        })
    }

    /// Notes that what a ticket was for is over. Whether herm never came to run it.
    ///
    /// # Errors
    ///
    /// When the database cannot be written.
    pub fn is_missed(&self, secret: &str, now: impl Into<Timestamp>) -> Result<bool, Error> {
        let now = now.into();
        let miss = "UPDATE tickets SET missed = ?2 WHERE secret = ?1 AND redeemed IS NULL AND missed IS NULL AND expires > ?2";
        let missed = self
            .0
            .write_soon("note a ticket of", |change| change.execute(miss, params![hash(secret), now]))?;
        Ok(missed == 1)
    }

    /// Whether one of a session was missed: where its commands run, herm cannot be.
    ///
    /// # Errors
    ///
    /// When the database cannot be read.
    pub fn has_missed(&self, session: &str) -> Result<bool, Error> {
        let select = "SELECT EXISTS (SELECT 1 FROM tickets WHERE session = ?1 AND missed IS NOT NULL)";
        self.0
            .read("read tickets from", |connection| connection.query_row(select, [session], |row| row.get(0)))
    }
}

/// How long it is remembered that a ticket has expired, in milliseconds: an hour.
const REMEMBERED: u64 = 60 * 60 * 1000;

/// Who reads the database does not learn what could be redeemed.
fn hash(secret: &str) -> Digest {
    Digest::of(secret.as_bytes())
}

fn ticket(row: &Row<'_>) -> rusqlite::Result<Ticket> {
    Ok(Ticket {
        session: row.get("session")?,
        issued: row.get("issued")?,
        expires: row.get("expires")?,
        terms: row.get::<_, Json<Value>>("terms")?.0,
    })
}
