//! Programs at whose keyboard one gives commands, as data.
//!
//! What takes code from standard input says so in its own description ([`Role::Interact`](super::schema::Role)). Here stand those
//! that offer commands to whoever is at a terminal: editors and what starts one, pagers, consoles, debuggers.

use super::arguments::{Argument, Given, Parsed};
use super::schema::{Program, program};
use crate::value::Value;

/// When a program takes commands from its keyboard.
struct Habit {
    programs: &'static [&'static str],
    /// The words it begins with, one of these; none: whatever they are.
    verbs: &'static [&'static str],
    /// Options of which one must be there; none: it needs none. With `=` the value counts, too.
    with: &'static str,
    /// Options of which none may be there.
    without: &'static str,
    /// Options of which one must stand before the verb.
    leading: &'static str,
    /// How many more words may follow.
    at_most: usize,
    opens: Opens,
}

/// Who is at the keyboard.
#[derive(PartialEq, Eq)]
enum Opens {
    /// An editor, which a variable or a setting may name: that one is judged as the program it is.
    Editor,
    /// The program itself, or a pager.
    Itself,
}

const ANY: usize = usize::MAX;

/// What takes commands whatever it is given.
const fn always(programs: &'static [&'static str]) -> Habit {
    Habit { programs, verbs: &[], with: "", without: "", leading: "", at_most: ANY, opens: Opens::Itself }
}

/// What does so at a word.
const fn at(programs: &'static [&'static str], verbs: &'static [&'static str]) -> Habit {
    Habit { verbs, ..always(programs) }
}

/// What opens an editor at a word.
const fn editing(programs: &'static [&'static str], verbs: &'static [&'static str]) -> Habit {
    Habit { opens: Opens::Editor, ..at(programs, verbs) }
}

impl Habit {
    const fn with(mut self, options: &'static str) -> Self {
        self.with = options;
        self
    }

    const fn without(mut self, options: &'static str) -> Self {
        self.without = options;
        self
    }

    const fn leading(mut self, options: &'static str) -> Self {
        self.leading = options;
        self
    }

    const fn at_most(mut self, words: usize) -> Self {
        self.at_most = words;
        self
    }
}

const CONTAINERS: &[&str] = &["docker", "docker-compose", "kubectl", "nerdctl", "oc", "podman"];
const GIT: &[&str] = &["git"];
const MESSAGE: &str =
    "-m --message -F --file -C --reuse-message --no-edit --fixup --dry-run --short --porcelain";

const HABITS: &[Habit] = &[
    // Pagers, editors, multiplexers, file managers and the like.
    always(&[
        "abduco",
        "byobu",
        "dtach",
        "ed",
        "ex",
        "ftp",
        "gitui",
        "helix",
        "hx",
        "info",
        "jed",
        "joe",
        "k9s",
        "kak",
        "lazydocker",
        "lazygit",
        "less",
        "lf",
        "lftp",
        "lldb",
        "lynx",
        "man",
        "mc",
        "mcedit",
        "micro",
        "minicom",
        "more",
        "most",
        "mutt",
        "nano",
        "ne",
        "neomutt",
        "nnn",
        "nvi",
        "nvim",
        "pg",
        "pico",
        "picocom",
        "ranger",
        "screen",
        "sftp",
        "telnet",
        "tig",
        "tmate",
        "tmux",
        "vi",
        "view",
        "vifm",
        "vim",
        "vimdiff",
        "w3m",
        "yazi",
        "zellij",
        "zless",
        "zmore",
    ]),
    // Consoles and debuggers.
    always(&[
        "ansible-console",
        "bashdb",
        "byebug",
        "cling",
        "evcxr",
        "jdb",
        "kshdb",
        "pyspark",
        "rdbg",
        "spark-shell",
        "sparkR",
        "trepan",
        "zshdb",
    ]),
    always(&["emacs"]).without("-batch --batch --script"),
    always(&["gdb"]).without("-batch --batch -batch-silent"),
    // What reads commands unless it is given a file.
    always(&[
        "busybox",
        "clisp",
        "clojure",
        "csharp",
        "dc",
        "deno",
        "fsi",
        "ghci",
        "gp",
        "groovysh",
        "gst",
        "guile",
        "hy",
        "iex",
        "irb",
        "jshell",
        "julia",
        "maxima",
        "mongosh",
        "ocaml",
        "octave",
        "pry",
        "psysh",
        "racket",
        "redis-cli",
        "sage",
        "sbcl",
        "sbt",
        "scala",
        "swift",
        "swipl",
        "utop",
        "xonsh",
    ])
    .at_most(0),
    always(&["erl"]).without("-noshell -noinput"),
    always(&["nix-shell"]).without("--command --run"),
    always(&["emacsclient"]).with("-t -nw --tty"),
    always(&["bat", "batcat"]).with("--paging=always"),
    always(&["awk", "gawk"]).with("-D --debug"),
    always(&["gpg", "gpg2"]).with("--edit-key --edit-card --card-edit"),
    // What does so at a word.
    at(&["bun", "bb", "deno", "lein", "nix"], &["develop", "repl", "shell"]),
    at(&["rails"], &["c", "console", "db", "dbconsole"]),
    at(&["devbox", "flox", "hatch", "pipenv", "pixi", "poetry"], &["activate", "shell"]),
    at(&["django-admin", "flask", "manage.py"], &["dbshell", "shell"]),
    at(&["php"], &["artisan tinker", "artisan db"]),
    at(&["stack"], &["ghci", "repl"]),
    at(&["cabal", "swift"], &["repl"]),
    at(&["sbt"], &["console", "consoleProject", "consoleQuick", "shell"]),
    at(&["terraform", "tofu", "jupyter"], &["console"]),
    at(&["dlv"], &["attach", "connect", "core", "debug", "exec", "replay", "test"]),
    at(&["dotnet"], &["fsi", "repl", "script"]).at_most(0),
    at(&["rebar3"], &["shell"]),
    at(&["node", "nodejs"], &["debug", "inspect"]),
    at(&["vagrant"], &["ssh"]).without("-c --command"),
    at(&["adb"], &["shell"]).at_most(0),
    at(&["multipass", "machinectl"], &["shell"]).at_most(1),
    at(&["aws"], &["ssm start-session"]),
    at(&["gcloud"], &["compute ssh"]).without("--command"),
    at(&["doctl"], &["compute ssh"]).without("--ssh-command"),
    at(&["fly", "flyctl"], &["ssh console"]).without("-C --command"),
    at(&["virsh"], &["console"]),
    at(CONTAINERS, &["attach"]),
    at(CONTAINERS, &["compose run"]).without("-T --no-tty -d --detach").at_most(1),
    at(&["docker-compose"], &["run"]).without("-T --no-tty -d --detach").at_most(1),
    at(CONTAINERS, &["compose", "exec", "run", "start"]).with("-i --interactive"),
    // What starts a pager of its own accord.
    always(GIT).leading("-p --paginate"),
    at(GIT, &["help"]),
    at(GIT, &["difftool", "mergetool"]),
    // What starts an editor.
    editing(GIT, &["commit"]).without(MESSAGE),
    editing(GIT, &["commit"]).with("-e --edit -c --reedit-message -p --patch --interactive"),
    editing(GIT, &["add", "stage"]).with("-e --edit -i --interactive -p --patch"),
    editing(GIT, &["checkout", "reset", "restore", "stash"]).with("-p --patch"),
    editing(GIT, &["rebase"]).with("-i --interactive --edit-todo"),
    editing(GIT, &["merge", "cherry-pick", "replace", "config"]).with("-e --edit"),
    editing(GIT, &["config edit", "notes edit"]),
    editing(GIT, &["merge"])
        .without("-m -F --file --no-edit --ff-only --squash --no-commit --abort --quit --continue"),
    editing(GIT, &["revert"]).without("-n --no-commit --no-edit --abort --quit --skip --continue"),
    editing(GIT, &["tag"])
        .with("-a --annotate -s --sign -u --local-user")
        .without("-m --message -F --file -d -l -v"),
    editing(GIT, &["notes add", "notes append"]).without("-m --message -F --file -C --reuse-message --stdin"),
    editing(GIT, &["branch"]).with("--edit-description"),
    editing(GIT, &["am"]).with("-i --interactive"),
    editing(GIT, &["send-email"]).with("--annotate --compose"),
    editing(&["hg", "bzr", "brz"], &["ci", "commit"]).without("-m --message -l --logfile -F --file"),
    editing(&["svn"], &["ci", "commit"]).without("-m --message -F --file"),
    editing(&["jj"], &["ci", "commit", "desc", "describe"]).without("-m --message --stdin --no-edit"),
    editing(&["jj"], &["diffedit", "split"]),
    editing(&["kubectl", "oc", "virsh"], &["edit"]),
    editing(&["ansible-vault"], &["create", "edit"]),
    editing(&["gh"], &["issue create", "pr create", "pr comment", "issue comment"]).with("-e --editor"),
    editing(&["crontab", "sudo"], &[]).with("-e --edit"),
    editing(&["sudoedit", "vigr", "vipw", "visudo"], &[]).without("-c --check"),
];

/// Whether a program takes commands from its keyboard, given these arguments. `names` says whether the text itself gives a variable
/// a value.
pub(crate) fn takes_commands(program: &str, arguments: &[Argument], names: impl Fn(&str) -> bool) -> bool {
    if !HABITS.iter().any(|habit| habit.programs.contains(&program)) {
        return false;
    }
    let described = super::find(program).unwrap_or(&PLAIN);
    let (parsed, chain) = super::arguments::parse(described, program, arguments);
    let is_named = chain
        .iter()
        .flat_map(|program| program.env)
        .any(|(variable, _)| EDITORS.contains(variable) && names(variable))
        || parsed.values("-c").any(names_editor);
    let of_program = HABITS.iter().filter(|habit| habit.programs.contains(&program));
    let mut habits = of_program.filter(|habit| !(is_named && habit.opens == Opens::Editor));
    if parsed.has("--help --version") {
        // git shows the manual of what it is asked about, in a pager.
        return program == "git" && parsed.has("--help") && !words(&parsed).is_empty();
    }
    habits.any(|habit| habit.holds(&parsed))
}

/// A program of which nothing is said.
static PLAIN: Program = program(&[]);

/// Variables that name an editor before any setting does; what a program obeys of them is read as the code that it is.
const EDITORS: &[&str] = &["GIT_EDITOR", "HGEDITOR", "JJ_EDITOR", "KUBE_EDITOR", "SUDO_EDITOR", "SVN_EDITOR"];

fn names_editor(setting: &Value) -> bool {
    setting.known_prefix().split_once('=').is_some_and(|(key, _)| key.eq_ignore_ascii_case("core.editor"))
}

/// The sub-commands and operands; unknown ones have no text.
fn words(parsed: &Parsed<'_>) -> Vec<Option<String>> {
    let subcommands = parsed.subcommands.iter().map(|word| Some((*word).to_owned()));
    let operands =
        parsed.operands.iter().map(|operand| operand.value.known().map(std::borrow::Cow::into_owned));
    subcommands.chain(operands).collect()
}

impl Habit {
    fn holds(&self, parsed: &Parsed<'_>) -> bool {
        if self.verbs.is_empty() && self.at_most == 0 {
            // What stands behind an option may be what runs.
            return parsed.all.iter().all(|argument| argument.value.known_prefix().starts_with('-'));
        }
        let words = words(parsed);
        let verb = if self.verbs.is_empty() { Some(0) } else { verb_of(self.verbs, &words) };
        verb.is_some_and(|verb| words.len() - verb <= self.at_most)
            && (self.with.is_empty() || begun(self.with, parsed))
            && !follows(self.without, !self.verbs.is_empty(), parsed)
            && (self.leading.is_empty() || leads(self.leading, parsed))
    }
}

/// How many words the verb takes that stands there. What is not known may be any verb.
fn verb_of(verbs: &[&str], words: &[Option<String>]) -> Option<usize> {
    let fits = |verb: &&&str| {
        let mut given = words.iter();
        verb.split(' ')
            .all(|part| given.next().is_some_and(|word| word.as_ref().is_none_or(|word| word == part)))
    };
    verbs.iter().find(fits).map(|verb| verb.split(' ').count())
}

/// Whether one of these options is there, or a word that may abbreviate one.
fn begun(options: &'static str, parsed: &Parsed<'_>) -> bool {
    parsed.options.iter().any(|given| {
        options.split(' ').any(|option| match option.split_once('=') {
            Some((name, value)) => {
                given.name == name
                    && given.values.iter().any(|own| own.known().is_none_or(|own| own == value))
            }
            None => given.name == option || is_abbreviated(option, &given.name),
        })
    })
}

fn is_abbreviated(option: &str, name: &str) -> bool {
    name.len() > "--".len() && name.starts_with("--") && option.starts_with(name)
}

/// Whether one of these options stands before every word.
fn leads(options: &'static str, parsed: &Parsed<'_>) -> bool {
    given(options, parsed).any(|given| is_leading(given, parsed))
}

/// Whether one of these options belongs to the verb, if there is one: `git -C DIRECTORY commit` names no message.
fn follows(options: &'static str, has_verb: bool, parsed: &Parsed<'_>) -> bool {
    given(options, parsed).any(|given| !has_verb || !is_leading(given, parsed))
}

fn given<'p>(options: &'static str, parsed: &'p Parsed<'_>) -> impl Iterator<Item = &'p Given<'p>> {
    parsed.options.iter().filter(|given| options.split(' ').any(|name| given.name == name))
}

fn is_leading(given: &Given<'_>, parsed: &Parsed<'_>) -> bool {
    let place = parsed.all.iter().position(|argument| std::ptr::eq(argument, given.argument));
    let before = place.and_then(|at| parsed.all.get(..at)).unwrap_or_default();
    !before.iter().any(|argument| begins_words(argument, parsed))
}

/// Whether an argument is a sub-command or an operand.
fn begins_words(argument: &Argument, parsed: &Parsed<'_>) -> bool {
    let is_operand = parsed.operands.iter().any(|operand| std::ptr::eq(*operand, argument));
    is_operand || argument.value.known().is_some_and(|word| parsed.subcommands.contains(&word.as_ref()))
}
