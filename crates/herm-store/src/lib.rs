//! What herm remembers.
//!
//! - Receipts, in a [`Ledger`]: one append-only file in which every record holds the hash of the one before it, and
//!   whose head is kept apart, under a key. So a changed record, a removed one and a cut-off tail are all found.
//! - Grants, denials, questions, sessions, consents and tickets, in a [`Database`](sqlite::Database) that all processes share;
//!   with an index of the receipts, which can be made again from the ledger.
//!
//! A [`Store`] holds both and opens neither before it is needed. What is kept is given and handed back as it is: this
//! crate has no opinion on it. It never asks what time it is either, but for the moment of a record in the ledger.
//!
//! ```
//! use herm_store::{Kind, Store};
//! use serde_json::json;
//!
//! # let temporary = tempfile::tempdir()?;
//! # let home = temporary.path().join("home");
//! let store = Store::open(&home)?;
//! let ledger = store.ledger()?;
//! ledger.append(Kind::Intent, "receipt-1", json!({"text": "make", "decision": "allow"}))?;
//! ledger.append(Kind::Outcome, "receipt-1", json!({"exit_code": 0}))?;
//!
//! let report = ledger.verify()?;
//! assert!(report.is_sound() && report.unfinished.is_empty());
//!
//! store.index()?.sync(ledger)?;
//! assert_eq!(store.index()?.find("receipt-1")?.unwrap().exit_code, Some(0));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![forbid(unsafe_code)]

pub mod digest;
pub mod error;
mod files;
pub mod identity;
pub mod ledger;
pub mod pace;
pub mod pins;
pub mod sqlite;
pub mod store;
pub mod time;
pub mod token;

pub use digest::{Digest, Key};
pub use error::Error;
pub use ledger::{Entry, Kind, Ledger};
pub use store::Store;
pub use time::Timestamp;
