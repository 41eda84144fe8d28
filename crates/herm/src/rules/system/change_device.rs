//! Changes a volume, a file system, a device or the swap space.

use herm_shell::{Target, Verb};

use crate::facts::Facts;
use crate::finding::Stance;
use crate::rules::rule::{Layer, Report, Rule};

pub(crate) static CHANGE_DEVICE: Rule = Rule {
    name: "change-device",
    title: "change a volume, file system or swap",
    layer: Layer::Command,
    stance: Stance::Ask,
    finds: "Changes a volume, a file system, a device or the swap space.",
    matters: "A wrong size or name loses what is stored there.",
    instead: "Look at it first.",
    suggestion: "lsblk -f",
    examples: &[
        "lvreduce -L 1G vg/lv",
        "resize2fs /dev/sda1 10G",
        "swapoff -a",
        "blockdev --setro /dev/sda",
        "zpool export tank",
        "fsck -y /dev/sda1",
    ],
    near_misses: &[
        "lvs",
        "lsblk",
        "swapon --show",
        "blockdev --getsize64 /dev/sda",
        "zpool status",
        "tune2fs -l /dev/sda1",
    ],
    judge,
};

const KINDS: &[&str] = &["device", "file system", "swap", "volume group"];

fn judge(facts: &Facts, report: &mut Report<'_>) {
    for effect in facts.effects().filter(|effect| effect.verb == Verb::Configure) {
        if let Target::Named(kind, name) = &effect.target
            && KINDS.contains(kind)
        {
            report.effect(effect, format!("changes the {kind} `{name}`"));
        }
    }
}
