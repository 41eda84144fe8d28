//! Where a stretch of parts ends, and which quotes count in it.

use super::cursor::METACHARACTERS;

/// Where a stretch of parts ends, and which quotes count in it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fence {
    /// What ends it, outside of what is nested.
    pub(super) stops: &'static [u8],
    /// The pair whose inside hides the stops.
    pub(super) nest: Option<(u8, u8)>,
    /// Whether the pair counts only behind one of `?*+@!`, as in extended globs.
    pub(super) glob: bool,
    /// Whether `()` ends it, because a function may be defined here.
    pub(super) defines: bool,
    /// Whether a `:` that belongs to a `?` is hidden.
    pub(super) ternary: bool,
    pub(super) quoting: Quoting,
}

/// Which quotes and escapes count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Quoting {
    /// In `$(( ))`: as in double quotes, but those may be written inside.
    Arithmetic,
    /// In `"${x:-…}"`.
    Brace,
    /// In a here-document.
    Document,
    /// In double quotes.
    Double,
    /// Outside of any.
    Plain,
}

impl Quoting {
    pub(super) fn is_plain(self) -> bool {
        self == Self::Plain
    }

    /// Whether `"` begins a quoted stretch.
    pub(super) fn has_double(self) -> bool {
        !matches!(self, Self::Document | Self::Double)
    }

    /// Whether a backslash takes the meaning from `byte`.
    pub(super) fn escapes(self, byte: u8) -> bool {
        match self {
            Self::Plain => true,
            Self::Document => b"$`\\".contains(&byte),
            Self::Arithmetic | Self::Double => b"$`\\\"".contains(&byte),
            Self::Brace => b"$`\\\"}".contains(&byte),
        }
    }
}

const PLAIN: Fence =
    Fence { stops: b"", nest: None, glob: false, defines: false, ternary: false, quoting: Quoting::Plain };

impl Fence {
    /// A word of a command.
    pub(super) const WORD: Self =
        Self { stops: METACHARACTERS, nest: Some((b'(', b')')), glob: true, ..PLAIN };
    /// The first word of a command.
    pub(super) const FIRST: Self = Self { defines: true, ..Self::WORD };
    /// What stands right of `=~`.
    pub(super) const REGEX: Self = Self { stops: b" \t\n;&<>)", nest: Some((b'(', b')')), ..PLAIN };
    /// `[…]` behind a name.
    pub(super) const SUBSCRIPT: Self = Self { stops: b"]", nest: Some((b'[', b']')), ..PLAIN };
    /// A pattern or word up to the closing brace.
    pub(super) const BRACE: Self = Self { stops: b"}", ..PLAIN };
    /// A pattern up to the slash or the closing brace.
    pub(super) const REPLACED: Self = Self { stops: b"/}", ..PLAIN };
    /// A word up to the closing brace, in double quotes.
    pub(super) const QUOTED_BRACE: Self = Self { quoting: Quoting::Brace, ..Self::BRACE };
    /// An offset or length in `${x:offset:length}`.
    pub(super) const OFFSET: Self =
        Self { stops: b":}", nest: Some((b'(', b')')), ternary: true, quoting: Quoting::Arithmetic, ..PLAIN };
    /// Inside `"…"`.
    pub(super) const DOUBLE: Self = Self { stops: b"\"", quoting: Quoting::Double, ..PLAIN };
    /// The body of a here-document.
    pub(super) const DOCUMENT: Self = Self { quoting: Quoting::Document, ..PLAIN };
    /// Inside `$(( ))`.
    pub(super) const ARITHMETIC: Self = Self { quoting: Quoting::Arithmetic, ..PLAIN };
    /// Inside `$[ ]`.
    pub(super) const BRACKETS: Self = Self { nest: Some((b'[', b']')), stops: b"]", ..Self::ARITHMETIC };

    /// Whether plain text ends before `byte`.
    pub(super) fn interrupts(&self, byte: u8) -> bool {
        match byte {
            b'\\' | b'$' | b'`' => true,
            b'"' => self.quoting.has_double() || self.stops.contains(&byte),
            b'\'' | b'<' | b'>' => self.quoting.is_plain() || self.stops.contains(&byte),
            b'?' => self.ternary,
            _ => {
                self.stops.contains(&byte)
                    || self.nest.is_some_and(|(open, close)| open == byte || close == byte)
            }
        }
    }
}
