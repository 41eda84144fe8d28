//! Moves something out of the workspace to where it is lost.

use crate::facts::Facts;
use crate::finding::Stance;
use crate::rules::{Layer, Report, Rule};

/// A move out of what a confined command shares with the machine.
pub static LOST_MOVE: Rule = Rule {
    name: "lost-move",
    title: "move out of the workspace, into a place of the sandbox",
    layer: Layer::Files,
    stance: Stance::Ask,
    finds: "A confined command moves something out of the workspace, to a place that is the sandbox's own.",
    matters: "What is there is gone when the command is, so it would be deleted.",
    instead: "Copy it, move it within the workspace, or run the command where there is no sandbox.",
    suggestion: "cp data.db data.db.bak",
    examples: &[
        "mv data.db /tmp/data.db.bak",
        "mv src ~/",
        "zip -rm /tmp/x.zip src",
        "rsync -a --remove-source-files src/ /tmp/x/",
        "python3 -c 'import shutil; shutil.move(\"src\", \"/tmp/q\")'",
    ],
    near_misses: &[
        "mv a b",
        "mv /tmp/new.txt notes.txt",
        "cp data.db /tmp/",
        "mv a /tmp/a && mv /tmp/a b",
        "python3 -c 'import os; os.rename(\"a\", \"b\"); open(\"/tmp/log\", \"w\")'",
    ],
    judge,
};

/// A layer of its own looks for this, because it needs to know what is shared.
fn judge(_facts: &Facts, _report: &mut Report<'_>) {}
