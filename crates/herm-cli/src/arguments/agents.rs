//! The parts of the command line about agents: their hooks, and how they come to ask.

use clap::builder::PossibleValuesParser;
use clap::{Arg, Command, ValueHint};
use herm::Preset;
use herm_runtime::adapters::Agent;

use super::approving::life;
use super::judging::since;
use super::{option, switch};

pub(super) fn hook() -> Command {
    Command::new("hook")
        .about("Answers the hook of an agent: reads what its tool is about to do, and says whether it may")
        .long_about(
            "Answers the hook of an agent. Standard input is what the agent tells its hooks; standard output, standard error and the exit \
             status are what that agent understands, and nothing else. What cannot be understood is refused, and so is whatever is not \
             decided in time: agents run a tool whose hook fails. Variables that would loosen anything are not heeded, since a repository \
             can set them.",
        )
        .after_help(
            "Exit status: 0, or 2 where that is how the agent is told to refuse.\n\nExamples:\n  herm hook claude-code < event.json\n  herm hook \
             codex --deadline 300\n  echo '{\"hook_event_name\":\"PreToolUse\",\"tool_name\":\"Bash\",\"tool_input\":{\"command\":\"ls\"}}' | herm \
             hook claude-code",
        )
        .arg(
            Arg::new("agent")
                .value_name("AGENT")
                .required(true)
                .value_parser(PossibleValuesParser::new(Agent::ALL.iter().map(|agent| agent.word())))
                .help("Which agent asks"),
        )
        .args([
            option("deadline", "SECONDS", "When to refuse what is not decided yet; less than the agent waits")
                .value_parser(clap::value_parser!(u32).range(1..)),
            option("ask", "WHOM", "Who asks a person: the agent, where it can be relied on, or herm; usually the agent")
                .value_parser(PossibleValuesParser::new(["agent", "herm"])),
            switch("shim", "Prints what has to be installed in an agent that starts no programs as hooks: OpenCode, Pi"),
            option("herm-home", "DIRECTORY", "Where herm keeps its files; usually `.herm` in the home directory of the user")
                .value_hint(ValueHint::DirPath),
            option("config", "FILE", "Reads this file in place of the user's own").value_hint(ValueHint::FilePath),
            option("home", "DIRECTORY", "The home directory of the caller").value_hint(ValueHint::DirPath),
            option("preset", "PRESET", "How strict to be").value_parser(PossibleValuesParser::new(Preset::WORDS)),
        ])
}

pub(super) fn import() -> Command {
    let hermes = Command::new("hermes")
        .about("Takes over what Hermes was told: its lists, times, blocked websites and variables")
        .long_about(
            "Reads the configuration of Hermes, says what becomes of everything in it that matters here, and adds it to herm's own; comments, \
             order and every other byte stay. An entry of an allow-list becomes the narrowest that covers what it covered there. What would loosen \
             more than that, or more than holds here now, is told apart and taken only if you say so. Nothing of Hermes is changed.",
        )
        .after_help(
            "Exit status: 0 all of it was taken over or is there, 1 something was left, 3 wrong arguments or configuration.\n\nExamples:\n  herm \
             import hermes --dry-run\n  herm import hermes\n  herm import hermes --from ~/.hermes/profiles/work --yes\n  herm import hermes --json | jq \
             '.lines[] | select(.fate == \"left\")'",
        )
        .args([
            option("from", "DIRECTORY", "The home of Hermes; usually `$HERMES_HOME` or `~/.hermes`").value_hint(ValueHint::DirPath),
            switch("dry-run", "Shows what would change, and changes nothing"),
            switch("yes", "Takes over what loosens more as well, and asks nothing").short('y').conflicts_with("dry-run"),
            switch("json", "Prints JSON"),
            option("home", "DIRECTORY", "The home directory of the user").value_hint(ValueHint::DirPath),
        ]);
    Command::new("import")
        .about("Takes over what another program was told")
        .after_help("Examples:\n  herm import hermes --dry-run\n  herm import hermes")
        .subcommand_required(true)
        .arg_required_else_help(true)
        .subcommand(hermes)
}

pub(super) fn init() -> Command {
    Command::new("init")
        .about("Has agents ask herm before they do anything")
        .long_about(
            "Finds the agents that are here, shows what would change in their settings, asks, and changes nothing else: comments, order \
             and every other byte stay. What was there before is kept, and `herm uninit` brings it back. A file that cannot be \
             changed without a doubt is left alone, with what to add by hand.",
        )
        .after_help(
            "Exit status: 0 every agent asks herm, 1 one does not, 3 wrong arguments.\n\nExamples:\n  herm init\n  herm init claude-code codex \
             --trust\n  herm init --dry-run\n  sudo herm init --system --yes",
        )
        .args(wired("Which agents; usually all that are found"))
        .arg(switch("trust", "Consents to the hook in the place of the agent's own question (Codex, Hermes)"))
}

pub(super) fn observe() -> Command {
    let home =
        || option("home", "DIRECTORY", "The home directory of the user").value_hint(ValueHint::DirPath);
    let json = || switch("json", "Prints JSON");
    Command::new("observe")
        .about("Records for a while what would be asked or refused, and stops nothing")
        .long_about(
            "Has what agents do judged and recorded, and nothing of it stopped: not even what nobody may approve. It is for finding out what herm would \
             ask before it does. A person switches it on at a terminal, and it ends by itself. It holds for agents that ask herm through their hooks; \
             what herm itself runs is judged as ever. Where the machine has a managed configuration it cannot be had.",
        )
        .after_help(
            "Exit status: 0 done, 1 it cannot be had or nobody said yes, 3 wrong arguments or configuration.\n\nExamples:\n  herm observe on\n  herm observe on --for \
             2d\n  herm observe status\n  herm observe report\n  herm observe off",
        )
        .subcommand_required(true)
        .arg_required_else_help(true)
        .subcommands([
            Command::new("on").about("Stops nothing from now on").arg(home()).arg(
                option("for", "TIME", "How long: 12h, 7d; usually 7d, and 30d at most").value_parser(life),
            ),
            Command::new("off").about("Stops things again").args([home(), json()]),
            Command::new("status").about("Says until when nothing is stopped").args([home(), json()]),
            Command::new("report").about("Says what would have been asked or refused").args([
                home(),
                json(),
                option("since", "TIME", "Only what was done since: 7d, 12h, or a day such as 2031-01-31").value_parser(since),
                switch("verbose", "Shows everything that would have been asked or refused").short('v'),
            ]),
        ])
}

pub(super) fn uninit() -> Command {
    Command::new("uninit")
        .about("Takes back what `herm init` has changed, byte for byte")
        .after_help(
            "Where somebody has changed a file since, only what is herm's is taken out of it.\n\nExit status: 0 nothing of herm's is left, 1 \
             something is, 3 wrong arguments.\n\nExamples:\n  herm uninit\n  herm uninit codex --yes\n  sudo herm uninit --system",
        )
        .args(wired("Which agents; usually all"))
}

/// What wiring agents and unwiring them have in common.
fn wired(agents: &'static str) -> [Arg; 6] {
    [
        Arg::new("agent")
            .value_name("AGENT")
            .num_args(0..)
            .value_parser(PossibleValuesParser::new(Agent::ALL.iter().map(|agent| agent.word())))
            .help(agents),
        switch("system", "Changes the settings of the whole machine, which repositories cannot switch off"),
        switch("dry-run", "Shows what would change, and changes nothing"),
        switch("yes", "Asks nothing").short('y').conflicts_with("dry-run"),
        switch("json", "Prints JSON"),
        option("home", "DIRECTORY", "The home directory of the user").value_hint(ValueHint::DirPath),
    ]
}
