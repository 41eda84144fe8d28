//! Data that leaves and should not.

pub mod commit_secret;
pub mod send_secret;
