//! Approvals by the agent itself.

use herm_shell::{Flags, Verb};

use crate::facts::Facts;
use crate::finding::Stance;
use crate::rules::named::of_kind;
use crate::rules::rule::{Layer, Report, Rule};

/// An approval, grant or pairing that an agent gives itself or a stranger.
pub static SELF_APPROVE: Rule = Rule {
    name: "self-approve",
    title: "approve on behalf of a person",
    layer: Layer::Command,
    stance: Stance::Ask,
    finds: "An approval, grant or pairing that an agent gives itself or a stranger.",
    matters: "Only a person may say yes.",
    instead: "Wait for the person.",
    suggestion: "herm approvals",
    examples: &[
        "hermes pairing approve telegram ABC123",
        "herm approvals approve 7",
        "herm grants add recursive-delete",
        "herm hooks allow 1",
        "herm acp -- gemini --acp",
        "herm hook claude-code < event.json",
        "herm mcp pins forget github",
        "herm mcp serve",
        "herm mcp wrap -- some-server",
        "herm run --ticket 0123456789abcdef0123456789abcdef; exit",
    ],
    near_misses: &[
        "hermes pairing list",
        "herm approvals",
        "herm grants",
        "herm hooks list",
        "herm mcp pins list",
    ],
    judge,
};

fn judge(facts: &Facts, report: &mut Report<'_>) {
    for (effect, _) in of_kind(facts, Verb::Account, &["guard"]) {
        // An open question that the agent answers is no question any more.
        let stance = if effect.flags.has(Flags::FORCE) { Stance::Deny } else { Stance::Ask };
        report.effect_as(stance, effect, "says yes in place of a person");
    }
}
