//! From YAML to the values that keys take.

use super::entry::Entry;
use super::error::{Position, Problem, one_of};
use super::keys::Kind;
use super::yaml::{Content, Node};

/// A problem and where it is.
pub(super) type Located = (Position, Problem);

/// A single value, as written.
pub(super) fn text<'a>(node: &'a Node, key: &str) -> Result<&'a str, Located> {
    match &node.content {
        Content::Text(text) => Ok(text),
        Content::Alias | Content::List(_) | Content::Map(_) | Content::Null => {
            Err(wrong(node, key, "a text"))
        }
    }
}

/// `true` or `false`, in YAML's spellings.
pub(super) fn boolean(node: &Node, key: &str) -> Result<bool, Located> {
    match text(node, key).unwrap_or_default().to_ascii_lowercase().as_str() {
        "true" | "yes" | "on" => Ok(true),
        "false" | "no" | "off" => Ok(false),
        _ => Err(wrong(node, key, "`true` or `false`")),
    }
}

/// A whole number.
pub(super) fn number(node: &Node, key: &str) -> Result<u32, Located> {
    text(node, key).ok().and_then(|text| text.parse().ok()).ok_or_else(|| wrong(node, key, "a whole number"))
}

/// One of some words.
pub(super) fn choice<'a>(node: &'a Node, key: &str, words: &[&str]) -> Result<&'a str, Located> {
    let chosen = text(node, key).ok().filter(|word| words.contains(word));
    chosen.ok_or_else(|| wrong(node, key, &one_of(words, "")))
}

/// A list; nothing is an empty one.
pub(super) fn list<'a>(node: &'a Node, key: &str) -> Result<&'a [Node], Located> {
    match &node.content {
        Content::List(nodes) => Ok(nodes),
        Content::Null => Ok(&[]),
        Content::Alias | Content::Map(_) | Content::Text(_) => Err(wrong(node, key, "a list")),
    }
}

/// A list of texts, or a single one.
pub(super) fn texts(node: &Node, key: &str) -> Result<Vec<(Position, String)>, Located> {
    match &node.content {
        Content::Text(one) => Ok(vec![(node.at, one.clone())]),
        Content::Alias | Content::List(_) | Content::Map(_) | Content::Null => list(node, key)?
            .iter()
            .map(|item| text(item, key).map(|text| (item.at, text.to_owned())))
            .collect(),
    }
}

/// A list of entries.
pub(super) fn entries(node: &Node, key: &str) -> Result<Vec<Entry>, Located> {
    let entry = |item: &Node| Entry::new(text(item, key)?).map_err(|problem| (item.at, problem));
    list(node, key)?.iter().map(entry).collect()
}

/// Whether a value is what its key takes, where nothing more is done with it. Of those, nothing at all is fine.
pub(super) fn check(kind: Kind, node: &Node, key: &str) -> Result<(), Located> {
    match kind {
        _ if node.content == Content::Null => Ok(()),
        Kind::Boolean => boolean(node, key).map(drop),
        Kind::Cases | Kind::Entries | Kind::Hooks => list(node, key).map(drop),
        Kind::Choice(words) => choice(node, key, words).map(drop),
        Kind::Credentials | Kind::Mappings => named_mappings(node, key),
        Kind::Number => number(node, key).map(drop),
        Kind::Paths | Kind::TextOrTexts | Kind::Texts => texts(node, key).map(drop),
        Kind::Text => text(node, key).map(drop),
    }
}

/// A mapping whose own keys are names that the person chose, each with a mapping.
fn named_mappings(node: &Node, key: &str) -> Result<(), Located> {
    let pairs = match &node.content {
        Content::Map(pairs) => pairs,
        Content::Null => return Ok(()),
        Content::Alias | Content::List(_) | Content::Text(_) => return Err(wrong(node, key, "a mapping")),
    };
    for (name, value) in pairs {
        text(name, "a name")?;
        if !matches!(value.content, Content::Map(_)) {
            return Err(wrong(value, key, "a mapping"));
        }
    }
    Ok(())
}

/// What is wrong with a value.
pub(super) fn wrong(node: &Node, key: &str, expected: &str) -> Located {
    (node.at, Problem::WrongKind { key: key.to_owned(), expected: expected.to_owned() })
}
