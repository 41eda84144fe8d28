//! Asks the person at the terminal.

mod choice;
mod keys;
mod terminal;
mod words;

pub(crate) use terminal::{Terminal, deadline};
