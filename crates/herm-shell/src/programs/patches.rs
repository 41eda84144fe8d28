//! Patches: which files they write and delete, as their headers say, and what they add.

use super::arguments::Parsed;
use crate::effect::{Flags, Verb};
use crate::sink::Sink;
use crate::value::{Provenance, Value};

/// The most files that are told of a patch.
const FILES: usize = 64;

/// The name that stands for a file that is not there.
const NOWHERE: &str = "/dev/null";

/// A file that a patch changes.
#[derive(Debug, PartialEq, Eq)]
struct Change {
    /// Its name before, unless it is new.
    old: Option<String>,
    /// Its name behind, unless it is gone.
    new: Option<String>,
    /// The lines that are added, or stand around what is.
    text: String,
}

/// `patch -d DIRECTORY -pN < PATCH`.
pub(super) fn patch(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    let given = parsed.value("-i --input").or_else(|| parsed.operand(1)).cloned();
    let content = match given.filter(|path| path.known().is_none_or(|path| path != "-")) {
        Some(path) => sink.read(&path),
        None => sink.stdin(),
    };
    let reversed = parsed.has("-R --reverse");
    let target = parsed.operand(0).or_else(|| parsed.value("-o --output")).cloned();
    apply(&content, levels(parsed, "-p --strip"), reversed, target.as_ref(), sink);
}

/// `git apply -pN PATCH…`: names begin with `a/` and `b/` where nothing else is said.
pub(super) fn applied(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    if parsed.has("--check --stat --numstat --summary --cached") && !parsed.has("--apply") {
        return;
    }
    let mut contents: Vec<Value> = parsed.operands.iter().map(|file| file.value.clone()).collect();
    contents = contents
        .iter()
        .map(|file| if file.known().is_some_and(|name| name == "-") { sink.stdin() } else { sink.read(file) })
        .collect();
    if contents.is_empty() {
        contents.push(sink.stdin());
    }
    if let Some(directory) = parsed.value("--directory") {
        sink.change_directory(&directory.clone());
    }
    for content in &contents {
        apply(content, Some(levels(parsed, "-p").unwrap_or(1)), parsed.has("-R --reverse"), None, sink);
    }
}

/// How many directories are taken off the names. Where nothing is said, `patch` takes the last part alone.
fn levels(parsed: &Parsed<'_>, names: &'static str) -> Option<usize> {
    parsed.value(names).and_then(Value::known).and_then(|level| level.parse().ok())
}

/// Says of each file in a patch that is known what becomes of it.
fn apply(
    content: &Value,
    levels: Option<usize>,
    reversed: bool,
    target: Option<&Value>,
    sink: &mut dyn Sink,
) {
    let text = content.known_prefix();
    for change in changes(&text, reversed).into_iter().take(FILES) {
        let (old, new) = (change.old.as_deref(), change.new.as_deref());
        let path = |name: &str| target.cloned().unwrap_or_else(|| Value::literal(stripped(name, levels)));
        match (old, new) {
            (Some(gone), None) => sink.path(Verb::Delete, &path(gone), Flags::NONE),
            (None, Some(made)) => {
                sink.write(&path(made), &Value::literal(change.text).from(content.provenance), Flags::NONE);
            }
            (Some(_), Some(changed)) => {
                let path = path(changed);
                let mut text = Value::unknown(path.shown(), Provenance::FILE);
                text.push_str("\n");
                text.push(&Value::literal(change.text).from(content.provenance));
                sink.write(&path, &text, Flags::IN_PLACE);
            }
            (None, None) => {}
        }
    }
}

/// The files in a patch with what is added to each.
fn changes(text: &str, reversed: bool) -> Vec<Change> {
    let mut changes: Vec<Change> = Vec::new();
    let mut lines = text.lines().peekable();
    let added = if reversed { '-' } else { '+' };
    while let Some(line) = lines.next() {
        let header = line.strip_prefix("--- ").zip(lines.peek().and_then(|next| next.strip_prefix("+++ ")));
        if let Some((before, behind)) = header {
            let (before, behind) = if reversed { (behind, before) } else { (before, behind) };
            changes.push(Change { old: name(before), new: name(behind), text: String::new() });
            lines.next();
        } else if let (Some(change), Some(rest)) = (changes.last_mut(), line.strip_prefix([added, ' '])) {
            change.text.push_str(rest);
            change.text.push('\n');
        }
    }
    changes
}

/// The name in a header: a time may stand behind it.
fn name(header: &str) -> Option<String> {
    let name = header.split('\t').next().unwrap_or(header).trim();
    let name = name.strip_prefix('"').and_then(|name| name.strip_suffix('"')).unwrap_or(name);
    (name != NOWHERE).then(|| name.to_owned())
}

/// A name without its first directories; all of them where nobody says how many.
fn stripped(name: &str, levels: Option<usize>) -> String {
    let Some(levels) = levels else { return name.rsplit('/').next().unwrap_or(name).to_owned() };
    let mut rest = name;
    for _ in 0..levels {
        match rest.split_once('/') {
            Some((_, behind)) => rest = behind.trim_start_matches('/'),
            None => break,
        }
    }
    rest.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_say_what_becomes_of_files() {
        let text = "--- a/x\t2026-01-01\n+++ b/x\n@@ -1 +1,2 @@\n one\n+two\n-three\n--- /dev/null\n+++ b/new\n+text\n--- a/old\n+++ /dev/null\n";
        let found = changes(text, false);
        let names: Vec<_> =
            found.iter().map(|change| (change.old.as_deref(), change.new.as_deref())).collect();
        assert_eq!(names, [(Some("a/x"), Some("b/x")), (None, Some("b/new")), (Some("a/old"), None)]);
        assert_eq!(found[0].text, "one\ntwo\n");
        assert_eq!(changes(text, true)[1].new, None);
    }

    #[test]
    fn directories_are_taken_off_as_often_as_is_said() {
        assert_eq!(stripped("a/b/c", Some(0)), "a/b/c");
        assert_eq!(stripped("a/b/c", Some(1)), "b/c");
        assert_eq!(stripped("a//b", Some(1)), "b");
        assert_eq!(stripped("a/b/c", None), "c");
    }
}
