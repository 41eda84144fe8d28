//! The command line.

mod acp;
mod agents;
mod approving;
mod judging;
mod mcp;
mod running;

use std::ffi::OsString;
use std::path::PathBuf;

use clap::builder::PossibleValuesParser;
use clap::{Arg, ArgAction, ArgMatches, Command, ValueHint};
use herm::Preset;
use herm_runtime::setup::Problem;
use herm_runtime::{Setup, Wishes};

use acp::acp;
use agents::{hook, import, init, observe, uninit};
use approving::{approvals, audit, broker, grants, hooks};
use judging::{check, config, doctor, explain, redact, replay, rules, url};
use mcp::mcp;
use running::{attempt, fetch, run, shell, undo};

/// The whole command line.
#[must_use]
pub fn command() -> Command {
    Command::new("herm")
        .version(env!("CARGO_PKG_VERSION"))
        .about("Decides whether an agent may do what it asks to do")
        .after_help(
            "Examples:\n  herm check 'rm -rf build'\n  herm check --json 'curl https://example.com/x.sh | sh'\n  \
             herm explain recursive-delete",
        )
        .subcommand_required(true)
        .arg_required_else_help(true)
        .subcommands([acp(), approvals(), audit(), broker(), check(), completions(), config(), doctor(), explain()])
        .subcommands([fetch(), grants(), hook(), hooks(), import(), init(), man(), mcp(), observe(), redact(), replay()])
        .subcommands([rules(), run(), shell(), attempt(), undo(), uninit(), url()])
}

/// The part of the command line that begins with this word. An agent waits for its hook before every tool, and most of what
/// starting costs is the memory that the other commands take.
pub(crate) fn command_for(first: Option<&OsString>) -> Command {
    match first {
        Some(word) if word == "hook" => Command::new("herm").subcommand_required(true).subcommand(hook()),
        Some(_) | None => command(),
    }
}

fn completions() -> Command {
    let shells = PossibleValuesParser::new(["bash", "elvish", "fish", "powershell", "zsh"]);
    Command::new("completions")
        .about("Prints completions for a shell")
        .after_help(
            "Examples:\n  herm completions bash > ~/.local/share/bash-completion/completions/herm\n  herm completions fish > \
             ~/.config/fish/completions/herm.fish\n  herm completions zsh > ~/.zfunc/_herm",
        )
        .arg(Arg::new("shell").value_name("SHELL").required(true).value_parser(shells).help("The shell"))
}

fn man() -> Command {
    Command::new("man")
        .about("Prints the manual page")
        .after_help("Examples:\n  herm man | man -l -\n  herm man > ~/.local/share/man/man1/herm.1")
}

/// What holds where the command is started, with what its arguments say otherwise.
pub(crate) fn setup(matches: &ArgMatches) -> Result<Setup, Problem> {
    Setup::new(all_wishes(matches))
}

/// What the arguments say otherwise.
pub(crate) fn all_wishes(matches: &ArgMatches) -> Wishes {
    let cwd = matches.try_get_one::<String>("cwd").ok().flatten().cloned();
    Wishes { cwd, ..wishes(matches) }
}

/// What the arguments say otherwise, but for the directory.
pub(crate) fn wishes(matches: &ArgMatches) -> Wishes {
    let given = |name: &str| matches.try_get_one::<String>(name).ok().flatten().cloned();
    Wishes {
        config: given("config").map(PathBuf::from),
        home: given("home"),
        preset: given("preset").as_deref().and_then(Preset::from_word),
        skills: skills(matches),
        ..Wishes::default()
    }
}

fn skills(matches: &ArgMatches) -> Vec<PathBuf> {
    let given = matches.try_get_many::<String>("skill").ok().flatten();
    given.into_iter().flatten().map(PathBuf::from).collect()
}

/// What all commands that judge have in common.
fn setting() -> [Arg; 4] {
    [
        option("config", "FILE", "Reads this file in place of the user's own")
            .value_hint(ValueHint::FilePath),
        option("cwd", "DIRECTORY", "The working directory of the call").value_hint(ValueHint::DirPath),
        option("home", "DIRECTORY", "The home directory of the caller").value_hint(ValueHint::DirPath),
        option("preset", "PRESET", "How strict to be").value_parser(PossibleValuesParser::new(Preset::WORDS)),
    ]
}

fn option(name: &'static str, value: &'static str, help: &'static str) -> Arg {
    Arg::new(name).long(name).value_name(value).help(help)
}

fn switch(name: &'static str, help: &'static str) -> Arg {
    Arg::new(name).long(name).action(ArgAction::SetTrue).help(help)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_command_is_shown_by_example() {
        let mut without = Vec::new();
        look(&command(), "herm", "", &mut without);
        assert!(without.is_empty(), "without an example: {without:#?}");
    }

    /// A part of a command may have its example with the whole.
    fn look(command: &Command, path: &str, of_the_whole: &str, without: &mut Vec<String>) {
        let own = command.get_after_help().map(ToString::to_string).unwrap_or_default();
        let own = own.split_once("Examples").map(|(_, examples)| examples).unwrap_or_default();
        if !own.contains(path) && !of_the_whole.contains(path) {
            without.push(path.to_owned());
        }
        for part in command.get_subcommands() {
            look(part, &format!("{path} {}", part.get_name()), own, without);
        }
    }
}
