//! Processes that are ended by force, in the strict preset.

use herm_shell::{Flags, Verb};

use crate::facts::Facts;
use crate::finding::Stance;
use crate::rules::strict::words;
use crate::rules::{Layer, Report, Rule};

/// Processes that are ended by force, in the strict preset.
pub static STRICT_FORCE_KILL: Rule = Rule {
    name: "strict-force-kill",
    title: "forced kill",
    layer: Layer::Strict,
    stance: Stance::Deny,
    finds: "Processes that are ended by force, in the strict preset.",
    matters: "They get no chance to finish.",
    instead: "Send the gentle signal to one process.",
    suggestion: "",
    examples: &["kill -9 1234", "kill -KILL 1234", "Stop-Process -Force -Id 1"],
    near_misses: &["kill -0 1234", "ps aux", "echo kill -9"],
    judge,
};

fn judge(facts: &Facts, report: &mut Report<'_>) {
    for effect in
        facts.effects().filter(|effect| effect.verb == Verb::Kill && effect.flags.has(Flags::KILL_SIGNAL))
    {
        report.effect(effect, "ends processes by force");
    }
    for invocation in words(facts, INTENTS) {
        report.invocation(facts, invocation, "ends processes by force");
    }
}

const INTENTS: &[(&str, &[&str])] = &[("stop-process", &["-force"]), ("taskkill", &["/f"])];
