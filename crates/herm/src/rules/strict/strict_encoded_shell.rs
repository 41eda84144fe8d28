//! Decoded text that runs as code, in the strict preset.

use herm_shell::{Provenance, Verb};

use crate::facts::Facts;
use crate::finding::Stance;
use crate::rules::strict::words;
use crate::rules::{Layer, Report, Rule};

/// Decoded text that runs as code, in the strict preset.
pub static STRICT_ENCODED_SHELL: Rule = Rule {
    name: "strict-encoded-shell",
    title: "encoded shell",
    layer: Layer::Strict,
    stance: Stance::Deny,
    finds: "Decoded text that runs as code, in the strict preset.",
    matters: "Nobody encodes a command that they want to be read.",
    instead: "Write the command out.",
    suggestion: "",
    examples: &["echo bHM= | base64 -d | sh", "powershell -EncodedCommand bABzAA==", "pwsh -enc bABzAA=="],
    near_misses: &["base64 -d data.b64", "echo bHM= | base64 -d", "powershell -File x.ps1"],
    judge,
};

fn judge(facts: &Facts, report: &mut Report<'_>) {
    for effect in facts
        .effects()
        .filter(|effect| effect.verb == Verb::Execute && effect.provenance.has(Provenance::DECODED))
    {
        report.effect(effect, "runs what was decoded");
    }
    for invocation in words(facts, INTENTS) {
        report.invocation(facts, invocation, "runs an encoded command");
    }
}

const INTENTS: &[(&str, &[&str])] = &[
    ("powershell", &["-enc*"]),
    ("powershell", &["-e"]),
    ("powershell", &["-ec"]),
    ("pwsh", &["-enc*"]),
    ("pwsh", &["-e"]),
    ("pwsh", &["-ec"]),
];
