//! Lists of words that are asked about words which are hardly ever in them.

/// Some words. They stand in one text, because pointers to each would have to be put right whenever the program starts.
#[derive(Debug)]
pub(super) struct List {
    words: &'static str,
    /// One bit for the hash of each word.
    hashes: [u64; BITS / 64],
}

const BITS: usize = 8192;

impl List {
    /// The words of a text with one blank between each.
    #[expect(clippy::indexing_slicing, reason = "runs when it is compiled")]
    pub(super) const fn new(words: &'static str) -> Self {
        let (bytes, mut hashes, mut at, mut hash) = (words.as_bytes(), [0; BITS / 64], 0, 0);
        while at <= bytes.len() {
            if at == bytes.len() || bytes[at] == b' ' {
                let bit = bit(hash);
                hashes[bit / 64] |= 1 << (bit % 64);
                hash = 0;
            } else {
                hash = mixed(hash, bytes[at]);
            }
            at += 1;
        }
        Self { words, hashes }
    }

    pub(super) fn has(&self, word: &[u8]) -> bool {
        let bit = bit(word.iter().fold(0, |hash, byte| mixed(hash, *byte)));
        let maybe = self.hashes.get(bit / 64).is_some_and(|bits| bits >> (bit % 64) & 1 != 0);
        maybe && self.words.split(' ').any(|each| each.as_bytes() == word)
    }
}

const fn mixed(hash: u32, byte: u8) -> u32 {
    (hash ^ byte as u32).wrapping_mul(0x0100_0193)
}

/// Which bit belongs to a hash.
const fn bit(hash: u32) -> usize {
    (hash >> 16) as usize % BITS
}
