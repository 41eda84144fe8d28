//! What the name of a tool says about what it does with what it is given.

use herm_adapters::keys::words_of;
use herm_shell::Lang;

/// The words of a tool's name, and what they say.
#[derive(Debug, Default)]
pub(super) struct Name {
    /// Those of the tool and of the server that it belongs to.
    pub(super) words: Vec<String>,
    /// Those of the tool alone.
    own: Vec<String>,
    /// Whether it runs what it is given.
    pub(super) runs: Runs,
}

/// How sure it is that a tool runs what it is given.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Runs {
    /// Its name speaks of nothing else.
    Commands,
    /// It runs something: a workflow, a test.
    Something,
    /// It computes what a text in some language comes to.
    Code,
    /// It does not, as far as its name says.
    #[default]
    Nothing,
}

/// How much goes where a tool deletes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Deletes {
    /// What is named, and everything below it.
    All,
    /// What is named.
    One,
}

impl Name {
    /// The name of a tool, behind that of its server where it has one.
    pub(super) fn new(full: &str) -> Self {
        let own = full.rsplit('/').next().unwrap_or(full);
        let mut name = Self { words: words_of(full), own: words_of(own), runs: Runs::Nothing };
        name.runs = name.what_runs();
        name
    }

    fn what_runs(&self) -> Runs {
        let is_quiet = self.has(READING);
        if self.has(EVALUATING) && !self.is_shell() {
            return Runs::Code;
        }
        let is_about_it = self.has(RUNNING) || self.has(SHELLS) || self.has(UNNAMED) || self.has(LANGUAGES);
        let is_pure = is_about_it && self.is_made_of(&[RUNNING, SHELLS, UNNAMED, RUN, LANGUAGES]);
        if self.is_shell() || is_pure {
            return Runs::Commands;
        }
        let types = self.has(&["send"]) && self.has(&["keys", "keystrokes"]);
        if (self.has(RUNNING) || self.has(UNNAMED) || types) && !is_quiet {
            Runs::Something
        } else {
            Runs::Nothing
        }
    }

    /// Whether it is named for a shell, and not for looking at one.
    pub(super) fn is_shell(&self) -> bool {
        self.has(SHELLS) && !self.has(READING)
    }

    pub(super) fn deletes(&self) -> Option<Deletes> {
        let takes_all = self.has(DEEP) || self.is_made_of(&[DELETING, PATHS]);
        self.has(DELETING).then_some(if takes_all { Deletes::All } else { Deletes::One })
    }

    /// Whether it asks a database: it, or its server, is named for one.
    pub(super) fn asks_database(&self) -> bool {
        self.words.iter().any(|word| DATABASES.contains(&word.as_str()) || word.ends_with("sql"))
    }

    /// Whether it looks for words that people write.
    pub(super) fn searches(&self) -> bool {
        self.has(&["ask", "find", "google", "lookup", "recall", "search"])
    }

    /// Whether it is named for looking at something, or for it.
    pub(super) fn looks(&self) -> bool {
        self.searches() || self.has(READING)
    }

    /// The words of the tool alone.
    pub(super) fn own(&self) -> &[String] {
        &self.own
    }

    /// The program that it is named for, where it is named for nothing else.
    pub(super) fn program(&self) -> Option<&str> {
        let mut left = self.own.iter().filter(|word| !is_one_of(word, &[RUNNING, RUN, UNNAMED]));
        match (left.next(), left.next()) {
            (Some(only), None) => Some(only),
            (_, _) => None,
        }
    }

    /// The language that it is named for.
    pub(super) fn lang(&self) -> Option<Lang> {
        self.words.iter().find_map(|word| language(word))
    }

    fn has(&self, list: &[&str]) -> bool {
        self.own.iter().any(|word| list.contains(&word.as_str()))
    }

    fn is_made_of(&self, lists: &[&[&str]]) -> bool {
        self.own.iter().all(|word| is_one_of(word, lists))
    }
}

fn is_one_of(word: &str, lists: &[&[&str]]) -> bool {
    lists.iter().any(|list| list.contains(&word))
}

/// The language that a word names.
pub(super) fn language(word: &str) -> Option<Lang> {
    match word.to_ascii_lowercase().as_str() {
        "javascript" | "js" | "node" | "nodejs" => Some(Lang::JavaScript),
        "powershell" | "pwsh" => Some(Lang::PowerShell),
        "lua" => Some(Lang::Lua),
        "perl" => Some(Lang::Perl),
        "php" => Some(Lang::Php),
        "py" | "python" | "python3" => Some(Lang::Python),
        "ruby" => Some(Lang::Ruby),
        _ => None,
    }
}

/// What runs what it is given.
const RUNNING: &[&str] = &["exec", "execute", "run", "spawn", "subprocess", "system"];

/// What computes.
const EVALUATING: &[&str] = &["eval", "evaluate", "repl"];

/// What reads commands.
const SHELLS: &[&str] =
    &["bash", "cmd", "dash", "fish", "ksh", "powershell", "pwsh", "sh", "shell", "terminal", "zsh"];

/// What reads commands without being a program.
const UNNAMED: &[&str] = &["command", "commands", "console", "shell", "terminal", "tty"];

const LANGUAGES: &[&str] =
    &["javascript", "js", "lua", "node", "nodejs", "perl", "php", "py", "python", "python3", "ruby"];

/// What stands beside in names of tools that run things, and says nothing else.
const RUN: &[&str] = &[
    "a",
    "and",
    "cli",
    "code",
    "in",
    "inline",
    "interpreter",
    "line",
    "local",
    "mcp",
    "process",
    "program",
    "remote",
    "sandbox",
    "script",
    "snippet",
    "tool",
];

/// What only looks at commands.
const READING: &[&str] = &[
    "describe",
    "docs",
    "documentation",
    "explain",
    "find",
    "get",
    "help",
    "history",
    "info",
    "inspect",
    "list",
    "log",
    "logs",
    "lookup",
    "note",
    "notes",
    "output",
    "read",
    "search",
    "show",
    "status",
    "view",
];

const DELETING: &[&str] = &[
    "del", "delete", "destroy", "erase", "purge", "remove", "rm", "rmdir", "shred", "trash", "unlink", "wipe",
];

/// What says that everything below goes as well.
const DEEP: &[&str] =
    &["dir", "directories", "directory", "folder", "folders", "recursive", "recursively", "rmdir", "tree"];

const PATHS: &[&str] = &["all", "and", "item", "items", "or", "path", "paths"];

const DATABASES: &[&str] = &[
    "bigquery",
    "clickhouse",
    "database",
    "databases",
    "db",
    "duckdb",
    "mariadb",
    "postgres",
    "snowflake",
    "sqlite",
    "sqlite3",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_says_what_is_run() {
        for name in [
            "bash",
            "s/run",
            "exec",
            "run_command",
            "shellExec",
            "terminal",
            "sh",
            "python",
            "run_python_code",
        ] {
            assert_eq!(Name::new(name).runs, Runs::Commands, "{name}");
        }
        for name in [
            "search_bash_docs",
            "query",
            "send_message",
            "note",
            "bash/note",
            "get_run",
            "create_node",
            "python_docs",
            "read_terminal",
        ] {
            assert_eq!(Name::new(name).runs, Runs::Nothing, "{name}");
        }
        assert_eq!(Name::new("command_palette").runs, Runs::Something);
        assert_eq!(Name::new("run_workflow").runs, Runs::Something);
        assert_eq!(Name::new("tmux_send_keys").runs, Runs::Something);
        assert_eq!(Name::new("browser_evaluate").runs, Runs::Code);
    }

    #[test]
    fn a_name_says_what_goes() {
        for (name, deletes) in [
            ("delete_directory", Some(Deletes::All)),
            ("remove", Some(Deletes::All)),
            ("delete_file", Some(Deletes::One)),
            ("remove_lines", Some(Deletes::One)),
            ("write_file", None),
        ] {
            assert_eq!(Name::new(name).deletes(), deletes, "{name}");
        }
    }

    #[test]
    fn a_name_may_be_that_of_a_program() {
        assert_eq!(Name::new("s/git").program(), Some("git"));
        assert_eq!(Name::new("run_kubectl").program(), Some("kubectl"));
        assert_eq!(Name::new("git_push").program(), None);
    }
}
