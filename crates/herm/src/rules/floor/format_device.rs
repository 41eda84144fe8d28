//! Formats, wipes or writes to a disk, a partition table, a volume or a storage pool.

use herm_shell::place::Extent;
use herm_shell::{Effect, PathTarget, Places, Target, Verb};

use crate::facts::Facts;
use crate::finding::Stance;
use crate::rules::rule::{Layer, Report, Rule};

pub(crate) static FORMAT_DEVICE: Rule = Rule {
    name: "format-device",
    title: "format or overwrite a disk",
    layer: Layer::Floor,
    stance: Stance::Deny,
    finds: "Formats, wipes or writes to a disk, a partition table, a volume or a storage pool.",
    matters: "Everything on it is gone, whether or not it is mounted.",
    instead: "Look at the disk first; a person formats it.",
    suggestion: "lsblk",
    examples: &[
        "mkfs.ext4 /dev/sda1",
        "dd if=image.img of=/dev/sda",
        "cat /dev/zero > /dev/nvme0n1",
        "wipefs -a /dev/sda",
        "sgdisk --zap-all /dev/sda",
        "zpool destroy tank",
        "vgremove -f vg0",
        "shred -v /dev/sda",
    ],
    near_misses: &[
        "fdisk -l /dev/sda",
        "wipefs /dev/sda",
        "lsblk /dev/sda",
        "man mkfs",
        "parted /dev/sda print",
        "echo done > /dev/null",
    ],
    judge,
};

fn judge(facts: &Facts, report: &mut Report<'_>) {
    for effect in facts.effects() {
        match (&effect.target, effect.verb) {
            (Target::Path(path), Verb::Format) => formats(effect, path, report),
            (Target::Path(path), Verb::Delete | Verb::Write) if path.places.has(Places::BLOCK_DEVICE) => {
                report.effect(effect, format!("writes over the disk `{}`", path.shown));
            }
            (Target::Named(kind, name), Verb::Format) => {
                report.effect(effect, format!("destroys the {kind} `{name}`"));
            }
            _ => {}
        }
    }
}

/// A file that holds a disk image is no disk: what is lost there is the file.
fn formats(effect: &Effect, path: &PathTarget, report: &mut Report<'_>) {
    let is_file = path.extent == Extent::Exact
        && !path.path.starts_with("/dev/")
        && !path.places.any(Places::BLOCK_DEVICE.and(Places::SYSTEM_DIR));
    let stance = if is_file { Stance::Ask } else { Stance::Deny };
    report.effect_as(stance, effect, format!("formats `{}`", path.shown));
}
