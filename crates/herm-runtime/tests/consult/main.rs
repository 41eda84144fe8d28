//! Those who are consulted: hooks, tirith, the reviewer. Each test has a directory of its own with real programs in it.

#![expect(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

mod hooks;
mod reviewer;
mod scratch;
mod server;
mod tirith;
