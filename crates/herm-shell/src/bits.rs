//! Small sets of named bits.

/// Defines a set of named bits: union with `|`, membership with `has`, iteration over names for display.
macro_rules! bits {
    ($(#[$meta:meta])* $name:ident : $int:ty { $($(#[$doc:meta])* $bit:ident = $value:expr, $word:literal;)* }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
        pub struct $name($int);

        impl $name {
            /// The empty set.
            pub const NONE: Self = Self(0);
            $($(#[$doc])* pub const $bit: Self = Self(1 << $value);)*

            /// Whether every bit of `other` is set.
            #[must_use]
            pub const fn has(self, other: Self) -> bool {
                self.0 & other.0 == other.0
            }

            /// Whether any bit of `other` is set.
            #[must_use]
            pub const fn any(self, other: Self) -> bool {
                self.0 & other.0 != 0
            }

            /// Whether no bit is set.
            #[must_use]
            pub const fn is_empty(self) -> bool {
                self.0 == 0
            }

            /// Both sets together; `const`, so that tables can use it.
            #[must_use]
            pub const fn and(self, other: Self) -> Self {
                Self(self.0 | other.0)
            }

            /// This set without the bits of `other`.
            #[must_use]
            pub const fn without(self, other: Self) -> Self {
                Self(self.0 & !other.0)
            }

            /// Every bit that this set does not have.
            #[must_use]
            pub const fn complement(self) -> Self {
                Self(!self.0)
            }

            /// The words for the bits that are set.
            pub fn words(self) -> impl Iterator<Item = &'static str> {
                [$((Self::$bit, $word)),*].into_iter().filter(move |(bit, _)| self.has(*bit)).map(|(_, word)| word)
            }
        }

        impl std::ops::BitOr for $name {
            type Output = Self;
            fn bitor(self, other: Self) -> Self {
                self.and(other)
            }
        }

        impl std::ops::BitOrAssign for $name {
            fn bitor_assign(&mut self, other: Self) {
                *self = self.and(other);
            }
        }
    };
}

pub(crate) use bits;
