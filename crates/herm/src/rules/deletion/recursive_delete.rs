//! Deletes a directory and everything below it.

use herm_shell::{Flags, Verb};

use crate::facts::Facts;
use crate::finding::Stance;
use crate::rules::rule::{Layer, Report, Rule};
use crate::rules::subject::{is_floor_deletion, paths};

pub(crate) static RECURSIVE_DELETE: Rule = Rule {
    name: "recursive-delete",
    title: "recursive delete",
    layer: Layer::Command,
    stance: Stance::Ask,
    finds: "Deletes a directory and everything below it, other than output that the repository leaves out and tools generate again (`dist`, `node_modules`).",
    matters: "One wrong name takes more than was meant, and there is no way back.",
    instead: "Look at what is there, then delete the files by name.",
    suggestion: "ls -la build",
    examples: &[
        "rm -rf build",
        "rm -r src",
        "find . -name '*.pyc' -delete",
        "rm build/ -rf",
        "npx rimraf dist",
        "tar czf a.tgz logs --remove-files",
    ],
    near_misses: &["rm file.txt", "rm -f *.o", "rmdir empty", "ls -R build", "git rm --cached x"],
    judge,
};

fn judge(facts: &Facts, report: &mut Report<'_>) {
    let recursive = paths(facts, &[Verb::Delete]).filter(|(effect, _)| effect.flags.has(Flags::RECURSIVE));
    for (effect, path) in recursive.filter(|(effect, path)| !is_floor_deletion(effect, path)) {
        report.effect(effect, format!("deletes `{}` and everything below it", path.shown));
    }
}
