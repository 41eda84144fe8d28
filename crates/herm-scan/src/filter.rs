//! A set of numbers that is quick to ask and may say yes too often.

/// One bit for each hash of a number.
#[derive(Debug)]
pub(crate) struct Filter {
    words: Box<[u64; WORDS]>,
}

const WORDS: usize = 1024;

impl Filter {
    pub(crate) fn new() -> Self {
        Self { words: Box::new([0; WORDS]) }
    }

    pub(crate) fn insert(&mut self, number: u32) {
        let hash = hash(number);
        if let Some(bits) = self.words.get_mut(hash >> 6) {
            *bits |= 1 << (hash & 63);
        }
    }

    /// Whether a number may be in the set; if not, it surely is not.
    pub(crate) fn may_have(&self, number: u32) -> bool {
        let hash = hash(number);
        self.words.get(hash >> 6).is_some_and(|bits| bits >> (hash & 63) & 1 != 0)
    }
}

/// Sixteen bits that depend on all others.
fn hash(number: u32) -> usize {
    (number.wrapping_mul(0x9e37_79b1) >> 16) as usize
}
