//! Which changes `git checkout`, `git restore` and `git rm` throw away.

use crate::effect::{Flags, Verb};
use crate::programs::arguments::Parsed;
use crate::programs::phrases::{after_dashes, emit};
use crate::sink::Sink;
use crate::value::Value;

/// Values of options that git only takes glued on, but that people write apart.
const LOOSE_VALUES: &[&str] = &["direct", "inherit", "checkout", "on-demand"];

/// Names with these endings are files, not branches.
const FILE_ENDINGS: &[&str] = &[
    "c", "cc", "cpp", "css", "go", "h", "html", "java", "js", "json", "jsx", "kt", "lock", "md", "php", "py",
    "rb", "rs", "scss", "sh", "sql", "swift", "toml", "ts", "tsx", "txt", "vue", "xml", "yaml", "yml",
];

/// With `--unsafe-paths` a patch reaches outside the work tree.
pub(super) fn apply(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    if parsed.has("--unsafe-paths") {
        let root = Value::literal("/");
        let directory = parsed.value("--directory").unwrap_or(&root);
        sink.path(Verb::Write, directory, Flags::RECURSIVE);
    }
    crate::programs::patches::applied(parsed, sink);
}

/// `git checkout` switches branches, which keeps changes, or puts old content over files, which loses them.
pub(super) fn checkout(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    if parsed.has("-f --force") {
        emit(sink, Verb::Discard, "work tree", "", Flags::FORCE | Flags::ALL);
    } else if parsed.has("--pathspec-from-file") {
        emit(sink, Verb::Discard, "work tree", "", Flags::NONE);
    } else if !parsed.has("-b -B --orphan -p --patch --ours --theirs") {
        for path in overwritten(parsed) {
            discard(&path, sink);
        }
    }
}

/// `git restore` puts old content over files, unless it only touches the index.
pub(super) fn restore(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    let index_only = parsed.has("-S --staged") && !parsed.has("-W --worktree");
    if index_only || parsed.has("-p --patch") {
        return;
    }
    if parsed.has("--pathspec-from-file") {
        emit(sink, Verb::Discard, "work tree", "", Flags::NONE);
    }
    for argument in &parsed.operands {
        discard(&argument.value, sink);
    }
}

/// `git rm` deletes what a commit holds; forced, also what none holds.
pub(super) fn remove(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    if parsed.has("--cached") {
        return;
    }
    let below = if parsed.has("-r") { Flags::RECURSIVE } else { Flags::NONE };
    let kept = if parsed.has("-f --force") { Flags::FORCE } else { Flags::TRACKED };
    for argument in &parsed.operands {
        sink.path(Verb::Delete, &argument.value, below | kept);
    }
}

/// What is taken into a commit, or made ready for one. Its content goes wherever the commit is pushed.
pub(super) fn stage(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    if parsed.stopped || parsed.has("-n --dry-run") && parsed.subcommands.first() != Some(&"commit") {
        return;
    }
    let forced = if parsed.has("-f --force") { Flags::FORCE } else { Flags::NONE };
    let is_commit = parsed.subcommands.first() == Some(&"commit");
    let takes_all = !is_commit && parsed.has("-A --all");
    let takes_known =
        if is_commit { parsed.has("-a --all") } else { parsed.has("-u --update") && !takes_all };
    // Only what the repository has already is taken.
    let known = if takes_known { Flags::NARROWED } else { Flags::NONE };
    let staged = Flags::METADATA | Flags::TRACKED | forced | known;
    for argument in &parsed.operands {
        sink.path(Verb::Read, &without_magic(&argument.value), staged);
    }
    if parsed.operands.is_empty() && (takes_all || takes_known) {
        sink.path(Verb::Read, &Value::literal("."), staged | Flags::RECURSIVE);
    }
}

/// `:/x`, `:(top)x` and `:(icase)x` are paths with a word on how to take them; `:!x` leaves some out.
pub(super) fn without_magic(path: &Value) -> Value {
    let text = path.known_prefix();
    let rest = match text.strip_prefix(':') {
        Some(rest) if rest.starts_with(['!', '^']) || rest.starts_with("(exclude") => {
            return Value::literal(".");
        }
        Some(rest) if rest.starts_with('(') => rest.split_once(')').map_or(rest, |(_, rest)| rest),
        Some(rest) => rest.trim_start_matches('/'),
        None => return path.clone(),
    };
    crate::programs::arguments::tail(path, text.len() - rest.len())
}

fn overwritten(parsed: &Parsed<'_>) -> Vec<Value> {
    if let Some(paths) = after_dashes(parsed) {
        return paths;
    }
    let mut words: Vec<Value> = parsed.operands.iter().map(|argument| argument.value.clone()).collect();
    if parsed.has("-t --track --recurse-submodules") && words.len() > 1 {
        words.retain(|word| word.known().is_none_or(|text| !LOOSE_VALUES.contains(&text.as_ref())));
    }
    match words.as_slice() {
        [only] if looks_like_path(only) => words,
        [_, paths @ ..] => paths.to_vec(),
        [] => words,
    }
}

fn looks_like_path(word: &Value) -> bool {
    let text = word.shown();
    let file = text
        .rsplit_once('.')
        .is_some_and(|(stem, ending)| !stem.is_empty() && FILE_ENDINGS.contains(&ending));
    file || word.has_glob()
        || matches!(text.as_str(), "." | "..")
        || ["./", "../", ":/", ":("].iter().any(|start| text.starts_with(start))
        || (text.len() > 1 && text.ends_with('/'))
}

fn discard(path: &Value, sink: &mut dyn Sink) {
    let text = path.shown();
    let everything = matches!(text.as_str(), "." | "./" | ":/" | "*" | "..");
    emit(sink, Verb::Discard, "work tree", text, if everything { Flags::ALL } else { Flags::NONE });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_told_from_branches() {
        for path in [".", "./src", "../x", ":/", "src/", "README.md", "src/main.rs"] {
            assert!(looks_like_path(&Value::literal(path)), "{path}");
        }
        for branch in ["main", "-", "v1.2.3", "feature/x", "release-1.0", "HEAD~2", "origin/main"] {
            assert!(!looks_like_path(&Value::literal(branch)), "{branch}");
        }
    }
}
