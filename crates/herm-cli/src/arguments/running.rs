//! The parts of the command line that do something: run, try, fetch, take back.

use clap::builder::PossibleValuesParser;
use clap::{Arg, ArgAction, ArgGroup, Command, ValueHint};
use herm::enforcement::Backend;

use super::{option, setting, switch};

pub(super) fn run() -> Command {
    let backends = PossibleValuesParser::new(Backend::WORDS);
    Command::new("run")
        .about("Decides about a command, asks when it matters, runs it and records what happened")
        .after_help(
            "Exit status: that of the command; 124 its time was over, 125 herm itself failed or the arguments are wrong, 126 it was refused, 141 \
             whoever read its output has gone.\n\nExamples:\n  herm \
             run 'make test 2>&1 | tail -20'\n  herm run -- cargo build --release\n  herm run --json --timeout 60 'npm test'\n  herm \
             run --language python 'print(2 + 2)'\n\nWith `--ticket`, it runs the command that `herm hook` was asked about: that text, by the consent that \
             was given, in the sandbox. Agents are handed it in the place of the command; see `sandbox.agents`.",
        )
        .arg(option("backend", "BACKEND", "Where it runs; usually what `terminal.backend` says, or the sandbox where there can be one").value_parser(backends))
        .args(performed())
        .args(setting())
        .args([
            option("ticket", "SECRET", "Runs what the hook of an agent has released, once. Nothing else that is said counts")
                .conflicts_with_all(NOT_WITH_A_TICKET),
            option("herm-home", "DIRECTORY", "Where herm keeps its files; only with `--ticket`")
                .requires("ticket")
                .value_hint(ValueHint::DirPath),
        ])
        .group(ArgGroup::new("what").args(["script", "program", "ticket"]).required(true))
}

/// What a ticket says itself.
const NOT_WITH_A_TICKET: [&str; 16] = [
    "backend",
    "captured",
    "config",
    "cwd",
    "home",
    "interactive",
    "json",
    "language",
    "preset",
    "program",
    "script",
    "session",
    "skill",
    "stdin",
    "timeout",
    "yolo",
];

/// What all commands that run something have in common.
fn performed() -> [Arg; 11] {
    [
        Arg::new("script").value_name("SCRIPT").help("A text that bash reads; one argument"),
        Arg::new("program")
            .value_name("PROGRAM")
            .help("A program and its arguments, which no shell reads")
            .num_args(1..)
            .last(true)
            .value_hint(ValueHint::CommandWithArguments),
        switch("captured", "Keeps the two streams apart and takes terminal escapes out, even at a terminal"),
        switch("interactive", "Gives it a terminal of its own, even where there is none")
            .conflicts_with("captured"),
        option("language", "LANGUAGE", "What the text is written in")
            .value_parser(PossibleValuesParser::new(["shell", "python"]))
            .default_value("shell")
            .conflicts_with("program"),
        option("session", "NAME", "The session it belongs to; usually the one of the terminal"),
        option(
            "skill",
            "PATH",
            "A skill at work, its directory or file: what it says that it needs is passed on",
        )
        .action(ArgAction::Append)
        .value_hint(ValueHint::AnyPath),
        switch("stdin", "Passes standard input on"),
        option("timeout", "SECONDS", "How long it may run; the policy may know a shorter time")
            .value_parser(clap::value_parser!(u32).range(1..)),
        switch("json", "Prints one JSON object when it is over, also when herm fails"),
        switch("yolo", "Asks nothing. What is refused stays refused"),
    ]
}

pub(super) fn attempt() -> Command {
    Command::new("try")
        .about("Runs a command on a stand-in for the workspace, shows what it changed, and keeps that or not")
        .long_about(
            "Runs a command in the sandbox, on a stand-in for the workspace, and shows which files it created, changed and \
             deleted. A person then keeps all of it, or nothing. Without a person nothing is kept, unless `--keep` or \
             `--keep-if` says so; then the command is judged as by `herm run`.",
        )
        .after_help(
            "Exit status: as of `herm run`.\n\nExamples:\n  herm try 'make clean'\n  herm try --discard 'rm -rf node_modules && npm \
             ci'\n  herm try --keep-if EXIT0 'cargo fmt'\n  herm undo",
        )
        .args(performed())
        .args([
            switch("discard", "Keeps nothing").conflicts_with_all(["keep", "keep-if"]),
            switch("keep", "Keeps everything").conflicts_with("keep-if"),
            option("keep-if", "CONDITION", "Keeps everything if the command succeeded")
                .value_parser(PossibleValuesParser::new(["EXIT0"])),
        ])
        .args(setting())
        .group(ArgGroup::new("what").args(["script", "program"]).required(true))
}

pub(super) fn shell() -> Command {
    let backends = PossibleValuesParser::new(Backend::WORDS);
    Command::new("shell")
        .about("Keeps a shell in which one command after another is decided about, run and recorded")
        .after_help(
            "Directory, variables, functions and options go on from one command to the next; each is decided about where the shell really \
             is and by what it really means there. What is left in the background goes on until the shell ends.\n\nWith `--json`, each \
             line of standard input is a command: {\"command\": …, \"id\": …, \"timeout\": …}. Each answer is a line as `herm run --json` \
             prints it, with `id`, `cwd` and `state` (kept or lost).\n\nExit status: that of the last command; 0 with `--json`; 125 herm \
             itself failed.\n\nExamples:\n  herm shell\n  herm shell --backend sandbox --cwd app\n  echo '{\"command\": \"cd src && ls\"}' | \
             herm shell --json",
        )
        .args([
            option("backend", "BACKEND", "Where it runs; usually what `terminal.backend` says, or the sandbox where there can be one").value_parser(backends),
            option("session", "NAME", "The session it belongs to; usually the one of the terminal"),
            option("skill", "PATH", "A skill at work, its directory or file: what it says that it needs is passed on")
                .action(ArgAction::Append)
                .value_hint(ValueHint::AnyPath),
            option("timeout", "SECONDS", "How long a command may run; the policy may know a shorter time")
                .value_parser(clap::value_parser!(u32).range(1..)),
            switch("json", "Reads and prints JSON, a line each"),
            switch("yolo", "Asks nothing. What is refused stays refused"),
        ])
        .args(setting())
}

pub(super) fn fetch() -> Command {
    Command::new("fetch")
        .about("Fetches a page: the link and every place that it leads to are decided about, and recorded")
        .after_help(
            "Each redirect is judged again, and a connection goes to the very address that was judged. What comes has no secrets and nothing \
             that a terminal would obey; what is no text is not printed.\n\nExit status: 0 a page; 22 the server answered with an error; 125 it \
             could not be had; 126 it was refused.\n\nExamples:\n  herm fetch https://example.com\n  herm fetch --json --max-bytes 100000 \
             https://example.com/data.json",
        )
        .args([
            Arg::new("url").value_name("URL").required(true).value_hint(ValueHint::Url).help("The link"),
            option("max-bytes", "BYTES", "The most of it that is wanted; usually 2 MiB")
                .value_parser(clap::value_parser!(u32).range(1..=64 << 20)),
            option("session", "NAME", "The session it belongs to; usually the one of the terminal"),
            option("timeout", "SECONDS", "How long it may take; usually 30").value_parser(clap::value_parser!(u32).range(1..=600)),
            switch("json", "Prints JSON"),
            switch("yolo", "Asks nothing. What is refused stays refused"),
        ])
        .args(setting())
}

pub(super) fn undo() -> Command {
    Command::new("undo")
        .about("Takes back what a try has kept, exactly")
        .long_about(
            "Takes back what a try has kept, exactly. If keeping or taking back was cut short here, that is put right, and nothing more. What \
             somebody has changed since is left to them; if what stood there before cannot go back, it is saved in herm's home, and herm says \
             where.",
        )
        .after_help(
            "Examples:\n  herm undo\n  herm undo 01a1e26eb1e1b11b74cc\n  herm undo --list\n  herm undo --give-up 01a1e26eb1e1b11b74cc",
        )
        .args([
            Arg::new("receipt")
                .value_name("RECEIPT")
                .help("The receipt of the try; usually the last one kept here"),
            switch("list", "Says which tries there are, in every workspace, and takes nothing back")
                .conflicts_with_all(["receipt", "give-up"]),
            option("give-up", "RECEIPT", "Forgets a try that cannot be put right, and leaves the workspace as it is")
                .conflicts_with("receipt"),
            switch("json", "Prints JSON"),
        ])
        .args(setting())
}
