//! Programs at whose keyboard one gives commands.
//!
//! An agent that types into what it has started, unseen, does with them whatever it likes. On input from elsewhere, and where they do
//! not print to a terminal, they offer nothing.

use super::Input;
use super::machine::Machine;
use super::scope::Scope;
use crate::gap::{Gap, Position, Reason};
use crate::span::Span;
use crate::value::{Provenance, Value};

impl Machine<'_> {
    /// Notes that commands may be typed into a program that nobody sees.
    pub(super) fn mind_the_keyboard(
        &mut self,
        scope: &Scope,
        program: &str,
        arguments: &[Value],
        span: Span,
    ) {
        if self.setting.input == Input::Unknown && is_at_keyboard(scope) && takes_commands(program, arguments)
        {
            let shown = format!("what is typed into {program}");
            self.push_gap(Gap { position: Position::Code, reason: Reason::Runtime, shown, span });
        }
    }
}

/// Whether standard input and standard output are what the whole text was given.
fn is_at_keyboard(scope: &Scope) -> bool {
    let typed = Value::unknown("standard input", Provenance::OUTSIDE);
    scope.stream == 0 && scope.stdin.as_deref() == Some(&typed)
}

fn takes_commands(program: &str, arguments: &[Value]) -> bool {
    let words: Vec<String> = arguments.iter().filter_map(Value::known).map(|word| word.to_string()).collect();
    let has = |wanted: &[&str]| words.iter().any(|word| wanted.contains(&word.as_str()));
    if has(&["--help", "--version"]) {
        return false;
    }
    let operand = words.iter().find(|word| !word.starts_with('-')).map(String::as_str);
    ALWAYS.contains(&program)
        || ALONE.contains(&program) && arguments.iter().all(|word| word.known_prefix().starts_with('-'))
        || BY_WORD.iter().any(|(names, wanted)| {
            names.contains(&program) && operand.is_some_and(|word| wanted.contains(&word))
        })
        || CONTAINERS.contains(&program)
            && operand.is_some_and(|word| ["attach", "compose", "exec", "run", "start"].contains(&word))
            && words.iter().any(|word| word == "--interactive" || is_interactive(word))
        || program == "nix-shell" && !has(&["--command", "--run"])
}

/// `-it`, and not `--init`.
fn is_interactive(word: &str) -> bool {
    let letters = word.strip_prefix('-').filter(|letters| !letters.starts_with('-'));
    letters.is_some_and(|letters| letters.contains('i') && letters.chars().all(|c| c.is_ascii_alphabetic()))
}

/// Pagers, editors, multiplexers, file managers and the like, whatever they are given.
const ALWAYS: &[&str] = &[
    "abduco", "byobu", "dtach", "ed", "emacs", "ex", "ftp", "gdb", "helix", "hx", "info", "jed", "joe",
    "kak", "less", "lf", "lftp", "lldb", "lynx", "man", "mc", "mcedit", "micro", "more", "most", "mutt",
    "nano", "ne", "neomutt", "nnn", "nvi", "nvim", "pg", "pico", "ranger", "screen", "sftp", "telnet",
    "tmate", "tmux", "vi", "view", "vifm", "vim", "vimdiff", "w3m", "zellij", "zless", "zmore",
];

/// What reads commands unless it is given a file.
const ALONE: &[&str] = &[
    "busybox",
    "clisp",
    "clojure",
    "deno",
    "erl",
    "ghci",
    "gp",
    "groovysh",
    "gst",
    "guile",
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
    "rdbg",
    "redis-cli",
    "sage",
    "sbcl",
    "scala",
    "swipl",
    "utop",
    "xonsh",
];

/// What does so at a word.
const BY_WORD: &[(&[&str], &[&str])] = &[
    (&["bun", "deno", "lein", "nix"], &["develop", "repl", "shell"]),
    (&["rails"], &["c", "console", "db", "dbconsole"]),
    (&["devbox", "flox", "hatch", "pipenv", "pixi", "poetry"], &["activate", "shell"]),
    (&["django-admin", "flask", "manage.py"], &["dbshell", "shell"]),
];

const CONTAINERS: &[&str] = &["docker", "docker-compose", "kubectl", "nerdctl", "oc", "podman"];
