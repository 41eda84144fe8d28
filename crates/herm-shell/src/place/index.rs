//! The tables of places, by the component that tells their names apart.
//!
//! A path is compared with the few names that share its first or last component, not with all of them.

use std::cmp::Ordering;
use std::sync::LazyLock;

use super::Places;
use super::component::Component;
use super::table::{EXCEPTIONS, PLACES};

/// All names, made when the first path is looked at.
pub(super) static INDEX: LazyLock<Index> = LazyLock::new(Index::new);

/// A name and what is there.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    pub(super) name: &'static str,
    pub(super) places: Places,
    /// Whether it says what the place is not.
    pub(super) exception: bool,
}

impl Entry {
    /// The name without the mark of a home directory.
    pub(super) fn plain(&self) -> &'static str {
        self.name.strip_prefix("~/").unwrap_or(self.name)
    }
}

/// The names, by how they stand to a path.
#[derive(Debug, Default)]
pub(super) struct Index {
    /// From the root, or a drive: by the first two components.
    pub(super) rooted: Bucket,
    /// In a home directory: by the first two components.
    pub(super) home: Bucket,
    /// The end of a path: by the last component.
    pub(super) ending: Bucket,
    /// A directory somewhere in a path: by the first component.
    pub(super) anywhere: Bucket,
    /// In a home directory, when only the end of a path is known.
    pub(super) home_ending: Bucket,
    /// A directory in a home, when only the end of a path is known.
    pub(super) home_anywhere: Bucket,
}

impl Index {
    fn new() -> Self {
        let mut index = Self::default();
        for (table, exception) in [(PLACES, false), (EXCEPTIONS, true)] {
            for (places, names) in table {
                names.iter().for_each(|name| index.add(Entry { name, places: *places, exception }));
            }
        }
        let Self { rooted, home, ending, anywhere, home_ending, home_anywhere } = &mut index;
        for bucket in [rooted, home, ending, anywhere, home_ending, home_anywhere] {
            bucket.keyed.sort_unstable_by_key(|(key, _)| *key);
        }
        index
    }

    fn add(&mut self, entry: Entry) {
        let name = entry.name;
        let first = |name: &'static str| name.split('/').next().unwrap_or(name);
        let last = |name: &'static str| name.rsplit('/').next().unwrap_or(name);
        let below = name.ends_with("/**");
        if let Some(name) = name.strip_prefix("~/") {
            self.home.add(front(name), entry);
            if below {
                self.home_anywhere.add(first(name), entry);
            } else {
                self.home_ending.add(last(name), entry);
            }
        } else if name.starts_with(['/', '%']) || name.starts_with("c:/") {
            self.rooted.add(front(name.trim_start_matches('/')), entry);
        } else if below {
            self.anywhere.add(first(name), entry);
        } else {
            self.ending.add(last(name), entry);
        }
    }
}

/// Names by one of their components.
#[derive(Debug, Default)]
pub(super) struct Bucket {
    keyed: Vec<(&'static str, Entry)>,
    /// Those whose component holds a `*`.
    wild: Vec<(&'static str, Entry)>,
}

impl Bucket {
    fn add(&mut self, key: &'static str, entry: Entry) {
        if key.contains('*') {
            self.wild.push((key, entry));
        } else {
            self.keyed.push((key, entry));
        }
    }

    /// The names that a component may belong to: for a pattern that is all of them.
    pub(super) fn named<'a>(&'a self, component: &'a Component) -> impl Iterator<Item = &'a Entry> {
        let keyed = match component.text() {
            Some(text) => self.keyed(text.bytes()),
            None => &self.keyed,
        };
        let wild = self.wild.iter().filter(|(key, _)| component.may_be(key));
        keyed.iter().chain(wild).map(|(_, entry)| entry)
    }

    /// The names that begin as a path does.
    pub(super) fn leading<'a>(&'a self, path: &'a [Component]) -> impl Iterator<Item = &'a Entry> {
        let texts = (path.first().map(Component::text), path.get(1).map(Component::text));
        let (one, two): (&[_], &[_]) = match texts {
            (None, _) => (&[], &[]),
            (Some(Some(first)), None) => (self.keyed(first.bytes()), &[]),
            (Some(Some(first)), Some(Some(second))) => {
                (self.keyed(first.bytes()), self.keyed(first.bytes().chain([b'/']).chain(second.bytes())))
            }
            (Some(None), _) | (_, Some(None)) => (&self.keyed, &[]),
        };
        one.iter().chain(two).chain(&self.wild).map(|(_, entry)| entry)
    }

    /// The names with this key. Case does not count.
    fn keyed(&self, text: impl Iterator<Item = u8> + Clone) -> &[(&'static str, Entry)] {
        let text = text.map(|byte| byte.to_ascii_lowercase());
        let compare = |key: &str| key.bytes().cmp(text.clone());
        let start = self.keyed.partition_point(|(key, _)| compare(key) == Ordering::Less);
        let rest = self.keyed.get(start..).unwrap_or_default();
        let count = rest.iter().take_while(|(key, _)| compare(key) == Ordering::Equal).count();
        rest.get(..count).unwrap_or_default()
    }
}

/// The first component of a name, and the second if that is plain.
fn front(name: &'static str) -> &'static str {
    let mut slashes = name.match_indices('/').map(|(at, _)| at);
    let (first, second) = (slashes.next().unwrap_or(name.len()), slashes.next().unwrap_or(name.len()));
    let two = name.get(..second).unwrap_or(name);
    if two.contains('*') { name.get(..first).unwrap_or(name) } else { two }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_in_lower_case_and_patterns_stand_apart() {
        for (_, names) in PLACES.iter().chain(EXCEPTIONS) {
            assert!(names.iter().all(|name| *name == name.to_ascii_lowercase()), "{names:?}");
        }
        let path = [Component::literal(".SSH"), Component::literal("id_rsa")];
        let found: Vec<_> = INDEX.home.leading(&path).map(|entry| entry.name).collect();
        assert!(found.contains(&"~/.ssh/**") && found.len() < 8, "{found:?}");
    }
}
