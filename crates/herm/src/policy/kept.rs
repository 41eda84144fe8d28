//! Values that are kept for show.

use super::yaml::{Content, Node};

/// What a file says about something that has no effect yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kept {
    /// Several values.
    Many(Vec<String>),
    /// The names of a mapping. What stands below them may be secret.
    Names(Vec<String>),
    /// A single value.
    One(String),
}

impl Kept {
    /// Nothing is kept of nothing.
    pub(super) fn of(node: &Node) -> Option<Self> {
        match &node.content {
            Content::Alias | Content::Null => None,
            Content::List(items) => Some(Self::Many(items.iter().filter_map(single).collect())),
            Content::Map(pairs) => {
                Some(Self::Names(pairs.iter().filter_map(|(name, _)| single(name)).collect()))
            }
            Content::Text(text) => Some(Self::One(text.clone())),
        }
    }
}

fn single(node: &Node) -> Option<String> {
    match &node.content {
        Content::Text(text) => Some(text.clone()),
        Content::Alias | Content::List(_) | Content::Map(_) | Content::Null => None,
    }
}
