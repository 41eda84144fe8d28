//! Ruby's functions and methods.

use super::coding::{Plus, base64, percent};
use super::sets;
use super::{
    Given, Share, Val, Yield, characters, code, count, joined, letters, literal_regex, padded, parts, plain,
    reversed, with_first,
};
use crate::lang::Lang;
use crate::value::Value;

pub(super) const FUNCTIONS: &[&str] = &[
    "format",
    "sprintf",
    "Base64.decode64",
    "Base64.strict_decode64",
    "Base64.urlsafe_decode64",
    "URI.decode_www_form_component",
    "CGI.unescape",
    "Integer",
    "String",
];

pub(super) fn function(name: &str, given: &Given<'_>) -> Option<Yield> {
    Some(match name {
        "format" | "sprintf" => Yield::Val(super::formatted(Lang::Ruby, given.0)),
        "Base64.urlsafe_decode64" => {
            Yield::Decoded(base64(&given.only()?.replace('-', "+").replace('_', "/"))?)
        }
        "Base64.decode64" | "Base64.strict_decode64" => Yield::Decoded(base64(&given.only()?)?),
        "URI.decode_www_form_component" | "CGI.unescape" => {
            Yield::Decoded(percent(&given.only()?, Plus::Blank)?)
        }
        "Integer" => Yield::Number(
            given.number(0).filter(|_| !given.text(0).is_some_and(|text| text.starts_with('0')))?,
        ),
        "String" => Yield::Val(Val::value(
            given.val(0).filter(|val| matches!(val, Val::Text(_) | Val::Number(_)))?.plain(),
        )),
        _ => return None,
    })
}

pub(super) const METHODS: &[&str] = &[
    "downcase",
    "upcase",
    "capitalize",
    "swapcase",
    "reverse",
    "strip",
    "lstrip",
    "rstrip",
    "chomp",
    "chop",
    "squeeze",
    "delete",
    "count",
    "tr",
    "sub",
    "gsub",
    "center",
    "ljust",
    "rjust",
    "concat",
    "prepend",
    "insert",
    "replace",
    "delete_prefix",
    "delete_suffix",
    "chars",
    "bytes",
    "codepoints",
    "lines",
    "each_char",
    "split",
    "unpack",
    "unpack1",
    "pack",
    "to_s",
    "to_str",
    "to_sym",
    "to_i",
    "hex",
    "oct",
    "ord",
    "chr",
    "length",
    "size",
    "slice",
    "index",
    "join",
    "sort",
    "first",
    "last",
    "uniq",
    "rotate",
    "take",
    "drop",
    "flatten",
    "to_a",
    "compact",
    "inspect",
    "dump",
    "itself",
    "dup",
    "clone",
    "freeze",
    "unfreeze",
    "+@",
    "-@",
    "encode",
    "succ",
    "next",
    "max",
    "min",
    "values_at",
    "shift",
    "pop",
    "intern",
    "abs",
];

pub(super) fn method(name: &str, given: &Given<'_>) -> Option<Yield> {
    match given.val(0)? {
        Val::List(_) => of_list(name, given),
        Val::Number(number) => of_number(name, *number, given),
        Val::Text(_) => of_text(name, given),
        Val::Function(_) | Val::Handle(_) | Val::Name(..) | Val::OneOf(_) | Val::Pair(_) => None,
    }
}

fn of_number(name: &str, number: i64, given: &Given<'_>) -> Option<Yield> {
    Some(match name {
        "to_s" | "inspect" if given.count() == 1 => Yield::Text(number.to_string()),
        "to_s" => {
            let radix = u32::try_from(given.number(1)?).ok().filter(|radix| (2..=36).contains(radix))?;
            Yield::Decoded(super::javascript::based(u64::try_from(number).ok()?, radix)?)
        }
        "chr" => return letters(given.0.get(..1)?),
        "to_i" | "itself" | "dup" | "ord" => Yield::Number(number),
        "succ" | "next" => Yield::Number(number.checked_add(1)?),
        "abs" => Yield::Number(number.checked_abs()?),
        _ => return None,
    })
}

fn of_text(name: &str, given: &Given<'_>) -> Option<Yield> {
    // What leaves a text as it is does so whether it is known or not.
    if matches!(
        name,
        "to_s" | "to_str" | "to_sym" | "itself" | "dup" | "clone" | "freeze" | "intern" | "+@" | "-@"
    ) && given.count() == 1
    {
        return Some(Yield::Val(given.val(0)?.clone()));
    }
    if matches!(name, "concat" | "prepend") {
        let words = given.0.iter().all(|word| matches!(word, Val::Text(_)));
        let mut all = given.0.to_vec();
        if name == "prepend" {
            all.rotate_left(1);
        }
        return joined(&Value::default(), &all).filter(|_| words);
    }
    let text = given.text(0)?;
    shaped(name, &text, given).or_else(|| part_of_text(name, &text, given))
}

/// A text in other letters, or without what stands at its ends.
fn shaped(name: &str, text: &str, given: &Given<'_>) -> Option<Yield> {
    let alone = given.count() == 1;
    Some(match name {
        "downcase" if alone => Yield::Text(text.to_ascii_lowercase()),
        "upcase" if alone => Yield::Text(text.to_ascii_uppercase()),
        "capitalize" if alone => {
            Yield::Text(with_first(&text.to_ascii_lowercase(), char::to_ascii_uppercase))
        }
        "swapcase" if alone => {
            let swap = |c: char| {
                if c.is_ascii_lowercase() { c.to_ascii_uppercase() } else { c.to_ascii_lowercase() }
            };
            Yield::Text(text.chars().map(swap).collect())
        }
        "reverse" => Yield::Decoded(reversed(text)),
        "strip" if alone => Yield::Text(text.trim().to_owned()),
        "lstrip" if alone => Yield::Text(text.trim_start().to_owned()),
        "rstrip" if alone => Yield::Text(text.trim_end().to_owned()),
        "chomp" if alone => {
            let end = ["\r\n", "\n", "\r"].iter().find_map(|end| text.strip_suffix(end));
            Yield::Text(end.unwrap_or(text).to_owned())
        }
        "chomp" => {
            let end = given.text(1).filter(|end| !end.is_empty() && !end.ends_with('\n'))?;
            Yield::Text(text.strip_suffix(end.as_str()).unwrap_or(text).to_owned())
        }
        "chop" => {
            let mut letters = text.chars();
            letters.next_back();
            Yield::Text(if text.ends_with("\r\n") { return None } else { letters.as_str().to_owned() })
        }
        "squeeze" if alone => {
            let mut letters: Vec<char> = text.chars().collect();
            letters.dedup();
            Yield::Text(letters.into_iter().collect())
        }
        _ => return None,
    })
}

/// A text in which something is replaced, what a text consists of, or the number that it stands for.
fn part_of_text(name: &str, text: &str, given: &Given<'_>) -> Option<Yield> {
    let alone = given.count() == 1;
    Some(match name {
        "delete" if given.count() == 2 => Yield::Text(sets::without(text, &unexcluded(given, 1)?)?),
        "tr" if given.count() == 3 => {
            let (from, to) = (unexcluded(given, 1)?, unexcluded(given, 2)?);
            Yield::Decoded(if to.is_empty() {
                sets::without(text, &from)?
            } else {
                sets::translated(text, &from, &to)?
            })
        }
        "sub" | "gsub" if given.count() == 3 => {
            let from =
                literal_regex(given.val(1)?).or_else(|| given.word(1)).filter(|from| !from.is_empty())?;
            let to = given.word(2).filter(|to| !to.contains('\\'))?;
            Yield::Text(if name == "sub" { text.replacen(&from, &to, 1) } else { text.replace(&from, &to) })
        }
        "center" | "ljust" | "rjust" => {
            let pad = if given.count() > 2 { given.text(2)? } else { " ".to_owned() };
            let share = match name {
                "center" => Share::Both,
                "ljust" => Share::After,
                _ => Share::Before,
            };
            return padded(text, given.number(1)?, &pad, share);
        }
        "insert" => {
            let at = usize::try_from(given.number(1)?).ok().filter(|at| *at <= text.len())?;
            let (before, after) = text.split_at_checked(at)?;
            Yield::Text(format!("{before}{}{after}", given.text(2)?))
        }
        "replace" => Yield::Val(given.val(1)?.clone()),
        "delete_prefix" => {
            let start = given.text(1)?;
            Yield::Text(text.strip_prefix(start.as_str()).unwrap_or(text).to_owned())
        }
        "delete_suffix" => {
            let end = given.text(1)?;
            Yield::Text(text.strip_suffix(end.as_str()).unwrap_or(text).to_owned())
        }
        "chars" | "each_char" if alone => Yield::List(characters(text)),
        "bytes" | "codepoints" if alone => Yield::Numbers(text.bytes().map(i64::from).collect()),
        "split" => return split(text, given),
        "unpack" => return super::packing::unpacked(&given.text(1)?, text),
        "unpack1" => match super::packing::unpacked(&given.text(1)?, text)? {
            Yield::List(items) => Yield::Decoded(items.into_iter().next()?),
            Yield::Numbers(numbers) => Yield::Number(numbers.into_iter().next()?),
            Yield::Val(list) => Yield::Val(list.items().into_iter().next()?),
            Yield::Decoded(_) | Yield::Number(_) | Yield::Text(_) => return None,
        },
        "to_i" => {
            let radix = given.optional(1)?.map_or(Some(10), |radix| u32::try_from(radix).ok());
            let radix = radix.filter(|radix| (2..=36).contains(radix))?;
            Yield::Number(i64::from_str_radix(text.trim(), radix).ok()?)
        }
        "hex" => Yield::Number(i64::from_str_radix(text.strip_prefix("0x").unwrap_or(text), 16).ok()?),
        "oct" => {
            let digits = Some(text).filter(|text| text.bytes().all(|byte| (b'0'..=b'7').contains(&byte)))?;
            Yield::Number(i64::from_str_radix(digits, 8).ok()?)
        }
        "ord" => return code(text),
        "chr" => Yield::Text(text.chars().take(1).collect()),
        "length" | "size" => return count(text.len()),
        "slice" => return part(given),
        "index" if given.count() == 2 => return count(text.find(&given.word(1)?)?),
        _ => return None,
    })
}

/// A set that is not one of everything else.
fn unexcluded(given: &Given<'_>, index: usize) -> Option<String> {
    given.word(index).filter(|set| set.len() == 1 || !set.starts_with('^'))
}

/// One character, or start and length.
fn part(given: &Given<'_>) -> Option<Yield> {
    let text = given.text(0)?;
    let start = given.number(1).filter(|_| matches!(given.val(1), Some(Val::Number(_))))?;
    let most = given.optional(2)?;
    let part = parts::by_length(&text, start, Some(most.unwrap_or(1)).filter(|most| *most >= 0))?;
    (most.is_some() || !part.is_empty()).then_some(Yield::Text(part))
}

fn split(text: &str, given: &Given<'_>) -> Option<Yield> {
    let separator = match given.count() {
        1 => " ".to_owned(),
        2 => literal_regex(given.val(1)?).or_else(|| given.word(1))?,
        _ => return None,
    };
    let by_regex = matches!(given.val(1), Some(Val::Name(..)));
    Some(Yield::List(match separator.as_str() {
        " " if !by_regex => parts::words(text),
        "" => characters(text),
        separator => parts::without_empty_ends(text, separator),
    }))
}

fn of_list(name: &str, given: &Given<'_>) -> Option<Yield> {
    let items = given.items(0).filter(|items| !items.iter().any(|item| matches!(item, Val::Pair(_))))?;
    let alone = given.count() == 1;
    let list = |items: Vec<Val>| Yield::Val(Val::list(items));
    Some(match name {
        "join" => {
            let separator = if alone { Value::default() } else { Value::literal(given.text(1)?) };
            return joined(&separator, items);
        }
        "pack" => return super::packing::packed(&given.text(1)?, items),
        "reverse" => list(items.iter().rev().cloned().collect()),
        "sort" if alone => {
            let words = items.iter().all(|item| matches!(item, Val::Text(_)));
            let mut texts = given.texts(0).filter(|_| words)?;
            texts.sort();
            Yield::List(texts)
        }
        "uniq" if alone => {
            let texts = given.texts(0)?;
            let distinct: std::collections::HashSet<_> = texts.iter().collect();
            // A symbol is not the same as the text that it is written as, but is read as one.
            let is_certain = distinct.len() == texts.len();
            Yield::List(is_certain.then_some(texts)?)
        }
        "rotate" if alone && !items.is_empty() => {
            let mut all = items.to_vec();
            all.rotate_left(1);
            list(all)
        }
        "first" | "shift" if alone => Yield::Val(items.first()?.clone()),
        "last" | "pop" if alone => Yield::Val(items.last()?.clone()),
        "take" => list(items.iter().take(usize::try_from(given.number(1)?).ok()?).cloned().collect()),
        "drop" => list(items.iter().skip(usize::try_from(given.number(1)?).ok()?).cloned().collect()),
        "to_a" | "dup" | "freeze" | "itself" => Yield::Val(given.val(0)?.clone()),
        "flatten" if !items.iter().any(|item| matches!(item, Val::List(_) | Val::OneOf(_))) => {
            list(items.to_vec())
        }
        "compact" if items.iter().all(|item| matches!(item, Val::Text(_) | Val::Number(_))) => {
            list(items.to_vec())
        }
        "length" | "size" if alone => return count(items.len()),
        "max" if alone => Yield::Text(sortable(items)?.into_iter().max()?),
        "min" if alone => Yield::Text(sortable(items)?.into_iter().min()?),
        _ => return None,
    })
}

fn sortable(items: &[Val]) -> Option<Vec<String>> {
    items.iter().map(|item| plain(item).filter(|_| matches!(item, Val::Text(_)))).collect()
}
