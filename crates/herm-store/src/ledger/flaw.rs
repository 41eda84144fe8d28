//! What is wrong with a ledger, as precisely as it can be told.

use std::fmt;

/// What is wrong with a ledger.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Flaw {
    /// Records are not what they were when the ones after them were written.
    Altered {
        /// The first of them.
        first: u64,
        /// The last of them.
        last: u64,
    },
    /// A line that never was a record.
    Foreign {
        /// Which line; the first is 1.
        line: u64,
    },
    /// The key does not vouch for the head.
    HeadForged,
    /// The head is gone.
    HeadMissing,
    /// The head is not what a head looks like.
    HeadUnreadable,
    /// The key is gone.
    KeyMissing,
    /// The key is not what a key looks like.
    KeyUnreadable,
    /// The file of records is gone.
    LedgerMissing,
    /// Records are gone from the middle.
    Removed {
        /// The first of them.
        first: u64,
        /// The last of them.
        last: u64,
    },
    /// A record stands behind one that was written later.
    Reordered {
        /// The record.
        seq: u64,
        /// On which line it stands now; the first is 1.
        line: u64,
    },
    /// A record is there twice.
    Repeated {
        /// The record.
        seq: u64,
        /// On which line it stands again; the first is 1.
        line: u64,
    },
    /// Records are gone from the end.
    Truncated {
        /// The first of them.
        first: u64,
        /// The last of them.
        last: u64,
    },
    /// Records whose hash stood in one that was altered, so that nothing tells whether they are what they were.
    Unvouched {
        /// The first of them.
        first: u64,
        /// The last of them.
        last: u64,
    },
}

impl fmt::Display for Flaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Altered { first, last } => write!(f, "{} changed", were(*first, *last)),
            Self::Foreign { line } => write!(f, "line {line} never was a record"),
            Self::HeadForged => f.write_str("the key does not vouch for the head"),
            Self::HeadMissing => f.write_str("the head is missing"),
            Self::HeadUnreadable => f.write_str("the head cannot be read"),
            Self::KeyMissing => f.write_str("the key is missing"),
            Self::KeyUnreadable => f.write_str("the key cannot be read"),
            Self::LedgerMissing => f.write_str("the file of records is missing"),
            Self::Removed { first, last } => write!(f, "{} removed", were(*first, *last)),
            Self::Reordered { seq, line } => write!(f, "record {seq} was moved to line {line}"),
            Self::Repeated { seq, line } => write!(f, "record {seq} stands on line {line} again"),
            Self::Truncated { first, last } => write!(f, "{} cut off the end", were(*first, *last)),
            Self::Unvouched { first, last } => {
                write!(f, "{} vouched for by a record that was changed", were(*first, *last))
            }
        }
    }
}

/// `record 3 was`, or `4 records (3 to 6) were`.
fn were(first: u64, last: u64) -> String {
    match last.saturating_sub(first) {
        0 => format!("record {first} was"),
        more => format!("{} records ({first} to {last}) were", more.saturating_add(1)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn says_which_and_how_many() {
        assert_eq!(Flaw::Altered { first: 3, last: 3 }.to_string(), "record 3 was changed");
        let cut = Flaw::Truncated { first: 3, last: 6 };
        assert_eq!(cut.to_string(), "4 records (3 to 6) were cut off the end");
    }
}
