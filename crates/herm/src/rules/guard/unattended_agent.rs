//! Other agents without approvals.

use herm_shell::{Flags, Realm, Verb};

use crate::facts::Facts;
use crate::finding::Stance;
use crate::rules::named::{kind, of_kind};
use crate::rules::rule::{Layer, Report, Rule};

/// Another agent that is started so that it asks nobody.
pub static UNATTENDED_AGENT: Rule = Rule {
    name: "unattended-agent",
    title: "run an agent without approvals",
    layer: Layer::Command,
    stance: Stance::Ask,
    finds: "Another agent that is started so that it asks nobody, or one on another machine.",
    matters: "What this agent may not do, it could have the other one do.",
    instead: "Start it with its usual approvals.",
    suggestion: "claude --help",
    examples: &[
        "claude --dangerously-skip-permissions",
        "codex --dangerously-bypass-approvals-and-sandbox",
        "gemini --yolo",
        "openclaw --yolo",
        "ssh build.example hermes --yolo",
    ],
    near_misses: &["claude --help", "codex --version", "gemini -p hi", "ssh build.example hermes status"],
    judge,
};

fn judge(facts: &Facts, report: &mut Report<'_>) {
    for (effect, name) in of_kind(facts, Verb::Disable, &["approvals", "guard"])
        .filter(|(effect, _)| effect.flags.has(Flags::FORCE))
        .filter(|(effect, _)| kind(effect) == "guard" || matches!(effect.realm, Realm::Remote(_)))
    {
        let by = &effect.by;
        if name.is_empty() || *name == **by {
            report.effect(effect, format!("starts `{by}` so that it asks nobody"));
        } else {
            report.effect(effect, format!("starts `{by}` with `{name}`, so that it may ask nobody"));
        }
    }
}
