//! What is remembered and written down, and who keeps it.
//!
//! In user mode the process that asks keeps the books itself, in herm's home: [`Local`]. In guard mode a broker under
//! another user keeps them, and whoever asks can neither read nor write its files: [`Guarded`].

mod follows;
mod guarded;
mod local;
mod shelf;
mod words;

use std::fmt;
use std::io;

use herm::approval::{Answer, Denial, Grant};
use herm_store::{Digest, Kind};
use serde_json::Value;

pub use follows::Follows;
pub(crate) use guarded::Guarded;
pub(crate) use local::Local;
pub(crate) use shelf::Shelf;

use crate::asked::Asked;
use crate::made::Thing;

/// What is remembered and written down.
pub(crate) trait Books: fmt::Debug {
    /// A name for a receipt that nobody else gives.
    fn receipt(&self) -> String;

    /// Writes a record.
    fn append(&self, kind: Kind, receipt: &str, body: Value) -> Result<(), Error>;

    /// Writes a record of what somebody else does, without waiting for the disk where that can be caught up with.
    fn note(&self, kind: Kind, receipt: &str, body: Value) -> Result<(), Error> {
        self.append(kind, receipt, body)
    }

    /// What a session remembers.
    fn memory(&self, session: &str) -> Result<Memory, Error>;

    /// What a session has made, as its receipts show it. Nothing where that cannot be told: then somebody is asked.
    fn made(&self, session: &str) -> Vec<Thing> {
        let _ = session;
        Vec::new()
    }

    /// Uses grants up. A grant that others have used up meanwhile answers nothing.
    fn spend(&self, session: &str, grants: &[String]) -> bool;

    /// An answer that came too late for the same question, and that nobody has used.
    fn late_answer(&self, session: &str, digest: Digest) -> Option<(Answer, String)>;

    /// Whether a hook may run with its files as they are now; nothing if nobody was asked.
    fn consented(&self, command: &str, digest: &str) -> Option<bool>;

    /// Keeps what follows from an answer.
    fn keep(&self, answer: Answer, asked: &Asked) -> Result<(), Error>;
}

/// What a session remembers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Memory {
    pub(crate) grants: Vec<Grant>,
    pub(crate) denials: Vec<Denial>,
}

/// Why the books cannot be used.
#[derive(Debug)]
pub(crate) enum Error {
    /// The user's configuration cannot be written.
    AllowList(crate::allowlist::Problem),
    /// The broker that keeps them cannot be reached, or refuses.
    Broker(io::Error),
    /// The store cannot be used.
    Store(herm_store::Error),
}

impl Error {
    /// What to do about it.
    pub(crate) fn hint(&self) -> Option<String> {
        match self {
            Self::AllowList(_) | Self::Broker(_) => None,
            Self::Store(error) => error.hint(),
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::AllowList(problem) => problem.fmt(f),
            Self::Broker(error) => write!(f, "the broker does not serve: {error}"),
            Self::Store(error) => error.fmt(f),
        }
    }
}

impl From<herm_store::Error> for Error {
    fn from(error: herm_store::Error) -> Self {
        Self::Store(error)
    }
}
