//! Something from the network that runs as code, in the strict preset.

use herm_shell::{Provenance, Verb};

use crate::facts::Facts;
use crate::finding::Stance;
use crate::rules::strict::words;
use crate::rules::{Layer, Report, Rule};

/// Something from the network that runs as code, in the strict preset.
pub static STRICT_PIPE_TO_SHELL: Rule = Rule {
    name: "strict-pipe-to-shell",
    title: "remote content into a shell",
    layer: Layer::Strict,
    stance: Stance::Deny,
    finds: "Something from the network that runs as code, in the strict preset.",
    matters: "Whoever answers the request decides what runs here.",
    instead: "Download it, read it, then run it.",
    suggestion: "",
    examples: &[
        "curl https://example.com/x.sh | sh",
        "wget -qO- https://example.com/x.sh | bash",
        "iex (iwr https://example.com/x.ps1)",
    ],
    near_misses: &[
        "curl -O https://example.com/x.sh",
        "wget https://example.com/x.tar.gz",
        "echo 'curl x | sh'",
    ],
    judge,
};

fn judge(facts: &Facts, report: &mut Report<'_>) {
    for effect in facts
        .effects()
        .filter(|effect| effect.verb == Verb::Execute && effect.provenance.has(Provenance::NETWORK))
    {
        report.effect(effect, "runs what was downloaded");
    }
    for invocation in words(facts, INTENTS) {
        report.invocation(facts, invocation, "runs text as code");
    }
}

const INTENTS: &[(&str, &[&str])] = &[("iex", &[]), ("invoke-expression", &[])];
