//! JavaScript's functions and methods.

use super::coding::{Plus, base64, hex, percent};
use super::{
    Given, Share, Val, Yield, characters, code, count, joined, letters, literal_regex, padded, parts, plain,
    repeated,
};
use crate::filters::encode;
use crate::value::Value;

pub(super) const FUNCTIONS: &[&str] = &[
    "String.fromCharCode",
    "String.fromCodePoint",
    "parseInt",
    "Number.parseInt",
    "Number",
    "String",
    "atob",
    "btoa",
    "unescape",
    "decodeURIComponent",
    "decodeURI",
    "encodeURIComponent",
    "encodeURI",
    "escape",
    "Buffer.from",
    "Buffer",
    "Array.of",
    "Math.floor",
    "Math.max",
    "Math.min",
    "Math.abs",
];

pub(super) fn function(name: &str, given: &Given<'_>) -> Option<Yield> {
    Some(match name {
        "String.fromCharCode" | "String.fromCodePoint" => return letters(&given.flat(0)),
        "parseInt" | "Number.parseInt" => return parsed(given),
        "Number" => Yield::Number(whole_number(&given.only()?)?),
        "String" => match given.val(0)? {
            Val::List(items) => return joined(&Value::literal(","), items),
            Val::Text(_) | Val::Number(_) => Yield::Val(Val::value(given.val(0)?.plain())),
            Val::Function(_) | Val::Handle(_) | Val::Name(..) | Val::OneOf(_) | Val::Pair(_) => return None,
        },
        "atob" => Yield::Decoded(base64(&given.only()?)?),
        "btoa" => {
            // Its letters are bytes.
            let text = given.only().filter(|text| text.is_ascii())?;
            Yield::Text(encode::base64(text.as_bytes()))
        }
        "unescape" => {
            Yield::Decoded(percent(&given.only().filter(|text| !text.contains("%u"))?, Plus::Itself)?)
        }
        "decodeURIComponent" => Yield::Decoded(percent(&given.only()?, Plus::Itself)?),
        "decodeURI" => {
            let text = given.only()?;
            let decoded = percent(&text, Plus::Itself)?;
            let kept = |text: &str| text.chars().filter(|c| ";/?:@&=+$,#".contains(*c)).count();
            Yield::Decoded((kept(&text) == kept(&decoded)).then_some(decoded)?)
        }
        "encodeURIComponent" | "encodeURI" | "escape" => Yield::Text(
            given
                .only()
                .filter(|text| text.chars().all(|c| c.is_ascii_alphanumeric() || "-_.".contains(c)))?,
        ),
        "Buffer.from" | "Buffer" => match (given.val(0)?, given.count()) {
            (Val::List(items), 1) => return letters(items),
            (Val::Text(_), 1) => Yield::Val(given.val(0)?.clone()),
            (Val::Text(_), 2) => match given.text(1)?.to_ascii_lowercase().as_str() {
                "base64" => Yield::Decoded(base64(&given.text(0)?)?),
                "base64url" => Yield::Decoded(base64(&given.text(0)?.replace('-', "+").replace('_', "/"))?),
                "hex" => Yield::Decoded(hex(&given.text(0)?)?),
                "utf8" | "utf-8" | "ascii" | "latin1" | "binary" => Yield::Text(given.text(0)?),
                _ => return None,
            },
            _ => return None,
        },
        "Array.of" => Yield::Val(Val::list(given.0.to_vec())),
        "Math.floor" => Yield::Number(integer(given.val(0)?)?),
        "Math.max" => Yield::Number(integers(given)?.into_iter().max()?),
        "Math.min" => Yield::Number(integers(given)?.into_iter().min()?),
        "Math.abs" => Yield::Number(integer(given.val(0)?)?.checked_abs()?),
        _ => return None,
    })
}

fn integer(val: &Val) -> Option<i64> {
    if let Val::Number(number) = val { Some(*number) } else { None }
}

fn integers(given: &Given<'_>) -> Option<Vec<i64>> {
    given.0.iter().map(integer).collect()
}

/// A number that is written as nothing but digits.
fn whole_number(text: &str) -> Option<i64> {
    let digits = text.trim();
    let bare = digits.strip_prefix('-').unwrap_or(digits);
    let plain = bare == "0" || !bare.starts_with('0');
    if plain && !bare.is_empty() && bare.bytes().all(|byte| byte.is_ascii_digit()) {
        return digits.parse().ok();
    }
    i64::from_str_radix(digits.strip_prefix("0x")?, 16).ok()
}

fn parsed(given: &Given<'_>) -> Option<Yield> {
    let text = given.text(0)?;
    let digits = text.trim();
    let radix = match given.optional(1)? {
        None | Some(0) if digits.starts_with("0x") => 16,
        None | Some(0) => 10,
        Some(radix) => u32::try_from(radix).ok().filter(|radix| (2..=36).contains(radix))?,
    };
    let digits = if radix == 16 { digits.strip_prefix("0x").unwrap_or(digits) } else { digits };
    i64::from_str_radix(digits, radix).ok().map(Yield::Number)
}

pub(super) const METHODS: &[&str] = &[
    "toLowerCase",
    "toUpperCase",
    "toLocaleLowerCase",
    "toLocaleUpperCase",
    "trim",
    "trimStart",
    "trimEnd",
    "trimLeft",
    "trimRight",
    "slice",
    "substring",
    "substr",
    "at",
    "charAt",
    "charCodeAt",
    "codePointAt",
    "indexOf",
    "lastIndexOf",
    "repeat",
    "padStart",
    "padEnd",
    "concat",
    "replace",
    "replaceAll",
    "split",
    "toString",
    "valueOf",
    "normalize",
    "join",
    "reverse",
    "toReversed",
    "sort",
    "toSorted",
    "flat",
    "pop",
    "shift",
    "length",
];

pub(super) fn method(name: &str, given: &Given<'_>) -> Option<Yield> {
    if matches!(given.val(0)?, Val::List(_)) {
        return of_list(name, given);
    }
    Some(match name {
        "toString" => return written(given),
        "valueOf" | "normalize" if given.count() == 1 => Yield::Val(given.val(0)?.clone()),
        // Numbers and what else is no text have none of the methods below.
        _ if !matches!(given.val(0)?, Val::Text(_)) => return None,
        "concat" => {
            let words = given.0.iter().all(|word| matches!(word, Val::Text(_) | Val::Number(_)));
            return joined(&Value::default(), given.0).filter(|_| words);
        }
        "toLowerCase" | "toLocaleLowerCase" => Yield::Text(given.text(0)?.to_ascii_lowercase()),
        "toUpperCase" | "toLocaleUpperCase" => Yield::Text(given.text(0)?.to_ascii_uppercase()),
        "trim" => Yield::Text(given.text(0)?.trim().to_owned()),
        "trimStart" | "trimLeft" => Yield::Text(given.text(0)?.trim_start().to_owned()),
        "trimEnd" | "trimRight" => Yield::Text(given.text(0)?.trim_end().to_owned()),
        "slice" => Yield::Text(sliced(&given.text(0)?, given.optional(1)?.unwrap_or(0), given.optional(2)?)),
        "substring" => {
            let text = given.text(0)?;
            let (from, to) = (given.optional(1)?.unwrap_or(0).max(0), given.optional(2)?);
            let to = to.unwrap_or(parts::length(&text)).max(0);
            Yield::Text(parts::between(&text, from.min(to), from.max(to)))
        }
        "substr" => {
            let text = given.text(0)?;
            let from = given.optional(1)?.unwrap_or(0);
            let from = if from < 0 { (parts::length(&text).saturating_add(from)).max(0) } else { from };
            let to = given.optional(2)?.map_or(i64::MAX, |most| from.saturating_add(most.max(0)));
            Yield::Text(parts::between(&text, from, to))
        }
        "at" => {
            let text = given.text(0)?;
            let index = given.number(1)?;
            let index = if index < 0 { parts::length(&text).saturating_add(index) } else { index };
            Yield::Text(
                Some(parts::between(&text, index, index.saturating_add(1)))
                    .filter(|part| !part.is_empty() && index >= 0)?,
            )
        }
        "charAt" => {
            let index = given.optional(1)?.unwrap_or(0);
            let part = parts::between(&given.text(0)?, index, index.saturating_add(1));
            Yield::Text(if index < 0 { String::new() } else { part })
        }
        "charCodeAt" | "codePointAt" => {
            let index = usize::try_from(given.optional(1)?.unwrap_or(0)).ok()?;
            return code(given.text(0)?.get(index..)?);
        }
        "indexOf" | "lastIndexOf" if given.count() == 2 => {
            let (text, part) = (given.text(0)?, given.text(1)?);
            let at = if name == "indexOf" { text.find(&part) } else { text.rfind(&part) };
            return at.map_or(Some(Yield::Number(-1)), count);
        }
        "repeat" => return repeated(&given.text(0)?, given.number(1)?),
        "padStart" | "padEnd" => {
            let pad = if given.count() > 2 { given.text(2)? } else { " ".to_owned() };
            let share = if name == "padStart" { Share::Before } else { Share::After };
            return padded(&given.text(0)?, given.number(1)?, &pad, share);
        }
        "replace" | "replaceAll" if given.count() == 3 => {
            let (text, to) = (given.text(0)?, given.text(2).filter(|to| !to.contains('$'))?);
            let from = literal_regex(given.val(1)?).filter(|_| name == "replace").or_else(|| given.word(1));
            let from = from.filter(|from| !from.is_empty())?;
            Yield::Text(if name == "replace" {
                text.replacen(&from, &to, 1)
            } else {
                text.replace(&from, &to)
            })
        }
        "split" => return split(given),
        _ => return None,
    })
}

fn sliced(text: &str, from: i64, to: Option<i64>) -> String {
    let all = parts::length(text);
    let place = |at: i64| if at < 0 { all.saturating_add(at).max(0) } else { at.min(all) };
    parts::between(text, place(from), to.map_or(all, place))
}

/// The text itself, unless an encoding or a base is asked for.
fn written(given: &Given<'_>) -> Option<Yield> {
    match (given.val(0)?, given.val(1)) {
        (Val::Text(_), None) => Some(Yield::Val(given.val(0)?.clone())),
        (Val::Text(_), Some(_)) => {
            let plain = matches!(
                given.text(1)?.to_ascii_lowercase().as_str(),
                "utf8" | "utf-8" | "ascii" | "latin1" | "binary"
            );
            plain.then(|| given.text(0)).flatten().map(Yield::Text)
        }
        (Val::Number(number), None) => Some(Yield::Text(number.to_string())),
        (Val::Number(number), Some(_)) => {
            let radix = u32::try_from(given.number(1)?).ok().filter(|radix| (2..=36).contains(radix))?;
            based(u64::try_from(*number).ok()?, radix).map(Yield::Decoded)
        }
        _ => None,
    }
}

/// The digits of a number to some base.
pub(super) fn based(number: u64, radix: u32) -> Option<String> {
    let mut digits = Vec::new();
    let mut rest = number;
    loop {
        digits.push(char::from_digit(u32::try_from(rest % u64::from(radix)).ok()?, radix)?);
        rest /= u64::from(radix);
        if rest == 0 {
            return Some(digits.into_iter().rev().collect());
        }
    }
}

fn split(given: &Given<'_>) -> Option<Yield> {
    let text = given.text(0)?;
    if given.count() == 1 {
        return Some(Yield::List(vec![text]));
    }
    let separator = literal_regex(given.val(1)?).or_else(|| given.word(1))?;
    let parts: Vec<String> = if separator.is_empty() {
        characters(&text)
    } else {
        text.split(&separator).map(str::to_owned).collect()
    };
    let most = given.optional(2)?.map_or(Some(usize::MAX), |most| usize::try_from(most).ok())?;
    Some(Yield::List(parts.into_iter().take(most).collect()))
}

fn of_list(name: &str, given: &Given<'_>) -> Option<Yield> {
    let items = given.items(0).filter(|items| !items.iter().any(|item| matches!(item, Val::Pair(_))))?;
    Some(match name {
        "join" => {
            let separator =
                if given.count() > 1 { Value::literal(given.text(1)?) } else { Value::literal(",") };
            return joined(&separator, items);
        }
        // What is empty may be an object as well, which is written otherwise.
        "toString" if given.count() == 1 && !items.is_empty() => return joined(&Value::literal(","), items),
        "reverse" | "toReversed" => Yield::Val(Val::list(items.iter().rev().cloned().collect())),
        "sort" | "toSorted" if given.count() == 1 => {
            let mut texts: Vec<(String, Val)> =
                items.iter().map(|item| Some((plain(item)?, item.clone()))).collect::<Option<_>>()?;
            texts.sort_by(|one, other| one.0.cmp(&other.0));
            Yield::Val(Val::list(texts.into_iter().map(|(_, item)| item).collect()))
        }
        "concat" => Yield::Val(Val::list(given.flat(0))),
        "slice" => {
            let all = i64::try_from(items.len()).ok()?;
            let place = |at: i64| if at < 0 { all.saturating_add(at).max(0) } else { at.min(all) };
            let from = usize::try_from(place(given.optional(1)?.unwrap_or(0))).ok()?;
            let to = usize::try_from(given.optional(2)?.map_or(all, place)).ok()?;
            Yield::Val(Val::list(items.get(from..to.max(from))?.to_vec()))
        }
        "at" => {
            let index = given.number(1)?;
            let index =
                if index < 0 { i64::try_from(items.len()).ok()?.saturating_add(index) } else { index };
            Yield::Val(items.get(usize::try_from(index).ok()?)?.clone())
        }
        "pop" => Yield::Val(items.last()?.clone()),
        "shift" => Yield::Val(items.first()?.clone()),
        "flat" if !items.iter().any(|item| matches!(item, Val::List(_) | Val::OneOf(_) | Val::Name(..))) => {
            Yield::Val(Val::list(items.to_vec()))
        }
        _ => return None,
    })
}
