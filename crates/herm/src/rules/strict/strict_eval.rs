//! `eval` or `exec`, in the strict preset.

use crate::facts::Facts;
use crate::finding::Stance;
use crate::rules::strict::words;
use crate::rules::{Layer, Report, Rule};

/// `eval` or `exec`, in the strict preset.
pub static STRICT_EVAL: Rule = Rule {
    name: "strict-eval",
    title: "bare eval or exec",
    layer: Layer::Strict,
    stance: Stance::Deny,
    finds: "`eval` or `exec`, in the strict preset.",
    matters: "What runs is not what is written.",
    instead: "Write the command itself.",
    suggestion: "",
    examples: &["eval ls", "exec bash", r#"eval "$x""#],
    near_misses: &["ls", "echo eval", "docker exec web ls"],
    judge,
};

fn judge(facts: &Facts, report: &mut Report<'_>) {
    for invocation in words(facts, INTENTS) {
        report.invocation(facts, invocation, "runs words as a command");
    }
}

const INTENTS: &[(&str, &[&str])] = &[("eval", &[]), ("exec", &["*"])];
