//! Reads JSON with comments and trailing commas, and remembers where everything stands.

use std::ops::Range;

use super::super::item::{Item, Key};
use super::super::refused::Refused;

/// A value and where it stands.
#[derive(Debug)]
pub(super) struct Node {
    pub(super) span: Range<usize>,
    pub(super) kind: Kind,
}

#[derive(Debug)]
pub(super) enum Kind {
    List(Vec<Child>),
    Map(Vec<Child>),
    Other(Item),
}

/// A part of a list or mapping: an item, or a key and its value.
#[derive(Debug)]
pub(super) struct Child {
    pub(super) key: Option<String>,
    /// From the key, where there is one, to the end of the value.
    pub(super) span: Range<usize>,
    pub(super) value: Node,
}

impl Node {
    /// What it says.
    pub(super) fn item(&self) -> Item {
        match &self.kind {
            Kind::List(children) => Item::List(children.iter().map(|child| child.value.item()).collect()),
            Kind::Map(children) => Item::Map(
                children
                    .iter()
                    .map(|child| (child.key.clone().unwrap_or_default(), child.value.item()))
                    .collect(),
            ),
            Kind::Other(item) => item.clone(),
        }
    }

    pub(super) fn children(&self) -> &[Child] {
        match &self.kind {
            Kind::List(children) | Kind::Map(children) => children,
            Kind::Other(_) => &[],
        }
    }

    /// Which child a key names.
    pub(super) fn position(&self, key: &Key) -> Option<usize> {
        match (&self.kind, key) {
            (Kind::List(children), Key::Index(index)) => (*index < children.len()).then_some(*index),
            (Kind::Map(children), Key::Name(name)) => {
                children.iter().position(|child| child.key.as_ref() == Some(name))
            }
            (Kind::List(_) | Kind::Map(_) | Kind::Other(_), _) => None,
        }
    }

    pub(super) fn at(&self, path: &[Key]) -> Option<&Node> {
        path.iter()
            .try_fold(self, |node, key| node.children().get(node.position(key)?).map(|child| &child.value))
    }
}

/// The one value of a text; nothing where it is blank.
pub(super) fn read(text: &str) -> Result<Option<Node>, Refused> {
    let mut reader = Reader { text, at: if text.starts_with('\u{feff}') { 3 } else { 0 } };
    reader.skip()?;
    if reader.peek().is_none() {
        return Ok(None);
    }
    let node = reader.value(0)?;
    reader.skip()?;
    match reader.peek() {
        None => Ok(Some(node)),
        Some(_) => Err(reader.wrong("something follows its end")),
    }
}

/// A text that can be read, with a blank in the place of each comment.
pub(super) fn without_comments(text: &str) -> Result<String, Refused> {
    let mut reader = Reader { text, at: 0 };
    let mut plain = String::new();
    while let Some(byte) = reader.peek() {
        let start = reader.at;
        if reader.comment()? {
            plain.push(' ');
            continue;
        }
        if byte == b'"' {
            reader.string()?;
        } else {
            reader.at += 1;
            while !text.is_char_boundary(reader.at) {
                reader.at += 1;
            }
        }
        plain.push_str(text.get(start..reader.at).unwrap_or_default());
    }
    Ok(plain)
}

/// How deep a file may nest; real ones stay below ten.
const DEPTH: usize = 64;

/// A text, and how far it is read.
pub(super) struct Reader<'a> {
    pub(super) text: &'a str,
    pub(super) at: usize,
}

impl Reader<'_> {
    pub(super) fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn starts(&self, with: &str) -> bool {
        self.text.as_bytes().get(self.at..).is_some_and(|rest| rest.starts_with(with.as_bytes()))
    }

    fn wrong(&self, what: &str) -> Refused {
        let before = self.text.as_bytes().iter().take(self.at);
        let line = 1 + before.filter(|byte| **byte == b'\n').count();
        Refused::Syntax(format!("line {line}: {what}"))
    }

    /// Goes past blanks and comments.
    pub(super) fn skip(&mut self) -> Result<(), Refused> {
        loop {
            self.blanks();
            if !self.comment()? {
                return Ok(());
            }
        }
    }

    pub(super) fn blanks(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
    }

    /// Goes past one comment, if there is one here. What ends a line is not part of it.
    pub(super) fn comment(&mut self) -> Result<bool, Refused> {
        if self.starts("//") {
            while !matches!(self.peek(), None | Some(b'\n' | b'\r')) {
                self.at += 1;
            }
            return Ok(true);
        }
        if !self.starts("/*") {
            return Ok(false);
        }
        let inside = self.text.get(self.at + 2..).and_then(|rest| rest.find("*/"));
        self.at += 4 + inside.ok_or_else(|| self.wrong("a comment does not end"))?;
        Ok(true)
    }

    fn value(&mut self, depth: usize) -> Result<Node, Refused> {
        if depth > DEPTH {
            return Err(self.wrong("it is nested too deeply"));
        }
        let start = self.at;
        let kind = match self.peek() {
            Some(b'{') => Kind::Map(self.children(b'}', depth)?),
            Some(b'[') => Kind::List(self.children(b']', depth)?),
            Some(b'"') => Kind::Other(Item::Text(self.string()?)),
            Some(_) => Kind::Other(self.word()?),
            None => return Err(self.wrong("a value is missing")),
        };
        Ok(Node { span: start..self.at, kind })
    }

    fn children(&mut self, close: u8, depth: usize) -> Result<Vec<Child>, Refused> {
        let mut children = Vec::new();
        self.at += 1;
        loop {
            self.skip()?;
            if self.peek() == Some(close) {
                self.at += 1;
                return Ok(children);
            }
            let start = self.at;
            let key = if close == b'}' { Some(self.key()?) } else { None };
            let value = self.value(depth + 1)?;
            children.push(Child { key, span: start..self.at, value });
            self.skip()?;
            match self.peek() {
                Some(b',') => self.at += 1,
                Some(byte) if byte == close => {}
                Some(_) | None => return Err(self.wrong("a comma or the end is missing")),
            }
        }
    }

    fn key(&mut self) -> Result<String, Refused> {
        if self.peek() != Some(b'"') {
            return Err(self.wrong("a name in quotes is missing"));
        }
        let key = self.string()?;
        self.skip()?;
        if self.peek() != Some(b':') {
            return Err(self.wrong("a colon is missing"));
        }
        self.at += 1;
        self.skip()?;
        Ok(key)
    }

    fn string(&mut self) -> Result<String, Refused> {
        let start = self.at;
        self.at += 1;
        loop {
            match self.peek() {
                None => return Err(self.wrong("a text does not end")),
                Some(b'"') => break,
                Some(b'\\') => self.at += 2,
                Some(_) => self.at += 1,
            }
        }
        self.at += 1;
        let written = self.text.get(start..self.at).unwrap_or_default();
        serde_json::from_str(written).map_err(|_| self.wrong("a text is not written rightly"))
    }

    fn word(&mut self) -> Result<Item, Refused> {
        let start = self.at;
        while self.peek().is_some_and(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte)) {
            self.at += 1;
        }
        let word = self.text.get(start..self.at).unwrap_or_default();
        match word {
            "true" => Ok(Item::Flag(true)),
            "false" => Ok(Item::Flag(false)),
            "null" => Ok(Item::Null),
            number if serde_json::from_str::<serde_json::Number>(number).is_ok() => {
                Ok(Item::Number(number.to_owned()))
            }
            _ => Err(self.wrong("a value is not written rightly")),
        }
    }
}
