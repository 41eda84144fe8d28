//! `herm mcp`

mod pins;
mod serve;
mod wrap;

use clap::ArgMatches;

use crate::exit::Exit;

/// Runs a sub-command about MCP.
pub(super) fn run(matches: &ArgMatches) -> Exit {
    match matches.subcommand() {
        Some(("pins", matches)) => pins::run(matches),
        Some(("serve", matches)) => serve::run(matches),
        Some(("wrap", matches)) => wrap::run(matches),
        Some(_) | None => Exit::Usage,
    }
}
