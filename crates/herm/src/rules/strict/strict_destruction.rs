//! A recursive deletion, a format or a raw copy, in the strict preset.

use herm_shell::{Effect, Flags, Verb};

use crate::facts::Facts;
use crate::finding::Stance;
use crate::rules::strict::words;
use crate::rules::{Layer, Report, Rule};

/// A recursive deletion, a format or a raw copy, in the strict preset.
pub static STRICT_DESTRUCTION: Rule = Rule {
    name: "strict-destruction",
    title: "destructive file system command",
    layer: Layer::Strict,
    stance: Stance::Deny,
    finds: "A recursive deletion, a format or a raw copy, in the strict preset.",
    matters: "What is lost that way does not come back.",
    instead: "Delete single files by name.",
    suggestion: "",
    examples: &[
        "rm -rf build",
        "mkfs.ext4 /dev/sdb1",
        "dd if=/dev/zero of=disk.img",
        "find . -name '*.tmp' -delete",
        "del /s x",
    ],
    near_misses: &["rm build/out.o", "ls -R", "echo rm -rf build"],
    judge,
};

fn judge(facts: &Facts, report: &mut Report<'_>) {
    for effect in facts.effects().filter(|effect| destroys(effect)) {
        report.effect(effect, "destroys files, which strict refuses");
    }
    for invocation in words(facts, INTENTS) {
        report.invocation(facts, invocation, "is one of the commands that strict refuses as destructive");
    }
}

fn destroys(effect: &Effect) -> bool {
    effect.verb == Verb::Format
        || effect.verb == Verb::Delete && effect.flags.any(Flags::NARROWED | Flags::RECURSIVE)
}

const INTENTS: &[(&str, &[&str])] = &[
    ("del", &["/s"]),
    ("erase", &["/s"]),
    ("rd", &["/s"]),
    ("rmdir", &["/s"]),
    ("remove-item", &["-recurse"]),
    ("format", &[]),
    ("mkfs", &[]),
    ("mkfs.*", &[]),
    ("dd", &["if=*"]),
];
