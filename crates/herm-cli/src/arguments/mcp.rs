//! The parts of the command line about MCP.

use clap::builder::PossibleValuesParser;
use clap::{Command, ValueHint};
use herm::Preset;
use herm::enforcement::Backend;

use super::option;

pub(super) fn mcp() -> Command {
    Command::new("mcp")
        .about("Stands between an agent and servers that speak MCP")
        .subcommand_required(true)
        .arg_required_else_help(true)
        .subcommand(serve())
}

fn serve() -> Command {
    Command::new("serve")
        .about("Offers tools to a client that speaks MCP: each call is decided about, asked about, done and recorded")
        .long_about(
            "Offers tools to a client that speaks MCP, over standard input and output: `terminal`, `execute_code`, `read_file`, `write_file`, `patch` \
             and `fetch`, and `approve`, which Claude Code can be told to ask before it calls its own tools. Commands run where `herm run` would run \
             them. Questions go to the client's person where the client can show them, and to `herm approvals` at the same time. Variables that would \
             loosen anything are not heeded, since a repository can set them.",
        )
        .after_help(
            "Exit status: 0 the client has gone; 125 herm itself failed.\n\nExamples:\n  herm mcp serve\n  claude mcp add herm -- herm mcp serve\n  \
             claude -p --permission-prompt-tool mcp__herm__approve 'tidy up'\n  herm mcp serve --ask herm --backend sandbox",
        )
        .args([
            option("ask", "WHOM", "Who asks a person: the client, where it can, or herm alone; usually the client")
                .value_parser(PossibleValuesParser::new(["client", "herm"])),
            option("backend", "BACKEND", "Where commands run; usually what `terminal.backend` says, or the sandbox where there can be one")
                .value_parser(PossibleValuesParser::new(Backend::WORDS)),
            option("session", "NAME", "The session that calls belong to; usually one of its own for every client"),
            option("cwd", "DIRECTORY", "A directory of the workspace to work in").value_hint(ValueHint::DirPath),
            option("herm-home", "DIRECTORY", "Where herm keeps its files; usually `.herm` in the home directory of the user")
                .value_hint(ValueHint::DirPath),
            option("config", "FILE", "Reads this file in place of the user's own").value_hint(ValueHint::FilePath),
            option("home", "DIRECTORY", "The home directory of the caller").value_hint(ValueHint::DirPath),
            option("preset", "PRESET", "How strict to be").value_parser(PossibleValuesParser::new(Preset::WORDS)),
        ])
}
