//! Commands that only work something out.

use super::{Word, run_together};
use crate::filters::decode;
use crate::value::{Provenance, Value};

/// What a command yields that only works with its arguments.
pub(super) fn compute(name: &str, arguments: &[Word]) -> Value {
    let origin = arguments.iter().fold(Provenance::NONE, |all, word| all | word.value.provenance);
    computed(name, arguments).unwrap_or_else(|| Value::unknown(name, origin))
}

fn computed(name: &str, arguments: &[Word]) -> Option<Value> {
    let texts: Vec<Option<String>> = arguments.iter().map(|word| plain(&word.value)).collect();
    let text = |index: usize| texts.get(index).cloned().flatten();
    let decoded = |text: String| Value::literal(text).from(Provenance::DECODED);
    let words: Option<Vec<&str>> = texts.iter().map(Option::as_deref).collect();
    Some(
        match (name, words.as_deref()) {
            ("binary", Some(["decode", "base64", digits])) => {
                decoded(readable(decode::base64(strict(digits)?)?)?)
            }
            ("binary", Some(["decode", "hex", digits] | ["format", "H*", digits])) => {
                let whole = digits.bytes().all(|byte| byte.is_ascii_hexdigit());
                decoded(readable(whole.then(|| decode::hex(digits)).flatten()?)?)
            }
            ("string", Some(["reverse", text])) => decoded(text.chars().rev().collect()),
            ("string", Some(["tolower", text])) => Value::literal(text.to_ascii_lowercase()),
            ("string", Some(["toupper", text])) => Value::literal(text.to_ascii_uppercase()),
            ("string", Some(["repeat", text, times])) => {
                let times =
                    times.parse::<usize>().ok().filter(|times| text.len().saturating_mul(*times) < 4096)?;
                Value::literal(text.repeat(times))
            }
            ("string", Some(["map", pairs, text])) => match items(pairs)?.as_slice() {
                [from, to] if !from.is_empty() => Value::literal(text.replace(from.as_str(), to)),
                _ => return None,
            },
            ("format", Some(["%c", number])) => {
                let byte = number.parse::<u8>().ok().filter(|byte| (1..128).contains(byte))?;
                decoded(String::from(char::from(byte)))
            }
            ("format", Some(["%s", text])) => Value::literal(*text),
            ("join", Some([list])) => Value::literal(items(list)?.join(" ")),
            ("join", Some([list, between])) => Value::literal(items(list)?.join(between)),
            ("list", _) => {
                let quoted: Option<Vec<String>> =
                    (0..arguments.len()).map(|index| quoted(&text(index)?)).collect();
                match quoted {
                    Some(quoted) => Value::literal(quoted.join(" ")),
                    None if arguments.len() == 1 => return None,
                    None => run_together(arguments, " "),
                }
            }
            ("concat", Some(words)) => {
                let trimmed: Vec<&str> =
                    words.iter().map(|word| word.trim()).filter(|word| !word.is_empty()).collect();
                Value::literal(trimmed.join(" "))
            }
            ("string", _) if text(0).as_deref() == Some("cat") => run_together(arguments.get(1..)?, ""),
            ("return", _) => match arguments {
                [only] => only.value.clone(),
                _ => return None,
            },
            _ => return None,
        }
        .from(arguments.iter().fold(Provenance::NONE, |all, word| all | word.value.provenance)),
    )
}

/// A text of ASCII alone: what other letters are depends on the encoding.
fn plain(value: &Value) -> Option<String> {
    value.known().filter(|text| text.is_ascii()).map(std::borrow::Cow::into_owned)
}

fn strict(digits: &str) -> Option<&str> {
    let whole = digits.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'='));
    (whole && digits.len().is_multiple_of(4)).then_some(digits)
}

fn readable(bytes: Vec<u8>) -> Option<String> {
    let plain = bytes.iter().all(|byte| (1..128).contains(byte));
    if plain { String::from_utf8(bytes).ok() } else { None }
}

/// The items of a list in which nothing is quoted.
fn items(list: &str) -> Option<Vec<String>> {
    (!list.contains(QUOTES)).then(|| list.split_whitespace().map(str::to_owned).collect())
}

/// A text as an item of a list.
pub(super) fn quoted(text: &str) -> Option<String> {
    if text.contains(QUOTES) || text.starts_with('#') {
        return None;
    }
    let bare =
        !text.is_empty() && !text.contains(|c: char| c.is_whitespace() || matches!(c, ';' | '$' | '[' | ']'));
    Some(if bare { text.to_owned() } else { format!("{{{text}}}") })
}

/// What quotes in a list.
const QUOTES: &[char] = &['{', '}', '"', '\\'];
