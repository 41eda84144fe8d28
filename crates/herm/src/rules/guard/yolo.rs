//! Agents without approvals.

use herm_shell::{Flags, Verb};

use crate::facts::Facts;
use crate::finding::Stance;
use crate::rules::named::of_kind;
use crate::rules::rule::{Layer, Report, Rule};

/// An agent that is started so that it asks nobody.
pub static YOLO: Rule = Rule {
    name: "yolo",
    title: "run an agent without approvals",
    layer: Layer::Command,
    stance: Stance::Ask,
    finds: "An agent that is started so that it asks nobody.",
    matters: "What this agent may not do, it could have the other one do.",
    instead: "Start it with its usual approvals.",
    suggestion: "hermes status",
    examples: &[
        "hermes --yolo",
        "HERMES_YOLO_MODE=1 hermes chat -q hi",
        "claude --dangerously-skip-permissions",
        "codex --dangerously-bypass-approvals-and-sandbox",
        "gemini --yolo",
    ],
    near_misses: &[
        "hermes chat -q hi",
        "claude --help",
        "codex --version",
        "HERMES_YOLO_MODE=0 hermes status",
    ],
    judge,
};

fn judge(facts: &Facts, report: &mut Report<'_>) {
    for (effect, _) in
        of_kind(facts, Verb::Disable, &["guard"]).filter(|(effect, _)| effect.flags.has(Flags::FORCE))
    {
        report.effect(effect, format!("starts `{}` so that it asks nobody", effect.by));
    }
}
