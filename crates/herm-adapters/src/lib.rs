//! Speaks the languages of other programs: bytes in, bytes out.

#![forbid(unsafe_code)]

pub mod agent;
pub mod wiring;

pub use agent::Agent;
