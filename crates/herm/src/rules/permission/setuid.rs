//! Gives a file the setuid or setgid bit, or a capability.

use herm_shell::{Flags, Verb};

use crate::facts::Facts;
use crate::finding::Stance;
use crate::rules::rule::{Layer, Report, Rule};
use crate::rules::subject::paths;

pub(crate) static SETUID: Rule = Rule {
    name: "setuid",
    title: "setuid bit or capability",
    layer: Layer::Command,
    stance: Stance::Ask,
    finds: "Gives a file the setuid or setgid bit, or a capability.",
    matters: "Whoever runs it then has its owner's rights.",
    instead: "Run the one command that needs it with `sudo`.",
    suggestion: "chmod 755 tool",
    examples: &[
        "chmod u+s tool",
        "chmod 4755 tool",
        "sudo chmod +s /bin/bash",
        "setcap cap_setuid+ep tool",
        "install -m 4755 a b",
    ],
    near_misses: &["chmod u-s tool", "chmod 755 tool", "getcap tool", "chmod +x tool"],
    judge,
};

fn judge(facts: &Facts, report: &mut Report<'_>) {
    let changes = paths(facts, &[Verb::ChangeAttributes, Verb::ChangeMode]);
    for (effect, path) in changes.filter(|(effect, _)| effect.flags.has(Flags::SETUID)) {
        report.effect(effect, format!("makes `{}` run with its owner's rights", path.shown));
    }
}
