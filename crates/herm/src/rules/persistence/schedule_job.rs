//! Adds, replaces or removes jobs of cron, at or another scheduler.

use herm_shell::Verb;

use crate::facts::Facts;
use crate::finding::Stance;
use crate::rules::rule::{Layer, Report, Rule};
use crate::rules::subject::things;

pub(crate) static SCHEDULE_JOB: Rule = Rule {
    name: "schedule-job",
    title: "schedule a job",
    layer: Layer::Command,
    stance: Stance::Ask,
    finds: "Adds, replaces or removes jobs of cron, at or another scheduler.",
    matters: "What it starts runs later, when nobody looks, and a table that is replaced is lost.",
    instead: "List the jobs that are there.",
    suggestion: "crontab -l",
    examples: &[
        "crontab -r",
        "echo '@reboot /tmp/x' | crontab -",
        "crontab jobs.txt",
        "echo ls | at now + 1 minute",
        "systemd-run --on-calendar=daily ./x",
    ],
    near_misses: &["crontab -l", "atq", "systemctl list-timers", "systemd-run --user --scope ls"],
    judge,
};

fn judge(facts: &Facts, report: &mut Report<'_>) {
    for (effect, _) in things(facts, Verb::Persist, "schedule") {
        report.effect(effect, "arranges for something to run later");
    }
    for (effect, _) in things(facts, Verb::Destroy, "schedule") {
        report.effect(effect, "removes scheduled jobs");
    }
}
