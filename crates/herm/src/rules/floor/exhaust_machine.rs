//! Starts processes without end, or writes without end.

use herm_shell::Verb;

use crate::facts::Facts;
use crate::finding::Stance;
use crate::rules::rule::{Layer, Report, Rule};

pub(crate) static EXHAUST_MACHINE: Rule = Rule {
    name: "exhaust-machine",
    title: "fork bomb or endless fill",
    layer: Layer::Floor,
    stance: Stance::Deny,
    finds: "Starts processes without end, or writes without end.",
    matters: "The machine stops answering until it is switched off.",
    instead: "Say how much: `head -c 1M /dev/zero`.",
    suggestion: "head -c 1024 /dev/urandom",
    examples: &[
        ":(){ :|:& };:",
        "bomb() { bomb | bomb & }; bomb",
        "cat /dev/zero > fill",
        "tail /dev/zero",
        "dd if=/dev/zero of=fill bs=1M",
        "yes > fill",
    ],
    near_misses: &[
        "head -c 1M /dev/zero > zeros",
        "dd if=/dev/zero of=zeros bs=1M count=10",
        "cat /dev/urandom | head -c 16",
        "yes | head -3",
        "f() { echo hi; }; f",
    ],
    judge,
};

fn judge(facts: &Facts, report: &mut Report<'_>) {
    for effect in facts.effects().filter(|effect| effect.verb == Verb::Exhaust) {
        report.effect(effect, format!("`{}` goes on until the machine stops answering", effect.by));
    }
}
