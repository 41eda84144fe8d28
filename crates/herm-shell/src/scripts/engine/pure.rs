//! Functions that compute a text from others, by the names that languages give them.

use super::Val;
use super::val::{LIST_MOST, TEXT_MOST, size};
use crate::filters::decode;
use crate::value::{Provenance, Value};

/// A text that was decoded, or something unknown that says so.
fn decoded(source: &Val, decode: impl Fn(&str) -> Option<String>) -> Val {
    let source = source.plain();
    let text = source.known().and_then(|text| decode(&text));
    let value = text.map_or_else(|| Value::unknown("decoded text", source.provenance), Value::literal);
    Val::value(value.from(source.provenance | Provenance::DECODED))
}

fn first(arguments: &[Val]) -> Val {
    arguments.first().cloned().unwrap_or_else(|| Val::list(Vec::new()))
}

/// The first argument as it is.
pub(in crate::scripts) fn same(arguments: &[Val]) -> Val {
    first(arguments)
}

/// Base64.
pub(in crate::scripts) fn base64(arguments: &[Val]) -> Val {
    decoded(&first(arguments), |text| decode::base64(text).and_then(|bytes| String::from_utf8(bytes).ok()))
}

/// A text whose end is its beginning; a list the same.
pub(in crate::scripts) fn reverse(arguments: &[Val]) -> Val {
    match arguments {
        [Val::List(items)] => Val::list(items.iter().rev().take(LIST_MOST).cloned().collect()),
        [_, _, ..] => Val::list(arguments.iter().rev().cloned().collect()),
        _ => decoded(&first(arguments), |text| text.is_ascii().then(|| text.chars().rev().collect())),
    }
}

/// Characters by their numbers, lists flattened.
pub(in crate::scripts) fn characters(arguments: &[Val]) -> Val {
    let mut provenance = Provenance::DECODED;
    let mut text = String::new();
    for number in arguments.iter().flat_map(Val::items) {
        provenance |= number.provenance();
        let code = number.number().and_then(|number| u8::try_from(number).ok());
        match code.filter(|code| (1..128).contains(code)).map(char::from) {
            Some(c) => text.push(c),
            None => return Val::unknown("characters", provenance),
        }
    }
    Val::value(Value::literal(text).from(provenance))
}

/// The number of a text's first character.
pub(in crate::scripts) fn ordinal(arguments: &[Val]) -> Val {
    match first(arguments).known().and_then(|text| text.chars().next()) {
        Some(c) => Val::Number(i64::from(u32::from(c))),
        None => Val::unknown("number", Provenance::NONE),
    }
}

/// A character of a text.
pub(super) fn character(text: &Val, index: &Val) -> Val {
    let whole = text.plain();
    let index = index.number().and_then(|index| usize::try_from(index).ok()).filter(|index| *index < 4096);
    let known = whole.known().filter(|text| text.is_ascii());
    match known.zip(index).and_then(|(text, index)| text.chars().nth(index)) {
        Some(c) => Val::value(Value::literal(c).from(whole.provenance)),
        None => Val::unknown("character", whole.provenance),
    }
}

/// A separator, then what is joined: lists or single values, in either order.
pub(in crate::scripts) fn join(arguments: &[Val]) -> Val {
    let (separator, items): (Val, Vec<Val>) = match arguments {
        [list @ Val::List(_)] => (Val::text(""), list.items()),
        [list @ Val::List(_), separator @ Val::Text(_)] => (separator.clone(), list.items()),
        [separator, rest @ ..] => (separator.clone(), rest.iter().flat_map(Val::items).collect()),
        [] => return Val::text(""),
    };
    glue(&separator.plain(), &items)
}

fn glue(separator: &Value, items: &[Val]) -> Val {
    let mut whole = Value::default();
    for (index, item) in items.iter().enumerate() {
        if index > 0 {
            whole.push(separator);
        }
        whole.push(&item.plain());
        if size(&whole) > TEXT_MOST {
            return Val::unknown("long text", whole.provenance);
        }
    }
    Val::value(whole)
}

/// All arguments, one after the other.
pub(in crate::scripts) fn concat(arguments: &[Val]) -> Val {
    let operands: Vec<Val> =
        arguments.iter().filter(|argument| !argument.is_options()).flat_map(Val::items).collect();
    glue(&Value::default(), &operands)
}

/// The same with blanks between, unless `sep` says otherwise.
pub(in crate::scripts) fn paste(arguments: &[Val]) -> Val {
    let separator = arguments
        .iter()
        .find_map(|argument| argument.keyed(&["sep", "collapse"]))
        .unwrap_or_else(|| Val::text(" "));
    let operands: Vec<Val> =
        arguments.iter().filter(|argument| !argument.is_options()).flat_map(Val::items).collect();
    glue(&separator.plain(), &operands)
}

/// All arguments as one list.
pub(in crate::scripts) fn list(arguments: &[Val]) -> Val {
    Val::list(arguments.iter().flat_map(Val::items).take(LIST_MOST).collect())
}

/// A format and its values, as C has them.
pub(in crate::scripts) fn format(arguments: &[Val]) -> Val {
    super::texts::formatted(crate::lang::Lang::Awk, arguments)
}

/// A text with every `from` made `to`.
pub(super) fn replaced(text: &Val, from: &Val, to: &Val) -> Val {
    let whole = text.plain();
    match (whole.known(), from.known(), to.known()) {
        (Some(known), Some(from), Some(to)) if !from.is_empty() && known.len() + to.len() < 1 << 16 => {
            let grows = known.matches(from.as_str()).count().saturating_mul(to.len());
            if grows > TEXT_MOST {
                return Val::unknown("long text", whole.provenance);
            }
            Val::value(Value::literal(known.replace(from.as_str(), &to)).from(whole.provenance))
        }
        _ => Val::unknown("replaced text", whole.provenance),
    }
}

/// A text whose first `from` is made `to`. A replacement that refers to what was found is not computed.
pub(super) fn replaced_once(text: &Val, arguments: &[Val]) -> Val {
    let whole = text.plain();
    match (whole.known(), plain_change(arguments)) {
        (Some(known), Some((from, to))) if known.len() + to.len() <= TEXT_MOST => {
            Val::value(Value::literal(known.replacen(&from, &to, 1)).from(whole.provenance))
        }
        _ => Val::unknown("replaced text", whole.provenance),
    }
}

/// The same for every `from`.
pub(super) fn replaced_everywhere(text: &Val, arguments: &[Val]) -> Val {
    match plain_change(arguments) {
        Some((from, to)) => replaced(text, &Val::text(from), &Val::text(to)),
        None => Val::unknown("replaced text", text.provenance()),
    }
}

fn plain_change(arguments: &[Val]) -> Option<(String, String)> {
    let (from, to) = arguments.first().and_then(Val::known).zip(arguments.get(1).and_then(Val::known))?;
    (!from.is_empty() && !to.contains(['$', '\\'])).then_some((from, to))
}

/// The parts of a text between separators; between nothing, its characters.
pub(in crate::scripts) fn parts(text: &Val, separator: &Val) -> Val {
    let whole = text.plain();
    let (Some(known), Some(separator)) = (whole.known().filter(|text| text.is_ascii()), separator.known())
    else {
        return Val::unknown("parts", whole.provenance);
    };
    let item = |part: &str| Val::value(Value::literal(part).from(whole.provenance));
    let items = match separator.as_str() {
        "" => known.chars().take(LIST_MOST).map(|c| item(c.encode_utf8(&mut [0; 4]))).collect(),
        " " => known.split_whitespace().take(LIST_MOST).map(item).collect(),
        separator => known.split(separator).take(LIST_MOST).map(item).collect(),
    };
    Val::list(items)
}

/// Lower case.
pub(in crate::scripts) fn lower(arguments: &[Val]) -> Val {
    recased(arguments, str::to_ascii_lowercase)
}

/// Upper case.
pub(in crate::scripts) fn upper(arguments: &[Val]) -> Val {
    recased(arguments, str::to_ascii_uppercase)
}

/// Without blanks at both ends.
pub(in crate::scripts) fn trim(arguments: &[Val]) -> Val {
    match arguments {
        [text] => trimmed(text, str::trim),
        // Which letters are taken away is given.
        _ => Val::unknown("trimmed text", first(arguments).provenance()),
    }
}

/// A text without what `change` takes from its ends. Where an end is not known, nothing but the blanks at the other is taken.
pub(super) fn trimmed(text: &Val, change: fn(&str) -> &str) -> Val {
    let whole = text.plain();
    match whole.known() {
        Some(text) => Val::value(Value::literal(change(&text)).from(whole.provenance)),
        None => Val::unknown("trimmed text", whole.provenance),
    }
}

fn recased(arguments: &[Val], change: impl Fn(&str) -> String) -> Val {
    let whole = first(arguments).plain();
    match whole.known().filter(|text| text.is_ascii()) {
        Some(text) => Val::value(Value::literal(change(&text)).from(whole.provenance)),
        None => Val::unknown("another case", whole.provenance),
    }
}

/// The number that digits to some base stand for.
pub(in crate::scripts) fn number(arguments: &[Val]) -> Val {
    let radix = arguments.get(1).and_then(Val::number).and_then(|radix| u32::try_from(radix).ok());
    let radix = radix.filter(|radix| (2..=36).contains(radix)).unwrap_or(10);
    let text = first(arguments).known().unwrap_or_default();
    let digits = text.trim();
    let digits = if radix == 16 { digits.trim_start_matches("0x") } else { digits };
    i64::from_str_radix(digits, radix)
        .map_or_else(|_| Val::unknown("number", first(arguments).provenance()), Val::Number)
}

/// The number that hexadecimal digits stand for.
pub(in crate::scripts) fn hex_number(arguments: &[Val]) -> Val {
    number(&[first(arguments), Val::Number(16)])
}

/// A part of a text: start and length.
pub(in crate::scripts) fn substring(arguments: &[Val]) -> Val {
    let whole = first(arguments).plain();
    let index =
        |at: usize| arguments.get(at).and_then(Val::number).and_then(|number| usize::try_from(number).ok());
    // A length that is given and not known is not all of the rest.
    let most = if arguments.len() > 2 { index(2) } else { Some(usize::MAX) };
    match (whole.known().filter(|text| text.is_ascii()), index(1), most) {
        (Some(text), Some(start), Some(most)) => {
            let part: String = text.chars().skip(start).take(most).collect();
            Val::value(Value::literal(part).from(whole.provenance))
        }
        _ => Val::unknown("part", whole.provenance),
    }
}
