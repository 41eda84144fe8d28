//! The proxy at work, on loopback and in network namespaces that the tests make.

#![expect(clippy::panic, clippy::unwrap_used, reason = "a test that cannot be set up has failed")]
#![expect(clippy::print_stdout, reason = "what was skipped is said")]
#![expect(clippy::indexing_slicing, reason = "what is not there fails the test")]

mod asking;
mod clients;
mod credential;
mod fetching;
mod handshake;
mod limits;
mod plain;
mod refused;
mod secure;
mod server;
mod smuggling;
mod socks;
mod space;
mod stage;
mod transparent;
mod tunnel;
