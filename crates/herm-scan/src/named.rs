//! Values that are known to be secret beside their names, whatever they look like.

use std::collections::HashMap;

use crate::known::forms;
use crate::secrets::{ALNUM, BLANK, QUOTE, REDACTED, WORD, before, between, byte, from, is, run, run_back};

/// Names, and what their values look like.
pub(crate) struct Named {
    values: HashMap<Vec<u8>, Vec<Vec<u8>>>,
    longest: usize,
    /// The bytes that may stand before the sign: what names end with, and what may stand between. Most signs follow others.
    before: [bool; 256],
}

impl Default for Named {
    fn default() -> Self {
        let before = std::array::from_fn(|byte| u8::try_from(byte).is_ok_and(is_between));
        Self { values: HashMap::new(), longest: 0, before }
    }
}

/// A value that stands beside its name, from where to where.
pub(crate) type Span = (usize, usize);

impl Named {
    pub(crate) fn new<'a>(variables: impl IntoIterator<Item = (&'a str, &'a str)>) -> Self {
        let mut named = Self::default();
        for (name, value) in variables {
            if name.is_empty() || value.is_empty() || REDACTED.starts_with(value) {
                continue;
            }
            named.longest = named.longest.max(name.len());
            let last = name.bytes().last().map_or(0, usize::from);
            named.before.get_mut(last).into_iter().for_each(|may_be| *may_be = true);
            let values = named.values.entry(name.as_bytes().to_vec()).or_default();
            values.extend(forms(value));
            values.sort_by_key(|value| std::cmp::Reverse(value.len()));
        }
        named
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// The first value that begins from one position up to another, and whose name stands before it.
    pub(crate) fn find(&self, text: &[u8], at: usize, until: usize) -> Option<Span> {
        let begins = |span: &Span| (at..until).contains(&span.0);
        self.pairs(text, at, until).find_map(|pair| whole(text, pair).filter(begins))
    }

    /// Where a value begins that is all that the text goes on with behind its name, and is not over.
    pub(crate) fn begun(&self, text: &[u8]) -> Option<usize> {
        self.pairs(text, 0, text.len()).find_map(|(values, end)| {
            let open = |start: &usize| {
                let rest = from(text, *start);
                !rest.is_empty()
                    && values.iter().any(|value| value.len() > rest.len() && value.starts_with(rest))
            };
            starts(text, end).find(open)
        })
    }

    /// Signs behind names that are known: the values of each, and where its sign ends.
    fn pairs<'a>(
        &'a self,
        text: &'a [u8],
        at: usize,
        until: usize,
    ) -> impl Iterator<Item = (&'a [Vec<u8>], usize)> + 'a {
        // What was passed before may be the sign of what comes. At the very beginning, there is no name.
        let mut next = at.saturating_sub(REACH).max(1);
        let until = if self.values.is_empty() { 0 } else { until };
        let is_sign = |&[last, sign]: &[u8; 2]| {
            matches!(sign, b'=' | b':') && self.before.get(usize::from(last)).is_some_and(|may_be| *may_be)
        };
        std::iter::from_fn(move || {
            loop {
                let sign = next + between(text, next - 1, until).array_windows().position(is_sign)?;
                next = sign + 1;
                if let Some(values) = self.before(text, sign) {
                    return Some((values, sign));
                }
            }
        })
    }

    /// The values of the name that ends before a sign.
    fn before(&self, text: &[u8], sign: usize) -> Option<&[Vec<u8>]> {
        let mut end = run_back(text, sign, BLANK, GAP);
        for _ in 0..3 {
            if is(before(text, end), BLANK) || !is_between(before(text, end)) {
                break;
            }
            end -= 1;
        }
        let start = run_back(text, end, WORD, self.longest + ESCAPE);
        let found = self.values.get(between(text, start, end));
        let found = found.or_else(|| self.values.get(between(text, past_escape(text, start), end)));
        found.map(Vec::as_slice)
    }
}

/// Where the whole of a value stands behind a sign.
fn whole(text: &[u8], (values, sign): (&[Vec<u8>], usize)) -> Option<Span> {
    let ends = |end: usize| !is(byte(text, end), ALNUM) || !is(before(text, end), ALNUM);
    starts(text, sign).find_map(|start| {
        let is_here = |value: &&Vec<u8>| from(text, start).starts_with(value) && ends(start + value.len());
        values.iter().find(is_here).map(|value| (start, start + value.len()))
    })
}

/// Whether a byte may stand between a name and its sign.
fn is_between(byte: u8) -> bool {
    is(byte, BLANK | QUOTE) || matches!(byte, b'\\' | b']' | b')')
}

/// The most blanks between a name, a sign and a value.
const GAP: usize = 64;

/// How far behind its sign a value may begin.
const REACH: usize = GAP + 8;

/// How long the end of an escape may be: `[01;31m`.
const ESCAPE: usize = 8;

/// Where the value behind a sign may begin: after blanks, and in quotes.
fn starts(text: &[u8], sign: usize) -> impl Iterator<Item = usize> {
    let signs = from(text, sign).iter().take(3).take_while(|byte| b"=:>".contains(byte)).count();
    let bare =
        sign + signs + from(text, sign + signs).iter().take(GAP).take_while(|byte| is(**byte, BLANK)).count();
    let mark = match (byte(text, bare), byte(text, bare + 1)) {
        (b'\\' | b'$', quote) if is(quote, QUOTE) => 2,
        (quote, _) if is(quote, QUOTE) => 1,
        _ => 0,
    };
    [bare, bare + mark].into_iter().take(1 + usize::from(mark > 0))
}

/// Where a name begins that stands right behind an escape: `\nNAME`, `ESC[31mNAME`.
fn past_escape(text: &[u8], start: usize) -> usize {
    match (before(text, start), byte(text, start)) {
        (b'\\', b'n' | b'r' | b't') => start + 1,
        (b'[' | b';', _) => {
            let end = run(text, start, crate::secrets::DIGIT);
            if matches!(byte(text, end), b'K' | b'm') { end + 1 } else { start }
        }
        _ => start,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named() -> Named {
        Named::new([("PIN", "1234"), ("FOO", "on"), ("GREETING", "good morning"), ("QUOTED", "a\"b")])
    }

    #[track_caller]
    fn finds(text: &str, expected: Option<&str>) {
        let found = named().find(text.as_bytes(), 0, text.len());
        assert_eq!(found.and_then(|(start, end)| text.get(start..end)), expected, "{text}");
    }

    #[test]
    fn a_value_is_found_behind_its_name_in_every_notation() {
        for text in [
            "PIN=1234",
            "export PIN='1234'",
            "declare -x PIN=\"1234\"",
            "PIN: 1234",
            "{\"PIN\": \"1234\"}",
            "{\\\"PIN\\\":\\\"1234\\\"}",
            "'PIN' => '1234',",
            "PIN      =   1234",
            "environ({'PIN': '1234'})",
            "process.env.PIN = `1234`",
            "os.environ['PIN'] = '1234'",
            "PIN:=1234",
            "a\\nPIN=1234\\nb",
            "\u{1b}[01;31mPIN=1234",
            "PIN=$'1234'",
        ] {
            finds(text, Some("1234"));
        }
        finds("FOO=on", Some("on"));
        finds("say GREETING=good morning!", Some("good morning"));
        finds(r#"{"QUOTED": "a\"b"}"#, Some(r#"a\"b"#));
    }

    #[test]
    fn another_name_or_value_is_not() {
        for text in [
            "1234",
            "SPIN=1234",
            "PIN_2=1234",
            "PIN=12345",
            "PIN=4321",
            "pin: 1234",
            "FOO=once",
            "FOO",
            "PIN=",
        ] {
            finds(text, None);
        }
    }

    #[test]
    fn the_sign_may_have_gone_by() {
        let text = b"PIN   = 1234";
        assert_eq!(named().find(text, 8, text.len()), Some((8, 12)));
        assert_eq!(named().find(text, 9, text.len()), None);
        assert_eq!(named().find(text, 0, 8), None);
    }

    #[test]
    fn what_has_begun_is_known() {
        assert_eq!(named().begun(b"GREETING='good mor"), Some(10));
        assert_eq!(named().begun(b"PIN=12"), Some(4));
        assert_eq!(named().begun(b"PIN="), None);
        assert_eq!(named().begun(b"PIN=7"), None);
    }
}
