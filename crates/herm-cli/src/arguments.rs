//! The command line.

use clap::builder::PossibleValuesParser;
use clap::{Arg, ArgAction, ArgGroup, Command, ValueHint};
use herm::Preset;

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
        .subcommands([check(), completions(), config(), explain(), man(), redact(), rules()])
}

fn check() -> Command {
    Command::new("check")
        .about("Judges a command, code, or a file that would be read or written")
        .after_help(
            "Exit status: 0 allow, 1 deny, 2 ask, 3 wrong arguments or configuration.\n\nExamples:\n  herm check 'git push \
             --force'\n  echo 'rm -rf /' | herm check -\n  herm check --language python - < script.py\n  herm check --write \
             ~/.ssh/authorized_keys\n  herm check --batch < commands.jsonl",
        )
        .args([
            Arg::new("command").value_name("COMMAND").help("The command; `-` reads it from standard input"),
            switch("batch", "Judges JSON lines from standard input: {\"id\": …, \"input\": …, \"cwd\": …, \"home\": …}"),
            option("read", "PATH", "Judges the reading of a file").value_hint(ValueHint::AnyPath),
            option("write", "PATH", "Judges the writing of a file").value_hint(ValueHint::AnyPath),
            option("language", "LANGUAGE", "What the text is written in")
                .value_parser(PossibleValuesParser::new(LANGUAGES))
                .default_value("shell"),
            switch("json", "Prints JSON"),
            switch("verbose", "Shows remarks, and every effect with how it is done").short('v'),
            switch("no-files", "Opens no scripts and follows no links"),
        ])
        .args(setting())
        .group(ArgGroup::new("what").args(["command", "batch", "read", "write"]).required(true))
}

fn config() -> Command {
    Command::new("config")
        .about("Checks, shows, describes and tests the configuration")
        .subcommand_required(true)
        .arg_required_else_help(true)
        .subcommands([
            Command::new("check")
                .about("Reads every configuration file and says what is wrong")
                .arg(switch("json", "Prints JSON"))
                .args(setting()),
            Command::new("schema").about("Prints the JSON schema of the configuration"),
            Command::new("show")
                .about("Shows what holds here, and which files say so")
                .arg(switch("json", "Prints JSON"))
                .args(setting()),
            Command::new("test")
                .about("Judges the commands under `tests:` and compares with what is expected")
                .arg(switch("json", "Prints JSON"))
                .args(setting()),
        ])
}

fn explain() -> Command {
    Command::new("explain")
        .about("Explains a rule")
        .arg(Arg::new("rule").value_name("RULE").required(true).help("Its name, as `herm rules` lists it"))
        .arg(switch("json", "Prints JSON"))
}

fn redact() -> Command {
    Command::new("redact")
        .about("Takes secrets out of a text")
        .long_about(
            "Takes secrets out of a text: standard input goes to standard output, with [REDACTED] in the place of every token, \
             key, password and private key, and of the secrets in `.env` of herm's directory. Everything else stays as it is, \
             byte for byte. Lines are passed on as they come; memory does not grow with the text.",
        )
        .after_help(
            "Examples:\n  printenv | herm redact\n  herm redact < build.log > clean.log\n  herm redact --json < build.log\n  \
             herm redact --batch < texts.jsonl",
        )
        .args([
            switch("batch", "Reads JSON lines: {\"id\": …, \"input\": …}, and answers each with {\"id\", \"output\", \"redacted\"}"),
            switch("json", "Prints in place of the text what would be taken out: kinds, and how many of each")
                .conflicts_with("batch"),
            option("home", "DIRECTORY", "The home directory, for herm's own").value_hint(ValueHint::DirPath),
        ])
}

fn rules() -> Command {
    Command::new("rules").about("Lists the rules").arg(switch("json", "Prints JSON"))
}

fn completions() -> Command {
    let shells = PossibleValuesParser::new(["bash", "elvish", "fish", "powershell", "zsh"]);
    Command::new("completions")
        .about("Prints completions for a shell")
        .arg(Arg::new("shell").value_name("SHELL").required(true).value_parser(shells).help("The shell"))
}

fn man() -> Command {
    Command::new("man").about("Prints the manual page")
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

const LANGUAGES: &[&str] = &[
    "shell",
    "awk",
    "cmd",
    "javascript",
    "lua",
    "perl",
    "php",
    "powershell",
    "python",
    "r",
    "ruby",
    "sed",
    "sql",
    "tcl",
];
