//! Functions that compute a text from others, by the names that languages give them.

use super::Val;
use super::val::{LIST_MOST, TEXT_MOST, size};
use crate::filters::decode;
use crate::value::{Piece, Provenance, Value};

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

/// Pairs of hexadecimal digits.
pub(in crate::scripts) fn hex(arguments: &[Val]) -> Val {
    decoded(&first(arguments), |text| decode::hex(text).and_then(|bytes| String::from_utf8(bytes).ok()))
}

/// Letters moved by thirteen places.
pub(in crate::scripts) fn rot13(arguments: &[Val]) -> Val {
    decoded(&first(arguments), |text| Some(decode::rot13(text)))
}

/// `%41` and the like.
pub(in crate::scripts) fn percent(arguments: &[Val]) -> Val {
    decoded(&first(arguments), |text| {
        let mut bytes = Vec::new();
        let mut rest = text.bytes();
        while let Some(byte) = rest.next() {
            if byte == b'%' {
                let digits: String = rest.by_ref().take(2).map(char::from).collect();
                bytes.push(u8::from_str_radix(&digits, 16).ok()?);
            } else {
                bytes.push(byte);
            }
        }
        String::from_utf8(bytes).ok()
    })
}

/// A text whose end is its beginning; a list the same.
pub(in crate::scripts) fn reverse(arguments: &[Val]) -> Val {
    match arguments {
        [Val::List(items)] => Val::list(items.iter().rev().take(LIST_MOST).cloned().collect()),
        [_, _, ..] => Val::list(arguments.iter().rev().cloned().collect()),
        _ => decoded(&first(arguments), |text| Some(text.chars().rev().collect())),
    }
}

/// Characters by their numbers, lists flattened.
pub(in crate::scripts) fn characters(arguments: &[Val]) -> Val {
    let mut provenance = Provenance::DECODED;
    let mut text = String::new();
    for number in arguments.iter().flat_map(Val::items) {
        provenance |= number.provenance();
        match number.number().and_then(|number| u32::try_from(number).ok()).and_then(char::from_u32) {
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
    match whole.known().zip(index).and_then(|(text, index)| text.chars().nth(index)) {
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

/// A template, then values: Perl's and PHP's way round.
pub(in crate::scripts) fn pack(arguments: &[Val]) -> Val {
    let Some((template, rest)) = arguments.split_first() else { return Val::text("") };
    packed(&template.known().unwrap_or_default(), rest)
}

/// Values by a template: numbers are characters, `H` digits, `m` base64, anything else the text itself.
pub(in crate::scripts) fn packed(template: &str, values: &[Val]) -> Val {
    match template.chars().next() {
        Some('H' | 'h') => hex(values),
        Some('m' | 'u') => Val::unknown("encoded text", first(values).provenance()),
        Some('c' | 'C' | 'U' | 'W' | 'n' | 'w') => characters(values),
        Some('A' | 'a' | 'Z') if matches!(template, "A*" | "a*") => concat(values),
        Some(_) | None => Val::unknown("packed", first(values).provenance()),
    }
}

/// What `unpack` yields: base64 and hexadecimal both ways.
pub(in crate::scripts) fn unpacked(template: &str, value: &Val) -> Val {
    match template.chars().next() {
        Some('m') => Val::list(vec![base64(std::slice::from_ref(value))]),
        Some('A' | 'a' | 'Z') if matches!(template, "A*" | "a*") => Val::list(vec![value.clone()]),
        Some(_) | None => Val::list(vec![Val::unknown("unpacked", value.provenance())]),
    }
}

/// A format and its values: `%s`, `%d`, `%c`.
pub(in crate::scripts) fn format(arguments: &[Val]) -> Val {
    let Some((template, values)) = arguments.split_first() else { return Val::text("") };
    let template = template.plain();
    let Some(text) = template.known() else { return Val::unknown("formatted", template.provenance) };
    let mut whole = Value::default().from(template.provenance);
    let mut values = values.iter();
    let mut rest = text.as_ref();
    while let Some((before, after)) = rest.split_once('%') {
        whole.push_str(before);
        let end = after.find(|c: char| c.is_ascii_alphabetic() || c == '%').unwrap_or(0);
        let directive = after.get(end..).and_then(|after| after.chars().next());
        rest = after.get(end + directive.map_or(0, char::len_utf8)..).unwrap_or_default();
        // A width, a precision or a number of a value changes what is written.
        let is_plain = after.get(..end).is_some_and(str::is_empty);
        match directive {
            Some('%') | None => whole.push_str("%"),
            Some('c' | 's' | 'd' | 'i' | 'u') if is_plain => {}
            Some(_) => {
                let data = values.next().map(Val::provenance).unwrap_or_default();
                whole.push(&Value::unknown("formatted", data));
                continue;
            }
        }
        match directive {
            Some('%') | None => {}
            Some('c') => whole.push(&as_character(values.next()).plain()),
            Some(_) => whole
                .push(&values.next().map_or_else(|| Value::unknown("value", Provenance::NONE), Val::plain)),
        }
        if size(&whole) > TEXT_MOST {
            return Val::unknown("long text", whole.provenance);
        }
    }
    whole.push_str(rest);
    Val::value(whole)
}

fn as_character(value: Option<&Val>) -> Val {
    match value {
        Some(value) if value.number().is_some() || matches!(value, Val::List(_)) => {
            characters(std::slice::from_ref(value))
        }
        Some(value) => value.clone(),
        None => Val::unknown("character", Provenance::NONE),
    }
}

/// What is to be replaced, by what, and where: PHP's order.
pub(in crate::scripts) fn replace(arguments: &[Val]) -> Val {
    match arguments {
        [from, to, text, ..] => replaced(text, from, to),
        _ => first(arguments),
    }
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

/// A separator and a text: its parts.
pub(in crate::scripts) fn split(arguments: &[Val]) -> Val {
    match arguments {
        [separator, text, ..] => parts(text, separator),
        _ => Val::unknown("parts", first(arguments).provenance()),
    }
}

/// The parts of a text between separators; between nothing, its characters.
pub(in crate::scripts) fn parts(text: &Val, separator: &Val) -> Val {
    let whole = text.plain();
    let (Some(known), separator) = (whole.known(), separator.known()) else {
        return Val::unknown("parts", whole.provenance);
    };
    let item = |part: &str| Val::value(Value::literal(part).from(whole.provenance));
    let items = match separator.as_deref() {
        Some("") | None => known.chars().take(LIST_MOST).map(|c| item(c.encode_utf8(&mut [0; 4]))).collect(),
        Some(" ") => known.split_whitespace().take(LIST_MOST).map(item).collect(),
        Some(separator) => known.split(separator).take(LIST_MOST).map(item).collect(),
    };
    Val::list(items)
}

/// Lower case.
pub(in crate::scripts) fn lower(arguments: &[Val]) -> Val {
    recased(arguments, str::to_lowercase)
}

/// Upper case.
pub(in crate::scripts) fn upper(arguments: &[Val]) -> Val {
    recased(arguments, str::to_uppercase)
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
        None => Val::value(whole),
    }
}

fn recased(arguments: &[Val], change: impl Fn(&str) -> String) -> Val {
    let whole = first(arguments).plain();
    let mut changed = Value::default().from(whole.provenance);
    for piece in &whole.pieces {
        match piece {
            Piece::Literal(text) => changed.push_str(&change(text)),
            Piece::Glob(_) | Piece::Hole(_) => {
                changed.push(&Value { pieces: vec![piece.clone()], provenance: whole.provenance });
            }
        }
    }
    Val::value(changed)
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
    match (whole.known(), index(1)) {
        (Some(text), Some(start)) => {
            let part: String = text.chars().skip(start).take(index(2).unwrap_or(usize::MAX)).collect();
            Val::value(Value::literal(part).from(whole.provenance))
        }
        _ => Val::unknown("part", whole.provenance),
    }
}
