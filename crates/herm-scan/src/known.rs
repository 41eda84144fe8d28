//! Values that are known to be secret, wherever they stand and however they are encoded.

use std::collections::HashMap;

use crate::filter::Filter;

/// The shortest value that is looked for: shorter ones stand in every text.
const SHORTEST: usize = 6;

/// The shortest encoded value that is looked for.
const SHORTEST_ENCODED: usize = 10;

/// Values to look for.
#[derive(Default)]
pub(crate) struct Known {
    /// What stands at the first places of values; there is nothing to look for without it.
    parts: Option<Filter>,
    /// By their first four bytes, the longest first.
    values: HashMap<[u8; 4], Vec<Vec<u8>>>,
}

/// Only each fourth place of a text is looked at. Wherever a value begins, one of those is among its first four, and three
/// bytes of the value stand there.
const STEP: usize = 4;
const PART: usize = SHORTEST - STEP + 1;

impl Known {
    pub(crate) fn new<'a>(values: impl IntoIterator<Item = &'a str>) -> Self {
        let mut known = Self::default();
        // A value of several lines is looked for line by line, because texts are read so.
        for value in values.into_iter().flat_map(str::lines).map(str::trim) {
            if value.len() >= SHORTEST && !"[REDACTED]".contains(value) {
                for form in forms(value) {
                    known.insert(form);
                }
            }
        }
        for values in known.values.values_mut() {
            values.sort_by_key(|value| std::cmp::Reverse(value.len()));
            values.dedup();
        }
        known
    }

    fn insert(&mut self, form: Vec<u8>) {
        let Some(first) = form.first_chunk::<4>().copied() else { return };
        let parts = self.parts.get_or_insert_with(Filter::new);
        for part in form.array_windows().take(STEP) {
            parts.insert(number(*part));
        }
        self.values.entry(first).or_default().push(form);
    }

    /// The first value that begins from one position up to another: where it begins and ends.
    pub(crate) fn find(&self, text: &[u8], at: usize, until: usize) -> Option<(usize, usize)> {
        let parts = self.parts.as_ref()?;
        let last = STEP - 1;
        for (step, rest) in text.get(at + last..)?.chunks(STEP).enumerate() {
            let start = at + step * STEP;
            if start >= until {
                return None;
            }
            if rest.first_chunk().is_some_and(|part| parts.may_have(number(*part)))
                && let Some(found) = (start..until.min(start + STEP)).find_map(|start| self.at(text, start))
            {
                return Some(found);
            }
        }
        None
    }

    /// Whether a value begins with these bytes and goes on.
    pub(crate) fn begins(&self, with: &[u8]) -> bool {
        self.values.values().flatten().any(|value| value.len() > with.len() && value.starts_with(with))
    }

    fn at(&self, text: &[u8], start: usize) -> Option<(usize, usize)> {
        let here = text.get(start..)?;
        let value =
            self.values.get(here.first_chunk::<4>()?)?.iter().find(|value| here.starts_with(value))?;
        Some((start, start + value.len()))
    }
}

fn number([one, two, three]: [u8; PART]) -> u32 {
    u32::from_le_bytes([one, two, three, 0])
}

/// A value as it is, in JSON, in an address, and in Base64 wherever it begins there.
fn forms(value: &str) -> Vec<Vec<u8>> {
    let mut forms = vec![value.as_bytes().to_vec(), escaped(value), percent(value)];
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

fn percent(value: &str) -> Vec<u8> {
    let digit = |half: u8| char::from_digit(u32::from(half), 16).unwrap_or('0').to_ascii_uppercase();
    let mut encoded = String::new();
    for byte in value.bytes() {
        if byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.' | b'~') {
            encoded.push(char::from(byte));
        } else {
            encoded.extend(['%', digit(byte >> 4), digit(byte & 15)]);
        }
    }
    encoded.into_bytes()
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
