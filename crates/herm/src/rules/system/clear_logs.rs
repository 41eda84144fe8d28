//! Empties or deletes logs, or a history of commands.

use herm_shell::place::Extent;
use herm_shell::{Effect, Flags, PathTarget, Places, Verb};

use crate::facts::Facts;
use crate::finding::Stance;
use crate::rules::rule::{Layer, Report, Rule};
use crate::rules::subject::paths;

pub(crate) static CLEAR_LOGS: Rule = Rule {
    name: "clear-logs",
    title: "clear logs or history",
    layer: Layer::Command,
    stance: Stance::Ask,
    finds: "Empties or deletes logs, or a history of commands.",
    matters: "They are what tells people afterwards what happened.",
    instead: "Copy what you need out of them.",
    suggestion: "tail -n 20 /var/log/syslog",
    examples: &[
        "rm /var/log/auth.log",
        "> /var/log/syslog",
        "truncate -s 0 /var/log/auth.log",
        "rm ~/.bash_history",
        "shred ~/.bash_history",
        "sed -i /10.0.0.1/d /var/log/auth.log",
    ],
    near_misses: &[
        "tail /var/log/syslog",
        "rm build.log",
        "echo x >> /var/log/app.log",
        "cat ~/.bash_history",
    ],
    judge,
};

fn judge(facts: &Facts, report: &mut Report<'_>) {
    let records = Places::LOG.and(Places::HISTORY);
    let lost = paths(facts, &[Verb::Delete, Verb::Link, Verb::Write])
        .filter(|(effect, path)| path.places.any(records) && is_lost(effect) && is_named(path));
    for (effect, path) in lost {
        report.effect(effect, format!("loses the records in `{}`", path.shown));
    }
}

/// An unknown name that ends as a record's might (`$1.txt`) is not yet a record.
fn is_named(path: &PathTarget) -> bool {
    let name = path.shown.rsplit('/').next().unwrap_or_default();
    path.extent != Extent::Unknown || !name.contains('$')
}

fn is_lost(effect: &Effect) -> bool {
    let rewritten = Flags::TRUNCATE.and(Flags::IN_PLACE);
    effect.verb != Verb::Write || effect.flags.any(rewritten) && !effect.flags.has(Flags::APPEND)
}
