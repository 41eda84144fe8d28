//! Puts herm together: configuration files, the machine as the judge may see it, consent, performance, the record.

#![forbid(unsafe_code)]

pub mod consult;
pub mod environment;
mod files;
pub mod setup;
pub mod world;

pub use setup::{Setup, Wishes};
