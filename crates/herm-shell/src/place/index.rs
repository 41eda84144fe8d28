//! The tables of places, by the component that tells their names apart.
//!
//! A path is compared with the few names that share its first or last component, not with all of them.

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

/// Names by one of their components. Every process makes it anew, so it is not sorted: each name knows the one before
/// it in its slot.
#[derive(Debug)]
pub(super) struct Bucket {
    keyed: Vec<Keyed>,
    /// The last name of each slot.
    last: [Option<u16>; SLOTS],
    /// Those whose component holds a `*`.
    wild: Vec<(&'static str, Entry)>,
}

#[derive(Debug)]
struct Keyed {
    key: &'static str,
    entry: Entry,
    before: Option<u16>,
}

const SLOTS: usize = 128;

impl Default for Bucket {
    fn default() -> Self {
        Self { keyed: Vec::new(), last: [None; SLOTS], wild: Vec::new() }
    }
}

impl Bucket {
    fn add(&mut self, key: &'static str, entry: Entry) {
        if key.contains('*') {
            self.wild.push((key, entry));
        } else if let Some(last) = self.last.get_mut(slot(key.bytes())) {
            let here = u16::try_from(self.keyed.len()).ok();
            self.keyed.push(Keyed { key, entry, before: std::mem::replace(last, here) });
        }
    }

    /// The names that a component may belong to: for a pattern that is all of them.
    pub(super) fn named<'a>(&'a self, component: &'a Component) -> impl Iterator<Item = &'a Entry> {
        let text = component.text();
        let all = text.is_none().then_some(&self.keyed).into_iter().flatten();
        let keyed = text.into_iter().flat_map(|text| self.keyed(text.bytes()));
        let wild = self.wild.iter().filter(|(key, _)| component.may_be(key)).map(|(_, entry)| entry);
        all.chain(keyed).map(|keyed| &keyed.entry).chain(wild)
    }

    /// The names that begin as a path does.
    pub(super) fn leading<'a>(&'a self, path: &'a [Component]) -> impl Iterator<Item = &'a Entry> {
        let texts = (path.first().map(Component::text), path.get(1).map(Component::text));
        let (all, first, second): (&[_], _, _) = match texts {
            (None, _) => (&[], None, None),
            (Some(Some(first)), None) => (&[], Some(first), None),
            (Some(Some(first)), Some(Some(second))) => (&[], Some(first), Some((first, second))),
            (Some(None), _) | (_, Some(None)) => (&self.keyed, None, None),
        };
        let one = first.into_iter().flat_map(|first| self.keyed(first.bytes()));
        let two = second
            .into_iter()
            .flat_map(|(first, second)| self.keyed(first.bytes().chain([b'/']).chain(second.bytes())));
        let wild = self.wild.iter().map(|(_, entry)| entry);
        all.iter().chain(one).chain(two).map(|keyed| &keyed.entry).chain(wild)
    }

    /// The names with this key. Case does not count.
    fn keyed(&self, text: impl Iterator<Item = u8> + Clone) -> impl Iterator<Item = &Keyed> {
        let text = text.map(|byte| byte.to_ascii_lowercase());
        let at = |place: Option<u16>| self.keyed.get(usize::from(place?));
        let last = self.last.get(slot(text.clone())).copied().flatten();
        let chain = std::iter::successors(at(last), move |keyed| at(keyed.before));
        chain.filter(move |keyed| keyed.key.bytes().eq(text.clone()))
    }
}

/// Where a key is kept.
fn slot(key: impl Iterator<Item = u8>) -> usize {
    key.fold(0, |sum: usize, byte| sum.wrapping_mul(31).wrapping_add(usize::from(byte))) % SLOTS
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
