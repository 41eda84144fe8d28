//! The command line.

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use clap::builder::PossibleValuesParser;
use clap::{Arg, ArgAction, ArgGroup, ArgMatches, Command, ValueHint};
use herm::Preset;
use herm::enforcement::Backend;
use herm_runtime::adapters::Agent;
use herm_runtime::setup::Problem;
use herm_runtime::{Setup, Wishes};

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
        .subcommands([approvals(), audit(), broker(), check(), completions(), config(), doctor(), explain(), fetch(), grants(), hook(), hooks(), init(), man(), redact(), rules(), run(), shell(), attempt(), undo(), uninit(), url()])
}

/// The part of the command line that begins with this word. An agent waits for its hook before every tool, and most of what
/// starting costs is the memory that the other commands take.
pub(crate) fn command_for(first: Option<&OsString>) -> Command {
    match first {
        Some(word) if word == "hook" => Command::new("herm").subcommand_required(true).subcommand(hook()),
        Some(_) | None => command(),
    }
}

fn approvals() -> Command {
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

fn audit() -> Command {
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

fn broker() -> Command {
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

fn grants() -> Command {
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

fn hook() -> Command {
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

fn hooks() -> Command {
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

fn init() -> Command {
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

fn uninit() -> Command {
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

/// `90s`, `30m`, `12h`, `7d`
fn life(text: &str) -> Result<Duration, String> {
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
                .about("Reads every configuration file and says everything that is wrong")
                .after_help("Exit status: 0 nothing is wrong, 3 something is.")
                .arg(switch("json", "Prints JSON"))
                .args(setting()),
            Command::new("schema").about("Prints the JSON schema of the configuration"),
            Command::new("show")
                .about("Shows every setting that holds here, and where it is said")
                .arg(switch("json", "Prints JSON"))
                .args(setting()),
            Command::new("test")
                .about("Judges the commands under `tests:` and compares with what is expected")
                .arg(switch("json", "Prints JSON"))
                .args(setting()),
        ])
}

fn doctor() -> Command {
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

fn run() -> Command {
    let backends = PossibleValuesParser::new(Backend::WORDS);
    Command::new("run")
        .about("Decides about a command, asks when it matters, runs it and records what happened")
        .after_help(
            "Exit status: that of the command; 124 its time was over, 125 herm itself failed or the arguments are wrong, 126 it was refused, 141 \
             whoever read its output has gone.\n\nExamples:\n  herm \
             run 'make test 2>&1 | tail -20'\n  herm run -- cargo build --release\n  herm run --json --timeout 60 'npm test'\n  herm \
             run --language python 'print(2 + 2)'",
        )
        .arg(option("backend", "BACKEND", "Where it runs; usually what `terminal.backend` says, or the sandbox where there can be one").value_parser(backends))
        .args(performed())
        .args(setting())
        .group(ArgGroup::new("what").args(["script", "program"]).required(true))
}

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

fn attempt() -> Command {
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

fn shell() -> Command {
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

fn fetch() -> Command {
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

fn undo() -> Command {
    Command::new("undo")
        .about("Takes back what a try has kept, exactly")
        .after_help("Examples:\n  herm undo\n  herm undo 01a1e26eb1e1b11b74cc")
        .args([
            Arg::new("receipt")
                .value_name("RECEIPT")
                .help("The receipt of the try; usually the last one kept here"),
            switch("json", "Prints JSON"),
        ])
        .args(setting())
}

fn completions() -> Command {
    let shells = PossibleValuesParser::new(["bash", "elvish", "fish", "powershell", "zsh"]);
    Command::new("completions")
        .about("Prints completions for a shell")
        .arg(Arg::new("shell").value_name("SHELL").required(true).value_parser(shells).help("The shell"))
}

fn url() -> Command {
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

fn man() -> Command {
    Command::new("man").about("Prints the manual page")
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
