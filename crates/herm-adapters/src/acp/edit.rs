//! What a file would hold after an edit that is told and not shown.

use serde_json::Value;

use super::tool::Diff;
use crate::fields::Fields;

/// The change that a tool would make to a file, where it can be worked out from what the tool is given and what the file holds.
#[must_use]
pub fn proposed(input: &Value, path: &str, old: Option<&str>) -> Option<Diff> {
    let new = written(input)
        .or_else(|| replaced(input, old?))
        .or_else(|| patched(&first(input, PATCHES)?, old.unwrap_or_default()))?;
    Some(Diff { path: path.to_owned(), old: old.map(str::to_owned), new })
}

const WHOLE: &[&str] = &["content", "contents", "file_text", "fileText", "newContent"];
const PATCHES: &[&str] = &["diff", "patch"];
const OLD: &[&str] = &["old_string", "old_str", "oldString", "oldText"];
const NEW: &[&str] = &["new_string", "new_str", "newString", "newText"];

fn first(input: &Value, keys: &[&str]) -> Option<String> {
    let fields = Fields::of(input)?;
    keys.iter().find_map(|key| fields.value(key)?.as_str()).map(str::to_owned)
}

fn written(input: &Value) -> Option<String> {
    first(input, WHOLE)
}

/// The only place where the text stands, or all of them where that is wanted.
fn replaced(input: &Value, old: &str) -> Option<String> {
    let (from, to) = (first(input, OLD)?, first(input, NEW)?);
    let fields = Fields::of(input)?;
    let everywhere = ["replace_all", "replaceAll"]
        .iter()
        .any(|key| fields.value(key).and_then(Value::as_bool) == Some(true));
    let count = old.matches(from.as_str()).count();
    match (from.is_empty(), count, everywhere) {
        (true, _, _) if old.is_empty() => Some(to),
        (false, 1, _) | (false, 2.., true) => Some(old.replace(&from, &to)),
        _ => None,
    }
}

/// Applies a unified patch of one file exactly, or not at all.
fn patched(patch: &str, old: &str) -> Option<String> {
    let before: Vec<&str> = old.split_inclusive('\n').collect();
    let mut lines = patch.lines().skip_while(|line| !line.starts_with("@@")).peekable();
    lines.peek()?;
    let (mut new, mut at) = (String::new(), 0_usize);
    let mut last = None;
    for line in lines {
        if line.starts_with("@@") {
            let begins = begin(line)?;
            let between = before.get(at..begins)?;
            new.extend(between.iter().copied());
            at = begins;
            continue;
        }
        let (sign, text) = line.split_at_checked(1).unwrap_or((" ", ""));
        match sign {
            "+" => new.extend([text, "\n"]),
            " " | "-" => {
                let there = before.get(at)?;
                if there.trim_end_matches(['\n', '\r']) != text.trim_end_matches('\r') {
                    return None;
                }
                if sign == " " {
                    new.push_str(there);
                }
                at += 1;
            }
            "\\" if last == Some("+") => drop(new.pop()),
            "\\" => {}
            _ => return None,
        }
        last = Some(sign);
    }
    new.extend(before.get(at..)?.iter().copied());
    Some(new)
}

/// The line of the old file, counted from nought, at which a hunk begins.
fn begin(head: &str) -> Option<usize> {
    let old = head.strip_prefix("@@ -")?.split(' ').next()?;
    let (line, count) = old.split_once(',').unwrap_or((old, "1"));
    let line: usize = line.parse().ok()?;
    // An empty range names the line before it.
    if count == "0" { Some(line) } else { line.checked_sub(1) }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn new(input: &Value, old: Option<&str>) -> Option<String> {
        proposed(input, "/a", old).map(|diff| diff.new)
    }

    #[test]
    fn what_would_be_written_is_worked_out() {
        assert_eq!(new(&json!({"content": "x"}), None).as_deref(), Some("x"));
        let swap = json!({"old_string": "b", "new_string": "B"});
        assert_eq!(new(&swap, Some("a\nb\nc\n")).as_deref(), Some("a\nB\nc\n"));
        assert_eq!(new(&swap, Some("b b")), None);
        assert_eq!(
            new(&json!({"oldString": "b", "newString": "c", "replaceAll": true}), Some("b b")).as_deref(),
            Some("c c")
        );
        assert_eq!(new(&swap, Some("a")), None);
        assert_eq!(new(&swap, None), None);
    }

    #[test]
    fn a_patch_is_applied_exactly_or_not_at_all() {
        let patch = "--- a/x\n+++ b/x\n@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n@@ -5 +5,2 @@\n e\n+f\n";
        let input = json!({"diff": patch});
        assert_eq!(new(&input, Some("a\nb\nc\nd\ne\n")).as_deref(), Some("a\nB\nc\nd\ne\nf\n"));
        for other in ["a\nx\nc\nd\ne\n", "a\nb\n", ""] {
            assert_eq!(new(&input, Some(other)), None, "{other}");
        }
        let fresh = json!({"diff": "--- /dev/null\n+++ b/x\n@@ -0,0 +1,2 @@\n+a\n+b\n\\ No newline at end of file\n"});
        assert_eq!(new(&fresh, None).as_deref(), Some("a\nb"));
        assert_eq!(new(&json!({"diff": "hello"}), Some("a")), None);
    }
}
