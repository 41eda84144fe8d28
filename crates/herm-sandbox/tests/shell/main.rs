//! A shell that goes on from one call to the next, as real processes.

#![cfg(target_os = "linux")]
#![expect(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

mod background;
mod calls;
mod hostile;
mod test;
