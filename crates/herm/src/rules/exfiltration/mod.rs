//! Data that leaves and should not.

pub mod send_secret;
