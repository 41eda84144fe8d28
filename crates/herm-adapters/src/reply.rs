//! What is said to an agent.

use serde_json::{Value, json};

/// What is to be said about an event.
#[derive(Clone, Debug, PartialEq)]
pub enum Answer {
    /// A person said yes to exactly this.
    Approve,
    /// The agent shall ask its own person, and here is why. Agents that cannot do so safely refuse.
    Ask(String),
    /// Nothing stands in the way; what the agent's own rules say holds.
    Pass,
    /// It must not happen, and here is why.
    Refuse(String),
    /// Nothing stands in the way of this: what the tool is given, with another command in the place of its own.
    Rewrite {
        /// What the tool is given.
        input: Value,
        /// Whether a person said yes to it.
        approved: bool,
    },
    /// The result without its secrets, in the shape in which it came; and what the model is told besides.
    Replace(Value, Option<String>),
    /// The result stays, and the model is told this.
    Warn(String),
}

/// What the process of a hook prints, and how it ends.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reply {
    /// On standard output.
    pub stdout: String,
    /// On standard error.
    pub stderr: String,
    /// The exit status.
    pub exit: u8,
}

impl Reply {
    /// The refusal that blocks everywhere: for agents that were tried, and where nobody knows which one asks.
    ///
    /// Each of its three parts is what some agent needs, and none of them disturbs the others. An empty reason would make
    /// one of them run the tool.
    #[must_use]
    pub fn block(reason: &str) -> Self {
        let reason = worded(reason);
        Self {
            stdout: line(&json!({ "decision": "block", "reason": reason })),
            stderr: format!("{reason}\n"),
            exit: BLOCKED,
        }
    }

    /// Nothing to say.
    pub(crate) fn silence() -> Self {
        Self::default()
    }

    /// One object, and all is well.
    pub(crate) fn object(value: &Value) -> Self {
        Self { stdout: line(value), ..Self::default() }
    }
}

/// The exit status by which a hook blocks.
const BLOCKED: u8 = 2;

/// A reason that is one.
pub(crate) fn worded(reason: &str) -> &str {
    if reason.trim().is_empty() { "refused by herm" } else { reason }
}

fn line(value: &Value) -> String {
    format!("{value}\n")
}
