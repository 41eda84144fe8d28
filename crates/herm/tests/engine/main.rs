//! The engine from the outside.

#![expect(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

mod common;
mod configuration;
mod destination;
mod homes;
mod judgement;
mod links;
mod reading;
mod registry;
mod tool;
