//! Deletes or moves away a directory that the system cannot live without, or everything in it.

use herm_shell::Places;

use crate::facts::Facts;
use crate::finding::Stance;
use crate::rules::rule::{Layer, Report, Rule};
use crate::rules::subject::{deletes_whole, taking};

pub(crate) static DELETE_SYSTEM_DIRECTORY: Rule = Rule {
    name: "delete-system-directory",
    title: "recursive delete of a system directory",
    layer: Layer::Floor,
    stance: Stance::Deny,
    finds: "Deletes or moves away a directory that the system cannot live without, or everything in it.",
    matters: "The machine stops working and does not start again.",
    instead: "Delete the one file that is meant, or remove a package with the package manager.",
    suggestion: "ls /etc",
    examples: &[
        "rm -rf /etc",
        "rm -rf /usr/*",
        "find /var/lib -delete",
        "mv /etc /tmp/etc.old",
        "rsync -a --delete empty/ /usr/",
    ],
    near_misses: &["rm -rf build/etc", "rm /etc/motd.bak", "ls /etc", "find /usr -name '*.h'"],
    judge,
};

fn judge(facts: &Facts, report: &mut Report<'_>) {
    for (effect, path) in deletes_whole(facts, Places::SYSTEM_DIR)
        .filter(|(_, path)| !path.places.any(Places::ROOT.and(Places::HOME)))
    {
        report.effect(effect, format!("{} the system directory `{}`", taking(effect), path.shown));
    }
}
