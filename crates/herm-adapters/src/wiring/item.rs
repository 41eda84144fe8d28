//! What a configuration file says, whatever it is written in.

/// A value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Item {
    /// Yes or no.
    Flag(bool),
    /// A list.
    List(Vec<Item>),
    /// A mapping, in the order of the file.
    Map(Vec<(String, Item)>),
    /// Nothing.
    Null,
    /// A number or a date, as it is written.
    Number(String),
    /// A text.
    Text(String),
}

/// A step on the way to a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Key {
    Index(usize),
    Name(String),
}

impl Item {
    /// A text.
    pub(crate) fn text(text: impl Into<String>) -> Self {
        Self::Text(text.into())
    }

    /// A whole number.
    pub(crate) fn number(number: u64) -> Self {
        Self::Number(number.to_string())
    }

    /// A mapping.
    pub(crate) fn map<const N: usize>(pairs: [(&str, Item); N]) -> Self {
        Self::Map(pairs.into_iter().map(|(key, value)| (key.to_owned(), value)).collect())
    }

    /// The value of a key. The first one, where there are several.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Item> {
        self.pairs().iter().find(|(key, _)| key == name).map(|(_, value)| value)
    }

    /// What stands at the end of a path.
    pub(crate) fn at(&self, path: &[Key]) -> Option<&Item> {
        path.iter().try_fold(self, |item, key| match key {
            Key::Index(index) => item.items().get(*index),
            Key::Name(name) => item.get(name),
        })
    }

    /// What stands at the end of a path of names.
    #[must_use]
    pub fn find(&self, path: &[&str]) -> Option<&Item> {
        path.iter().try_fold(self, |item, name| item.get(name))
    }

    /// The members of a mapping.
    #[must_use]
    pub fn pairs(&self) -> &[(String, Item)] {
        match self {
            Self::Map(pairs) => pairs,
            Self::Flag(_) | Self::List(_) | Self::Null | Self::Number(_) | Self::Text(_) => &[],
        }
    }

    /// The items of a list.
    #[must_use]
    pub fn items(&self) -> &[Item] {
        match self {
            Self::List(items) => items,
            Self::Flag(_) | Self::Map(_) | Self::Null | Self::Number(_) | Self::Text(_) => &[],
        }
    }

    /// A text.
    #[must_use]
    pub fn as_text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            Self::Flag(_) | Self::List(_) | Self::Map(_) | Self::Null | Self::Number(_) => None,
        }
    }

    /// Whether it holds nothing.
    pub(crate) fn is_empty(&self) -> bool {
        match self {
            Self::List(items) => items.is_empty(),
            Self::Map(pairs) => pairs.is_empty(),
            Self::Null => true,
            Self::Flag(_) | Self::Number(_) | Self::Text(_) => false,
        }
    }

    /// Whether two say the same: the order of members says nothing.
    #[must_use]
    pub fn same(&self, other: &Item) -> bool {
        match (self, other) {
            (Self::List(one), Self::List(two)) => {
                one.len() == two.len() && one.iter().zip(two).all(|(one, two)| one.same(two))
            }
            (Self::Map(one), Self::Map(two)) => {
                let found = |(key, value): &(String, Item)| other.get(key).is_some_and(|it| it.same(value));
                one.len() == two.len() && one.iter().all(found)
            }
            (one, two) => one == two,
        }
    }
}
