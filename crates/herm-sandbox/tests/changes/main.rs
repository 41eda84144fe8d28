//! Tries on real overlays and copies, one file a promise.

#![cfg(target_os = "linux")]
#![expect(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

mod crash;
mod hostile;
mod keeping;
mod large;
mod picture;
mod random;
mod reading;
mod rescue;
mod rights;
mod shelf;
mod undoing;
mod world;
