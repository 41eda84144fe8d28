//! Texts that are made up by a grammar, and the programs that say what becomes of them.
//!
//! A value that herm computes is exact, or it is a hole: so every pipeline and every expression made up here is given
//! to the real program, and what herm says of it must be the same, or leave room for it.

mod grammar;
mod random;
mod shells;
mod speakers;
mod verdict;

pub use grammar::Grammar;
pub use random::Random;
pub use shells::{Shell, worlds};
pub use speakers::{BETWEEN, FAILED, SPEAKERS, Speaker};
pub use verdict::{Verdict, judged};

/// How many times as many values as usual are asked about: `HERM_ORACLE=100`.
#[must_use]
pub fn effort() -> usize {
    std::env::var("HERM_ORACLE").ok().and_then(|times| times.parse().ok()).unwrap_or(1)
}
