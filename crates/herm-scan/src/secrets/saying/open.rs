//! Quotes around a value, at any depth of escaping.

use super::super::bytes::{QUOTE, between, byte, from, is};

/// What opens a value, and what will close it.
#[derive(Clone, Copy, Debug)]
pub(in crate::secrets) struct Open {
    /// Where the value begins.
    start: usize,
    /// How many backslashes stand before each quote.
    slashes: usize,
    close: Close,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Close {
    Quote(u8),
    /// Quotes of typography or of another encoding.
    Written(&'static str),
}

/// Quotes that are more than one byte: what opens, and what closes.
const WRITTEN: &[(&str, &str)] = &[
    ("\u{201c}", "\u{201d}"),
    ("\u{201e}", "\u{201c}"),
    ("\u{2018}", "\u{2019}"),
    ("\u{201a}", "\u{2018}"),
    ("\u{ab}", "\u{bb}"),
    ("\u{bb}", "\u{ab}"),
    ("\u{300c}", "\u{300d}"),
    ("\u{300e}", "\u{300f}"),
    ("&quot;", "&quot;"),
    ("&#34;", "&#34;"),
    ("&#39;", "&#39;"),
    ("&apos;", "&apos;"),
    ("\\u0022", "\\u0022"),
    ("\\u0027", "\\u0027"),
    ("\\x22", "\\x22"),
    ("%22", "%22"),
    ("%27", "%27"),
    ("=22", "=22"),
    ("\u{201d}", "\u{201d}"),
    ("**", "**"),
];

/// What a value may be wrapped in before its quotes.
const WRAPPERS: &[&str] = &[
    "Some(",
    "Ok(",
    "Just(",
    "Secret(",
    "String(",
    "Password(",
    "SecretString(",
    "SecretStr(",
    "[]byte(",
    "text(",
    "N",
    "r#",
];

/// The longest value that is looked for.
const LONGEST: usize = 512;

impl Open {
    /// The quotes that open at a position.
    pub(in crate::secrets) fn read(line: &[u8], at: usize) -> Option<Self> {
        let wrapped = WRAPPERS.iter().find(|wrapper| from(line, at).starts_with(wrapper.as_bytes()));
        let inside = wrapped.and_then(|wrapper| Self::plain(line, at + wrapper.len()));
        inside.or_else(|| Self::plain(line, at)).or_else(|| Self::written(line, at))
    }

    fn plain(line: &[u8], at: usize) -> Option<Self> {
        let has_mark = b"rbfuLRBFN@$".contains(&byte(line, at));
        let at = at + usize::from(has_mark && (is(byte(line, at + 1), QUOTE)));
        let slashes = from(line, at).iter().take(32).take_while(|byte| **byte == b'\\').count();
        let quote = byte(line, at + slashes);
        // `"""…"""`
        let is_triple = slashes == 0 && from(line, at).starts_with(&[quote; 3]) && is(quote, QUOTE);
        let at = at + if is_triple { 2 } else { 0 };
        is(quote, QUOTE).then_some(Self { start: at + slashes + 1, slashes, close: Close::Quote(quote) })
    }

    fn written(line: &[u8], at: usize) -> Option<Self> {
        let (open, close) = WRITTEN.iter().find(|(open, _)| from(line, at).starts_with(open.as_bytes()))?;
        Some(Self { start: at + open.len(), slashes: 0, close: Close::Written(close) })
    }

    /// Where the value begins and ends; `None` if nothing closes it.
    pub(in crate::secrets) fn inner(self, line: &[u8]) -> Option<(usize, usize)> {
        let near = between(line, self.start, line.len().min(self.start + LONGEST));
        let length = match self.close {
            Close::Written(close) => near.windows(close.len()).position(|part| part == close.as_bytes()),
            Close::Quote(quote) => self.quoted(near, quote),
        }?;
        Some((self.start, self.start + length))
    }

    /// How long a text is up to a quote with as many backslashes before it as the first had.
    fn quoted(self, near: &[u8], quote: u8) -> Option<usize> {
        let mut slashes = 0;
        for (at, byte) in near.iter().enumerate() {
            if *byte == quote && slashes == self.slashes {
                return Some(at - slashes);
            }
            slashes = if *byte == b'\\' { slashes + 1 } else { 0 };
        }
        None
    }
}
