//! One thing an agent asks to do.

use std::time::Duration;

use herm_shell::gap::Reason;
use herm_shell::{Input, Lang};

use crate::edit::Edit;
use crate::fetch::Fetch;
use crate::path::AbsPath;

/// One thing an agent asks to do. A door makes it; nothing changes it afterwards.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    /// Its name, unique within the door.
    pub id: CallId,
    /// Where it came in.
    pub door: Door,
    /// For whom.
    pub principal: Principal,
    /// In which conversation.
    pub session: SessionId,
    /// The working directory.
    pub cwd: AbsPath,
    /// What is asked.
    pub action: Action,
}

/// The name of a call.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct CallId(pub String);

/// The name of a conversation.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct SessionId(pub String);

/// Where calls come in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Door {
    /// An agent that talks with an editor.
    Acp,
    /// The command line.
    CommandLine,
    /// The hook of an agent, which performs what is released to it.
    Hook,
    /// A client that speaks MCP, or a server that is spoken to in it.
    Mcp,
    /// What a hook has released, and herm performs.
    Ticket,
}

impl Door {
    /// The word for it.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Acp => "acp",
            Self::CommandLine => "command-line",
            Self::Hook => "hook",
            Self::Mcp => "mcp",
            Self::Ticket => "ticket",
        }
    }
}

/// For whom a call is made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Principal {
    /// The user's name on this machine, when it is known.
    pub name: Option<String>,
    /// The home directory.
    pub home: AbsPath,
}

/// What is asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    /// To change files, of which all is known.
    Edit(Edit),
    /// To run a command or code.
    Exec(Exec),
    /// To connect to somewhere.
    Fetch(Fetch),
    /// To read a file, relative to the working directory.
    Read(String),
    /// To call a tool of which nothing is known but its name and what it is given.
    Tool(Tool),
    /// To write a file, relative to the working directory.
    Write(String),
}

impl Action {
    /// The text that came from the agent.
    #[must_use]
    pub fn text(&self) -> &str {
        match self {
            Self::Edit(edit) => edit.text(),
            Self::Exec(exec) => &exec.text,
            Self::Fetch(fetch) => fetch.text(),
            Self::Read(path) | Self::Write(path) => path,
            Self::Tool(tool) => tool.text(),
        }
    }
}

/// A tool of which nothing is known but its name and what it is given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tool {
    name: String,
    text: String,
    given: Vec<String>,
    perhaps: Vec<Exec>,
    drift: Option<(Drift, String)>,
    unread: Option<Reason>,
}

/// How a tool of a server, or what the server says about itself, differs from what was looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Drift {
    /// It came later than the others.
    Added,
    /// It is described otherwise.
    Changed,
    /// It is no tool: the server says something else about itself.
    Instructions,
    /// The server has not listed it.
    Unlisted,
}

impl Drift {
    const ALL: [Self; 4] = [Self::Added, Self::Changed, Self::Instructions, Self::Unlisted];

    /// What such a tool is, among named things.
    #[must_use]
    pub const fn kind(self) -> &'static str {
        match self {
            Self::Added => "added tool",
            Self::Changed => "changed tool",
            Self::Instructions => "changed instructions",
            Self::Unlisted => "unlisted tool",
        }
    }

    pub(crate) fn of_kind(kind: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|drift| drift.kind() == kind)
    }
}

impl Tool {
    /// A tool by its name, `server/tool` where it belongs to a server; its arguments as written; and the texts among them.
    #[must_use]
    pub fn new(name: &str, arguments: &str, given: Vec<String>) -> Self {
        let text = format!("{name} {arguments}");
        Self { name: name.to_owned(), text, given, perhaps: Vec::new(), drift: None, unread: None }
    }

    /// The same with its arguments shown otherwise.
    #[must_use]
    pub fn shown(self, arguments: &str) -> Self {
        Self { text: format!("{} {arguments}", self.name), ..self }
    }

    /// The same with what it is given that are commands, though nothing says that it runs them. They count only where they would be
    /// refused.
    #[must_use]
    pub fn perhaps_running(self, perhaps: Vec<Exec>) -> Self {
        Self { perhaps, ..self }
    }

    /// The commands that it perhaps runs.
    #[must_use]
    pub fn perhaps(&self) -> &[Exec] {
        &self.perhaps
    }

    /// The same as a tool that is not the one that was looked at, with the fingerprint of what it is now. A yes to it is none to
    /// the next one.
    #[must_use]
    pub fn drifted(self, drift: Drift, fingerprint: &str) -> Self {
        let named = format!("{}@{fingerprint}", self.name);
        Self { drift: Some((drift, named)), ..self }
    }

    /// The same where not all of what it is given could be read.
    #[must_use]
    pub fn partly_read(self, unread: Reason) -> Self {
        Self { unread: Some(unread), ..self }
    }

    /// Why not all of what it is given could be read, where that is so.
    #[must_use]
    pub fn unread(&self) -> Option<Reason> {
        self.unread
    }

    /// How it differs from the tool that was looked at, and its name with the fingerprint of what it is now.
    #[must_use]
    pub fn drift(&self) -> Option<(Drift, &str)> {
        self.drift.as_ref().map(|(drift, named)| (*drift, named.as_str()))
    }

    /// Its name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its name and its arguments.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The texts among its arguments.
    #[must_use]
    pub fn given(&self) -> &[String] {
        &self.given
    }
}

/// A command or code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exec {
    /// Its text.
    pub text: String,
    /// Its language.
    pub lang: Lang,
    words: Option<Vec<String>>,
    time: Option<Duration>,
    input: Input,
    adrift: bool,
}

impl Exec {
    /// A text that an interpreter of its language reads.
    #[must_use]
    pub fn new(text: &str, lang: Lang) -> Self {
        Self { text: text.to_owned(), lang, words: None, time: None, input: Input::default(), adrift: false }
    }

    /// A program and its arguments, which no shell reads. Judged is the command that a shell would understand the same.
    #[must_use]
    pub fn program(words: Vec<String>) -> Self {
        let quoted: Vec<_> = words.iter().map(|word| quote(word)).collect();
        Self { words: Some(words), ..Self::new(&quoted.join(" "), Lang::Shell) }
    }

    /// The same with a time limit of its own; the policy may know a shorter one.
    #[must_use]
    pub fn within(self, time: Option<Duration>) -> Self {
        Self { time, ..self }
    }

    /// The same with what it reads where it reads standard input.
    #[must_use]
    pub fn reading(self, input: Input) -> Self {
        Self { input, ..self }
    }

    /// The same where nobody told in which directory it runs: what it touches may lie elsewhere than it seems to.
    #[must_use]
    pub fn adrift(self) -> Self {
        Self { adrift: true, ..self }
    }

    /// Whether nobody told in which directory it runs.
    #[must_use]
    pub fn is_adrift(&self) -> bool {
        self.adrift
    }

    /// What it reads where it reads standard input.
    #[must_use]
    pub fn input(&self) -> Input {
        self.input
    }

    /// The program and its arguments, where no shell reads them.
    #[must_use]
    pub fn words(&self) -> Option<&[String]> {
        self.words.as_deref()
    }

    /// The time limit that was asked for.
    #[must_use]
    pub fn time(&self) -> Option<Duration> {
        self.time
    }
}

/// A word as a shell reads it back unchanged.
fn quote(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "%+,-./:=@_".contains(c);
    // What looks like an assignment or a keyword would be one where a program is expected.
    if !word.is_empty() && word.chars().all(plain) && !word.contains('=') && !KEYWORDS.contains(&word) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}

const KEYWORDS: &[&str] = &[
    "case", "coproc", "do", "done", "elif", "else", "esac", "fi", "for", "function", "if", "in", "select",
    "then", "time", "until", "while",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_judged_as_the_text_that_means_the_same() {
        let words = ["echo", "", "a b", "it's", "$HOME", "a=b", "x;y"].map(str::to_owned).to_vec();
        let exec = Exec::program(words.clone());
        assert_eq!(exec.text, r"echo '' 'a b' 'it'\''s' '$HOME' 'a=b' 'x;y'");
        assert_eq!(exec.words(), Some(words.as_slice()));
    }
}
