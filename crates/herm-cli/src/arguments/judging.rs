//! The parts of the command line that only tell: what is judged how, and why.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use clap::builder::PossibleValuesParser;
use clap::{Arg, ArgGroup, Command, ValueHint};
use herm_runtime::adapters::Transcript;
use herm_runtime::store::Timestamp;

use super::approving::life;
use super::{option, setting, switch};

pub(super) fn check() -> Command {
    Command::new("check")
        .about("Judges a command, code, or a file that would be read or written")
        .after_help(
            "Exit status: 0 allow, 1 deny, 2 ask, 3 wrong arguments or configuration.\n\nExamples:\n  herm check 'git push \
             --force'\n  echo 'rm -rf /' | herm check -\n  herm check --language python - < script.py\n  herm check --write \
             ~/.ssh/authorized_keys\n  herm check --batch < commands.jsonl\n  herm check --json --non-interactive --shell posix -- \
             'rm -rf build'",
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
            switch("non-interactive", "Answers as tirith does, for Hermes: 0 allow, 1 block, 2 warn, and 1 whatever goes wrong")
                .requires("command")
                .conflicts_with_all(["batch", "language", "no-files", "read", "verbose", "write"]),
            option("shell", "SHELL", "What the command is written for, with `--non-interactive`: posix, powershell or cmd")
                .requires("non-interactive"),
            option("herm-home", "DIRECTORY", "Where herm keeps its files, with `--non-interactive`; usually `.herm` in the home directory")
                .value_hint(ValueHint::DirPath)
                .requires("non-interactive"),
        ])
        .args(setting())
        .group(ArgGroup::new("what").args(["command", "batch", "read", "write"]).required(true))
}

pub(super) fn config() -> Command {
    Command::new("config")
        .about("Checks, shows, describes and tests the configuration")
        .after_help(
            "Examples:\n  herm config check\n  herm config show --json | jq .\n  herm config schema > herm.schema.json\n  herm config test --config \
             new.yaml",
        )
        .subcommand_required(true)
        .arg_required_else_help(true)
        .subcommands([
            Command::new("check")
                .about("Reads every configuration file and says everything that is wrong")
                .after_help(
                    "Exit status: 0 nothing is wrong, 3 something is.\n\nExamples:\n  herm config check\n  herm config check --config new.yaml --json",
                )
                .arg(switch("json", "Prints JSON"))
                .args(setting()),
            Command::new("schema").about("Prints the JSON schema of the configuration"),
            Command::new("show")
                .about("Shows every setting that holds here, and where it is said")
                .arg(switch("json", "Prints JSON"))
                .args(setting()),
            Command::new("test")
                .about("Judges the commands under `tests:` and compares with what is expected")
                .after_help(
                    "Exit status: 0 all are judged as expected, 1 some are not, 3 wrong arguments or configuration.\n\nExamples:\n  herm config test\n  \
                     herm config test --config new.yaml --preset strict",
                )
                .arg(switch("json", "Prints JSON"))
                .args(setting()),
        ])
}

pub(super) fn doctor() -> Command {
    Command::new("doctor")
        .about("Says what this machine enforces, what it does not, and how to change that")
        .long_about(
            "Says what this machine enforces, what it does not, and how to change that. Every line was tried just now, in a \
             child: nothing is concluded from version numbers. `missing` is needed and not there; `weaker` means that \
             commands run and the record says what did not hold; `absent` takes one feature away.",
        )
        .after_help(
            "Exit status: 0 everything that is needed holds, 1 something is missing, 3 wrong arguments.\n\nExamples:\n  herm doctor\n  \
             herm doctor --probe\n  herm doctor --json | jq '.rows[] | select(.state != \"ok\")'",
        )
        .args([
            switch("probe", "Does forbidden things inside the sandbox, sees that they fail, and that tools work"),
            switch("json", "Prints JSON"),
            option("inside", "WHAT", "What runs inside, for `--probe` itself").hide(true).conflicts_with("probe"),
        ])
        .args(setting())
}

pub(super) fn explain() -> Command {
    Command::new("explain")
        .about("Explains a rule")
        .after_help("Examples:\n  herm explain recursive-delete\n  herm explain --json pipe-to-shell | jq -r .examples[]")
        .arg(Arg::new("rule").value_name("RULE").required(true).help("Its name, as `herm rules` lists it"))
        .arg(switch("json", "Prints JSON"))
}

pub(super) fn redact() -> Command {
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

pub(super) fn replay() -> Command {
    let agents = Transcript::AGENTS.iter().map(|agent| agent.word());
    Command::new("replay")
        .about("Judges what agents did before, and says what would have been asked or refused")
        .long_about(
            "Reads the transcripts of Claude Code, Codex CLI and Hermes, where they keep them or where you say, and judges every tool call in them as \
             its hook would: by the same rules, in the directory in which it was made. Nothing is run, asked, recorded or changed. Scripts \
             are judged as they are now. Secrets are taken out of what is shown.",
        )
        .after_help(
            "Exit status: 0, whatever was found; 3 wrong arguments or configuration.\n\nExamples:\n  herm replay\n  herm replay --since 7d --suggest\n  \
             herm replay --agent codex --verbose\n  herm replay --preset strict ~/.claude/projects/-srv-app\n  herm replay --json | jq .rules",
        )
        .args([
            Arg::new("path").value_name("PATH").num_args(0..).value_hint(ValueHint::AnyPath).help(
                "Transcripts, or directories with some; usually where the agents keep theirs",
            ),
            option("agent", "AGENT", "Only what this agent did").value_parser(PossibleValuesParser::new(agents)),
            option("since", "TIME", "Only what was done since: 7d, 12h, or a day such as 2031-01-31").value_parser(since),
            switch("suggest", "Shows which entries of `command_allowlist` would spare how many questions"),
            switch("verbose", "Shows everything that would have been asked or refused").short('v'),
            switch("no-files", "Opens no scripts and follows no links"),
            switch("json", "Prints JSON"),
        ])
        .args(setting())
}

/// A moment, or how long ago it was.
pub(super) fn since(text: &str) -> Result<Timestamp, String> {
    let day = format!("{text}T00:00:00.000Z");
    let ago = |life: Duration| Timestamp::from(SystemTime::now().checked_sub(life).unwrap_or(UNIX_EPOCH));
    let moment = text.parse().or_else(|_| day.parse()).ok();
    let wrong = |_| format!("`{text}` is no time: write 7d, 12h, or a day such as 2031-01-31");
    moment.map_or_else(|| life(text).map(ago).map_err(wrong), Ok)
}

pub(super) fn rules() -> Command {
    Command::new("rules")
        .about("Lists the rules")
        .after_help(
            "Examples:\n  herm rules\n  herm rules --json | jq -r '.[] | select(.layer == \"floor\").name'",
        )
        .arg(switch("json", "Prints JSON"))
}

pub(super) fn url() -> Command {
    Command::new("url")
        .about("Judges links: where they lead, by name and by every address that the name has")
        .after_help(
            "Names are looked up unless `--no-dns` is given; one without an address is refused.\n\nExit status: 0 allow, 1 deny, 2 ask, 3 \
             wrong arguments or configuration; of several links, that of the strictest.\n\nExamples:\n  herm url https://example.com\n  \
             herm url --no-dns http://2852039166/latest/meta-data/\n  herm url --json https://example.com https://example.org\n  herm url \
             --batch --no-dns < links.jsonl",
        )
        .args([
            Arg::new("url").value_name("URL").num_args(1..).value_hint(ValueHint::Url).help("The links"),
            switch("batch", "Judges JSON lines from standard input: {\"id\": …, \"input\": …}"),
            switch("json", "Prints JSON, a line for each link"),
            switch("no-dns", "Looks no names up: what they say by themselves is judged"),
            switch("verbose", "Shows remarks, too").short('v'),
        ])
        .args(setting())
        .group(ArgGroup::new("what").args(["url", "batch"]).required(true))
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
