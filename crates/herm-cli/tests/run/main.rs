//! `herm run` and those around it, with real processes.

#![expect(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

mod approvals;
mod asking;
mod code;
mod denials;
mod environment;
mod faults;
mod grants;
mod place;
mod record;
mod running;
