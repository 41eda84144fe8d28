//! Overwrites a file before it is deleted, or moves it into the null device.

use herm_shell::{Flags, Places, Verb};

use crate::facts::Facts;
use crate::finding::Stance;
use crate::rules::rule::{Layer, Report, Rule};
use crate::rules::subject::paths;

pub(crate) static IRREVERSIBLE_DELETE: Rule = Rule {
    name: "irreversible-delete",
    title: "delete beyond recovery",
    layer: Layer::Command,
    stance: Stance::Ask,
    finds: "Overwrites a file before it is deleted, or moves it into the null device.",
    matters: "Neither an undelete tool nor a backup of the disk brings it back.",
    instead: "Move it aside, or delete it the plain way.",
    suggestion: "mv secret.txt /tmp/secret.txt",
    examples: &["shred secret.txt", "shred -u notes.md", "mv Cargo.toml /dev/null", "srm key.bin"],
    near_misses: &["rm secret.txt", "mv a b", "cat a > /dev/null", "man shred"],
    judge,
};

fn judge(facts: &Facts, report: &mut Report<'_>) {
    let lost = paths(facts, &[Verb::Delete]).filter(|(effect, _)| effect.flags.has(Flags::IRREVERSIBLE));
    for (effect, path) in lost.filter(|(_, path)| !path.places.has(Places::BLOCK_DEVICE)) {
        report.effect(effect, format!("destroys `{}` for good", path.shown));
    }
}
