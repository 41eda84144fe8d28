//! Redaction, in both directions: secrets must go, everything else must stay.

#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot be set up has failed")]

mod beside;
mod grammar;
mod layout;
mod pieces;
mod random;
mod survives;
mod taken;
