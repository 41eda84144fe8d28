//! All that is wrong, at once.

use std::{fmt, iter, vec};

use super::error::Error;

/// Everything that is wrong with a configuration: one mistake at least, in the order in which they stand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mistakes {
    /// The first.
    pub first: Error,
    /// The others.
    pub rest: Vec<Error>,
}

impl Mistakes {
    /// What was made, if nothing is wrong with it.
    pub(super) fn unless<T>(errors: Vec<Error>, made: T) -> Result<T, Self> {
        let mut errors = errors.into_iter();
        match errors.next() {
            Some(first) => Err(Self { first, rest: errors.collect() }),
            None => Ok(made),
        }
    }
}

impl IntoIterator for Mistakes {
    type Item = Error;
    type IntoIter = iter::Chain<iter::Once<Error>, vec::IntoIter<Error>>;

    fn into_iter(self) -> Self::IntoIter {
        iter::once(self.first).chain(self.rest)
    }
}

impl fmt::Display for Mistakes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.first.fmt(f)?;
        self.rest.iter().try_for_each(|error| write!(f, "\n{error}"))
    }
}

impl std::error::Error for Mistakes {}
