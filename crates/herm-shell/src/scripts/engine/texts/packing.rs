//! `pack` and `unpack`, as far as their results are texts of ASCII.

use super::coding::{hex, hexed, readable};
use super::{Val, Yield, characters, plain};

/// One item of a template: its letter, and how often (`None` for `*`).
struct Item {
    letter: char,
    times: Option<usize>,
    counted: bool,
}

fn items(template: &str) -> Option<Vec<Item>> {
    let mut items = Vec::new();
    let mut rest = template.trim_start();
    while let Some(letter) = rest.chars().next() {
        rest = rest.get(letter.len_utf8()..).unwrap_or_default();
        let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
        let star = rest.starts_with('*');
        let times = if star {
            None
        } else if digits.is_empty() {
            Some(1)
        } else {
            Some(digits.parse().ok()?)
        };
        rest = rest.get(digits.len() + usize::from(star)..).unwrap_or_default().trim_start();
        items.push(Item { letter, times, counted: star || !digits.is_empty() });
    }
    Some(items)
}

/// Values by a template.
pub(super) fn packed(template: &str, values: &[Val]) -> Option<Yield> {
    let mut values = values.iter();
    let mut bytes: Vec<u8> = Vec::new();
    for item in items(template)? {
        match item.letter {
            'A' | 'a' => {
                let mut text = plain(values.next()?)?;
                if let Some(times) = item.times.filter(|times| *times < 4096) {
                    if item.letter == 'a' && text.len() < times {
                        return None;
                    }
                    text = format!("{:<times$}", text.get(..times.min(text.len()))?);
                }
                bytes.extend(text.bytes());
            }
            'H' => {
                let text = plain(values.next()?)?;
                let digits = text.get(..item.times.unwrap_or(text.len()))?;
                bytes.extend(hex(digits)?.bytes());
            }
            'C' | 'c' | 'U' | 'W' | 'w' => {
                for value in values.by_ref().take(item.times.unwrap_or(usize::MAX)) {
                    bytes.push(u8::try_from(value.number()?).ok()?);
                }
            }
            'n' | 'v' | 'N' | 'V' => {
                for value in values.by_ref().take(item.times.unwrap_or(usize::MAX)) {
                    let mut both = match item.letter {
                        'n' | 'v' => u16::try_from(value.number()?).ok()?.to_be_bytes().to_vec(),
                        _ => u32::try_from(value.number()?).ok()?.to_be_bytes().to_vec(),
                    };
                    if matches!(item.letter, 'v' | 'V') {
                        both.reverse();
                    }
                    bytes.extend(both);
                }
            }
            _ => return None,
        }
    }
    readable(bytes).map(Yield::Decoded)
}

/// What a template takes out of a text, for templates of one item.
pub(super) fn unpacked(template: &str, text: &str) -> Option<Yield> {
    if matches!(template, "(A1)*" | "(a1)*" | "(A)*" | "(a)*") {
        return (!text.contains(char::is_whitespace)).then(|| Yield::List(characters(text)));
    }
    let items = items(template)?;
    let [item] = items.as_slice() else { return None };
    match (item.letter, item.times, item.counted) {
        ('A', None, _) if !text.ends_with(char::is_whitespace) => Some(Yield::List(vec![text.to_owned()])),
        ('a', None, _) => Some(Yield::List(vec![text.to_owned()])),
        ('H', None, _) => Some(Yield::List(vec![hexed(text)])),
        ('C' | 'c' | 'U' | 'W', None, _) => Some(Yield::Numbers(text.bytes().map(i64::from).collect())),
        ('m', _, false) | ('m', Some(0), _) => {
            Some(Yield::Val(Val::list(vec![decoded(super::coding::base64(text)?)])))
        }
        _ => None,
    }
}

fn decoded(text: String) -> Val {
    Val::value(crate::value::Value::literal(text).from(crate::value::Provenance::DECODED))
}
