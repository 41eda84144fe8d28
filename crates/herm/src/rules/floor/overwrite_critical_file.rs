//! Empties, replaces, deletes or links over a file without which nobody can log in or the machine cannot start.

use herm_shell::{Effect, Flags, Verb};

use crate::facts::Facts;
use crate::finding::Stance;
use crate::rules::rule::{Layer, Report, Rule};
use crate::rules::subject::paths;

pub(crate) static OVERWRITE_CRITICAL_FILE: Rule = Rule {
    name: "overwrite-critical-file",
    title: "overwrite a file the system lives by",
    layer: Layer::Floor,
    stance: Stance::Deny,
    finds: "Empties, replaces, deletes or links over a file without which nobody can log in or the machine cannot start.",
    matters: "The machine is locked or broken until someone repairs it from outside.",
    instead: "Read it, and change accounts with `usermod` or `passwd`.",
    suggestion: "cat /etc/passwd",
    examples: &[
        "cp /dev/null /etc/passwd",
        ": > /etc/shadow",
        "dd if=/dev/null of=/etc/passwd",
        "ln -sf /dev/null /etc/passwd",
        "truncate -s 0 /etc/fstab",
        "rm /sbin/init",
    ],
    near_misses: &[
        "cat /etc/passwd",
        "cp /etc/passwd /tmp/passwd",
        "grep root /etc/shadow.example",
        "cp passwd build/etc/passwd",
    ],
    judge,
};

const TAKES_AWAY: &[Verb] = &[Verb::Delete, Verb::Link, Verb::Write];

/// Accounts, mounts, the first process, the shell.
const CRITICAL: &[&str] = &[
    "/etc/passwd",
    "/etc/shadow",
    "/etc/group",
    "/etc/gshadow",
    "/etc/sudoers",
    "/etc/fstab",
    "/etc/ld.so.cache",
    "/sbin/init",
    "/usr/sbin/init",
    "/usr/lib/systemd/systemd",
    "/lib/systemd/systemd",
    "/bin/sh",
    "/usr/bin/sh",
    "/bin/bash",
    "/usr/bin/bash",
    "/usr/bin/env",
    "/bin/login",
    "/usr/bin/login",
    "/usr/bin/sudo",
    "/etc/master.passwd",
];

/// The C library, the loader, the kernel: their names carry versions.
const CRITICAL_NAMES: &[(&str, &str)] = &[
    ("/lib", "libc.so"),
    ("/usr/lib", "libc.so"),
    ("/lib", "ld-linux"),
    ("/usr/lib", "ld-linux"),
    ("/lib", "libpam.so"),
    ("/usr/lib", "libpam.so"),
    ("/boot/", "vmlinuz"),
    ("/boot/", "initrd"),
    ("/boot/", "initramfs"),
    ("/boot/", "grub.cfg"),
];

fn judge(facts: &Facts, report: &mut Report<'_>) {
    for (effect, path) in
        paths(facts, TAKES_AWAY).filter(|(effect, path)| is_lost(effect) && is_critical(&path.path))
    {
        report.effect(effect, format!("takes away what is in `{}`", path.shown));
    }
}

/// Appending and editing leave the file what it was; that is for another rule.
fn is_lost(effect: &Effect) -> bool {
    effect.verb != Verb::Write || effect.flags.has(Flags::TRUNCATE) && !effect.flags.has(Flags::APPEND)
}

fn is_critical(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or_default();
    CRITICAL.contains(&path)
        || CRITICAL_NAMES
            .iter()
            .any(|(directory, begin)| path.starts_with(directory) && name.starts_with(begin))
}
