//! What Rust and rustix have no safe words for, and what must hold between `fork` and `exec`.
#![expect(
    unsafe_code,
    reason = "forking, signal handlers and descriptors of other programs have no safe interface"
)]

#[cfg_attr(not(test), expect(dead_code, reason = "applied by the entry into a view"))]
pub(crate) mod doors;
pub(crate) mod entry;
#[cfg_attr(not(test), expect(dead_code, reason = "applied by the entry into a view"))]
pub(crate) mod filter;
#[cfg_attr(not(test), expect(dead_code, reason = "applied by the entry into a view"))]
pub(crate) mod landlock;
#[cfg_attr(not(test), expect(dead_code, reason = "applied by the entry into a view"))]
pub(crate) mod netlink;
pub(crate) mod processes;
pub(crate) mod signals;
mod supervisor;
#[cfg(test)]
pub(crate) mod trial;
