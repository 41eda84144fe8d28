//! Deletes or moves away a home directory, or everything in it.

use herm_shell::Places;

use crate::facts::Facts;
use crate::finding::Stance;
use crate::rules::rule::{Layer, Report, Rule};
use crate::rules::subject::{deletes_whole, taking};

pub(crate) static DELETE_HOME: Rule = Rule {
    name: "delete-home",
    title: "recursive delete of a home directory",
    layer: Layer::Floor,
    stance: Stance::Deny,
    finds: "Deletes or moves away a home directory, or everything in it.",
    matters: "It holds a person's work, keys and settings, most of it nowhere else.",
    instead: "Name the directory inside it that is meant.",
    suggestion: "ls ~",
    examples: &[
        "rm -rf ~",
        "rm -rf $HOME/*",
        "rm -rf /home/*",
        "find ~ -delete",
        "mv ~ /dev/null",
        "rsync -a --delete empty/ ~/",
    ],
    near_misses: &["rm ~/notes.txt", "ls ~", "echo 'rm -rf ~'", "find ~ -name '*.log'"],
    judge,
};

fn judge(facts: &Facts, report: &mut Report<'_>) {
    for (effect, path) in
        deletes_whole(facts, Places::HOME).filter(|(_, path)| !path.places.has(Places::ROOT))
    {
        report.effect(effect, format!("{} the home directory `{}`", taking(effect), path.shown));
    }
}
