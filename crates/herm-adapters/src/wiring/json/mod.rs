//! JSON with comments, changed by bytes: everything that is not ours stays where it is.

mod layout;
mod read;

use std::ops::Range;

use self::layout::Layout;
use self::read::{Node, Reader};
use super::entry::Step;
use super::item::{Item, Key};
use super::refused::Refused;

/// What a text says. A blank one says nothing.
pub(super) fn read(text: &str) -> Result<Item, Refused> {
    Ok(read::read(text)?.map_or(Item::Null, |node| node.item()))
}

/// The same for a file whose reader takes plain JSON alone.
pub(super) fn read_plain(text: &str) -> Result<Item, Refused> {
    plainly(text, text)
}

/// The same for one that takes a byte order mark before it.
pub(super) fn read_marked(text: &str) -> Result<Item, Refused> {
    plainly(text, text.strip_prefix('\u{feff}').unwrap_or(text))
}

/// The same for one that takes comments, but nothing else that is not plain JSON.
pub(super) fn read_commented(text: &str) -> Result<Item, Refused> {
    let item = read(text)?;
    if is_plain(&read::without_comments(text)?) { Ok(item) } else { Err(Refused::NotTaken) }
}

/// What a text says, if `plain` of it is plain JSON.
fn plainly(text: &str, plain: &str) -> Result<Item, Refused> {
    let item = read(text)?;
    if is_plain(plain) { Ok(item) } else { Err(Refused::NotPlain) }
}

fn is_plain(text: &str) -> bool {
    text.trim().is_empty() || serde_json::from_str::<serde_core::de::IgnoredAny>(text).is_ok()
}

/// The text after a step.
pub(super) fn apply(text: &str, step: &Step, original: Option<&str>) -> Result<String, Refused> {
    let Some(root) = read::read(text)? else { return fresh(text, step) };
    let changed = match step {
        Step::Insert { map, key, value } => root.at(map).and_then(|node| add(text, node, Some(key), value)),
        Step::Push { list, item } => root.at(list).and_then(|node| add(text, node, None, item)),
        Step::Replace { at, value } => root.at(at).and_then(|node| replace(text, node, value)),
        Step::Take { from, key } => root.at(from).and_then(|node| {
            let before = original.and_then(|original| interior(original, from));
            take(text, node, key, before.as_deref())
        }),
    };
    let changed = changed.ok_or(Refused::Unclear)?;
    Ok(blank_again(&changed, original).unwrap_or(changed))
}

/// A file that was blank before herm came is blank again when nothing is left in it.
fn blank_again(changed: &str, original: Option<&str>) -> Option<String> {
    let original = original.filter(|original| matches!(read::read(original), Ok(None)))?;
    let is_empty = read::read(changed).ok()??.children().is_empty();
    is_empty.then(|| original.to_owned())
}

/// A file in which nothing stands yet.
fn fresh(text: &str, step: &Step) -> Result<String, Refused> {
    let Step::Insert { map, key, value } = step else { return Err(Refused::Unclear) };
    if !map.is_empty() {
        return Err(Refused::Unclear);
    }
    let layout = Layout::of(text);
    let gap = if text.is_empty() || text.ends_with(['\n', '\u{feff}']) { "" } else { layout.newline };
    let whole = Item::Map(vec![(key.clone(), value.clone())]);
    Ok(format!("{text}{gap}{}{}", layout.render(&whole, ""), layout.newline))
}

/// A child more at the end of a list or mapping.
fn add(text: &str, node: &Node, key: Option<&str>, value: &Item) -> Option<String> {
    if matches!(node.kind, read::Kind::Other(_)) {
        return None;
    }
    let layout = Layout::of(text);
    let Some(last) = node.children().last() else { return add_first(text, node, key, value, &layout) };
    let comma = comma(text, last.span.end);
    let end = rest_of_line(text, comma.map_or(last.span.end, |comma| comma + 1));
    let child = layout.child(text, node, key, value);
    let trailing = if comma.is_some() { "," } else { "" };
    let separator = if comma.is_some() { "" } else { "," };
    let (before, between, after) =
        (text.get(..last.span.end)?, text.get(last.span.end..end)?, text.get(end..)?);
    Some(format!("{before}{separator}{between}{child}{trailing}{after}"))
}

/// The first child of an empty list or mapping.
fn add_first(
    text: &str,
    node: &Node,
    key: Option<&str>,
    value: &Item,
    layout: &Layout<'_>,
) -> Option<String> {
    let inside = inside(node);
    let mut reader = Reader { text, at: inside.start };
    let mut end = inside.start;
    loop {
        reader.blanks();
        if !reader.comment().ok()? {
            break;
        }
        end = reader.at;
    }
    let child = layout.child(text, node, key, value);
    let rest = text.get(end..inside.end)?;
    let closing = if child.starts_with(layout.newline) && !rest.contains('\n') {
        format!("{}{}", layout.newline, layout::indent_of_line(text, node.span.start))
    } else {
        String::new()
    };
    Some(format!("{}{child}{closing}{}", text.get(..end)?, text.get(end..)?))
}

fn replace(text: &str, node: &Node, value: &Item) -> Option<String> {
    let layout = Layout::of(text);
    let written = text.get(node.span.clone())?;
    let is_open = written.contains('\n');
    let rendered = if is_open {
        layout.render(value, layout::indent_of_line(text, node.span.start))
    } else {
        layout::compact(value)
    };
    splice(text, node.span.clone(), &rendered)
}

/// One child less. `before` is what stood between the brackets when there was none: it comes back where only blanks differ.
fn take(text: &str, node: &Node, key: &Key, before: Option<&str>) -> Option<String> {
    let position = node.position(key)?;
    let children = node.children();
    let child = children.get(position)?;
    let start = end_of_what_precedes(text, child.span.start);
    let comma = comma(text, child.span.end);
    let is_last = position + 1 == children.len();
    match (is_last, comma, position.checked_sub(1).and_then(|before| children.get(before))) {
        (true, None, Some(previous)) => {
            let separator = self::comma(text, previous.span.end)?;
            let without = splice(text, start..child.span.end, "")?;
            splice(&without, separator..separator + 1, "")
        }
        (true, _, None) => {
            let inside = inside(node);
            let end = comma.map_or(child.span.end, |comma| comma + 1);
            let left = format!("{}{}", text.get(inside.start..start)?, text.get(end..inside.end)?);
            let before = before.filter(|before| before.trim() == left.trim());
            let is_blank = left.trim().is_empty();
            splice(text, inside, before.unwrap_or(if is_blank { "" } else { &left }))
        }
        (false, Some(comma), None)
            if text.get(start..child.span.start).is_some_and(|gap| !gap.contains('\n')) =>
        {
            let mut reader = Reader { text, at: comma + 1 };
            reader.blanks();
            splice(text, child.span.start..reader.at, "")
        }
        (_, Some(comma), _) => splice(text, start..comma + 1, ""),
        (false, None, _) => None,
    }
}

/// What stands between the brackets of an empty list or mapping.
fn interior(original: &str, path: &[Key]) -> Option<String> {
    let root = read::read(original).ok()??;
    let node = root.at(path)?;
    let is_bare = node.children().is_empty() && !matches!(node.kind, read::Kind::Other(_));
    original.get(inside(node)).filter(|_| is_bare).map(ToOwned::to_owned)
}

fn inside(node: &Node) -> Range<usize> {
    node.span.start + 1..node.span.end.saturating_sub(1)
}

/// The comma after a child, if there is one.
fn comma(text: &str, end: usize) -> Option<usize> {
    let mut reader = Reader { text, at: end };
    reader.skip().ok()?;
    (reader.peek() == Some(b',')).then_some(reader.at)
}

/// Past the comments that stand behind something on its line.
fn rest_of_line(text: &str, from: usize) -> usize {
    let mut reader = Reader { text, at: from };
    let mut end = from;
    loop {
        while matches!(reader.peek(), Some(b' ' | b'\t')) {
            reader.at += 1;
        }
        match reader.comment() {
            Ok(true) => end = reader.at,
            Ok(false) | Err(_) => return end,
        }
    }
}

fn end_of_what_precedes(text: &str, at: usize) -> usize {
    text.get(..at).map_or(at, |before| before.trim_end_matches([' ', '\t', '\n', '\r']).len())
}

fn splice(text: &str, range: Range<usize>, with: &str) -> Option<String> {
    Some(format!("{}{with}{}", text.get(..range.start)?, text.get(range.end..)?))
}
