//! The layers of the native sandbox.
//!
//! Each is prepared as plain data by the process that starts a program, and applied by the child between `fork` and `exec`,
//! where only system calls may be made.

#![forbid(unsafe_code)]

pub(crate) mod cgroup;
pub(crate) mod landlock;
pub(crate) mod redirect;
pub(crate) mod seccomp;
