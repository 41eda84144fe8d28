//! From YAML to the values that keys take.

use super::entry::Entry;
use super::error::{Position, Problem, one_of};
use super::keys::Kind;
use super::yaml::{Content, Node};

/// A problem and where it is.
pub(super) type Located = (Position, Problem);

/// What is wrong with a value: once, or in several of its parts.
#[derive(Debug)]
pub(super) struct Wrong(pub(super) Vec<Located>);

impl From<Located> for Wrong {
    fn from(located: Located) -> Self {
        Self(vec![located])
    }
}

/// All of them, or everything that is wrong with any.
pub(super) fn all<T>(parts: impl IntoIterator<Item = Result<T, Wrong>>) -> Result<Vec<T>, Wrong> {
    let (mut fine, mut faults) = (Vec::new(), Vec::new());
    for part in parts {
        match part {
            Ok(part) => fine.push(part),
            Err(Wrong(more)) => faults.extend(more),
        }
    }
    if faults.is_empty() { Ok(fine) } else { Err(Wrong(faults)) }
}

/// A single value, as written.
pub(super) fn text<'a>(node: &'a Node, key: &str) -> Result<&'a str, Wrong> {
    match &node.content {
        Content::Text(text) => Ok(text),
        Content::Alias | Content::List(_) | Content::Map(_) | Content::Null => {
            Err(wrong(node, key, "a text"))
        }
    }
}

/// `true` or `false`, in YAML's spellings.
pub(super) fn boolean(node: &Node, key: &str) -> Result<bool, Wrong> {
    match text(node, key).unwrap_or_default().to_ascii_lowercase().as_str() {
        "true" | "yes" | "on" => Ok(true),
        "false" | "no" | "off" => Ok(false),
        _ => Err(wrong(node, key, "`true` or `false`")),
    }
}

/// A whole number. Programs write some of them as `60.0`.
pub(super) fn number(node: &Node, key: &str) -> Result<u32, Wrong> {
    let whole = |text: &str| match text.split_once('.') {
        Some((whole, fraction)) if !fraction.is_empty() && fraction.bytes().all(|digit| digit == b'0') => {
            whole.parse().ok()
        }
        Some(_) | None => text.parse().ok(),
    };
    text(node, key).ok().and_then(whole).ok_or_else(|| wrong(node, key, "a whole number"))
}

/// A number that Hermes takes fractions of; here each counts as the next whole one.
pub(super) fn rounded(node: &Node, key: &str) -> Result<u32, Wrong> {
    let digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    let fraction = text(node, key).ok().and_then(|text| text.split_once('.'));
    let next = fraction
        .filter(|(whole, part)| digits(whole) && digits(part) && part.bytes().any(|digit| digit != b'0'))
        .and_then(|(whole, _)| whole.parse::<u32>().ok()?.checked_add(1));
    next.map_or_else(|| number(node, key), Ok)
}

/// One of some words.
pub(super) fn choice<'a>(node: &'a Node, key: &str, words: &[&str]) -> Result<&'a str, Wrong> {
    let chosen = text(node, key).ok().filter(|word| words.contains(word));
    chosen.ok_or_else(|| wrong(node, key, &one_of(words, "")))
}

/// The pairs of a mapping, each with the name of its key. A name that stood there before is a mistake.
pub(super) fn named(pairs: &[(Node, Node)]) -> impl Iterator<Item = Result<(&Node, &str, &Node), Wrong>> {
    pairs.iter().enumerate().map(|(at, (key, value))| {
        let name = text(key, "a key")?;
        if pairs.iter().take(at).any(|(earlier, _)| earlier.content == key.content) {
            return Err(Wrong::from((key.at, Problem::Duplicate(name.to_owned()))));
        }
        Ok((key, name, value))
    })
}

/// A list; nothing is an empty one.
pub(super) fn list<'a>(node: &'a Node, key: &str) -> Result<&'a [Node], Wrong> {
    match &node.content {
        Content::List(nodes) => Ok(nodes),
        Content::Null => Ok(&[]),
        Content::Alias | Content::Map(_) | Content::Text(_) => Err(wrong(node, key, "a list")),
    }
}

/// A list of texts, or a single one.
pub(super) fn texts(node: &Node, key: &str) -> Result<Vec<(Position, String)>, Wrong> {
    match &node.content {
        Content::Text(one) => Ok(vec![(node.at, one.clone())]),
        Content::Alias | Content::List(_) | Content::Map(_) | Content::Null => {
            all(list(node, key)?.iter().map(|item| Ok((item.at, text(item, key)?.to_owned()))))
        }
    }
}

/// A list of paths, or a single one. Each begins at the root or at home: where else it began would depend on who reads it.
pub(super) fn paths(node: &Node, key: &str) -> Result<Vec<(Position, String)>, Wrong> {
    let rooted = |(at, path): (Position, String)| {
        let begins = path.starts_with('/') || path == "~" || path.starts_with("~/");
        if begins { Ok((at, path)) } else { Err(Wrong::from((at, Problem::RelativePath(path)))) }
    };
    all(texts(node, key)?.into_iter().map(rooted))
}

/// A list of entries that loosen.
pub(super) fn allowed(node: &Node, key: &str) -> Result<Vec<Entry>, Wrong> {
    let entry =
        |item: &Node| Entry::allowing(text(item, key)?).map_err(|problem| Wrong::from((item.at, problem)));
    all(list(node, key)?.iter().map(entry))
}

/// A list of entries.
pub(super) fn entries(node: &Node, key: &str) -> Result<Vec<Entry>, Wrong> {
    let entry = |item: &Node| Entry::new(text(item, key)?).map_err(|problem| Wrong::from((item.at, problem)));
    all(list(node, key)?.iter().map(entry))
}

/// Whether a value is what its key takes, where nothing more is done with it. Of those, nothing at all is fine.
pub(super) fn check(kind: Kind, node: &Node, key: &str) -> Result<(), Wrong> {
    match kind {
        _ if node.content == Content::Null => Ok(()),
        Kind::Boolean => boolean(node, key).map(drop),
        Kind::Cases | Kind::Entries | Kind::Hooks => list(node, key).map(drop),
        Kind::Choice(words) => choice(node, key, words).map(drop),
        Kind::Credentials | Kind::Mappings | Kind::Servers => named_mappings(node, key),
        Kind::Number => number(node, key).map(drop),
        Kind::Paths | Kind::TextOrTexts | Kind::Texts => texts(node, key).map(drop),
        Kind::Text => text(node, key).map(drop),
    }
}

/// A mapping whose own keys are names that the person chose, each with a mapping.
fn named_mappings(node: &Node, key: &str) -> Result<(), Wrong> {
    let pairs = match &node.content {
        Content::Map(pairs) => pairs,
        Content::Null => return Ok(()),
        Content::Alias | Content::List(_) | Content::Text(_) => return Err(wrong(node, key, "a mapping")),
    };
    let one = |(name, value): &(Node, Node)| {
        text(name, "a name")?;
        if matches!(value.content, Content::Map(_)) { Ok(()) } else { Err(wrong(value, key, "a mapping")) }
    };
    all(pairs.iter().map(one)).map(drop)
}

/// What is wrong with a value.
pub(super) fn wrong(node: &Node, key: &str, expected: &str) -> Wrong {
    Wrong::from((node.at, Problem::WrongKind { key: key.to_owned(), expected: expected.to_owned() }))
}
