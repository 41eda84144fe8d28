//! What tool calls do, in a form that is always small and can be compared.

use sha2::{Digest, Sha256};

use super::terminal::Create;
use super::tool::Tool;
use crate::agent::Agent;
use crate::event::{Dialect, Use};

/// The digest of something.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Print([u8; 32]);

/// Whose tools they are, and where their session works.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ground<'a> {
    pub(super) agent: Option<Agent>,
    pub(super) cwd: &'a str,
}

impl Print {
    pub(super) fn of(text: &str) -> Self {
        Self(Sha256::digest(text.as_bytes()).into())
    }

    /// Several as one, in whatever order they came.
    pub(super) fn of_all(prints: &[Self]) -> Self {
        let mut sorted = prints.to_vec();
        sorted.sort_unstable();
        let mut all = Sha256::new();
        for Self(bytes) in &sorted {
            all.update(bytes);
        }
        Self(all.finalize().into())
    }
}

impl Ground<'_> {
    /// All that a tool does.
    pub(super) fn prints(self, tool: &Tool) -> Vec<Print> {
        tool.meaning(self.agent).uses.into_iter().map(|one| self.print(tool, one)).collect()
    }

    fn print(self, tool: &Tool, one: Use) -> Print {
        match one {
            // What nobody knows is told apart by all that is said of it.
            Use::Unknown if tool.is_given_anything() => {
                Print::of(&format!("{:?} {:?} {}", tool.kind, tool.name, tool.input))
            }
            Use::Unknown => Print::of(&format!("{:?} {:?} {:?}", tool.kind, tool.name, tool.title)),
            known @ (Use::Command { .. }
            | Use::Delegate(_)
            | Use::Fetch(_)
            | Use::Mcp { .. }
            | Use::Program { .. }
            | Use::Read(_)
            | Use::Skill { .. }
            | Use::Write(_)) => self.of_use(known),
        }
    }

    /// One thing that is done, with where it is done.
    pub(super) fn of_use(self, one: Use) -> Print {
        let placed =
            |cwd: Option<String>| Some(cwd.map_or_else(|| self.cwd.to_owned(), |cwd| self.path(cwd)));
        let whole = match one {
            Use::Command { text, dialect, cwd } => Use::Command { text, dialect, cwd: placed(cwd) },
            Use::Program { words, cwd } => Use::Program { words, cwd: placed(cwd) },
            Use::Read(path) => Use::Read(self.path(path)),
            Use::Write(path) => Use::Write(self.path(path)),
            other @ (Use::Delegate(_)
            | Use::Fetch(_)
            | Use::Mcp { .. }
            | Use::Skill { .. }
            | Use::Unknown) => other,
        };
        Print::of(&format!("{whole:?}"))
    }

    /// A text for a shell.
    pub(super) fn of_command(self, text: &str) -> Print {
        self.of_use(Use::Command { text: text.to_owned(), dialect: Dialect::Shell, cwd: None })
    }

    /// What is run in a terminal, in all the ways in which an agent may tell it. Variables are part of what is decided about, and
    /// agents do not tell them again.
    pub(super) fn of_terminal(self, create: &Create) -> Vec<Print> {
        let cwd = || create.cwd.clone();
        let shell = |text: &str| {
            self.of_use(Use::Command { text: text.to_owned(), dialect: Dialect::Shell, cwd: cwd() })
        };
        if create.arguments.is_empty() {
            return vec![shell(&create.command)];
        }
        let words: Vec<String> = std::iter::once(&create.command).chain(&create.arguments).cloned().collect();
        let text = match words.as_slice() {
            [program, flag, text] if is_shell(program) && ["-c", "-lc"].contains(&flag.as_str()) => {
                Some(shell(text))
            }
            words => words.iter().all(|word| is_plain(word)).then(|| shell(&words.join(" "))),
        };
        text.into_iter().chain([self.of_use(Use::Program { words, cwd: cwd() })]).collect()
    }

    fn path(self, path: String) -> String {
        if path.starts_with('/') { path } else { format!("{}/{path}", self.cwd) }
    }
}

fn is_shell(program: &str) -> bool {
    ["bash", "sh", "zsh"].contains(&program.rsplit('/').next().unwrap_or(program))
}

/// Whether a shell reads a word as it stands.
fn is_plain(word: &str) -> bool {
    !word.is_empty() && word.chars().all(|c| c.is_ascii_alphanumeric() || "-_./=:,@%+".contains(c))
}
