//! Commands that only work something out.

use super::{Word, run_together};
use crate::filters::decode;
use crate::value::{Provenance, Value};

/// What a command yields that only works with its arguments.
pub(super) fn compute(name: &str, arguments: &[Word]) -> Value {
    let first = arguments.first().map(Word::known).unwrap_or_default();
    let last = arguments.last().map(|word| word.value.clone()).unwrap_or_default();
    let decoded = |text: Option<String>| {
        text.map_or_else(|| Value::unknown("decoded text", last.provenance), Value::literal)
            .from(Provenance::DECODED)
    };
    match (name, first.as_str()) {
        ("binary", "decode") => {
            let bytes = last.known().and_then(|text| match arguments.get(1).map(Word::known).as_deref() {
                Some("base64") => decode::base64(&text),
                Some("hex") => decode::hex(&text),
                Some(_) | None => None,
            });
            decoded(bytes.and_then(|bytes| String::from_utf8(bytes).ok()))
        }
        ("binary", "format") => decoded(
            last.known().and_then(|text| decode::hex(&text)).and_then(|bytes| String::from_utf8(bytes).ok()),
        ),
        ("string", "reverse") => decoded(last.known().map(|text| text.chars().rev().collect())),
        ("string", "cat") | ("list" | "concat" | "return", _) => {
            let skip = usize::from(name == "string");
            let between = if name == "string" { "" } else { " " };
            run_together(arguments.iter().skip(skip), between)
        }
        ("format", "%c") => {
            let number = arguments.get(1).and_then(|word| word.known().parse().ok()).and_then(char::from_u32);
            decoded(number.map(String::from))
        }
        ("join", _) => {
            let between = arguments.get(1).map_or_else(|| " ".to_owned(), Word::known);
            Value::literal(first.split_whitespace().collect::<Vec<_>>().join(&between))
        }
        _ => Value::unknown(name, last.provenance),
    }
}
