//! The head of a sheet: what stands in YAML between two lines of dashes.

use crate::wiring::{Format, Item};

/// The head of a sheet.
#[derive(Debug)]
pub(super) struct Head {
    text: String,
    /// What it says, where it can be read.
    said: Option<Item>,
}

impl Head {
    /// The head of a text; an empty one where it has none.
    pub(super) fn of(text: &str) -> Self {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text).replace("\r\n", "\n");
        let head = text.trim_start().strip_prefix("---").and_then(|rest| {
            let (_, rest) = rest.split_once('\n')?;
            // One that does not end may be read as one that does.
            Some(format!("\n{rest}").split_once("\n---").map_or(rest.to_owned(), |(head, _)| head.to_owned()))
        });
        let text = head.unwrap_or_default();
        let said = Format::Yaml.read(&text).ok();
        Self { text, said }
    }

    /// Whether it can be read.
    pub(super) const fn is_clear(&self) -> bool {
        self.said.is_some()
    }

    /// Whether it has one of these keys, which stand here in small letters. Of what cannot be read it is enough that the word is there, or
    /// that it may be there in disguise.
    pub(super) fn may_have(&self, keys: &[&str]) -> bool {
        let Some(said) = &self.said else {
            let text = plain(&self.text);
            return text.contains('\\') || keys.iter().any(|key| text.contains(key));
        };
        said.pairs().iter().any(|(key, _)| keys.contains(&plain(key).as_str()))
    }

    /// Whether a text stands in it that cannot be read.
    pub(super) fn may_say(&self, text: &str) -> bool {
        self.text.to_lowercase().contains(&text.to_lowercase())
    }

    /// The texts under a key, alone or in a list.
    pub(super) fn texts(&self, key: &str) -> Vec<String> {
        let pairs = self.said.iter().flat_map(Item::pairs);
        let found = pairs.filter(|(name, _)| plain(name) == key).map(|(_, value)| value);
        found
            .flat_map(|value| match value {
                Item::List(items) => items.iter().filter_map(text).collect(),
                Item::Flag(_) | Item::Map(_) | Item::Null | Item::Number(_) | Item::Text(_) => {
                    text(value).into_iter().collect::<Vec<_>>()
                }
            })
            .collect()
    }

    /// The names under a key: texts that commas and blanks divide.
    pub(super) fn names(&self, key: &str) -> Vec<String> {
        let texts = self.texts(key);
        let names = texts.iter().flat_map(|text| text.split([',', ' ', '\t', '\n']));
        names.filter(|name| !name.is_empty()).map(str::to_owned).collect()
    }
}

fn text(item: &Item) -> Option<String> {
    match item {
        Item::Text(text) | Item::Number(text) => Some(text.clone()),
        Item::Flag(_) | Item::List(_) | Item::Map(_) | Item::Null => None,
    }
}

/// A key without what agents overlook in it.
fn plain(key: &str) -> String {
    key.chars().filter(|c| !matches!(c, '-' | '_' | ' ')).collect::<String>().to_lowercase()
}
