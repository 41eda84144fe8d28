//! Why a file is left alone.

use std::fmt;

/// Why a file is left alone. What cannot be changed without a doubt is not changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refused {
    /// A name stands twice, and agents differ in which one they take.
    Duplicate(String),
    /// Another's file stands where ours would be.
    Foreign,
    /// Comments, trailing commas or a byte order mark stand in a file whose reader takes none.
    NotPlain,
    /// Trailing commas or a byte order mark stand in a file with which its agent does not start then.
    NotTaken,
    /// Other values are merged in at that place.
    Merged,
    /// An anchor, an alias or a tag stands at that place, so that a change would also be one elsewhere.
    Referred(String),
    /// Our entry stands in one group with those of others.
    Shared(String),
    /// The file cannot be understood.
    Syntax(String),
    /// Our entry stands there more than once.
    Twice(String),
    /// The change cannot be made without touching something else.
    Unclear,
    /// Something else stands there than an agent would read.
    Unexpected(String),
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Duplicate(name) => write!(f, "`{name}` stands twice at one place"),
            Self::Foreign => write!(f, "a file that is not herm's stands there"),
            Self::Merged => write!(f, "other values are merged in (`<<`) at that place"),
            Self::NotPlain => write!(
                f,
                "its agent takes plain JSON alone and skips the whole file: take comments, trailing commas and a byte order mark out"
            ),
            Self::NotTaken => write!(
                f,
                "its agent does not start with trailing commas or a byte order mark in it: take them out; comments may stay"
            ),
            Self::Referred(place) => write!(f, "`{place}` has an anchor, an alias or a tag"),
            Self::Shared(place) => write!(f, "in `{place}`, herm's hook shares a group with others"),
            Self::Syntax(why) => write!(f, "it cannot be read: {why}"),
            Self::Twice(place) => write!(f, "in `{place}`, herm's hook stands more than once"),
            Self::Unclear => write!(f, "it is written in a way in which nothing can be added safely"),
            Self::Unexpected(place) if place.is_empty() => write!(f, "it is not a mapping"),
            Self::Unexpected(place) => write!(f, "`{place}` is not what it should be"),
        }
    }
}

impl std::error::Error for Refused {}
