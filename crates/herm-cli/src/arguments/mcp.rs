//! The parts of the command line about MCP.

use clap::Command;

pub(super) fn mcp() -> Command {
    Command::new("mcp")
        .about("Stands between an agent and servers that speak MCP")
        .subcommand_required(true)
        .arg_required_else_help(true)
}
