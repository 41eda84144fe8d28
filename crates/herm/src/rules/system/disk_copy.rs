//! Reads a disk directly, or copies with `dd`.

use herm_shell::place::Extent;
use herm_shell::{Effect, Flags, PathTarget, Places, Provenance, Verb};

use crate::facts::Facts;
use crate::finding::Stance;
use crate::rules::rule::{Layer, Report, Rule};
use crate::rules::subject::paths;

pub(crate) static DISK_COPY: Rule = Rule {
    name: "disk-copy",
    title: "disk copy",
    layer: Layer::Command,
    stance: Stance::Ask,
    finds: "Reads a disk directly, or copies with `dd` other than from file to file inside the workspace.",
    matters: "Past the file system there are no permissions: every file on the disk can be read, and one swapped letter overwrites it.",
    instead: "Copy files with `cp`.",
    suggestion: "cp image.iso copy.iso",
    examples: &[
        "dd if=/dev/sda of=disk.img",
        "dd if=in.img of=/srv/out.img",
        "strings /dev/sda1",
        "cat /dev/nvme0n1 | gzip",
    ],
    near_misses: &[
        "lsblk /dev/sda",
        "dd if=/dev/urandom bs=16 count=1",
        "dd if=/dev/zero of=build/blank.img bs=1M count=8",
        "dd if=in.img of=out.img bs=1M",
        "cp a.img b.img",
        "smartctl -a /dev/sda",
    ],
    judge,
};

fn judge(facts: &Facts, report: &mut Report<'_>) {
    for (effect, path) in paths(facts, &[Verb::Read]).filter(|(effect, path)| is_copy(facts, effect, path)) {
        report.effect(effect, format!("copies `{}` block by block", path.shown));
    }
}

fn is_copy(facts: &Facts, effect: &Effect, path: &PathTarget) -> bool {
    let disk = path.places.has(Places::BLOCK_DEVICE) && !effect.flags.has(Flags::METADATA);
    let mut copies = paths(facts, &[Verb::Write])
        .filter(|(write, _)| write.invocation == effect.invocation && &*write.by == "dd");
    disk || &*effect.by == "dd"
        && copies.any(|(write, to)| !is_filling(path, write, to) && !is_at_home(path, to))
}

/// From file to file inside the workspace it is a `cp`.
fn is_at_home(from: &PathTarget, to: &PathTarget) -> bool {
    let own = |path: &PathTarget| {
        path.extent == Extent::Exact && path.places.any(Places::WORKSPACE.and(Places::TEMPORARY))
    };
    own(from) && own(to)
}

/// A counted number of zeros or random bytes in a file of the project, or thrown away, copies nothing.
fn is_filling(from: &PathTarget, write: &Effect, to: &PathTarget) -> bool {
    let stuff = matches!(from.path.as_str(), "/dev/null" | "/dev/zero" | "/dev/urandom" | "/dev/random");
    let own = to.places.any(Places::WORKSPACE.and(Places::TEMPORARY).and(Places::SINK));
    stuff && own && !write.provenance.has(Provenance::ENDLESS)
}
