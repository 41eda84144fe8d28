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
        "herm run --yolo 'make test'",
        "HERM_HOME=/tmp/mine herm run 'make test'",
        "export HERM_HOME=$where; herm run 'make test'",
        "env HOME=/tmp/mine herm run -- make test",
        "herm run --config loose.yaml 'make test'",
        "herm run --preset=permissive 'make test'",
    ],
    near_misses: &[
        "hermes chat -q hi",
        "claude --help",
        "codex --version",
        "HERMES_YOLO_MODE=0 hermes status",
        "herm run 'make test'",
        "herm run --preset strict 'make test'",
        "HERM_HOME=/tmp/mine herm check ls",
        "MAKEFLAGS=-j2 herm run 'make test'",
    ],
    judge,
};

fn judge(facts: &Facts, report: &mut Report<'_>) {
    for (effect, name) in
        of_kind(facts, Verb::Disable, &["guard"]).filter(|(effect, _)| effect.flags.has(Flags::FORCE))
    {
        let by = &effect.by;
        if name.is_empty() || *name == **by {
            report.effect(effect, format!("starts `{by}` so that it asks nobody"));
        } else {
            report.effect(effect, format!("starts `{by}` with `{name}`, so that it may ask nobody"));
        }
    }
}
