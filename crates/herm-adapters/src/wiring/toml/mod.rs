//! TOML: tables of ours are added at the end, lines of ours below the header of their table.

mod render;

use std::ops::Range;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::entry::Step;
use super::item::{Item, Key};
use super::refused::Refused;

/// What a text says.
pub(super) fn read(text: &str) -> Result<Item, Refused> {
    Ok(item(parsed(text)?.get_ref()))
}

fn parsed(text: &str) -> Result<Spanned<DeValue<'_>>, Refused> {
    let text = text.trim_start_matches('\u{feff}');
    match DeTable::parse(text) {
        Ok(table) => {
            let span = table.span();
            Ok(Spanned::new(span, DeValue::Table(table.into_inner())))
        }
        Err(error) => Err(Refused::Syntax(error.message().to_owned())),
    }
}

fn item(value: &DeValue<'_>) -> Item {
    match value {
        DeValue::Array(items) => Item::List(items.iter().map(|value| item(value.get_ref())).collect()),
        DeValue::Boolean(flag) => Item::Flag(*flag),
        DeValue::Datetime(time) => Item::Number(time.to_string()),
        DeValue::Float(number) => Item::Number(number.as_str().to_owned()),
        DeValue::Integer(number) if number.radix() == 10 => Item::Number(number.as_str().to_owned()),
        DeValue::Integer(number) => Item::Number(format!("{}:{}", number.radix(), number.as_str())),
        DeValue::String(words) => Item::Text(words.clone().into_owned()),
        DeValue::Table(table) => Item::Map(
            table
                .iter()
                .map(|(key, value)| (key.get_ref().clone().into_owned(), item(value.get_ref())))
                .collect(),
        ),
    }
}

/// The text after a step.
pub(super) fn apply(text: &str, step: &Step, original: Option<&str>) -> Result<String, Refused> {
    // The places that the reader names are those in the text without it.
    let (mark, bare) = text.strip_prefix('\u{feff}').map_or(("", text), |bare| ("\u{feff}", bare));
    let root = parsed(bare)?;
    let page = Page { text: bare, root: root.get_ref() };
    let changed = match step {
        Step::Insert { map, key, value } => page.insert(&names(map)?, key, value),
        Step::Push { list, item } => {
            Some(page.append(&render::tables(&names(list)?, &Item::List(vec![item.clone()]))))
        }
        Step::Replace { at, value } => page.replace(at, value),
        Step::Take { from, key } => page.take(from, key),
    };
    let changed = format!("{mark}{}", changed.ok_or(Refused::Unclear)?);
    // The end of the last line was missing, and herm added it.
    let closed = original.filter(|original| changed.strip_suffix(newline(text)) == Some(original));
    Ok(closed.map_or(changed, ToOwned::to_owned))
}

/// A path without numbers.
fn names(path: &[Key]) -> Result<Vec<String>, Refused> {
    let name = |key: &Key| match key {
        Key::Index(_) => Err(Refused::Unclear),
        Key::Name(name) => Ok(name.clone()),
    };
    path.iter().map(name).collect()
}

/// A text and what it says.
#[derive(Clone, Copy)]
struct Page<'a> {
    text: &'a str,
    root: &'a DeValue<'a>,
}

impl<'a> Page<'a> {
    fn insert(self, map: &[String], key: &str, value: &Item) -> Option<String> {
        let is_table = match value {
            Item::List(items) => items.iter().all(|item| matches!(item, Item::Map(_))),
            Item::Map(_) => true,
            Item::Flag(_) | Item::Null | Item::Number(_) | Item::Text(_) => false,
        };
        if is_table {
            let path: Vec<String> = map.iter().cloned().chain([key.to_owned()]).collect();
            return Some(self.append(&render::tables(&path, value)));
        }
        let header = self.headers().find(|header| !header.is_list && header.path == map)?;
        let line = format!("{}{}", render::pair(key, value), newline(self.text));
        let end = header.line.end;
        let gap = if self.text.get(..end)?.ends_with('\n') { "" } else { newline(self.text) };
        splice(self.text, end..end, &format!("{gap}{line}"))
    }

    fn replace(self, at: &[Key], value: &Item) -> Option<String> {
        let (span, found) = self.at(at)?;
        if is_single(found) {
            return splice(self.text, span, &render::value(value));
        }
        let (path, _) = split(at)?;
        let lines = render::tables(&path, &Item::List(vec![value.clone()]));
        let lines = joined(&lines, newline(self.text));
        splice(self.text, self.block(at)?, &lines)
    }

    fn take(self, from: &[Key], key: &Key) -> Option<String> {
        let at: Vec<Key> = from.iter().cloned().chain([key.clone()]).collect();
        let (span, found) = self.at(&at)?;
        if is_single(found) {
            return splice(self.text, self.line_start(span.start)..self.line_end(span.end), "");
        }
        let block = self.block(&at)?;
        // The blank line before it is ours as well.
        let before = self.text.get(..block.start)?;
        let newline = newline(self.text);
        let own = before.strip_suffix(newline).filter(|rest| rest.is_empty() || rest.ends_with('\n'));
        splice(self.text, own.map_or(block.start, str::len)..block.end, "")
    }

    /// The lines of a table, or of one of several: from its header to the last that it says.
    fn block(self, at: &[Key]) -> Option<Range<usize>> {
        let (path, number) = split(at)?;
        let (_, value) = self.at(at)?;
        let mut headers = self.headers().filter(|header| header.path.starts_with(&path));
        let header = match number {
            Some(number) => headers.filter(|header| header.is_list && header.path == path).nth(number)?,
            None => headers.next()?,
        };
        let end = last_byte(value)?.max(header.line.start);
        Some(header.line.start..self.line_end(end))
    }

    fn at(self, path: &[Key]) -> Option<(Range<usize>, &'a DeValue<'a>)> {
        path.iter().try_fold((0..0, self.root), |(_, value), key| {
            let found = match (key, value) {
                (Key::Index(index), DeValue::Array(items)) => items.get(*index)?,
                (Key::Name(name), DeValue::Table(table)) => table.get(name.as_str())?,
                (Key::Index(_) | Key::Name(_), _) => return None,
            };
            Some((found.span(), found.get_ref()))
        })
    }

    /// The lines that begin tables. What looks like one inside a text or a list is none.
    fn headers(self) -> impl Iterator<Item = Header> {
        let values = values(self.root);
        let mut at = 0;
        self.text.split_inclusive('\n').filter_map(move |line| {
            let start = at;
            at += line.len();
            if values.iter().any(|value| value.contains(&start)) {
                return None;
            }
            let (path, is_list) = header(line)?;
            Some(Header { path, is_list, line: start..at })
        })
    }

    /// Tables at the end, after a blank line.
    fn append(self, lines: &[String]) -> String {
        let newline = newline(self.text);
        let gap = match self.text {
            "" => String::new(),
            text if text.ends_with('\n') => newline.to_owned(),
            _ => format!("{newline}{newline}"),
        };
        format!("{}{gap}{}", self.text, joined(lines, newline))
    }

    fn line_start(self, at: usize) -> usize {
        self.text.get(..at).and_then(|before| before.rfind('\n')).map_or(0, |newline| newline + 1)
    }

    fn line_end(self, at: usize) -> usize {
        self.text.get(at..).and_then(|rest| rest.find('\n')).map_or(self.text.len(), |end| at + end + 1)
    }
}

/// A line that begins a table.
#[derive(Debug)]
struct Header {
    path: Vec<String>,
    is_list: bool,
    line: Range<usize>,
}

/// The path of a table, if a line is the beginning of one.
fn header(line: &str) -> Option<(Vec<String>, bool)> {
    if !line.trim_start().starts_with('[') {
        return None;
    }
    let root = parsed(line).ok()?;
    let mut path = Vec::new();
    let mut value = root.get_ref();
    while let Some(table) = value.as_table() {
        let Some((key, inner)) = table.iter().next() else { return Some((path, false)) };
        path.push(key.get_ref().clone().into_owned());
        value = inner.get_ref();
    }
    value.is_array().then_some((path, true))
}

/// The names of a path, and the number at its end.
fn split(at: &[Key]) -> Option<(Vec<String>, Option<usize>)> {
    match at.split_last()? {
        (Key::Index(index), above) => Some((names(above).ok()?, Some(*index))),
        (Key::Name(_), _) => Some((names(at).ok()?, None)),
    }
}

/// What stands in a table or a list.
fn inner<'a, 'i>(value: &'a DeValue<'i>) -> Vec<&'a Spanned<DeValue<'i>>> {
    let listed = value.as_array().into_iter().flat_map(|items| items.iter());
    let named = value.as_table().into_iter().flat_map(|table| table.iter().map(|(_, value)| value));
    listed.chain(named).collect()
}

fn is_single(value: &DeValue<'_>) -> bool {
    !value.is_array() && !value.is_table()
}

/// Where everything stands that may be written over several lines.
fn values(value: &DeValue<'_>) -> Vec<Range<usize>> {
    let is_written_at_once = |value: &DeValue<'_>| {
        is_single(value) || value.is_array() && !inner(value).iter().any(|item| item.get_ref().is_table())
    };
    let spans = |value: &Spanned<DeValue<'_>>| {
        if is_written_at_once(value.get_ref()) { vec![value.span()] } else { values(value.get_ref()) }
    };
    inner(value).into_iter().flat_map(spans).collect()
}

/// Where the last single value ends.
fn last_byte(value: &DeValue<'_>) -> Option<usize> {
    let last = |value: &Spanned<DeValue<'_>>| {
        if is_single(value.get_ref()) { Some(value.span().end) } else { last_byte(value.get_ref()) }
    };
    inner(value).into_iter().filter_map(last).max()
}

/// Lines with their ends.
fn joined(lines: &[String], newline: &str) -> String {
    lines.iter().flat_map(|line| [line, newline]).collect()
}

fn newline(text: &str) -> &'static str {
    if text.contains("\r\n") { "\r\n" } else { "\n" }
}

fn splice(text: &str, range: Range<usize>, with: &str) -> Option<String> {
    Some(format!("{}{with}{}", text.get(..range.start)?, text.get(range.end..)?))
}
