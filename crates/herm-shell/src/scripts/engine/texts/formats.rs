//! Formats: `%s`, `%5d`, `%-3s`, `%c`, `%x`.

use super::{Val, letter, plain};
use crate::lang::Lang;
use crate::scripts::engine::val::{TEXT_MOST, size};
use crate::value::{Provenance, Value};

/// One directive of a format, after its sign.
struct Directive {
    flags: String,
    width: Option<usize>,
    precision: Option<usize>,
    letter: char,
}

/// A format with its values put in. What is not read is a hole, and all of it is one where it is not certain which value is whose.
pub(in crate::scripts::engine) fn formatted(lang: Lang, arguments: &[Val]) -> Val {
    let origin = arguments.iter().fold(Provenance::NONE, |all, argument| all | argument.provenance());
    filled(lang, arguments).map_or_else(|| Val::unknown("formatted", origin), Val::value)
}

fn filled(lang: Lang, arguments: &[Val]) -> Option<Value> {
    let (template, values) = arguments.split_first()?;
    let template = template.plain();
    let text = template.known()?;
    let mut whole = Value::default().from(template.provenance);
    let mut values = values.iter();
    let mut rest = text.as_ref();
    while let Some((before, after)) = rest.split_once('%') {
        whole.push_str(before);
        let (directive, after) = directive(after)?;
        rest = after;
        if directive.letter == '%' {
            let alone =
                directive.flags.is_empty() && directive.width.is_none() && directive.precision.is_none();
            whole.push_str(if alone { "%" } else { return None });
            continue;
        }
        match values.next() {
            Some(value) => whole.push(&written(lang, &directive, value)),
            None => whole.push(&Value::unknown("value", Provenance::NONE)),
        }
        if size(&whole) > TEXT_MOST {
            return None;
        }
    }
    whole.push_str(rest);
    Some(whole)
}

/// Reads a directive; those that name or number their values are not read.
fn directive(text: &str) -> Option<(Directive, &str)> {
    let (flags, rest) = run(text, |c| matches!(c, '-' | '0' | '+' | ' ' | '#'));
    let (width, rest) = run(rest, |c| c.is_ascii_digit());
    let (precision, rest) = match rest.strip_prefix('.') {
        Some(rest) => {
            let (digits, rest) = run(rest, |c| c.is_ascii_digit());
            (Some(digits.parse().unwrap_or(0)), rest)
        }
        None => (None, rest),
    };
    let letter = rest.chars().next().filter(|c| c.is_ascii_alphabetic() && *c != 'v' || *c == '%')?;
    let width = if width.is_empty() { None } else { Some(width.parse().ok().filter(|width| *width < 1024)?) };
    let rest = rest.get(letter.len_utf8()..).unwrap_or_default();
    Some((Directive { flags: flags.to_owned(), width, precision, letter }, rest))
}

fn run(text: &str, wanted: impl Fn(char) -> bool) -> (&str, &str) {
    text.split_at(text.find(|c| !wanted(c)).unwrap_or(text.len()))
}

fn written(lang: Lang, directive: &Directive, value: &Val) -> Value {
    let unknown = || Value::unknown("formatted", value.provenance());
    let is_plain = directive.flags.is_empty() && directive.width.is_none() && directive.precision.is_none();
    if directive.letter == 's' && is_plain && matches!(value, Val::Text(_) | Val::Number(_) | Val::Name(..)) {
        return value.plain();
    }
    match shaped(lang, directive, value) {
        Some(text) if directive.letter == 'c' => {
            Value::literal(text).from(value.provenance() | Provenance::DECODED)
        }
        Some(text) => Value::literal(text).from(value.provenance()),
        None => unknown(),
    }
}

fn shaped(lang: Lang, directive: &Directive, value: &Val) -> Option<String> {
    let text = match directive.letter {
        's' => {
            let text = plain(value)?;
            text.get(..directive.precision.unwrap_or(text.len()).min(text.len()))?.to_owned()
        }
        _ if directive.precision.is_some() => return None,
        'd' | 'i' => value.number()?.to_string(),
        'c' => match value {
            Val::Number(number) => letter(*number)?.to_string(),
            // In a loop an element that is not known which is every one of them.
            Val::List(items) if lang == Lang::Awk => {
                items.iter().map(|item| item.number().and_then(letter)).collect::<Option<String>>()?
            }
            Val::Text(_) if lang == Lang::Ruby => plain(value).filter(|text| text.len() == 1)?,
            Val::Function(_)
            | Val::Handle(_)
            | Val::List(_)
            | Val::Name(..)
            | Val::OneOf(_)
            | Val::Pair(_)
            | Val::Text(_) => return None,
        },
        'x' if value.number()? >= 0 => format!("{:x}", value.number()?),
        'X' if value.number()? >= 0 => format!("{:X}", value.number()?),
        'o' if value.number()? >= 0 => format!("{:o}", value.number()?),
        'b' if value.number()? >= 0 && lang != Lang::Lua => format!("{:b}", value.number()?),
        _ => return None,
    };
    let width = directive.width.unwrap_or(0);
    match (directive.flags.as_str(), directive.letter) {
        ("", 'c') if width > 0 => None,
        ("", _) => Some(format!("{text:>width$}")),
        ("-", letter) if letter != 'c' => Some(format!("{text:<width$}")),
        ("0", 'd' | 'i') if text.starts_with('-') => {
            let digits = text.trim_start_matches('-');
            let width = width.saturating_sub(1);
            Some(format!("-{digits:0>width$}"))
        }
        ("0", 'd' | 'i' | 'x' | 'X' | 'o' | 'b') => Some(format!("{text:0>width$}")),
        _ => None,
    }
}
