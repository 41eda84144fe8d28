//! Makes root the owner of everything below a directory.

use herm_shell::{Flags, Verb};

use crate::facts::Facts;
use crate::finding::Stance;
use crate::rules::rule::{Layer, Report, Rule};
use crate::rules::subject::{is_whole_system, paths};

pub(crate) static RECURSIVE_ROOT_OWNER: Rule = Rule {
    name: "recursive-root-owner",
    title: "recursive chown to root",
    layer: Layer::Command,
    stance: Stance::Ask,
    finds: "Makes root the owner of everything below a directory.",
    matters: "The people and services that used it are locked out.",
    instead: "Change the owner of single files.",
    suggestion: "ls -l dir",
    examples: &["chown -R root:root dir", "sudo chown --recursive root dir", "chown -hR 0 dir"],
    near_misses: &["chown -R me:me dir", "chown root file", "ls -lR dir"],
    judge,
};

fn judge(facts: &Facts, report: &mut Report<'_>) {
    let wanted = Flags::RECURSIVE.and(Flags::TO_ROOT);
    let changes = paths(facts, &[Verb::ChangeOwner]).filter(|(effect, _)| effect.flags.has(wanted));
    for (effect, path) in changes.filter(|(_, path)| !is_whole_system(path)) {
        report.effect(effect, format!("gives everything below `{}` to root", path.shown));
    }
}
