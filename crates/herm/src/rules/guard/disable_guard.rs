//! Guards that are switched off.

use herm_shell::{Flags, Verb};

use crate::facts::Facts;
use crate::finding::Stance;
use crate::rules::named::{of_kind, the};
use crate::rules::rule::{Layer, Report, Rule};

/// A command that switches off or weakens what watches over the agent.
pub static DISABLE_GUARD: Rule = Rule {
    name: "disable-guard",
    title: "disable the guard",
    layer: Layer::Command,
    stance: Stance::Ask,
    finds: "A command that switches off or weakens what watches over the agent.",
    matters: "An agent that can switch off its guard has none.",
    instead: "Ask a person to change it.",
    suggestion: "herm rules",
    examples: &[
        "hermes config set approvals.timeout 0",
        "export HERMES_YOLO_MODE=$mode",
        "herm pause",
        "herm uninit",
        "hermes hooks remove fence",
        "hermes config set security.redact_secrets false",
    ],
    near_misses: &["hermes config show", "herm rules", "herm check ls", "hermes status"],
    judge,
};

fn judge(facts: &Facts, report: &mut Report<'_>) {
    for (effect, name) in
        of_kind(facts, Verb::Disable, &["guard"]).filter(|(effect, _)| !effect.flags.has(Flags::FORCE))
    {
        report.effect(effect, format!("switches off or weakens {}", the("guard", name)));
    }
}
