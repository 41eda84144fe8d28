//! The parts of the command line about MCP.

use clap::builder::PossibleValuesParser;
use clap::{Arg, ArgAction, ArgGroup, Command, ValueHint};
use herm::Preset;
use herm::enforcement::Backend;

use super::{option, setting, switch};

pub(super) fn mcp() -> Command {
    Command::new("mcp")
        .about("Stands between an agent and servers that speak MCP")
        .after_help(
            "Examples:\n  herm mcp wrap --name github -- github-mcp-server stdio\n  herm mcp serve\n  herm mcp pins list",
        )
        .subcommand_required(true)
        .arg_required_else_help(true)
        .subcommands([pins(), serve(), wrap()])
}

fn pins() -> Command {
    let server =
        || Arg::new("server").value_name("NAME").required(true).help("The name that it is wrapped under");
    Command::new("pins")
        .about("Lists and forgets what servers said about their tools when they were first seen")
        .after_help(
            "What a server says about its tools later is held against that: whatever differs is withheld from the model, and asked about when \
             it is called.\n\nExamples:\n  herm mcp pins list\n  herm mcp pins forget github\n  herm mcp pins forget github create_issue",
        )
        .subcommand_required(true)
        .arg_required_else_help(true)
        .subcommands([
            Command::new("forget")
                .about("Forgets a server, so that what it says next is taken as it is; or one of its tools, which is then asked about")
                .args([server(), Arg::new("tool").value_name("TOOL").help("One of its tools; usually the whole server")])
                .args(setting()),
            Command::new("list").about("Lists them").arg(switch("json", "Prints JSON")).args(setting()),
        ])
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

fn wrap() -> Command {
    Command::new("wrap")
        .about("Starts a server that speaks MCP, and stands between it and the agent")
        .long_about(
            "Starts a server and passes messages on between it and whoever started herm, on standard input and output. Each call of a tool is \
             decided about first, with every path, link and command in what it is given. Secrets are taken out of whatever the server says. \
             The server's environment holds PATH, HOME, USER, LANG, LC_ALL, TERM, SHELL, TMPDIR and XDG_*, and what it is given here or under \
             `mcp.servers`; nothing else. What it says about its tools is held against what it said when it was first seen. It ends with herm. \
             Variables that would loosen anything are not heeded, since a repository can set them.",
        )
        .after_help(
            "Exit status: 0 the agent has gone, 1 the server has gone or was refused, 3 wrong arguments.\n\nExamples:\n  herm mcp wrap --name files -- \
             npx -y @modelcontextprotocol/server-filesystem .\n  herm mcp wrap --name github --env 'GITHUB_TOKEN=${GITHUB_TOKEN}' -- github-mcp-server \
             stdio\n  herm mcp wrap --name linear --url https://mcp.linear.app/mcp --header 'authorization=Bearer ${LINEAR_TOKEN}'",
        )
        .args([
            option("name", "NAME", "What the server is called, in rules and under `mcp.servers`; usually made of its command"),
            option("env", "NAME[=VALUE]", "A variable for the server: with this value, where `${NAME}` stands for that line of `.env`, or with the one that it has here")
                .action(ArgAction::Append)
                .conflicts_with("url"),
            option("ask", "WHOM", "Who asks a person: herm, or the client where it says that it can; usually herm")
                .value_parser(PossibleValuesParser::new(["client", "herm"]))
                .default_value("herm"),
            switch("sandbox", "Confines the server to the workspace, without a network").conflicts_with("url"),
            option("url", "URL", "Connects to a server elsewhere, in HTTP, in place of starting one").value_hint(ValueHint::Url),
            option("header", "NAME=VALUE", "A field of every request to a server elsewhere, where `${NAME}` stands for that line of `.env`")
                .action(ArgAction::Append)
                .requires("url"),
            option("listen", "ADDRESS", "Listens for agents that speak HTTP on an address of this machine alone, such as 127.0.0.1:8080, in place of standard input")
                .value_parser(clap::value_parser!(std::net::SocketAddr)),
            option("herm-home", "DIRECTORY", "Where herm keeps its files; usually `.herm` in the home directory of the user")
                .value_hint(ValueHint::DirPath),
            option("config", "FILE", "Reads this file in place of the user's own").value_hint(ValueHint::FilePath),
            option("home", "DIRECTORY", "The home directory of the caller").value_hint(ValueHint::DirPath),
            option("preset", "PRESET", "How strict to be").value_parser(PossibleValuesParser::new(Preset::WORDS)),
            Arg::new("server")
                .value_name("SERVER")
                .help("The server and its arguments")
                .num_args(1..)
                .last(true)
                .value_hint(ValueHint::CommandWithArguments),
        ])
        .group(ArgGroup::new("what").args(["server", "url"]).required(true))
}
