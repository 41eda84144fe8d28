//! What an agent itself wants to have asked.

use super::judge;
use crate::finding::Stance;
use crate::rules::{Layer, Rule};

/// What an agent itself wants to have asked. The examples are whatever it asks about.
pub static AGENT_ASKS: Rule = Rule {
    name: "agent-asks",
    title: "asked about by the agent",
    layer: Layer::Consult,
    stance: Stance::Ask,
    finds: "What an agent in an editor asks a person about, where no other rule does; and what it asks about without saying what it is.",
    matters: "It has a reason to ask, which only its person may know. A yes to something that nobody described is a yes to anything.",
    instead: "Say exactly what would be run or written, or have `herm acp --allow-unasked` answer what no rule minds.",
    suggestion: "",
    examples: &["ls", "make test", "git status"],
    near_misses: &["ls", "make test", "git status"],
    judge,
};
