//! Says what a command line would do.
//!
//! [`analyse`] reads a text as the shell (or Python) would, follows what it does as far as that can be known, and
//! returns an [`Analysis`]: the programs that run, their effects, and what could not be known. It opens no file and
//! runs nothing.
//!
//! ```
//! use herm_shell::world::Blind;
//! use herm_shell::{Lang, Limits, Setting, Verb, analyse};
//!
//! let setting = Setting { cwd: "/home/ann/app", home: "/home/ann", user: None, world: &Blind, limits: Limits::default(), input: Default::default() };
//! let analysis = analyse("x=rm; cd build && $x -r *", Lang::Shell, &setting);
//! assert_eq!(analysis.effects.iter().filter(|effect| effect.verb == Verb::Delete).count(), 1);
//! ```

#![forbid(unsafe_code)]

pub mod analysis;
mod approvals;
mod arith;
pub mod ast;
mod bits;
mod brace;
pub mod effect;
pub mod eval;
mod filters;
pub mod fuel;
pub mod gap;
pub mod lang;
mod mode;
mod pattern;
pub mod place;
pub mod programs;
#[doc(hidden)]
pub mod python;
#[cfg(test)]
mod random;
pub mod reader;
mod scripts;
pub mod sink;
pub mod span;
pub mod value;
pub mod world;

pub use analysis::Analysis;
pub use effect::{Effect, Flags, Realm, Target, Verb};
pub use eval::{Input, Limits, Setting, analyse};
pub use gap::Gap;
pub use lang::Lang;
pub use place::{PathTarget, Places};
pub use span::Span;
pub use value::{Provenance, Value};
