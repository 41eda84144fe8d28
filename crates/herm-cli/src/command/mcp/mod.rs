//! `herm mcp`

use clap::ArgMatches;

use crate::exit::Exit;

/// Runs a sub-command about MCP.
pub(super) fn run(matches: &ArgMatches) -> Exit {
    match matches.subcommand() {
        Some(_) | None => Exit::Usage,
    }
}
