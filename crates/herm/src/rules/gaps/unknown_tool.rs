//! A tool of an agent or of a server that herm does not know.

use herm_shell::{Target, Verb};

use crate::facts::Facts;
use crate::finding::Stance;
use crate::rules::{Layer, Report, Rule};

/// A tool of an agent or of a server that herm does not know.
pub static UNKNOWN_TOOL: Rule = Rule {
    name: "unknown-tool",
    title: "tool that is not known",
    layer: Layer::Gaps,
    stance: Stance::Ask,
    finds: "A tool of an agent, or of a server that speaks MCP, of which herm knows nothing but its name.",
    matters: "What it does with what it is given is not known.",
    instead: "Use a tool that herm knows, or allow this one by name once it was looked at.",
    suggestion: "",
    examples: &[
        "github/create_issue {\"title\":\"x\"}",
        "filesystem/write_file {\"path\":\"notes.txt\"}",
        "Frobnicate {}",
    ],
    near_misses: &["ls", "git status", "echo 'github/create_issue'"],
    judge,
};

fn judge(facts: &Facts, report: &mut Report<'_>) {
    for effect in facts.effects().filter(|effect| effect.verb == Verb::Execute) {
        if let Target::Named("tool", name) = &effect.target {
            report.effect(effect, format!("calls the tool `{name}`, which herm does not know"));
        }
    }
}
