//! What an agent tells its hook, in one shape for all of them.

use std::fmt;

use serde_json::Value;

/// What an agent tells its hook.
#[derive(Clone, Debug, PartialEq)]
pub struct Event {
    /// When.
    pub phase: Phase,
    /// What the agent calls the event; the answer depends on it.
    pub name: String,
    /// The conversation, if it is named.
    pub session: Option<String>,
    /// The directory that relative paths start from, if it is said.
    pub cwd: Option<String>,
    /// The name of the call, if it has one.
    pub id: Option<String>,
    /// The tool, as the agent calls it; empty where the event is about none.
    pub tool: String,
    /// What the tool is given.
    pub input: Value,
    /// What the tool would do. All of it must be allowed.
    pub uses: Vec<Use>,
    /// What the tool gave back, after it ran.
    pub result: Option<Value>,
    /// Whether the tool failed, after it ran and where that can be told.
    pub failed: bool,
    /// Whether the agent says that it asks nobody, where that can be told.
    pub unasked: bool,
}

impl Event {
    /// Whether the tool is one of a server, which has its own words for things.
    pub(crate) fn is_for_server(&self) -> bool {
        self.uses.iter().any(|one| matches!(one, Use::Mcp { .. }))
    }

    /// Whether a person has spoken, so that what went before no longer counts against the model.
    #[must_use]
    pub fn begins_turn(&self) -> bool {
        let names = [
            "BeforeAgent",
            "SessionStart",
            "UserPromptSubmit",
            "beforeSubmitPrompt",
            "before_agent_start",
            "chat.message",
            "on_session_start",
            "pre_llm_call",
            "pre_user_prompt",
            "sessionStart",
            "userPromptSubmitted",
        ];
        self.phase == Phase::Other && names.contains(&self.name.as_str())
    }
}

/// When an event happens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// A tool has run.
    After,
    /// A tool is about to run.
    Before,
    /// Something else: a session begins, a prompt is sent.
    Other,
}

/// One thing that a tool would do.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Use {
    /// To have a text run.
    Command {
        /// The text.
        text: String,
        /// What reads it.
        dialect: Dialect,
        /// Where, if not in the directory of the event.
        cwd: Option<String>,
    },
    /// To start a sub-agent that a sheet of instructions describes: what the head of that sheet has run is part of it.
    Delegate(String),
    /// To fetch what a link leads to.
    Fetch(String),
    /// To call a tool of a server that speaks MCP.
    Mcp {
        /// The server.
        server: String,
        /// The tool.
        tool: String,
    },
    /// To run a program with its arguments, which no shell reads.
    Program {
        /// The program and its arguments.
        words: Vec<String>,
        /// Where, if not in the directory of the event.
        cwd: Option<String>,
    },
    /// To read a file, or look into a directory.
    Read(String),
    /// To be shown a sheet of instructions: the commands in it are run on the way.
    Skill {
        /// Its name.
        name: String,
        /// What the model gives it.
        given: Option<String>,
    },
    /// Something that nobody here knows.
    Unknown,
    /// To write, change, move or delete a file.
    Write(String),
}

/// What reads a text that is run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Dialect {
    /// Node.
    JavaScript,
    /// PowerShell.
    PowerShell,
    /// Python.
    Python,
    /// A shell such as bash.
    Shell,
}

/// Why what an agent told cannot be understood.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Malformed {
    /// It says one thing in one place and another elsewhere, so that nobody knows whether a tool is about to run.
    Contradicts(&'static str),
    /// A part that every event of this kind has is missing, or is not what it should be.
    Lacks(&'static str),
    /// It is longer than anything that is read.
    Long,
    /// It is no JSON object in which every key stands once.
    NotJson(String),
    /// It is about an event that nobody here knows.
    Strange(String),
}

impl fmt::Display for Malformed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Contradicts(part) => write!(f, "the event says otherwise elsewhere than in `{part}`"),
            Self::Lacks(part) => write!(f, "the event has no usable `{part}`"),
            Self::Long => write!(f, "the event is longer than {} bytes", crate::LONGEST),
            Self::NotJson(why) => write!(f, "the event is not JSON that can be relied on: {why}"),
            Self::Strange(name) => write!(f, "`{name}` is not an event that is known"),
        }
    }
}

impl std::error::Error for Malformed {}
