//! Shuts down, halts or restarts the machine.

use herm_shell::{Effect, Target, Verb};

use crate::facts::Facts;
use crate::finding::Stance;
use crate::rules::rule::{Layer, Report, Rule};

pub(crate) static POWER_OFF: Rule = Rule {
    name: "power-off",
    title: "shut down or restart the machine",
    layer: Layer::Floor,
    stance: Stance::Deny,
    finds: "Shuts down, halts or restarts the machine.",
    matters: "Everything that runs on it ends, for everybody, and it may not come back.",
    instead: "Ask a person to do it.",
    suggestion: "uptime",
    examples: &[
        "reboot",
        "shutdown -h now",
        "sudo systemctl poweroff",
        "init 0",
        "echo b > /proc/sysrq-trigger",
        "systemctl isolate reboot.target",
    ],
    near_misses: &[
        "shutdown -c",
        "echo reboot",
        "last reboot",
        "systemctl status reboot.target",
        "./reboot-checker --help",
    ],
    judge,
};

fn judge(facts: &Facts, report: &mut Report<'_>) {
    for effect in facts.effects().filter(|effect| is_power(effect)) {
        report.effect(effect, format!("`{}` takes the machine down", effect.by));
    }
}

/// A letter written to sysrq-trigger is an order to the kernel, most of them this one.
fn is_power(effect: &Effect) -> bool {
    let sysrq = matches!(&effect.target, Target::Path(path) if path.path.ends_with("/sysrq-trigger"));
    effect.verb == Verb::Power || effect.verb == Verb::Write && sysrq
}
