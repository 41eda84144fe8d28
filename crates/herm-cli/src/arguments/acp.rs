//! The part of the command line about agents in editors.

use clap::builder::PossibleValuesParser;
use clap::{Arg, Command, ValueHint};
use herm::Preset;

use super::{option, switch};

pub(super) fn acp() -> Command {
    Command::new("acp")
        .about("Stands between an editor and an agent that speak the Agent Client Protocol, and decides about what the agent asks for")
        .long_about(
            "Starts an agent that speaks the Agent Client Protocol and passes on what it and the editor say. What the agent asks a person \
             about is judged first: what may not be done is refused, and the rest is shown with what would really be run or written, and \
             why that matters. Files that the agent has read or written by the editor are judged, and changes are shown before they are \
             made. Commands that it has run in a terminal are run by herm, in the sandbox.\n\nAn agent that runs commands itself and \
             asks nobody is seen, and not held back: have its hooks ask herm as well (`herm init`). Variables that would loosen anything \
             are not heeded, since a repository can set them.",
        )
        .after_help(
            "Exit status: that of the agent; 0 when the editor has gone; 125 herm itself failed or the arguments are wrong.\n\nExamples, as \
             the command of an agent in the settings of an editor:\n  herm acp -- gemini --acp\n  herm acp --name claude-code -- npx \
             @agentclientprotocol/claude-agent-acp\n  herm acp --allow-unasked -- opencode acp",
        )
        .args([
            option("name", "NAME", "What the agent is called; one of the names of `herm hook` says which tools it has. Usually told by its command"),
            switch("allow-unasked", "Answers yes in the place of the person to what the agent asks and no rule minds"),
            option("herm-home", "DIRECTORY", "Where herm keeps its files; usually `.herm` in the home directory of the user")
                .value_hint(ValueHint::DirPath),
            option("config", "FILE", "Reads this file in place of the user's own").value_hint(ValueHint::FilePath),
            option("home", "DIRECTORY", "The home directory of the caller").value_hint(ValueHint::DirPath),
            option("preset", "PRESET", "How strict to be").value_parser(PossibleValuesParser::new(Preset::WORDS)),
            Arg::new("agent")
                .value_name("AGENT")
                .help("The agent and its arguments")
                .num_args(1..)
                .required(true)
                .last(true)
                .value_parser(clap::value_parser!(std::ffi::OsString))
                .value_hint(ValueHint::CommandWithArguments),
        ])
}
