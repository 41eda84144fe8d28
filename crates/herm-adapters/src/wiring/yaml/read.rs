//! Reads YAML, and remembers where everything stands.

use std::ops::Range;

use granit_parser::{Event, Parser, ScalarStyle, Span};

use super::super::item::{Item, Key};
use super::super::refused::Refused;

/// A value and where it stands.
#[derive(Clone, Debug)]
pub(super) struct Node {
    /// In bytes. The end of what is written in lines is that of its last single value.
    pub(super) span: Range<usize>,
    pub(super) kind: Kind,
    /// An anchor or a tag belongs to it.
    pub(super) is_marked: bool,
}

#[derive(Clone, Debug)]
pub(super) enum Kind {
    Alias,
    List(Vec<Node>),
    Map(Vec<(Node, Node)>),
    Scalar(Item),
}

impl Node {
    /// What it says.
    pub(super) fn item(&self) -> Item {
        match &self.kind {
            // No text can be taken for it.
            Kind::Alias => Item::Text("\0alias".to_owned()),
            Kind::List(items) => Item::List(items.iter().map(Self::item).collect()),
            Kind::Map(pairs) => {
                Item::Map(pairs.iter().map(|(key, value)| (key.name(), value.item())).collect())
            }
            Kind::Scalar(item) => item.clone(),
        }
    }

    /// What a key says. One that is not a single value is like no other.
    fn name(&self) -> String {
        match &self.kind {
            Kind::Scalar(Item::Text(text) | Item::Number(text)) => text.clone(),
            Kind::Scalar(Item::Flag(flag)) => flag.to_string(),
            Kind::Scalar(_) => "null".to_owned(),
            Kind::Alias | Kind::List(_) | Kind::Map(_) => format!("\0{:?}", self.item()),
        }
    }

    /// A member and its key.
    pub(super) fn member(&self, name: &str) -> Option<&(Node, Node)> {
        match &self.kind {
            Kind::Map(pairs) => pairs.iter().find(|(key, _)| key.name() == name),
            Kind::Alias | Kind::List(_) | Kind::Scalar(_) => None,
        }
    }

    pub(super) fn at(&self, path: &[Key]) -> Option<&Node> {
        path.iter().try_fold(self, |node, key| match key {
            Key::Index(index) => match &node.kind {
                Kind::List(items) => items.get(*index),
                Kind::Alias | Kind::Map(_) | Kind::Scalar(_) => None,
            },
            Key::Name(name) => node.member(name).map(|(_, value)| value),
        })
    }
}

/// The one document of a text; nothing where it is blank.
pub(super) fn read(text: &str) -> Result<Option<Node>, Refused> {
    let mut builder = Builder::default();
    for event in Parser::new_from_str(text) {
        let (event, span) = event.map_err(|error| Refused::Syntax(error.to_string()))?;
        builder.take(event, &span)?;
    }
    Ok(builder.root)
}

/// How deep a file may nest; real ones stay below ten.
const DEPTH: usize = 64;

#[derive(Debug, Default)]
struct Builder {
    open: Vec<Open>,
    root: Option<Node>,
}

/// A collection that is not closed yet.
#[derive(Debug)]
struct Open {
    start: usize,
    is_map: bool,
    is_marked: bool,
    nodes: Vec<Node>,
}

impl Builder {
    fn take(&mut self, event: Event<'_>, span: &Span) -> Result<(), Refused> {
        let range = span.byte_range().ok_or(Refused::Unclear)?;
        match event {
            Event::Scalar(text, style, anchor, tag) => {
                let is_marked = anchor != 0 || tag.is_some();
                self.add(Node { span: range, kind: Kind::Scalar(scalar(&text, style)), is_marked })
            }
            Event::Alias(_) | Event::UnresolvedAlias(_) => {
                self.add(Node { span: range, kind: Kind::Alias, is_marked: true })
            }
            Event::SequenceStart(_, anchor, tag) => {
                self.enter(range.start, false, anchor != 0 || tag.is_some())
            }
            Event::MappingStart(_, anchor, tag) => {
                self.enter(range.start, true, anchor != 0 || tag.is_some())
            }
            Event::SequenceEnd | Event::MappingEnd => self.leave(range.end),
            Event::StreamStart | Event::StreamEnd | Event::DocumentStart(..) | Event::DocumentEnd => Ok(()),
            Event::Anchor(..) | _ => Err(Refused::Syntax("something that is not read here".to_owned())),
        }
    }

    fn enter(&mut self, start: usize, is_map: bool, is_marked: bool) -> Result<(), Refused> {
        if self.open.len() >= DEPTH {
            return Err(Refused::Syntax("it is nested too deeply".to_owned()));
        }
        self.open.push(Open { start, is_map, is_marked, nodes: Vec::new() });
        Ok(())
    }

    fn leave(&mut self, end: usize) -> Result<(), Refused> {
        let Some(open) = self.open.pop() else { return Err(Refused::Unclear) };
        let kind = if open.is_map { Kind::Map(pairs(open.nodes)) } else { Kind::List(open.nodes) };
        self.add(Node { span: open.start..end, kind, is_marked: open.is_marked })
    }

    fn add(&mut self, node: Node) -> Result<(), Refused> {
        match (self.open.last_mut(), &self.root) {
            (Some(open), _) => open.nodes.push(node),
            (None, None) => self.root = Some(node),
            (None, Some(_)) => return Err(Refused::Syntax("it has a second document".to_owned())),
        }
        Ok(())
    }
}

fn pairs(nodes: Vec<Node>) -> Vec<(Node, Node)> {
    let mut nodes = nodes.into_iter();
    std::iter::from_fn(|| nodes.next().zip(nodes.next())).collect()
}

fn scalar(text: &str, style: ScalarStyle) -> Item {
    let is_number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    match text {
        _ if style != ScalarStyle::Plain => Item::Text(text.to_owned()),
        "" | "~" | "null" | "Null" | "NULL" => Item::Null,
        "true" => Item::Flag(true),
        "false" => Item::Flag(false),
        number if is_number => Item::Number(number.to_owned()),
        other => Item::Text(other.to_owned()),
    }
}
