//! How agents are told to ask herm: the text of a configuration file in, its new text out.
//!
//! Files are people's own. Only the bytes of our entries change: comments, order, indentation, ends of lines and everything
//! that is not understood stay. Each change is checked by reading the result, which must say what it said before and our
//! entry, and nothing else; a file in which that cannot be had is left alone, and says why.
//!
//! Nothing is opened here. Who knows where files are is `herm-runtime`.

mod agents;
pub mod canary;
pub mod command;
mod edit;
mod entry;
mod item;
mod json;
mod piece;
mod refused;
mod toml;
mod yaml;

#[cfg(test)]
mod tests;

pub use agents::{Directory, Obstacle, Off, Scope, Switch, Wiring, pieces, trust, wiring};
pub use edit::Format;
pub use entry::{Entry, Likeness, Standing};
pub use item::Item;
pub use piece::{Edit, Piece, Purpose};
pub use refused::Refused;
