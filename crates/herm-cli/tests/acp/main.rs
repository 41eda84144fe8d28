//! `herm acp`, between a scripted editor and a scripted agent.

#![expect(clippy::disallowed_methods, reason = "tests make their own files and processes")]
#![expect(clippy::indexing_slicing, reason = "a test that finds nothing there has failed")]
#![expect(clippy::panic, reason = "a test that cannot go on has failed")]
#![expect(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

mod conversation;
mod files;
mod guard;
mod hostile;
mod passing;
mod permissions;
mod sightings;
mod terminals;
