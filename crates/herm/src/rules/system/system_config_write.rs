//! Writes to the system's configuration, programs or libraries, by redirect, copy, move, link, extraction or edit.

use herm_shell::{Effect, Flags, PathTarget, Places};

use crate::facts::Facts;
use crate::finding::Stance;
use crate::rules::rule::{Layer, Report, Rule};
use crate::rules::subject::writes;

pub(crate) static SYSTEM_CONFIG_WRITE: Rule = Rule {
    name: "system-config-write",
    title: "overwrite system config",
    layer: Layer::Command,
    stance: Stance::Ask,
    finds: "Writes to the system's configuration, programs or libraries, by redirect, copy, move, link, extraction or edit.",
    matters: "It changes the machine for everybody and is not part of the project.",
    instead: "Write into the workspace and let a person install it.",
    suggestion: "cat /etc/hosts",
    examples: &[
        "echo x > /etc/motd",
        "echo '127.0.0.1 a' | sudo tee -a /etc/hosts",
        "cp nginx.conf /etc/nginx/",
        "sed -i s/a/b/ /etc/default/grub",
        "install tool /usr/bin/",
        "ln -sf /tmp/x /etc/resolv.conf",
        "tar xf a.tar -C /",
    ],
    near_misses: &[
        "cat /etc/hosts",
        "cp /etc/hosts /tmp",
        "sed s/a/b/ /etc/fstab",
        "echo x > etc/app.conf",
        "mkdir -p ~/.local/share/app",
    ],
    judge,
};

fn judge(facts: &Facts, report: &mut Report<'_>) {
    for (effect, path) in writes(facts).filter(|(effect, path)| is_system(effect, path)) {
        report.effect(effect, format!("changes the system's `{}`", path.shown));
    }
}

/// The temporary directories lie below system directories, and a workspace may, too. Kernel controls, logs and disks have
/// rules of their own.
fn is_system(effect: &Effect, path: &PathTarget) -> bool {
    let others = Places::WORKSPACE
        .and(Places::TEMPORARY)
        .and(Places::SINK)
        .and(Places::KERNEL)
        .and(Places::BLOCK_DEVICE)
        .and(Places::LOG);
    let system = Places::SYSTEM.and(Places::SYSTEM_CONFIG).and(Places::SYSTEM_DIR).and(Places::PROGRAM_DIR);
    let everywhere = path.places.has(Places::ROOT) && effect.flags.has(Flags::RECURSIVE);
    !path.places.any(others) && (path.places.any(system) || everywhere)
}
