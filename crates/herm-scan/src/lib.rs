//! Says what a text contains.
//!
//! Texts can lie to whoever reads them: characters that cannot be seen, that turn the reading direction, that move
//! the cursor, or that look like others. [`scan`] finds those, [`skeleton`] says what a word looks like, and
//! [`inspect_url`] and [`inspect_host`] say what is odd about an address.
//!
//! Texts can also give away what nobody should see: a [`Redactor`] takes secrets out of them as they go by.

#![forbid(unsafe_code)]

mod address;
mod characters;
mod disguise;
mod filter;
mod held;
mod host;
mod known;
mod named;
mod popular;
mod punycode;
mod redact;
mod secrets;
mod skeleton;

pub use address::{Network, Reach, address, network, reach};
pub use disguise::scan;
pub use held::is_secret_variable;
pub use host::{HostTrait, inspect_host, inspect_url};
pub use punycode::encoded;
pub use redact::Redactor;
pub use skeleton::{is_disguised, plain, skeleton};

/// Something that stands in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Detection {
    /// What kind.
    pub kind: Kind,
    /// The first byte.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
    /// What it is, for people; already escaped.
    pub shown: String,
}

/// What kinds of thing a text can contain.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// A character that changes the direction of the text.
    Bidi,
    /// A control character that texts have no use for.
    Control,
    /// A sequence that moves the cursor, changes colours or commands the terminal.
    Escape,
    /// Text pushed out of sight by blanks or empty lines.
    HiddenText,
    /// A word of letters from several scripts that look alike.
    Homograph,
    /// A character that cannot be seen.
    Invisible,
    /// A space that is none to the shell, where a space is expected.
    OddSpace,
}

impl Kind {
    /// Whether it makes a word look like another one.
    #[must_use]
    pub const fn hides_words(self) -> bool {
        match self {
            Self::Bidi
            | Self::Control
            | Self::Escape
            | Self::Homograph
            | Self::Invisible
            | Self::OddSpace => true,
            Self::HiddenText => false,
        }
    }
}
