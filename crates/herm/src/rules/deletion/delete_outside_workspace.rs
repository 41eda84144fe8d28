//! Deletes a file outside the workspace.

use herm_shell::{Effect, Flags, PathTarget, Places, Verb};

use crate::facts::Facts;
use crate::finding::Stance;
use crate::rules::rule::{Layer, Report, Rule};
use crate::rules::subject::{is_floor_deletion, paths};

pub(crate) static DELETE_OUTSIDE_WORKSPACE: Rule = Rule {
    name: "delete-outside-workspace",
    title: "delete in root path",
    layer: Layer::Command,
    stance: Stance::Ask,
    finds: "Deletes a file outside the workspace.",
    matters: "It belongs to the system, to another project or to a person.",
    instead: "Delete inside the workspace or in `/tmp`.",
    suggestion: "ls -l /opt",
    examples: &[
        "rm /var/lib/app/app.lock",
        "rm ~/notes.txt",
        "unlink /usr/local/lib/libx.so",
        "rm -f /opt/app/data.db",
    ],
    near_misses: &["rm build.log", "rm /tmp/x.log", "rm -f ./a ./b", "mv a b", "echo $(rm -f /tmp/a)"],
    judge,
};

fn judge(facts: &Facts, report: &mut Report<'_>) {
    for (effect, path) in paths(facts, &[Verb::Delete]).filter(|(effect, path)| is_outside(effect, path)) {
        report.effect(effect, format!("deletes `{}`, which is outside the workspace", path.shown));
    }
}

/// Recursive deletion has a rule of its own; what is moved is still there; what is unknown is a gap.
fn is_outside(effect: &Effect, path: &PathTarget) -> bool {
    let inside = Places::WORKSPACE.and(Places::TEMPORARY).and(Places::SINK).and(Places::UNKNOWN);
    !path.places.any(inside)
        && !effect.flags.any(Flags::RECURSIVE.and(Flags::MOVE).and(Flags::FRESH))
        && path.path.starts_with('/')
        && !is_floor_deletion(effect, path)
}
