//! A change of files that a person wants to see first.

use super::judge;
use crate::finding::Stance;
use crate::rules::{Layer, Rule};

/// A change of files, where `file_safety.edit_approval` wants it seen first.
pub static EDIT_APPROVAL: Rule = Rule {
    name: "edit-approval",
    title: "change files",
    layer: Layer::Consult,
    stance: Stance::Ask,
    finds: "A change that herm makes to files for an agent, where `file_safety.edit_approval` wants it seen first.",
    matters: "What is written stays, and is run, built and committed by others.",
    instead: "Make one small change at a time.",
    suggestion: "",
    examples: &["write_file src/main.rs", "patch src/main.rs", "patch a.txt b.txt"],
    near_misses: &["read_file src/main.rs", "cat src/main.rs", "ls"],
    judge,
};
