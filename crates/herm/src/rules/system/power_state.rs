//! Suspends the machine, or takes it to another run level.

use herm_shell::Verb;

use crate::facts::Facts;
use crate::finding::Stance;
use crate::rules::rule::{Layer, Report, Rule};
use crate::rules::subject::things;

pub(crate) static POWER_STATE: Rule = Rule {
    name: "power-state",
    title: "suspend or change the run level",
    layer: Layer::Command,
    stance: Stance::Ask,
    finds: "Suspends the machine, or takes it to another run level.",
    matters: "Services and connections end with it.",
    instead: "Ask a person to do it.",
    suggestion: "uptime",
    examples: &["systemctl suspend", "systemctl isolate rescue.target", "init 1", "rtcwake -m mem -s 60"],
    near_misses: &[
        "systemctl get-default",
        "runlevel",
        "systemctl list-units --type=target",
        "rtcwake -m no -s 60",
    ],
    judge,
};

fn judge(facts: &Facts, report: &mut Report<'_>) {
    for (effect, name) in things(facts, Verb::Configure, "power state") {
        let name = if name.is_empty() { &effect.by } else { name };
        report.effect(effect, format!("changes the machine's state (`{name}`)"));
    }
}
