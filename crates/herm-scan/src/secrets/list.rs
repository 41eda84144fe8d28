//! Lists of words that are asked about words which are hardly ever in them.

/// Some words. They stand in one text, because pointers to each would have to be put right whenever the program starts.
#[derive(Debug)]
pub(super) struct List {
    words: &'static str,
    /// Where each word begins, by its hash; the next free place where another one stands there.
    places: [u16; SLOTS],
}

const SLOTS: usize = 1024;

/// Where no word stands.
const FREE: u16 = u16::MAX;

impl List {
    /// The words of a text with one blank between each.
    #[expect(clippy::indexing_slicing, reason = "runs when it is compiled")]
    #[expect(clippy::cast_possible_truncation, reason = "checked before")]
    pub(super) const fn new(words: &'static str) -> Self {
        let (bytes, mut places) = (words.as_bytes(), [FREE; SLOTS]);
        assert!(bytes.len() < FREE as usize, "the list is too long");
        let (mut at, mut start, mut hash) = (0, 0, 0);
        while at <= bytes.len() {
            if at == bytes.len() || bytes[at] == b' ' {
                let mut slot = slot(hash);
                while places[slot] != FREE {
                    slot = (slot + 1) % SLOTS;
                }
                places[slot] = start as u16;
                (start, hash) = (at + 1, 0);
            } else {
                hash = mixed(hash, bytes[at]);
            }
            at += 1;
        }
        Self { words, places }
    }

    pub(super) fn has(&self, word: &[u8]) -> bool {
        let first = slot(word.iter().fold(0, |hash, byte| mixed(hash, *byte)));
        let (before, from) = self.places.split_at_checked(first).unwrap_or((&[], &self.places));
        from.iter().chain(before).take_while(|place| **place != FREE).any(|place| self.is_at(*place, word))
    }

    /// Whether a word stands at a place, and no longer one.
    fn is_at(&self, place: u16, word: &[u8]) -> bool {
        let rest = self.words.as_bytes().get(usize::from(place)..).unwrap_or_default();
        rest.strip_prefix(word).is_some_and(|rest| matches!(rest, [] | [b' ', ..])) && !word.contains(&b' ')
    }
}

const fn mixed(hash: u32, byte: u8) -> u32 {
    (hash ^ byte as u32).wrapping_mul(0x0100_0193)
}

/// Which place belongs to a hash.
const fn slot(hash: u32) -> usize {
    (hash >> 16) as usize % SLOTS
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_has_its_words_and_no_parts_of_them() {
        static WORDS: List = List::new("one three two threes of");
        for word in ["one", "two", "three", "threes", "of"] {
            assert!(WORDS.has(word.as_bytes()), "{word}");
        }
        for word in ["", "on", "thre", "one three", "four", "ones"] {
            assert!(!WORDS.has(word.as_bytes()), "{word}");
        }
    }
}
