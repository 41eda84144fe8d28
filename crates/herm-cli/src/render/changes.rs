//! What a try has changed, for people.

use std::fmt::Write;

use herm_runtime::changes::{Diff, Item, Kind, Line, Summary};

use super::colour::{Colour, paint_always};

/// A line for each path that changed, with what became of its text.
pub(crate) fn summary(summary: &Summary, colour: bool) -> String {
    let mut text = String::new();
    for item in &summary.items {
        let _ = writeln!(text, "{}", headline(item, colour));
        text.push_str(&difference(item, colour));
    }
    for (path, what) in &summary.left_out {
        let _ = writeln!(text, "  ! {path}: {what}, which is never kept");
    }
    if summary.items.is_empty() {
        text.push_str("  nothing changed\n");
    }
    text
}

fn headline(item: &Item, colour: bool) -> String {
    let paint = |text: &str, shade| if colour { paint_always(text, shade) } else { text.to_owned() };
    let size = |side: Option<u64>| side.map(|size| format!(" ({size} bytes)")).unwrap_or_default();
    let before = item.before.as_ref().and_then(|side| side.size);
    let after = item.after.as_ref().and_then(|side| side.size);
    let within = if item.within > 0 { format!(" with {} inside", item.within) } else { String::new() };
    let (mark, shade, rest) = match (item.kind, &item.from) {
        (_, Some(from)) => (">", Colour::Yellow, format!(" from {from}")),
        (Kind::Created, None) => ("+", Colour::Green, size(after)),
        (Kind::Deleted, None) => ("-", Colour::Red, size(before)),
        (kind, None) => ("~", Colour::Yellow, format!(" [{}]", kind.as_str())),
    };
    format!("  {} {}{rest}{within}", paint(mark, shade), item.path)
}

fn difference(item: &Item, colour: bool) -> String {
    match &item.diff {
        Some(Diff::Text(hunks)) => hunks
            .iter()
            .map(|hunk| {
                let head = format!(
                    "    @@ -{},{} +{},{} @@\n",
                    hunk.before.0, hunk.before.1, hunk.after.0, hunk.after.1
                );
                hunk.lines.iter().fold(head, |text, line| text + "    " + &shaded(line, colour) + "\n")
            })
            .collect(),
        Some(Diff::Binary) => "    not text\n".to_owned(),
        Some(Diff::Long) => "    too long to be shown\n".to_owned(),
        None => String::new(),
    }
}

fn shaded(line: &Line, colour: bool) -> String {
    let text = line.to_string();
    match line {
        Line::Came(_) if colour => paint_always(&text, Colour::Green),
        Line::Went(_) if colour => paint_always(&text, Colour::Red),
        Line::Both(_) | Line::Came(_) | Line::Went(_) => text,
    }
}
