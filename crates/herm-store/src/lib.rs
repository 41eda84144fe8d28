//! What herm remembers: receipts in a ledger that shows whether it was changed.
//!
//! A [`Ledger`] is one append-only file in which every record holds the hash of the one before it, and whose head is
//! kept apart, under a key. So a changed record, a removed one and a cut-off tail are all found.

#![forbid(unsafe_code)]

pub mod digest;
pub mod error;
mod files;
pub mod ledger;
pub mod time;

pub use digest::Digest;
pub use error::Error;
pub use ledger::{Entry, Kind, Ledger};
pub use time::Timestamp;
