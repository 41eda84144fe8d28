//! Deletes or empties what `find`, `xargs`, `parallel` or the output of a program hands to it.

use herm_shell::place::Extent;
use herm_shell::{Effect, Flags, PathTarget, Places, Provenance, Verb};

use crate::facts::Facts;
use crate::finding::Stance;
use crate::rules::rule::{Layer, Report, Rule};
use crate::rules::subject::paths;

pub(crate) static BULK_DELETE: Rule = Rule {
    name: "bulk-delete",
    title: "delete whatever a search finds",
    layer: Layer::Command,
    stance: Stance::Ask,
    finds: "Deletes or empties what `find`, `xargs`, `parallel`, a pattern or the output of a program hands to it, other than logs that are emptied, and what the repository leaves out and `find` finds by a name that only tools give (`__pycache__`, `*.pyc`).",
    matters: "Nobody has seen the list of files before they are gone.",
    instead: "Print the list first, then delete by name.",
    suggestion: "find . -name '*.tmp'",
    examples: &[
        "find . -name '*.tmp' | xargs rm",
        "find . -name core -exec rm {} ';'",
        "find . -name '*.tmp' -delete",
        "cat list | xargs -n1 rm -f",
        "ls *.bak | parallel rm",
        "fd -e pyc -x rm",
        "rm $(git ls-files --others)",
        "find . -type f -exec truncate -s 0 {} +",
        "git ls-files | xargs sed -i d",
        "for f in src/*; do : > \"$f\"; done",
        "for f in src/*.c; do expand \"$f\" > \"$f\"; done",
    ],
    near_misses: &[
        "find . -name '*.tmp'",
        "find . -type d -empty -exec rmdir {} +",
        "find . -name '*.c' | xargs wc -l",
        "find . -exec grep -l x {} +",
        "xargs echo rm",
        "find . -name '*.gz' | xargs gunzip",
        "find . -name '*.py' -exec sed -i s/a/b/ {} +",
        "git ls-files | xargs sed -i '1,3d'",
        "find . -name '*.log' -exec truncate -s 0 {} +",
        "truncate -s 0 out.txt",
        "for f in src/*.c; do expand \"$f\" > \"$f.new\" && mv \"$f.new\" \"$f\"; done",
    ],
    judge,
};

fn judge(facts: &Facts, report: &mut Report<'_>) {
    // What `rmdir` deletes holds nothing.
    let counts = |effect: &Effect| !effect.flags.has(Flags::MOVE) && &*effect.by != "rmdir";
    let deletions = paths(facts, &[Verb::Delete]).filter(|(effect, _)| counts(effect));
    for (effect, path) in deletions {
        if let Some(by) = searcher(facts, effect).or_else(|| narrowed(effect)) {
            report.effect(effect, format!("deletes whatever `{by}` finds (`{}`)", path.shown));
        } else if is_listed(effect, path) {
            report.effect(effect, format!("deletes whatever is listed by `{}`", path.shown));
        }
    }
    let emptied = paths(facts, &[Verb::Write]).filter(|(effect, _)| effect.flags.has(Flags::EMPTIED));
    for (effect, path) in emptied.filter(|(_, path)| is_chosen(path)) {
        report.effect(effect, format!("leaves nothing in whatever `{}` is", path.shown));
    }
}

/// Whether what is emptied is chosen by a search, a pattern or a listing, and is not only logs.
fn is_chosen(path: &PathTarget) -> bool {
    let is_log = path.shown.rsplit('/').next().is_some_and(|name| {
        let name = name.trim_end_matches(['*', '?', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9', '.']);
        name.rsplit_once('.').is_some_and(|(_, kind)| matches!(kind, "log" | "tmp"))
    });
    !path.places.has(Places::TEMPORARY) && !is_log
}

/// Whether another program's output chose the file: `rm $(git ls-files -o)`.
fn is_listed(effect: &Effect, path: &PathTarget) -> bool {
    let chosen = effect.provenance.has(Provenance::OUTSIDE) && path.extent == Extent::Prefix;
    chosen && path.shown.contains("$(") && path.shown.ends_with(')')
}

/// `find -delete`, which deletes by itself what it finds.
fn narrowed(effect: &Effect) -> Option<&str> {
    effect.flags.has(Flags::NARROWED).then_some(&*effect.by)
}

/// The program that chose the files, when it is one that makes lists.
fn searcher<'a>(facts: &'a Facts, effect: &Effect) -> Option<&'a str> {
    let mut within = facts.shell.invocations.get(effect.invocation)?.within;
    // An invocation only ever stands within an earlier one, but a cycle must not hang.
    for _ in 0..facts.shell.invocations.len() {
        let outer = facts.shell.invocations.get(within?)?;
        if ["find", "gfind", "bfs", "fd", "fdfind", "xargs", "gxargs", "parallel"].contains(&&*outer.program)
        {
            return Some(&outer.program);
        }
        within = outer.within;
    }
    None
}
