//! Changes permissions, owners or attributes of system files, of files that decide who may do what, or shuts everybody out of a directory.

use herm_shell::{Effect, Flags, PathTarget, Places, Verb};

use crate::facts::Facts;
use crate::finding::Stance;
use crate::rules::rule::{Layer, Report, Rule};
use crate::rules::subject::paths;

pub(crate) static SYSTEM_PERMISSION: Rule = Rule {
    name: "system-permission",
    title: "permissions of system files",
    layer: Layer::Command,
    stance: Stance::Ask,
    finds: "Changes permissions, owners or attributes of system files, of files that decide who may do what, or shuts everybody out of a directory.",
    matters: "Programs that rely on them stop, or secrets lie open.",
    instead: "Change them inside the workspace only.",
    suggestion: "ls -l /etc/passwd",
    examples: &[
        "sudo chown -R me /var/lib/app",
        "chmod 644 /etc/shadow",
        "chattr -i /etc/passwd",
        "chmod -R 000 dir",
        "setfacl -m u:me:rw /etc/sudoers",
        "sudo chown me ~/.aws/credentials",
    ],
    near_misses: &[
        "chmod 600 ~/.ssh/id_rsa",
        "chmod +x /usr/local/bin/tool",
        "chown -R me dir",
        "chmod 000 file",
        "lsattr /etc/passwd",
    ],
    judge,
};

const CHANGES: &[Verb] = &[Verb::ChangeAttributes, Verb::ChangeMode, Verb::ChangeOwner];

fn judge(facts: &Facts, report: &mut Report<'_>) {
    for (effect, path) in paths(facts, CHANGES).filter(|(effect, path)| is_system(effect, path)) {
        report.effect(effect, format!("changes who may do what with `{}`", path.shown));
    }
}

fn is_system(effect: &Effect, path: &PathTarget) -> bool {
    let recursive = effect.flags.has(Flags::RECURSIVE);
    let places = path.places;
    let below_system = places.any(
        Places::SYSTEM
            .and(Places::SYSTEM_CONFIG)
            .and(Places::SYSTEM_DIR)
            .and(Places::ROOT)
            .and(Places::ABOVE_WORKSPACE)
            .and(Places::HOME),
    );
    let guarded = places.any(Places::AUTHORITY.and(Places::GUARD).and(Places::LOG).and(Places::BLOCK_DEVICE));
    let taken = effect.privileged && places.any(Places::CREDENTIAL);
    let attributes = effect.verb == Verb::ChangeAttributes && below_system;
    let shuts = recursive && effect.flags.has(Flags::NO_ACCESS);
    !places.any(Places::WORKSPACE.and(Places::TEMPORARY))
        && (guarded || taken || attributes || recursive && below_system)
        || shuts
}
