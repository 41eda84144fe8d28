//! Running what was hidden in an encoding.

use herm_shell::{Effect, Provenance, Target, Verb};

use super::what_runs;
use crate::facts::Facts;
use crate::finding::Stance;
use crate::rules::rule::{Layer, Report, Rule};

/// Running what was hidden in an encoding and could not be read here.
pub static DECODE_TO_SHELL: Rule = Rule {
    name: "decode-to-shell",
    title: "decoded content to shell",
    layer: Layer::Command,
    stance: Stance::Ask,
    finds: "Code that is decoded or decrypted on the way to an interpreter and whose text cannot be known beforehand.",
    matters: "An encoding hides what runs from the one who is asked to allow it.",
    instead: "Decode it into a file, read the file, and run it by name.",
    suggestion: "base64 -d payload.b64 > payload.txt",
    examples: &[
        "base64 -d payload.b64 | sh",
        "openssl enc -d -aes-256-cbc -in script.enc -pass pass:x | bash",
        "eval \"$(base64 -d < script.b64)\"",
    ],
    near_misses: &[
        "base64 -d payload.b64 > payload.bin",
        "echo aGVsbG8= | base64 -d",
        "openssl enc -d -aes-256-cbc -in notes.enc -out notes.txt",
    ],
    judge,
};

fn judge(facts: &Facts, report: &mut Report<'_>) {
    for effect in facts.effects().filter(|effect| is_hidden(effect)) {
        report.effect(effect, format!("runs {} that is only decoded when it runs", what_runs(effect)));
    }
}

fn is_hidden(effect: &Effect) -> bool {
    let known = matches!(&effect.target, Target::Code(_, Some(_)));
    effect.verb == Verb::Execute && effect.provenance.has(Provenance::DECODED) && !known
}
