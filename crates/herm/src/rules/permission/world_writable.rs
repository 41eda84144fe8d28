//! Lets everybody write to a file.

use herm_shell::{Flags, Verb};

use crate::facts::Facts;
use crate::finding::Stance;
use crate::rules::rule::{Layer, Report, Rule};
use crate::rules::subject::paths;

pub(crate) static WORLD_WRITABLE: Rule = Rule {
    name: "world-writable",
    title: "world-writable permissions",
    layer: Layer::Command,
    stance: Stance::Ask,
    finds: "Lets everybody write to a file.",
    matters: "Any account or process on the machine can then change what it does.",
    instead: "Give the right to the owner or a group.",
    suggestion: "chmod u+rw file",
    examples: &[
        "chmod 777 file",
        "chmod -R 0777 public",
        "chmod a+w x",
        "chmod o+w x",
        "chmod a=rwx x",
        "install -m 666 a b",
        "icacls public /grant Everyone:F /T",
        "icacls app.log /grant '*S-1-1-0:(OI)(CI)F'",
    ],
    near_misses: &[
        "chmod +x run.sh",
        "chmod 755 dir",
        "chmod 1777 shared",
        "chmod u+w x",
        "chmod o-w x",
        "icacls app.log",
        "icacls app.log /grant bob:F",
    ],
    judge,
};

fn judge(facts: &Facts, report: &mut Report<'_>) {
    let changes = paths(facts, &[Verb::ChangeAttributes, Verb::ChangeMode]);
    for (effect, path) in changes.filter(|(effect, _)| effect.flags.has(Flags::WORLD_WRITABLE)) {
        report.effect(effect, format!("lets everybody write to `{}`", path.shown));
    }
}
