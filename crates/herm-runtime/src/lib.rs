//! Puts herm together: configuration files, the machine as the judge may see it, consent, performance, the record.

#![forbid(unsafe_code)]

pub mod allowlist;
pub mod ancestry;
pub mod asked;
mod broker;
pub mod environment;
mod files;
pub mod setup;
mod witness;
pub mod world;

pub use setup::{Setup, Wishes};
