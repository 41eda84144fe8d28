//! Writes a file that makes code run later: a git hook, an autostart entry, a unit, a plug-in.

use herm_shell::Places;

use crate::facts::Facts;
use crate::finding::Stance;
use crate::rules::rule::{Layer, Report, Rule};
use crate::rules::subject::{is_protected, writes};

pub(crate) static STARTUP_WRITE: Rule = Rule {
    name: "startup-write",
    title: "write where programs are started from",
    layer: Layer::Command,
    stance: Stance::Ask,
    finds: "Writes a file that makes code run later: a git hook, an autostart entry, a unit, a plug-in.",
    matters: "Whoever commits, logs in or restarts next runs it without knowing.",
    instead: "Show the file to a person first.",
    suggestion: "ls .git/hooks",
    examples: &[
        "cp hook.sh .git/hooks/pre-commit",
        "echo x > ~/.config/autostart/x.desktop",
        "ln -s /tmp/x .git/hooks/post-checkout",
    ],
    near_misses: &[
        "ls .git/hooks",
        "cat .git/hooks/pre-commit.sample",
        "pre-commit install",
        "mkdir -p ~/.config/autostart",
    ],
    judge,
};

fn judge(facts: &Facts, report: &mut Report<'_>) {
    let starting =
        writes(facts).filter(|(_, path)| path.places.has(Places::PERSISTENCE) && !is_protected(path));
    for (effect, path) in starting {
        report.effect(effect, format!("puts something that will run later into `{}`", path.shown));
    }
}
