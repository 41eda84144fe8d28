//! A tool of a server that is not the one that was looked at.

use herm_shell::{Target, Verb};

use crate::call::Drift;
use crate::facts::Facts;
use crate::finding::Stance;
use crate::rules::{Layer, Report, Rule};

/// A tool of a server that is not the one that was looked at.
pub static CHANGED_TOOL: Rule = Rule {
    name: "changed-tool",
    title: "tool that is described otherwise than before",
    layer: Layer::Gaps,
    stance: Stance::Ask,
    finds: "A tool of a server that speaks MCP whose description has changed since it was first seen, that was added since, or that was never listed; or a \
            server that says something else about itself than it did first.",
    matters: "Descriptions are instructions to the model. A server can show a harmless one first, and another once it is trusted.",
    instead: "Compare the descriptions, and allow the new one if the server was updated on purpose.",
    suggestion: "",
    examples: &[
        "github/create_issue {\"title\":\"x\"}",
        "filesystem/write_file {\"path\":\"notes.txt\"}",
        "notes/add {}",
    ],
    near_misses: &["ls", "git status", "echo 'github/create_issue'"],
    judge,
};

fn judge(facts: &Facts, report: &mut Report<'_>) {
    for effect in facts.effects().filter(|effect| effect.verb == Verb::Execute) {
        let Target::Named(kind, name) = &effect.target else { continue };
        let Some(drift) = Drift::of_kind(kind) else { continue };
        let name = name.rsplit_once('@').map_or(name.as_str(), |(name, _)| name);
        let how = match drift {
            Drift::Added => "which the server did not have when it was first seen",
            Drift::Changed => "whose description has changed since it was first seen",
            Drift::Instructions => {
                report.effect(
                    effect,
                    format!("tells the model what the server `{name}` did not say when it was first seen"),
                );
                continue;
            }
            Drift::Unlisted => "which the server has not listed",
        };
        report.effect(effect, format!("calls the tool `{name}`, {how}"));
    }
}
