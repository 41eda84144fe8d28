//! What is to be done about what was said.

use super::permission::Permission;
use super::place::Place;
use super::terminal::Create;
use super::tool::Tool;
use crate::jsonrpc::{Id, Response};

/// What is to be done.
#[derive(Debug, PartialEq)]
pub enum Step {
    /// The agent is told this.
    Agent(Vec<u8>),
    /// Our question has this answer.
    Answered(u64, Said),
    /// A session was called off: nobody waits for its questions any more.
    CalledOff(String),
    /// It must be decided about.
    Decide(Box<Wish>),
    /// The editor is told this.
    Editor(Vec<u8>),
    /// The two cannot talk with one another through us, and why.
    End(String),
    /// The person should know this.
    Note(String),
    /// The agent is told what the editor read for it, once secrets are out of it.
    Read(Response),
    /// A tool ran, and nobody was asked about it: its session, where that works, and the tool.
    Saw(String, Option<Place>, Box<Tool>),
    /// A terminal of ours is used.
    Terminal(Ticket, String, Deed),
    /// Whoever asked for it has taken it back.
    Withdrawn(Id),
    /// The editor has answered what it was to write: the agent is told this.
    Wrote(Id, Vec<u8>),
}

/// What an answer is known by. An id can be used again once it was taken back, a number cannot: what was decided about one thing
/// is never the answer to the next.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Ticket {
    /// What the agent knows it by.
    pub id: Id,
    pub(super) number: u64,
}

/// What is done with a terminal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Deed {
    /// Its command is ended.
    Kill,
    /// What it has said is told.
    Output,
    /// It is ended and forgotten.
    Release,
    /// Its end is waited for.
    Wait,
}

/// What a person said to a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Said {
    /// The question was called off.
    Cancelled,
    /// This option, by its id.
    Option(String),
    /// Nothing that can be understood.
    Nothing,
}

/// What an agent wants.
#[derive(Clone, Debug, PartialEq)]
pub struct Wish {
    /// What the answer is known by.
    pub ticket: Ticket,
    /// The session that wants it.
    pub session: String,
    /// Where that works.
    pub place: Place,
    /// What.
    pub what: What,
}

/// What an agent wants.
#[derive(Clone, Debug, PartialEq)]
pub enum What {
    /// A permission.
    Permit(Box<Permission>),
    /// To read a file.
    Read(String),
    /// To have a command run.
    Terminal(Create),
    /// To write a file.
    Write {
        /// Which.
        path: String,
        /// What.
        content: String,
    },
}

impl What {
    /// The file that it is about, where it is about one.
    #[must_use]
    pub fn path(&self) -> Option<&str> {
        match self {
            Self::Permit(_) | Self::Terminal(_) => None,
            Self::Read(path) | Self::Write { path, .. } => Some(path),
        }
    }
}
