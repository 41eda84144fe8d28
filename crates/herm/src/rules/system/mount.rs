//! Mounts or unmounts a file system.

use herm_shell::Verb;

use crate::facts::Facts;
use crate::finding::Stance;
use crate::rules::rule::{Layer, Report, Rule};
use crate::rules::subject::things;

pub(crate) static MOUNT: Rule = Rule {
    name: "mount",
    title: "mount or unmount",
    layer: Layer::Command,
    stance: Stance::Ask,
    finds: "Mounts or unmounts a file system.",
    matters: "What was in that place disappears behind it, or away from programs that use it.",
    instead: "Look at what is mounted.",
    suggestion: "findmnt",
    examples: &["sudo mount /dev/sdb1 /mnt", "umount /home", "mount -o remount,rw /"],
    near_misses: &["mount", "findmnt", "df -h", "mount -l"],
    judge,
};

fn judge(facts: &Facts, report: &mut Report<'_>) {
    for (effect, name) in things(facts, Verb::Mount, "mount") {
        report.effect(effect, format!("changes what is mounted at `{name}`"));
    }
}
