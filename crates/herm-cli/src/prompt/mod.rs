//! Asks the person at the terminal.

mod choice;
mod keys;
mod reach;
mod terminal;
mod words;

pub(crate) use choice::{Occasion, Typed};
pub(crate) use reach::Reach;
pub(crate) use terminal::{Terminal, deadline};
pub(crate) use words::{Look, question, reach, settled};
