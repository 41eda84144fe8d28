//! The `herm` command: arguments, files, rendering. What is decided is decided in `herm`.

#![forbid(unsafe_code)]

pub mod arguments;
mod client;
mod command;
mod exit;
pub mod inside;
mod lines;
pub mod parity;
mod people;
mod prompt;
pub mod reference;
mod render;
mod screen;

use std::ffi::OsString;
use std::process::ExitCode;

use exit::Exit;

/// Runs the command with the arguments of this process.
#[must_use]
pub fn main() -> ExitCode {
    let arguments: Vec<OsString> = std::env::args_os().collect();
    let exit = match arguments::command_for(arguments.get(1)).try_get_matches_from(&arguments) {
        Ok(matches) => command::run(&matches),
        Err(error) => usage(&error, &arguments),
    };
    exit.into()
}

/// Help and version are answers; everything else is a mistake.
fn usage(error: &clap::Error, arguments: &[OsString]) -> Exit {
    if is_scanner(arguments) {
        return command::misused_scanner(error);
    }
    let shown = error.print();
    if !error.use_stderr() && shown.is_ok() {
        return Exit::Allow;
    }
    match arguments.split_first() {
        Some((_, [first, rest @ ..])) if ["run", "shell", "try"].iter().any(|name| first == *name) => {
            command::misused(error, rest)
        }
        Some((_, [first, ..])) if first == "hook" => command::misused_hook(),
        Some((_, [first, ..])) if first == "acp" => Exit::Failed,
        Some(_) | None => Exit::Usage,
    }
}

/// Whether herm is called as Hermes calls tirith. Of that, nothing but a judgement is an answer.
fn is_scanner(arguments: &[OsString]) -> bool {
    let mut options = arguments.iter().skip(2).take_while(|word| *word != "--");
    arguments.get(1).is_some_and(|first| first == "check") && options.any(|word| word == "--non-interactive")
}
