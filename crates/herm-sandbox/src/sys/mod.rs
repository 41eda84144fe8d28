//! What Rust and rustix have no safe words for, and what must hold between `fork` and `exec`.
#![expect(
    unsafe_code,
    reason = "forking, signal handlers and descriptors of other programs have no safe interface"
)]

pub(crate) mod boundary;
pub(crate) mod crossing;
pub(crate) mod deeds;
pub(crate) mod doors;
pub(crate) mod entry;
pub(crate) mod filter;
pub(crate) mod landlock;
pub(crate) mod mounts;
pub(crate) mod namespaces;
mod nearby;
pub(crate) mod netlink;
pub(crate) mod processes;
pub(crate) mod random;
pub(crate) mod signals;
pub(crate) mod spawner;
pub(crate) mod supervisor;
#[cfg(test)]
pub(crate) mod trial;
pub(crate) mod warden;
pub(crate) mod witness;
pub(crate) mod words;
