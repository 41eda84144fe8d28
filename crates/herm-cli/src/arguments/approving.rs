//! The parts of the command line about people: questions, answers and what was recorded.

use std::time::Duration;

use clap::builder::PossibleValuesParser;
use clap::{Arg, ArgAction, Command, ValueHint};

use super::{option, setting, switch};

pub(super) fn approvals() -> Command {
    let answers = PossibleValuesParser::new(["once", "session", "always", "try", "deny", "keep", "discard"]);
    Command::new("approvals")
        .about("Shows what waits for an answer, and answers it from another terminal")
        .after_help(
            "At a terminal, each question is shown as it comes. What was started by whoever asks cannot answer.\n\nExamples:\n  herm \
             approvals\n  herm approvals list --json\n  herm approvals answer 4f1c session",
        )
        .subcommands([
            Command::new("answer")
                .about("Answers a question")
                .arg(Arg::new("id").value_name("ID").required(true).help("Its name, or the beginning of it"))
                .arg(Arg::new("answer").value_name("ANSWER").required(true).value_parser(answers).help("What to say"))
                .arg(switch("json", "Prints JSON"))
                .args(setting()),
            Command::new("list")
                .about("Lists what waits")
                .arg(switch("json", "Prints JSON"))
                .args(setting()),
        ])
        .args(setting())
}

pub(super) fn audit() -> Command {
    let formats = PossibleValuesParser::new(["jsonl", "otlp"]);
    let limit = |usual: &'static str| {
        option("limit", "NUMBER", "The most that is shown")
            .value_parser(clap::value_parser!(u32))
            .default_value(usual)
    };
    let json = || switch("json", "Prints JSON");
    Command::new("audit")
        .about("Shows, checks and hands out the record of what was done")
        .after_help(
            "Examples:\n  herm audit show --rule recursive-delete\n  herm audit tail --follow\n  herm audit verify\n  herm audit export \
             --format otlp > logs.json",
        )
        .subcommand_required(true)
        .arg_required_else_help(true)
        .subcommands([
            Command::new("export")
                .about("Writes all of it for other programs")
                .arg(option("format", "FORMAT", "How").value_parser(formats).default_value("jsonl"))
                .args(setting()),
            Command::new("show")
                .about("Shows the latest receipts, or everything about one")
                .arg(Arg::new("receipt").value_name("RECEIPT").help("Its name, or the beginning of it"))
                .args([
                    option("session", "NAME", "Only those of a session"),
                    option("decision", "DECISION", "Only those that were decided like this")
                        .value_parser(PossibleValuesParser::new(["allow", "deny"])),
                    option("rule", "RULE", "Only those that a rule had something to say about"),
                    limit("20"),
                    json(),
                ])
                .args(setting()),
            Command::new("tail")
                .about("Shows the last records")
                .args([switch("follow", "Goes on as more come").short('f'), limit("10"), json()])
                .args(setting()),
            Command::new("verify")
                .about("Checks that nothing was changed, removed or cut off")
                .after_help("Exit status: 0 nothing was changed, 1 something was, 3 it cannot be checked.")
                .arg(json())
                .args(setting()),
        ])
}

pub(super) fn broker() -> Command {
    Command::new("broker")
        .about("Takes questions and answers until it is stopped; under a user of its own, it guards them from whoever asks")
        .after_help(
            "With approvers it keeps the grants, the denials and the record in its own home, for everybody who names its socket under \
             `approvals.broker`. Only approvers answer, and never what their own user asks.\n\nExamples:\n  herm broker\n  herm broker \
             --socket /run/herm/broker.sock --approver ann --approver 1002",
        )
        .args([
            option("socket", "PATH", "Where it listens, within the reach of everybody; `approvals.broker` otherwise")
                .value_hint(ValueHint::AnyPath),
            option("approver", "USER", "A user who may answer, by name or number; more than `approvals.approvers` names")
                .action(ArgAction::Append),
        ])
        .args(setting())
}

pub(super) fn grants() -> Command {
    Command::new("grants")
        .about("Lists, gives and takes back what is allowed beforehand")
        .after_help(
            "Examples:\n  herm grants list\n  herm grants add 'rule:recursive-delete path:/srv/app/**' --expires 7d --uses 3\n  herm \
             grants revoke 4f1c2a",
        )
        .subcommand_required(true)
        .arg_required_else_help(true)
        .subcommands([
            Command::new("add")
                .about("Allows something beforehand")
                .args([
                    Arg::new("entry").value_name("ENTRY").required(true).help("What, as `command_allowlist` writes it"),
                    option("expires", "TIME", "How long: 30m, 12h, 7d").value_parser(life),
                    option("uses", "NUMBER", "How often").value_parser(clap::value_parser!(u32).range(1..)),
                    option("session", "NAME", "In which session only"),
                    option("note", "TEXT", "What for"),
                ])
                .args(setting()),
            Command::new("list").about("Lists what holds").arg(switch("json", "Prints JSON")).args(setting()),
            Command::new("revoke")
                .about("Takes something back")
                .arg(Arg::new("grant").value_name("GRANT").required(true).help("Its name, or an entry of `command_allowlist`"))
                .args(setting()),
        ])
}

pub(super) fn hooks() -> Command {
    let hook = || {
        Arg::new("hook")
            .value_name("HOOK")
            .required(true)
            .help("Its number, as `herm hooks list` counts, or its command as it is written")
    };
    Command::new("hooks")
        .about("Lists the hooks of the configuration, and says which of them may run")
        .after_help(
            "A yes is for the command and the content of its files as they are now. Without one a hook does not run, and neither does what \
             it is asked about.\n\nExamples:\n  herm hooks list\n  herm hooks allow 1\n  herm hooks deny '/opt/fence.sh --all'",
        )
        .subcommand_required(true)
        .arg_required_else_help(true)
        .subcommands([
            Command::new("allow").about("Lets a hook run as it is now").arg(hook()).args(setting()),
            Command::new("deny").about("Keeps a hook from running as it is now").arg(hook()).args(setting()),
            Command::new("list")
                .about("Lists them, with their files and whether they may run")
                .arg(switch("json", "Prints JSON"))
                .args(setting()),
        ])
}

/// `90s`, `30m`, `12h`, `7d`
pub(super) fn life(text: &str) -> Result<Duration, String> {
    let wrong = || format!("`{text}` is no time: write 30m, 12h or 7d");
    let unit = text.chars().last().ok_or_else(wrong)?;
    let seconds = match unit {
        's' => 1,
        'm' => 60,
        'h' => 60 * 60,
        'd' => 24 * 60 * 60,
        _ => return Err(wrong()),
    };
    let number: u32 = text.strip_suffix(unit).and_then(|number| number.parse().ok()).ok_or_else(wrong)?;
    if number == 0 {
        return Err(format!("`{text}` is over before it begins: write 30m, 12h or 7d"));
    }
    Ok(Duration::from_secs(u64::from(number) * seconds))
}
