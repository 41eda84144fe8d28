//! `herm mcp`

mod serve;

use clap::ArgMatches;

use crate::exit::Exit;

/// Runs a sub-command about MCP.
pub(super) fn run(matches: &ArgMatches) -> Exit {
    match matches.subcommand() {
        Some(("serve", matches)) => serve::run(matches),
        Some(_) | None => Exit::Usage,
    }
}
