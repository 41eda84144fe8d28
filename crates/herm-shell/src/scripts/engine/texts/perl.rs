//! Perl's functions.

use super::coding::{Plus, base64, percent};
use super::{
    Given, Val, Yield, characters, code, count, joined, letters, literal_regex, parts, plain, reversed,
    with_first,
};
use crate::lang::Lang;
use crate::value::{Provenance, Value};

pub(super) const FUNCTIONS: &[&str] = &[
    "lc",
    "uc",
    "lcfirst",
    "ucfirst",
    "reverse",
    "join",
    "substr",
    "index",
    "rindex",
    "length",
    "ord",
    "hex",
    "oct",
    "sprintf",
    "chr",
    "pack",
    "unpack",
    "split",
    "quotemeta",
    "decode_base64",
    "uri_unescape",
    "scalar",
    "sort",
];

pub(super) fn function(name: &str, given: &Given<'_>) -> Option<Yield> {
    match name {
        "lc" => Some(Yield::Text(given.only()?.to_ascii_lowercase())),
        "uc" => Some(Yield::Text(given.only()?.to_ascii_uppercase())),
        "lcfirst" => Some(Yield::Text(with_first(&given.only()?, char::to_ascii_lowercase))),
        "ucfirst" => Some(Yield::Text(with_first(&given.only()?, char::to_ascii_uppercase))),
        "reverse" => reverse(given),
        "join" => joined(&given.val(0)?.plain(), &given.flat(1)),
        "substr" if given.count() < 4 => {
            parts::by_length(&given.text(0)?, given.number(1)?, given.optional(2)?).map(Yield::Text)
        }
        "index" if given.count() == 2 => Some(found(given.text(0)?.find(&given.text(1)?))),
        "rindex" if given.count() == 2 => Some(found(given.text(0)?.rfind(&given.text(1)?))),
        "length" => count(given.only()?.len()),
        "ord" => code(&given.only()?),
        "hex" => based(given.only()?.trim_start_matches("0x").trim_start_matches("0X"), 16),
        "oct" => octal(&given.only()?),
        "sprintf" => Some(Yield::Val(super::formatted(Lang::Perl, &given.flat(0)))),
        "chr" => letters(given.0),
        // `U` yields wide letters, which change how those are written that they are joined with.
        "pack" => {
            super::packing::packed(&given.text(0).filter(|template| !template.contains('U'))?, &given.flat(1))
        }
        "unpack" => super::packing::unpacked(&given.text(0)?, &given.text(1)?),
        "split" => split(given),
        "quotemeta" => {
            let quoted = |c: char| {
                if c.is_ascii_alphanumeric() || c == '_' { String::from(c) } else { format!("\\{c}") }
            };
            Some(Yield::Text(given.only()?.chars().map(quoted).collect()))
        }
        "decode_base64" => base64(&given.only()?).map(Yield::Decoded),
        "uri_unescape" => percent(&given.only()?, Plus::Itself).map(Yield::Decoded),
        // Of several values between its brackets it takes the last.
        "scalar" if given.count() > 1 => None,
        "scalar" => match given.val(0)? {
            Val::List(_) => None,
            other @ (Val::Function(_)
            | Val::Handle(_)
            | Val::Name(..)
            | Val::Number(_)
            | Val::OneOf(_)
            | Val::Pair(_)
            | Val::Text(_)) => Some(Yield::Val(other.clone())),
        },
        "sort" => {
            let mut texts: Vec<String> = given.flat(0).iter().map(plain).collect::<Option<_>>()?;
            texts.sort();
            Some(Yield::List(texts))
        }
        _ => None,
    }
}

/// Of one text it depends on who asks: its letters turn round, or it is a list of one.
fn reverse(given: &Given<'_>) -> Option<Yield> {
    if let [text @ Val::Text(_)] = given.0 {
        return Some(Yield::Val(turned(&plain(text)?, text).either(text)));
    }
    let mut items = given.flat(0);
    items.reverse();
    let whole: Option<String> = items.iter().rev().map(plain).collect();
    let list = Val::list(items);
    Some(Yield::Val(match whole {
        Some(whole) => list.either(&turned(&whole, given.val(0)?)),
        None => list,
    }))
}

fn turned(text: &str, source: &Val) -> Val {
    Val::value(Value::literal(reversed(text)).from(source.provenance() | Provenance::DECODED))
}

fn found(at: Option<usize>) -> Yield {
    Yield::Number(at.and_then(|at| i64::try_from(at).ok()).unwrap_or(-1))
}

fn based(digits: &str, radix: u32) -> Option<Yield> {
    i64::from_str_radix(&digits.replace('_', ""), radix).ok().filter(|number| *number >= 0).map(Yield::Number)
}

/// `oct` reads other bases, too, when the digits begin so.
fn octal(text: &str) -> Option<Yield> {
    let lower = text.to_ascii_lowercase();
    let radixes = [("0x", 16), ("x", 16), ("0b", 2), ("b", 2), ("0o", 8), ("o", 8), ("", 8)];
    let (digits, radix) =
        radixes.iter().find_map(|(mark, radix)| Some((lower.strip_prefix(mark)?, *radix)))?;
    based(digits, radix)
}

/// A separator is a pattern here, whatever it is written as.
fn split(given: &Given<'_>) -> Option<Yield> {
    let separator = if let pattern @ Val::Name(..) = given.val(0)? {
        literal_regex(pattern)?
    } else {
        let text = given.word(0)?;
        if text == " " {
            return Some(Yield::List(parts::words(&given.text(1)?))).filter(|_| given.count() == 2);
        }
        (!text.contains(crate::scripts::engine::change::SPECIAL)).then_some(text)?
    };
    let text = given.text(1).filter(|_| given.count() == 2)?;
    Some(Yield::List(if separator.is_empty() {
        characters(&text)
    } else if text.is_empty() {
        Vec::new()
    } else {
        parts::without_empty_ends(&text, &separator)
    }))
}
