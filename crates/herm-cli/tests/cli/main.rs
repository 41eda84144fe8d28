//! The binary, one file a feature.

#![expect(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

mod batch;
mod brought;
mod check;
mod config;
mod hostile;
mod names;
mod output;
mod pages;
mod readme;
mod redact;
mod test;
mod url;
