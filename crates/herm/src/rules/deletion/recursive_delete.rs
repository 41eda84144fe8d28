//! Deletes a directory and everything below it.

use herm_shell::{Effect, Flags, PathTarget, Verb};

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
        "find src -delete",
        "rm build/ -rf",
        "npx rimraf dist",
        "tar czf a.tgz logs --remove-files",
        "rm -rf /tmp/shared",
        r#"tmp=$(mktemp -d); rm -rf "$tmp"/*"#,
        r#"tmp=$(mktemp -d); mv src "$tmp"; rm -rf "$tmp""#,
        r#"tmp=$(mktemp -d); ln -sfn "$PWD" "$tmp"; rm -rf "$tmp/""#,
        r#"tmp=$(mktemp -d); tmp=src; rm -rf "$tmp""#,
        r#"tmp=$(mktemp -du); rm -rf "$tmp""#,
        r#"PATH=.:$PATH; tmp=$(mktemp -d); rm -rf "$tmp""#,
        r#"tmp=$(mktemp -d src.XXXX); rm -rf "$tmp""#,
        r#"tmp=$(mktemp -d); cd "$tmp"; mv $x .; cd; rm -rf "$tmp""#,
        r#"tmp=$(mktemp -d); bindfs src "$tmp"; rm -rf "$tmp""#,
        r#"tmp=$(mktemp -d); sshfs host:/srv "$tmp"; rm -rf "$tmp""#,
    ],
    near_misses: &[
        "rm file.txt",
        "rm -f *.o",
        "rmdir empty",
        "ls -R build",
        "git rm --cached x",
        r#"tmp=$(mktemp -d); trap 'rm -rf "$tmp"' EXIT"#,
        r#"work="$(mktemp -d -t build-XXXX)"; cp -r . "$work"; (cd "$work" && make); rm -rf "$work""#,
        r#"a=$(mktemp -d); b=$(mktemp -d); mv "$a/x" y; rm -rf "$a""#,
        "python3 -c 'import tempfile, shutil; d = tempfile.mkdtemp(); shutil.rmtree(d)'",
    ],
    judge,
};

fn judge(facts: &Facts, report: &mut Report<'_>) {
    let recursive = paths(facts, &[Verb::Delete]).filter(|(effect, _)| effect.flags.has(Flags::RECURSIVE));
    let counts = |effect: &Effect, path: &PathTarget| {
        !effect.flags.has(Flags::FRESH) && !is_floor_deletion(effect, path)
    };
    for (effect, path) in recursive.filter(|(effect, path)| counts(effect, path)) {
        report.effect(effect, format!("deletes `{}` and everything below it", path.shown));
    }
}
