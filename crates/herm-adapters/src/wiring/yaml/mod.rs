//! YAML, changed by lines where it is written in lines and by bytes where it is written in brackets.

mod read;
mod render;

use std::ops::Range;

use self::read::{Kind, Node};
use self::render::{block_item, block_member, flow};
use super::entry::Step;
use super::item::{Item, Key};
use super::refused::Refused;

/// What a text says. A blank one says nothing.
pub(super) fn read(text: &str) -> Result<Item, Refused> {
    Ok(read::read(text)?.map_or(Item::Null, |node| node.item()))
}

/// The text after a step.
pub(super) fn apply(text: &str, step: &Step, original: Option<&str>) -> Result<String, Refused> {
    let root = read::read(text)?;
    if let Some(root) = &root {
        unmarked(root, step.path())?;
    }
    let page = Page { text, root: root.as_ref() };
    let changed = match step {
        Step::Insert { map, key, value } => page.insert(map, key, value),
        Step::Push { list, item } => page.push(list, item),
        Step::Replace { at, value } => page.replace(at, value),
        Step::Take { from, key } => page.take(from, key),
    };
    let changed = changed.ok_or(Refused::Unclear)?;
    // The end of the last line was missing, and herm added it.
    let closed = original.filter(|original| changed.strip_suffix(newline(text)) == Some(original));
    Ok(closed.map_or(changed, ToOwned::to_owned))
}

impl Step {
    /// Where something happens.
    fn path(&self) -> &[Key] {
        match self {
            Self::Insert { map: path, .. }
            | Self::Push { list: path, .. }
            | Self::Replace { at: path, .. }
            | Self::Take { from: path, .. } => path,
        }
    }
}

/// What is referred to from elsewhere cannot be changed here alone.
fn unmarked(root: &Node, path: &[Key]) -> Result<(), Refused> {
    let mut walked = Vec::new();
    for depth in 0..=path.len() {
        let node = path.get(..depth).and_then(|path| root.at(path));
        if node.is_some_and(|node| node.is_marked) {
            return Err(Refused::Referred(walked.join(".")));
        }
        if let Some(Key::Name(name)) = path.get(depth) {
            walked.push(name.clone());
        }
    }
    Ok(())
}

/// A text and what it says.
#[derive(Clone, Copy)]
struct Page<'a> {
    text: &'a str,
    root: Option<&'a Node>,
}

impl Page<'_> {
    fn insert(self, map: &[Key], key: &str, value: &Item) -> Option<String> {
        let node = self.root.and_then(|root| root.at(map));
        if let Some(node) = node.filter(|node| self.is_flow(node)) {
            return self.add_in_brackets(node, &format!("{key}: {}", flow(value)));
        }
        let Some(first) = node.and_then(first_key) else {
            return self.fill(map, &Item::Map(vec![(key.to_owned(), value.clone())]));
        };
        let indent = self.indent(first)?;
        let lines = block_member(key, value, indent);
        if map.is_empty() {
            Some(self.append(&lines))
        } else {
            self.add_lines(self.line_start(first), &lines)
        }
    }

    fn push(self, list: &[Key], item: &Item) -> Option<String> {
        let node = self.root?.at(list)?;
        if self.is_flow(node) {
            return self.add_in_brackets(node, &flow(item));
        }
        let dash = self.dash(node)?;
        self.add_lines(self.line_start(dash), &block_item(item, self.indent(dash)?))
    }

    fn replace(self, at: &[Key], value: &Item) -> Option<String> {
        let (key, above) = at.split_last()?;
        let node = self.root?.at(at)?;
        let parent = self.root?.at(above)?;
        match (&node.kind, value, key) {
            (Kind::Scalar(Item::Null), _, _) => self.fill(at, value),
            (_, Item::Null, _) if !self.is_flow(node) => {
                splice(self.text, self.lines(node.span.start, node)?, "")
            }
            (_, _, Key::Index(_)) if !self.is_flow(parent) => {
                let dash = self.dash_of(node)?;
                let lines = render::joined(&block_item(value, self.indent(dash)?), newline(self.text));
                splice(self.text, self.lines(dash, node)?, &lines)
            }
            (_, _, _) if self.is_flow(node) || matches!(node.kind, Kind::Scalar(_)) => {
                splice(self.text, node.span.clone(), &flow(value))
            }
            (_, _, Key::Index(_) | Key::Name(_)) => None,
        }
    }

    fn take(self, from: &[Key], key: &Key) -> Option<String> {
        let node = self.root?.at(from)?;
        let child = node.at(std::slice::from_ref(key))?;
        let start = match key {
            Key::Name(name) => node.member(name)?.0.span.start,
            Key::Index(_) if self.is_flow(node) => child.span.start,
            Key::Index(_) => self.dash_of(child)?,
        };
        if self.is_flow(node) {
            return self.take_from_brackets(start..child.span.end);
        }
        splice(self.text, self.lines(start, child)?, "")
    }

    /// Lines below a name that has no value, or at the end of a blank file.
    fn fill(self, at: &[Key], value: &Item) -> Option<String> {
        let Some((Key::Name(name), above)) = at.split_last() else {
            return match (at.is_empty(), value) {
                (true, Item::Map(pairs)) => {
                    let lines: Vec<_> =
                        pairs.iter().flat_map(|(key, value)| block_member(key, value, 0)).collect();
                    Some(self.append(&lines))
                }
                (true | false, _) => None,
            };
        };
        let (key, empty) = self.root?.at(above)?.member(name)?;
        let is_unwritten = self.text.get(empty.span.clone()).is_some_and(|written| written.trim().is_empty());
        let parent = self.root?.at(above)?;
        if !is_unwritten || self.is_flow(parent) {
            return None;
        }
        let indent = self.indent(key.span.start)? + 2;
        let lines: Vec<String> = match value {
            Item::List(items) => items.iter().flat_map(|item| block_item(item, indent)).collect(),
            Item::Map(pairs) => {
                pairs.iter().flat_map(|(key, value)| block_member(key, value, indent)).collect()
            }
            Item::Flag(_) | Item::Null | Item::Number(_) | Item::Text(_) => return None,
        };
        let end = self.line_end(key.span.end);
        if end == self.text.len() && !self.text.ends_with('\n') {
            Some(self.append(&lines))
        } else {
            self.add_lines(end, &lines)
        }
    }

    fn append(self, lines: &[String]) -> String {
        let newline = newline(self.text);
        let gap = if self.text.is_empty() || self.text.ends_with(['\n', '\u{feff}']) { "" } else { newline };
        format!("{}{gap}{}", self.text, render::joined(lines, newline))
    }

    fn add_lines(self, at: usize, lines: &[String]) -> Option<String> {
        splice(self.text, at..at, &render::joined(lines, newline(self.text)))
    }

    fn add_in_brackets(self, node: &Node, written: &str) -> Option<String> {
        let inside = node.span.start + 1;
        let is_bare = self.text.get(inside..node.span.end.checked_sub(1)?)?.trim().is_empty();
        let separator = if is_bare { "" } else { ", " };
        splice(self.text, inside..inside, &format!("{written}{separator}"))
    }

    fn take_from_brackets(self, range: Range<usize>) -> Option<String> {
        let after = self.text.get(range.end..)?;
        let comma = after.trim_start().strip_prefix(',').map(|rest| rest.strip_prefix(' ').unwrap_or(rest));
        if let Some(rest) = comma {
            return Some(format!("{}{rest}", self.text.get(..range.start)?));
        }
        let before = self.text.get(..range.start)?;
        let before = before.trim_end().strip_suffix(',').unwrap_or(before);
        Some(format!("{before}{after}"))
    }

    fn is_flow(self, node: &Node) -> bool {
        let begins =
            |bracket: char| self.text.get(node.span.start..).is_some_and(|rest| rest.starts_with(bracket));
        match node.kind {
            Kind::List(_) => begins('['),
            Kind::Map(_) => begins('{'),
            Kind::Alias | Kind::Scalar(_) => false,
        }
    }

    /// The whole lines from a place to the end of a value.
    fn lines(self, start: usize, node: &Node) -> Option<Range<usize>> {
        self.indent(start)?;
        Some(self.line_start(start)..self.line_end(self.last_byte(node)?))
    }

    /// Where the last of what is written of a value ends.
    fn last_byte(self, node: &Node) -> Option<usize> {
        if self.is_flow(node) {
            return Some(node.span.end);
        }
        match &node.kind {
            Kind::Alias | Kind::Scalar(_) => {
                let written = self.text.get(node.span.clone())?;
                Some(node.span.start + written.trim_end().len())
            }
            Kind::List(items) => self.last_byte(items.last()?),
            Kind::Map(pairs) => {
                let (key, value) = pairs.last()?;
                Some(self.last_byte(value)?.max(key.span.end))
            }
        }
    }

    /// The dash before the first item of a list.
    fn dash(self, list: &Node) -> Option<usize> {
        let Kind::List(items) = &list.kind else { return None };
        self.dash_of(items.first()?)
    }

    /// The dash before an item, on the item's own line.
    fn dash_of(self, item: &Node) -> Option<usize> {
        let before = self.text.get(..item.span.start)?.trim_end_matches(' ');
        before.ends_with('-').then(|| before.len() - 1)
    }

    /// How far something is indented that nothing stands before on its line.
    fn indent(self, at: usize) -> Option<usize> {
        let start = self.line_start(at);
        let before = self.text.get(start..at)?.trim_start_matches('\u{feff}');
        before.bytes().all(|byte| byte == b' ').then_some(before.len())
    }

    fn line_start(self, at: usize) -> usize {
        self.text.get(..at).and_then(|before| before.rfind('\n')).map_or(0, |newline| newline + 1)
    }

    fn line_end(self, at: usize) -> usize {
        self.text.get(at..).and_then(|rest| rest.find('\n')).map_or(self.text.len(), |end| at + end + 1)
    }
}

fn first_key(node: &Node) -> Option<usize> {
    match &node.kind {
        Kind::Map(pairs) => pairs.first().map(|(key, _)| key.span.start),
        Kind::Alias | Kind::List(_) | Kind::Scalar(_) => None,
    }
}

fn newline(text: &str) -> &'static str {
    if text.contains("\r\n") { "\r\n" } else { "\n" }
}

fn splice(text: &str, range: Range<usize>, with: &str) -> Option<String> {
    Some(format!("{}{with}{}", text.get(..range.start)?, text.get(range.end..)?))
}
