//! Real processes, one file a promise.

#![cfg(target_os = "linux")]
#![expect(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

mod cancel;
mod demand;
mod ending;
mod hopping;
mod inheritance;
mod output;
mod terminal;
mod test;
