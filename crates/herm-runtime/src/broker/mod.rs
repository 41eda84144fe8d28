//! Questions, and whoever answers them from another terminal.
//!
//! Whoever asks connects to a Unix socket in herm's home and waits; whoever answers connects to the same socket. Behind
//! it stands a broker, which keeps the questions in the store, so that they outlive it, and asks the kernel who is at the
//! other end. Any process that asks becomes the broker when there is none; `herm broker` is one that stays, under a
//! user of its own if need be.

mod caretaker;
mod client;
mod desk;
mod ledger;
mod line;
mod office;
mod peer;
mod protocol;
mod server;

pub use client::{Client, Effect, Waiting, is_lost};
pub use desk::Desk;
pub use peer::{Approvers, UnknownUser};
pub(crate) use protocol::{Request, Response};
pub use server::{Broker, Running};

use std::path::{Path, PathBuf};

/// The broker's socket in a home.
#[must_use]
pub fn socket(guard: &Path) -> PathBuf {
    guard.join("broker.sock")
}
