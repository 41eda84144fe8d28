//! A program that herm does not know, and that is given credentials, a disk, the guard's own files or a file that decides who may do what.

use herm_shell::Places;

use crate::facts::Facts;
use crate::finding::Stance;
use crate::rules::{Layer, Report, Rule};

/// A program that herm does not know, and that is given credentials, a disk, the guard's own files or a file that decides who may do what.
pub static SENSITIVE_OPERAND: Rule = Rule {
    name: "sensitive-operand",
    title: "unknown program on a sensitive path",
    layer: Layer::Gaps,
    stance: Stance::Ask,
    finds: "A program that herm does not know, and that is given credentials, a disk, the guard's own files or a file that decides who may do what.",
    matters: "Nothing says whether it only looks.",
    instead: "Use a program that herm knows.",
    suggestion: "ls -l ~/.ssh",
    examples: &["frobnicate ~/.ssh/id_rsa", "frobnicate /dev/sda", "frobnicate --in=/etc/shadow"],
    near_misses: &["frobnicate --config /etc/app.conf", "frobnicate README.md", "frobnicate /tmp/x"],
    judge,
};

fn judge(facts: &Facts, report: &mut Report<'_>) {
    for operand in facts.operands.iter().filter(|operand| operand.path.places.any(SENSITIVE)) {
        let kinds: Vec<_> = operand.path.places.words().collect();
        let reason =
            format!("hands `{}` ({}) to a program that is not known", operand.path.shown, kinds.join(", "));
        report.invocation(facts, operand.invocation, reason);
    }
}

const SENSITIVE: Places = Places::AUTHORITY
    .and(Places::BLOCK_DEVICE)
    .and(Places::CREDENTIAL)
    .and(Places::GUARD)
    .and(Places::MEMORY);
