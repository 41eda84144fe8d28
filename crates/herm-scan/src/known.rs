//! Values that are known to be secret, wherever they stand and however they are encoded.

use std::collections::HashMap;

use crate::filter::Filter;
use crate::named::{Named, Span};
use crate::secrets::{REDACTED, WORD, before, byte, is};

/// The shortest value that is looked for: shorter ones stand in every text.
const SHORTEST: usize = 6;

/// The shortest value that is looked for as a word of its own, because of what it is called.
const SHORTEST_WORD: usize = 4;

/// The shortest encoded value that is looked for.
const SHORTEST_ENCODED: usize = 8;

/// How many places are looked at for one kind of values before the next.
const STRETCH: usize = 512;

/// Values to look for.
#[derive(Default)]
pub(crate) struct Known {
    /// Values that are long enough for the quick way.
    values: Table<4>,
    /// The same and words, if there are words: looking in one way is quicker than in two.
    words: Table<2>,
    named: Named,
}

impl Known {
    pub(crate) fn new<'a>(values: impl IntoIterator<Item = &'a str>) -> Self {
        Self { values: Table::new(values), ..Self::default() }
    }

    /// These values, those words where they stand on their own, and the values of these variables beside their names.
    pub(crate) fn holding<'a>(
        values: &[&'a str],
        words: &[&'a str],
        named: impl IntoIterator<Item = (&'a str, &'a str)>,
    ) -> Self {
        let mut known = Self { named: Named::new(named), ..Self::default() };
        let is_word =
            |word: &&&str| (SHORTEST_WORD..SHORTEST).contains(&word.len()) && !REDACTED.contains(**word);
        let mut words = words.iter().filter(is_word).peekable();
        if words.peek().is_none() {
            known.values = Table::new(values.iter().copied());
        } else {
            known.words = Table::new(values.iter().copied());
            words.for_each(|word| known.words.insert(word.as_bytes().to_vec(), Stands::Apart));
        }
        known
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.values.is_empty() && self.words.is_empty() && self.named.is_empty()
    }

    /// The first value that begins from one position up to another: where it begins and ends.
    ///
    /// All kinds are looked for in one stretch before the next, so that what one of them passes over for nothing is little.
    pub(crate) fn find(&self, text: &[u8], at: usize, until: usize) -> Option<Span> {
        if self.named.is_empty() {
            return self.values.find(text, at, until).or_else(|| self.words.find(text, at, until));
        }
        let stretches = (at..until).step_by(STRETCH);
        stretches.map(|at| (at, until.min(at + STRETCH))).find_map(|(at, until)| {
            let value = self.values.find(text, at, until).or_else(|| self.words.find(text, at, until));
            let order = |&(start, end): &Span| (start, std::cmp::Reverse(end));
            [value, self.named.find(text, at, until)].into_iter().flatten().min_by_key(order)
        })
    }

    /// Where a value begins that a text ends with, and that may go on.
    pub(crate) fn begun(&self, text: &[u8]) -> Option<usize> {
        let goes_on = |at: &usize| {
            text.get(*at..).is_some_and(|tail| self.values.begins(tail) || self.words.begins(tail))
        };
        let begun = (0..text.len()).find(goes_on);
        [begun, self.named.begun(text)].into_iter().flatten().min()
    }
}

/// Values of which each begins with what is quick to look for.
///
/// Only each `STEP`th place of a text is looked at. Wherever a value begins, one of those is among its first so many, and three
/// bytes of the value stand there.
#[derive(Default)]
struct Table<const STEP: usize> {
    /// What stands at the first places of values; there is nothing to look for without it.
    parts: Option<Filter>,
    /// By their first four bytes, the longest first.
    values: HashMap<[u8; 4], Vec<(Vec<u8>, Stands)>>,
}

/// Where a value counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stands {
    Anywhere,
    /// Where it is a word of its own.
    Apart,
}

/// How many bytes are looked at.
const PART: usize = 3;

impl<const STEP: usize> Table<STEP> {
    fn new<'a>(values: impl IntoIterator<Item = &'a str>) -> Self {
        let mut table = Self::default();
        // A value of several lines is looked for line by line, because texts are read so.
        for value in values.into_iter().flat_map(str::lines).map(str::trim) {
            if value.len() >= SHORTEST && !REDACTED.contains(value) {
                for form in forms(value) {
                    table.insert(form, Stands::Anywhere);
                }
            }
        }
        for values in table.values.values_mut() {
            values.sort_by_key(|(value, _)| std::cmp::Reverse(value.len()));
            values.dedup();
        }
        table
    }

    fn is_empty(&self) -> bool {
        self.parts.is_none()
    }

    fn insert(&mut self, form: Vec<u8>, stands: Stands) {
        let Some(first) = form.first_chunk::<4>().copied() else { return };
        let parts = self.parts.get_or_insert_with(Filter::new);
        for part in form.array_windows().take(STEP) {
            parts.insert(number(*part));
        }
        self.values.entry(first).or_default().push((form, stands));
    }

    fn find(&self, text: &[u8], at: usize, until: usize) -> Option<Span> {
        let parts = self.parts.as_ref()?;
        let last = STEP - 1;
        for (step, part) in text.get(at + last..)?.array_windows().step_by(STEP).enumerate() {
            let start = at + step * STEP;
            if start >= until {
                return None;
            }
            if parts.may_have(number(*part))
                && let Some(found) = (start..until.min(start + STEP)).find_map(|start| self.at(text, start))
            {
                return Some(found);
            }
        }
        None
    }

    /// Whether a value begins with these bytes and goes on.
    fn begins(&self, with: &[u8]) -> bool {
        let mut values = self.values.values().flatten();
        values.any(|(value, _)| value.len() > with.len() && value.starts_with(with))
    }

    fn at(&self, text: &[u8], start: usize) -> Option<Span> {
        let here = text.get(start..)?;
        let is_here = |(value, stands): &&(Vec<u8>, Stands)| {
            here.starts_with(value)
                && (*stands == Stands::Anywhere || is_apart(text, start, start + value.len()))
        };
        let (value, _) = self.values.get(here.first_chunk::<4>()?)?.iter().find(is_here)?;
        Some((start, start + value.len()))
    }
}

fn is_apart(text: &[u8], start: usize, end: usize) -> bool {
    !is(before(text, start), WORD) && !is(byte(text, end), WORD)
}

fn number([one, two, three]: [u8; PART]) -> u32 {
    u32::from_le_bytes([one, two, three, 0])
}

/// A value as it is, in JSON, in an address, and in Base64 wherever it begins there.
pub(crate) fn forms(value: &str) -> Vec<Vec<u8>> {
    let address = percent(value);
    let lower = lowered(&address);
    // In a form, a blank is a plus sign.
    let form = address.replace("%20", "+");
    let mut forms = vec![value.as_bytes().to_vec(), escaped(value)];
    forms.extend([address, lower, form].map(String::into_bytes));
    for before in 0..3 {
        let form = base64(value.as_bytes(), before);
        if form.len() >= SHORTEST_ENCODED {
            forms.push(form.iter().map(|byte| url64(*byte)).collect());
            forms.push(form);
        }
    }
    forms.sort();
    forms.dedup();
    forms
}

fn escaped(value: &str) -> Vec<u8> {
    value.replace('\\', "\\\\").replace('"', "\\\"").into_bytes()
}

/// The same with its digits in the other way to write them: `%2f`.
fn lowered(encoded: &str) -> String {
    let mut rest = encoded.chars();
    let mut lowered = String::with_capacity(encoded.len());
    while let Some(letter) = rest.next() {
        lowered.push(letter);
        if letter == '%' {
            lowered.extend(rest.by_ref().take(2).map(|digit| digit.to_ascii_lowercase()));
        }
    }
    lowered
}

fn percent(value: &str) -> String {
    let digit = |half: u8| char::from_digit(u32::from(half), 16).unwrap_or('0').to_ascii_uppercase();
    let mut encoded = String::new();
    for byte in value.bytes() {
        if byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.' | b'~') {
            encoded.push(char::from(byte));
        } else {
            encoded.extend(['%', digit(byte >> 4), digit(byte & 15)]);
        }
    }
    encoded
}

/// The characters of Base64 that a value alone decides, when so many bytes come before it.
fn base64(value: &[u8], before: usize) -> Vec<u8> {
    let mut bytes = vec![0; before];
    bytes.extend_from_slice(value);
    let whole = bytes.len() * 8 / 6;
    bytes.extend([0, 0, 0]);
    let sextet = |at: usize| {
        let (first, shift) = (at * 6 / 8, at * 6 % 8);
        let pair = bytes
            .get(first..first + 2)
            .map_or(0, |pair| pair.iter().fold(0_u32, |all, byte| all << 8 | u32::from(*byte)));
        letter(pair >> (10 - shift) & 63)
    };
    let first = match before {
        0 => 0,
        1 => 2,
        _ => 3,
    };
    (first..whole).map(sextet).collect()
}

fn letter(sextet: u32) -> u8 {
    let alphabet = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    usize::try_from(sextet).ok().and_then(|at| alphabet.get(at)).copied().unwrap_or(b'A')
}

fn url64(byte: u8) -> u8 {
    match byte {
        b'+' => b'-',
        b'/' => b'_',
        _ => byte,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn finds(text: &str, expected: Option<&str>) {
        let known = Known::new(["tr0ub4dor&3", "first line of it\nsecond \"line\" of it", "true", "12345"]);
        let found = known.find(text.as_bytes(), 0, text.len());
        assert_eq!(found.and_then(|(start, end)| text.get(start..end)), expected, "{text}");
    }

    #[test]
    fn values_are_found_in_every_encoding() {
        finds("xxtr0ub4dor&3yy", Some("tr0ub4dor&3"));
        finds("?p=tr0ub4dor%263", Some("tr0ub4dor%263"));
        finds("?p=first+line+of+it&q", Some("first+line+of+it"));
        finds("?p=second%20%22line%22%20of%20it", Some("second%20%22line%22%20of%20it"));
        finds(r#"{"a": "second \"line\" of it"}"#, Some(r#"second \"line\" of it"#));
        // `user:tr0ub4dor&3`, `u:tr0ub4dor&3` and `me:tr0ub4dor&3`
        finds("dXNlcjp0cjB1YjRkb3ImMw==", Some("0cjB1YjRkb3ImM"));
        finds("dTp0cjB1YjRkb3ImMw==", Some("0cjB1YjRkb3ImM"));
        finds("bWU6dHIwdWI0ZG9yJjM=", Some("dHIwdWI0ZG9yJj"));
    }

    #[test]
    fn short_values_are_not_looked_for() {
        finds("true 12345", None);
    }
}
