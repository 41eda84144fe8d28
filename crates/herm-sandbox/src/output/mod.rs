//! What a program says: kept within bounds, and free of what a terminal would obey.
//!
//! Both work on a stream, in memory that does not grow with it. Strip first: escapes do not count towards a limit then, and
//! none is cut in two.

#![forbid(unsafe_code)]

mod cap;
mod colour;
mod strip;

pub use cap::{Cap, Capped, Limit};
pub use strip::{Colours, Strip};
