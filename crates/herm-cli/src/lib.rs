//! The `herm` command: arguments, files, rendering. What is decided is decided in `herm`.

#![forbid(unsafe_code)]

pub mod arguments;
mod command;
mod exit;
mod lines;
pub mod parity;
mod people;
mod prompt;
pub mod reference;
mod render;

use std::process::ExitCode;

use exit::Exit;

/// Runs the command with the arguments of this process.
#[must_use]
pub fn main() -> ExitCode {
    let exit = match arguments::command().try_get_matches() {
        Ok(matches) => command::run(&matches),
        Err(error) => usage(&error),
    };
    exit.into()
}

/// Help and version are answers; everything else is a mistake.
fn usage(error: &clap::Error) -> Exit {
    let shown = error.print();
    if error.use_stderr() || shown.is_err() { Exit::Usage } else { Exit::Allow }
}
