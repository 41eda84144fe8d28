//! A change to a file that nobody has seen yet.

use super::judge;
use crate::finding::Stance;
use crate::rules::{Layer, Rule};

/// A change to a file that nobody has seen yet, where an editor can show it. The examples are files that an agent has written.
pub static UNSEEN_EDIT: Rule = Rule {
    name: "unseen-edit",
    title: "change that nobody has seen",
    layer: Layer::Consult,
    stance: Stance::Ask,
    finds: "What an agent in an editor would write to a file, each time anew: no earlier yes covers it.",
    matters: "Files of a project are code that people run. A change is best looked at before it is there.",
    instead: "Look at the change that is shown with the question.",
    suggestion: "",
    examples: &["src/main.rs", "README.md", "notes.txt"],
    near_misses: &["cat src/main.rs", "ls", "git diff"],
    judge,
};
