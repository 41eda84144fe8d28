//! One thing an agent asks to do.

use herm_shell::Lang;

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
    /// The command line.
    CommandLine,
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
    /// To run a command or code.
    Exec(Exec),
    /// To read a file, relative to the working directory.
    Read(String),
    /// To write a file, relative to the working directory.
    Write(String),
}

impl Action {
    /// The text that came from the agent.
    #[must_use]
    pub fn text(&self) -> &str {
        match self {
            Self::Exec(exec) => &exec.text,
            Self::Read(path) | Self::Write(path) => path,
        }
    }
}

/// A command or code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exec {
    /// Its text.
    pub text: String,
    /// Its language.
    pub lang: Lang,
}
