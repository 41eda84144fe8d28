//! Where a command may work.

#![forbid(unsafe_code)]
