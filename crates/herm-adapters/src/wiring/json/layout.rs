//! How a file is laid out, so that what is added looks like the rest of it.

use super::super::item::Item;
use super::read::Node;

/// How a file is laid out.
#[derive(Debug)]
pub(super) struct Layout<'a> {
    pub(super) newline: &'static str,
    unit: &'a str,
    is_one_line: bool,
}

impl<'a> Layout<'a> {
    pub(super) fn of(text: &'a str) -> Self {
        let newline = if text.contains("\r\n") { "\r\n" } else { "\n" };
        let indents = text.lines().skip(1).map(|line| {
            let rest = line.trim_start_matches([' ', '\t']);
            (line.strip_suffix(rest).unwrap_or_default(), rest)
        });
        let unit = indents
            .into_iter()
            .find(|(indent, rest)| !indent.is_empty() && rest.starts_with(['"', '{', '[']));
        let is_one_line = !text.trim().contains('\n') && !matches!(bare(text), "" | "{}");
        Self { newline, unit: unit.map_or("  ", |(indent, _)| indent), is_one_line }
    }

    /// A child with the break before it.
    pub(super) fn child(&self, text: &str, node: &Node, key: Option<&str>, value: &Item) -> String {
        let name = key.map(|key| format!("{}: ", quoted(key))).unwrap_or_default();
        let is_open = text.get(node.span.clone()).is_some_and(|written| written.contains('\n'));
        if self.is_one_line || !is_open && !node.children().is_empty() {
            let blank =
                if node.children().is_empty() && !Self::follows_comment(text, node) { "" } else { " " };
            return format!("{blank}{name}{}", compact(value));
        }
        let indent = self.indent(text, node);
        format!("{}{indent}{name}{}", self.newline, self.render(value, &indent))
    }

    fn follows_comment(text: &str, node: &Node) -> bool {
        text.get(node.span.clone()).is_some_and(|written| written.contains("*/"))
    }

    /// As deep as the children that are there, where each stands on a line of its own.
    fn indent(&self, text: &str, node: &Node) -> String {
        let first = node.children().first().map(|child| child.span.start);
        let own_line = first.filter(|first| {
            let indent = indent_of_line(text, *first);
            line_start(text, *first) + indent.len() == *first
        });
        match own_line {
            Some(first) => indent_of_line(text, first).to_owned(),
            None => format!("{}{}", indent_of_line(text, node.span.start), self.unit),
        }
    }

    /// A value over several lines. The first one is indented already.
    pub(super) fn render(&self, value: &Item, indent: &str) -> String {
        let deeper = format!("{indent}{}", self.unit);
        let parts: Vec<String> = match value {
            Item::List(items) => items.iter().map(|item| self.render(item, &deeper)).collect(),
            Item::Map(pairs) => pairs
                .iter()
                .map(|(key, value)| format!("{}: {}", quoted(key), self.render(value, &deeper)))
                .collect(),
            Item::Flag(_) | Item::Null | Item::Number(_) | Item::Text(_) => return compact(value),
        };
        let (open, close) = if matches!(value, Item::List(_)) { ('[', ']') } else { ('{', '}') };
        if parts.is_empty() {
            return format!("{open}{close}");
        }
        let newline = self.newline;
        let between = format!(",{newline}{deeper}");
        format!("{open}{newline}{deeper}{}{newline}{indent}{close}", parts.join(&between))
    }
}

/// A text without its byte order mark and its blanks.
fn bare(text: &str) -> &str {
    text.trim_start_matches('\u{feff}').trim()
}

/// A value on one line.
pub(super) fn compact(value: &Item) -> String {
    match value {
        Item::Flag(flag) => flag.to_string(),
        Item::List(items) => format!("[{}]", items.iter().map(compact).collect::<Vec<_>>().join(", ")),
        Item::Map(pairs) => {
            let parts: Vec<_> =
                pairs.iter().map(|(key, value)| format!("{}: {}", quoted(key), compact(value))).collect();
            format!("{{{}}}", parts.join(", "))
        }
        Item::Null => "null".to_owned(),
        Item::Number(number) => number.clone(),
        Item::Text(text) => quoted(text),
    }
}

fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

fn line_start(text: &str, at: usize) -> usize {
    text.get(..at).and_then(|before| before.rfind('\n')).map_or(0, |newline| newline + 1)
}

/// The blanks that a line begins with.
pub(super) fn indent_of_line(text: &str, at: usize) -> &str {
    let line = text.get(line_start(text, at)..).unwrap_or_default();
    let rest = line.trim_start_matches([' ', '\t']);
    line.strip_suffix(rest).unwrap_or_default()
}
