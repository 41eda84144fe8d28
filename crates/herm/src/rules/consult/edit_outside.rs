//! A change of a file outside the workspace.

use super::judge;
use crate::finding::Stance;
use crate::rules::{Layer, Rule};

/// A change of a file outside the workspace, made by herm itself.
pub static EDIT_OUTSIDE: Rule = Rule {
    name: "edit-outside",
    title: "change files outside the workspace",
    layer: Layer::Consult,
    stance: Stance::Ask,
    finds: "A change that herm makes for an agent to a file that lies neither in the workspace nor in what `sandbox.writable` adds to it.",
    matters: "No command behind the boundary can change it, and it belongs to the system, to another project or to a person.",
    instead: "Write it in the workspace.",
    suggestion: "",
    examples: &["write_file /srv/other/x", "write_file ~/bin/ls", "patch ../other/src/main.rs"],
    near_misses: &["write_file src/main.rs", "patch a.txt b.txt", "read_file /srv/other/x"],
    judge,
};
