//! Access lists, as the kernel writes them into attributes.
//!
//! The permissions of a file that has a list are part of it: those of the owner and of everybody else are entries, and those that
//! the mode has for the group are the *mask*, which bounds all others. So a list says more than the mode, and what it says of the group
//! can be less.

/// The attribute that says who may use a file or a directory.
pub(crate) const ACCESS: &str = "system.posix_acl_access";

/// The attribute that says which list whatever is made in a directory gets.
pub(crate) const DEFAULT: &str = "system.posix_acl_default";

/// An access list.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) struct List(Vec<Entry>);

#[derive(Clone, Copy, Debug, Eq, PartialEq)]
struct Entry {
    tag: u16,
    rights: u16,
    id: u32,
}

const VERSION: [u8; 4] = [2, 0, 0, 0];
const OWNER: u16 = 0x01;
const GROUP: u16 = 0x04;
const MASK: u16 = 0x10;
const OTHERS: u16 = 0x20;

impl List {
    /// Reads what the kernel wrote; nothing if it did not.
    pub(crate) fn read(bytes: &[u8]) -> Option<Self> {
        let entries = bytes.strip_prefix(&VERSION)?;
        let (entries, rest) = entries.as_chunks::<8>();
        let entry = |[tag, high, rights, _, id @ ..]: &[u8; 8]| Entry {
            tag: u16::from_le_bytes([*tag, *high]),
            rights: u16::from(*rights) & 0o7,
            id: u32::from_le_bytes(*id),
        };
        rest.is_empty().then(|| Self(entries.iter().map(entry).collect()))
    }

    /// As the kernel reads it.
    pub(crate) fn write(&self) -> Vec<u8> {
        let entries = self.0.iter().flat_map(|entry| {
            let [low, high] = entry.tag.to_le_bytes();
            let [one, two, three, four] = entry.id.to_le_bytes();
            let rights = entry.rights.to_le_bytes();
            [low, high, rights[0], rights[1], one, two, three, four]
        });
        VERSION.into_iter().chain(entries).collect()
    }

    /// What a file gets that is made in a directory with this list for it, but for the mode. A list that says no more than a mode
    /// becomes one.
    pub(crate) fn inherited(self) -> Option<Self> {
        let says_more = self.0.iter().any(|entry| ![OWNER, GROUP, OTHERS].contains(&entry.tag));
        says_more.then_some(self)
    }

    /// Whether two lists say the same, but for what is said by modes.
    pub(crate) fn agrees(&self, other: &Self) -> bool {
        self.without_mode() == other.without_mode()
    }

    fn without_mode(&self) -> Vec<Entry> {
        let blank = |entry: &Entry| Entry { rights: 0, ..*entry };
        let one = |entry: &Entry| if self.is_of_the_mode(*entry) { blank(entry) } else { *entry };
        self.0.iter().map(one).collect()
    }

    /// The same list for a file with this mode, as `chmod` makes it.
    pub(crate) fn with_mode(&self, mode: u32) -> Self {
        let bits = |shift: u32| u16::try_from(mode >> shift & 0o7).unwrap_or(0);
        let one = |entry: &Entry| {
            let rights = match entry.tag {
                _ if !self.is_of_the_mode(*entry) => entry.rights,
                OWNER => bits(6),
                OTHERS => bits(0),
                _ => bits(3),
            };
            Entry { rights, ..*entry }
        };
        Self(self.0.iter().map(one).collect())
    }

    /// What the group of the file may really do.
    pub(crate) fn group(&self) -> u32 {
        let rights = |tag| self.0.iter().find(|entry| entry.tag == tag).map(|entry| u32::from(entry.rights));
        rights(GROUP).unwrap_or(0) & rights(MASK).unwrap_or(0o7)
    }

    fn is_of_the_mode(&self, entry: Entry) -> bool {
        let has_mask = self.0.iter().any(|entry| entry.tag == MASK);
        match entry.tag {
            OWNER | MASK | OTHERS => true,
            GROUP => !has_mask,
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NAMED: u16 = 0x02;

    fn list(entries: &[(u16, u16, u32)]) -> List {
        List(entries.iter().map(|(tag, rights, id)| Entry { tag: *tag, rights: *rights, id: *id }).collect())
    }

    fn usual(group: u16, named: u16, mask: u16) -> List {
        let none = u32::MAX;
        list(&[
            (OWNER, 6, none),
            (NAMED, named, 1),
            (GROUP, group, none),
            (MASK, mask, none),
            (OTHERS, 0, none),
        ])
    }

    #[test]
    fn what_was_written_is_read_and_nothing_else() {
        let written = usual(0, 6, 6).write();
        assert_eq!(List::read(&written), Some(usual(0, 6, 6)));
        assert_eq!(written.len(), 4 + 5 * 8);
        for hostile in [&written[..3], &written[..13], &[1, 0, 0, 0], b"".as_slice()] {
            assert_eq!(List::read(hostile), None);
        }
    }

    #[test]
    fn a_mode_changes_the_mask_and_not_the_group() {
        let narrowed = usual(4, 6, 6).with_mode(0o640);
        assert_eq!(narrowed, usual(4, 6, 4));
        assert!(narrowed.agrees(&usual(4, 6, 6)));
        assert!(!narrowed.agrees(&usual(6, 6, 6)) && !narrowed.agrees(&usual(4, 7, 6)));
        assert_eq!((usual(6, 6, 4).group(), usual(0, 6, 6).group()), (4, 0));
    }

    #[test]
    fn a_list_that_is_a_mode_is_not_inherited_as_a_list() {
        let none = u32::MAX;
        assert_eq!(list(&[(OWNER, 7, none), (GROUP, 5, none), (OTHERS, 0, none)]).inherited(), None);
        assert_eq!(usual(0, 6, 6).inherited(), Some(usual(0, 6, 6)));
    }
}
