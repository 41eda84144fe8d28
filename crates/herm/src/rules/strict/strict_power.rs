//! A shutdown, reboot, halt or power-off, in the strict preset.

use herm_shell::Verb;

use crate::facts::Facts;
use crate::finding::Stance;
use crate::rules::{Layer, Report, Rule};

/// A shutdown, reboot, halt or power-off, in the strict preset.
pub static STRICT_POWER: Rule = Rule {
    name: "strict-power",
    title: "power change",
    layer: Layer::Strict,
    stance: Stance::Deny,
    finds: "A shutdown, reboot, halt or power-off, in the strict preset.",
    matters: "Everything that runs on the machine ends.",
    instead: "Leave the machine on.",
    suggestion: "",
    examples: &["reboot", "sudo poweroff", "systemctl reboot"],
    near_misses: &["echo reboot", "man shutdown", "grep halt src/main.c"],
    judge,
};

fn judge(facts: &Facts, report: &mut Report<'_>) {
    for effect in facts.effects().filter(|effect| effect.verb == Verb::Power) {
        report.effect(effect, "changes the power state");
    }
}
