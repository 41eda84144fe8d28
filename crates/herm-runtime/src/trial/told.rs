//! What a try did, as a person reads it.

use std::fmt::Write;
use std::path::Path;

use herm_sandbox::changes::{Diff, Item, ItemSide, Kind, Summary, safe};
use serde_json::Value;

use super::programs::Started;

/// The most that a person is shown: what does not fit is told in fewer words, and the names of what changed come first.
const ROOM: usize = 128 << 10;

/// How many lines of one diff are shown where not all of them fit.
const SHORT: usize = 40;

/// How much is told of each path.
#[derive(Clone, Copy, Debug)]
enum Detail {
    /// All of its diff.
    Full,
    /// The beginning of its diff.
    Short,
    /// Its name.
    Name,
}

/// What was changed, which programs ran, and whom they tried to reach.
pub(super) fn all(summary: &Summary, programs: Option<&Started>, connections: &[Value]) -> String {
    let ran = programs.map_or_else(|| "What it ran: not seen\n".to_owned(), Started::told);
    changes(summary) + &ran + &reached(connections)
}

/// A line for each that it tried to reach, and what came of that.
fn reached(connections: &[Value]) -> String {
    if connections.is_empty() {
        return String::new();
    }
    let lines = connections.iter().take(MOST).map(|connection| {
        let text = |key: &str| connection.get(key).and_then(Value::as_str).unwrap_or_default();
        let why = match text("reason") {
            "" => String::new(),
            reason => format!(": {reason}"),
        };
        format!("  {}\n", safe(Path::new(&format!("{} {}{why}", text("to"), text("outcome")))))
    });
    let text = lines.collect::<Vec<_>>().concat();
    let more = connections.len().saturating_sub(MOST);
    let more = if more > 0 { format!("  … and {more} more\n") } else { String::new() };
    format!("Whom it tried to reach:\n{text}{more}")
}

/// How many connections a person is shown.
const MOST: usize = 20;

/// A line for each path that changed, with what became of its text; less of that where it would be too much.
fn changes(summary: &Summary) -> String {
    let texts = [Detail::Full, Detail::Short].into_iter().map(|detail| written(summary, detail));
    let fitting = texts.into_iter().find(|text| text.len() <= ROOM);
    fitting.unwrap_or_else(|| cut(&written(summary, Detail::Name)))
}

fn written(summary: &Summary, detail: Detail) -> String {
    let mut text = String::new();
    for item in &summary.items {
        let _ = writeln!(text, "{}", headline(item));
        text.push_str(&difference(item, detail));
    }
    for (path, what) in &summary.left_out {
        let _ = writeln!(text, "  ! {path}: {what}, which is never kept");
    }
    if summary.items.is_empty() {
        text.push_str("  nothing changed\n");
    }
    text
}

fn headline(item: &Item) -> String {
    let size = |side: Option<u64>| side.map(|size| format!(" ({size} bytes)")).unwrap_or_default();
    let before = item.before.as_ref().and_then(|side| side.size);
    let after = item.after.as_ref().and_then(|side| side.size);
    let within = if item.within > 0 { format!(" with {} inside", item.within) } else { String::new() };
    let (mark, rest) = match (item.kind, &item.from) {
        (_, Some(from)) => (">", format!(" from {from}")),
        (Kind::Created, None) => ("+", size(after)),
        (Kind::Deleted, None) => ("-", size(before)),
        (kind, None) => ("~", format!(" [{}]", kind.as_str())),
    };
    format!("  {mark} {}{rest}{within}", item.path)
}

fn difference(item: &Item, detail: Detail) -> String {
    let most = match detail {
        Detail::Full => usize::MAX,
        Detail::Short => SHORT,
        Detail::Name => 0,
    };
    match &item.diff {
        Some(Diff::Text(hunks)) => {
            let lines = hunks.iter().flat_map(|hunk| {
                let (before, after) = (hunk.before, hunk.after);
                let head = format!("@@ -{},{} +{},{} @@", before.0, before.1, after.0, after.1);
                std::iter::once(head).chain(hunk.lines.iter().map(ToString::to_string))
            });
            let all = lines.clone().count();
            let shown = lines.take(most).fold(String::new(), |text, line| text + "    " + &line + "\n");
            if all > most { format!("{shown}    … {} more lines\n", all - most) } else { shown }
        }
        Some(Diff::Binary) => format!("    not text{}\n", sides(item)),
        Some(Diff::Long) => format!("    too long to be shown{}\n", sides(item)),
        None => String::new(),
    }
}

/// What can be said of bytes that are not shown: how many, and their hash where it was needed.
fn sides(item: &Item) -> String {
    let side = |side: &ItemSide| {
        let digest = side.digest.as_ref().map(|digest| format!(", sha256 {digest}")).unwrap_or_default();
        format!("{} bytes{digest}", side.size.unwrap_or(0))
    };
    let sides: Vec<_> = [&item.before, &item.after].into_iter().flatten().map(side).collect();
    format!(": {}", sides.join(" → "))
}

/// The beginning of a text, in whole lines, and how many lines are missing.
fn cut(text: &str) -> String {
    let mut room = ROOM;
    let mut fits = |line: &&str| {
        room = room.saturating_sub(line.len() + 1);
        room > 0
    };
    let shown = text.lines().take_while(&mut fits).fold(String::new(), |text, line| text + line + "\n");
    let missing = text.lines().count() - shown.lines().count();
    if missing == 0 { shown } else { format!("{shown}  … and {missing} more\n") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_too_long_is_cut_between_lines_and_says_so() {
        let line = "x".repeat(1023);
        let text = format!("{line}\n").repeat(200);
        let shown = cut(&text);
        assert!(shown.len() <= ROOM + 64 && shown.ends_with("more\n"), "{}", shown.len());
        let missing = 200 - shown.lines().filter(|shown| *shown == line).count();
        assert!(shown.ends_with(&format!("  … and {missing} more\n")), "{missing}");
        assert_eq!(cut("a\nb\n"), "a\nb\n");
    }
}
