//! YAML as a tree that remembers where everything stands.

use granit_parser::{Event, Parser, ScalarStyle, ScanError};

use super::error::{Position, Problem};

/// A value and where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Node {
    pub(crate) at: Position,
    pub(crate) content: Content,
}

/// A value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Content {
    /// A reference to another value. Not followed: what a setting is should stand where the setting is.
    Alias,
    /// A list.
    List(Vec<Node>),
    /// A mapping, in order.
    Map(Vec<(Node, Node)>),
    /// Nothing: an empty value, `~` or `null`.
    Null,
    /// Any other single value, as written, without its quotes.
    Text(String),
}

/// How deep a file may nest; real ones stay below ten.
const DEPTH: usize = 64;

/// Reads one document. An empty file is `Null`.
pub(crate) fn read(text: &str) -> Result<Node, (Position, Problem)> {
    let mut builder = Builder::default();
    for event in Parser::new_from_str(text) {
        let (event, span) = event.map_err(|error| syntax(&error))?;
        builder.take(event, position(&span.start))?;
    }
    Ok(builder.root.unwrap_or(Node { at: Position { line: 1, column: 1 }, content: Content::Null }))
}

#[derive(Debug, Default)]
struct Builder {
    open: Vec<Open>,
    root: Option<Node>,
}

/// A collection that is not closed yet.
#[derive(Debug)]
struct Open {
    at: Position,
    is_map: bool,
    nodes: Vec<Node>,
}

impl Builder {
    fn take(&mut self, event: Event<'_>, at: Position) -> Result<(), (Position, Problem)> {
        match event {
            Event::Scalar(text, style, _, _) => self.add(Node { at, content: scalar(&text, style) }),
            Event::Alias(_) | Event::UnresolvedAlias(_) => self.add(Node { at, content: Content::Alias }),
            Event::SequenceStart(..) => self.enter(at, false),
            Event::MappingStart(..) => self.enter(at, true),
            Event::SequenceEnd | Event::MappingEnd => self.leave(),
            Event::StreamStart
            | Event::StreamEnd
            | Event::DocumentStart(..)
            | Event::DocumentEnd
            | Event::Anchor(..) => Ok(()),
            _ => Err((at, Problem::Syntax("something that is not read here".to_owned()))),
        }
    }

    fn enter(&mut self, at: Position, is_map: bool) -> Result<(), (Position, Problem)> {
        if self.open.len() >= DEPTH {
            return Err((at, Problem::Syntax("it is nested too deeply".to_owned())));
        }
        self.open.push(Open { at, is_map, nodes: Vec::new() });
        Ok(())
    }

    fn leave(&mut self) -> Result<(), (Position, Problem)> {
        let Some(open) = self.open.pop() else { return Ok(()) };
        let content = if open.is_map { Content::Map(pairs(open.nodes)) } else { Content::List(open.nodes) };
        self.add(Node { at: open.at, content })
    }

    fn add(&mut self, node: Node) -> Result<(), (Position, Problem)> {
        match (self.open.last_mut(), &self.root) {
            (Some(open), _) => open.nodes.push(node),
            (None, None) => self.root = Some(node),
            (None, Some(_)) => return Err((node.at, Problem::Syntax("a second document".to_owned()))),
        }
        Ok(())
    }
}

fn pairs(nodes: Vec<Node>) -> Vec<(Node, Node)> {
    let mut nodes = nodes.into_iter();
    std::iter::from_fn(|| nodes.next().zip(nodes.next())).collect()
}

fn scalar(text: &str, style: ScalarStyle) -> Content {
    let plain = style == ScalarStyle::Plain;
    if plain && matches!(text, "" | "~" | "null" | "Null" | "NULL") {
        Content::Null
    } else {
        Content::Text(text.to_owned())
    }
}

fn position(marker: &granit_parser::Marker) -> Position {
    Position { line: marker.line(), column: marker.col() + 1 }
}

fn syntax(error: &ScanError) -> (Position, Problem) {
    (position(error.marker()), Problem::Syntax(error.info().clone()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_know_where_they_stand() {
        let Content::Map(pairs) = read("a:\n  - x\n  - 'null'\n").unwrap().content else {
            panic!("a mapping")
        };
        let Content::List(items) = &pairs[0].1.content else { panic!("a list") };
        assert_eq!(items[0].at, Position { line: 2, column: 5 });
        assert_eq!(items[1].content, Content::Text("null".to_owned()));
    }

    #[test]
    fn broken_files_say_where() {
        let (at, problem) = read("a: [1, 2\nb: 3\n").unwrap_err();
        assert!(at.line >= 1 && matches!(problem, Problem::Syntax(_)));
    }

    #[test]
    fn empty_files_are_nothing() {
        assert_eq!(read("").unwrap().content, Content::Null);
        assert_eq!(read("# only a comment\n").unwrap().content, Content::Null);
    }

    #[test]
    fn deep_nesting_is_refused_and_does_not_overflow() {
        assert!(read(&"[".repeat(100_000)).is_err());
        assert!(read(&"- ".repeat(100_000)).is_err());
    }
}
