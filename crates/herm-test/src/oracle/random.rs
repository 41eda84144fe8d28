//! Numbers that look random and are the same in every run.

/// A source of numbers (`xorshift64*`).
#[derive(Debug)]
pub struct Random(u64);

impl Random {
    /// The source that this seed begins.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    /// A number below `bound`; nothing is below nothing.
    pub fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        let high = self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33;
        usize::try_from(high).unwrap_or_default().checked_rem(bound).unwrap_or_default()
    }
}
