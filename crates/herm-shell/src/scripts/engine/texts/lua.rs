//! Lua's functions of strings and tables.

use super::{Given, Val, Yield, code, count, joined, letters, parts, repeated, reversed};
use crate::lang::Lang;
use crate::value::Value;

pub(super) const FUNCTIONS: &[&str] = &[
    "string.lower",
    "string.upper",
    "string.reverse",
    "string.rep",
    "string.sub",
    "string.char",
    "utf8.char",
    "string.byte",
    "string.len",
    "string.format",
    "string.gsub",
    "table.concat",
    "tostring",
    "tonumber",
];

pub(super) const METHODS: &[&str] =
    &["lower", "upper", "reverse", "rep", "sub", "byte", "len", "format", "gsub", "match", "find", "gmatch"];

pub(super) fn method(name: &str, given: &Given<'_>) -> Option<Yield> {
    function(&format!("string.{name}"), given)
}

pub(super) fn function(name: &str, given: &Given<'_>) -> Option<Yield> {
    Some(match name {
        "string.lower" => Yield::Text(given.text(0)?.to_ascii_lowercase()),
        "string.upper" => Yield::Text(given.text(0)?.to_ascii_uppercase()),
        "string.reverse" => Yield::Decoded(reversed(&given.text(0)?)),
        "string.rep" if given.count() < 3 => return repeated(&given.text(0)?, given.number(1)?.max(0)),
        "string.rep" => {
            let (text, times) = (given.text(0)?, usize::try_from(given.number(1)?.max(0)).ok()?);
            let separator = given.text(2)?;
            let all = (text.len() + separator.len()).saturating_mul(times);
            Yield::Text((all < 4096).then(|| vec![text; times].join(&separator))?)
        }
        "string.sub" => {
            let text = given.text(0)?;
            let all = parts::length(&text);
            let from = given.optional(1)?.unwrap_or(1);
            let from = if from < 0 { all.saturating_add(from + 1).max(1) } else { from.max(1) };
            let to = given.optional(2)?.unwrap_or(-1);
            let to = if to < 0 { all.saturating_add(to + 1) } else { to.min(all) };
            Yield::Text(parts::between(&text, from - 1, to))
        }
        "string.char" | "utf8.char" => return letters(given.0),
        "string.byte" => {
            let index = usize::try_from(given.optional(1)?.unwrap_or(1)).ok()?.checked_sub(1)?;
            return code(given.text(0)?.get(index..)?).filter(|_| given.count() < 3);
        }
        "string.len" => return count(given.text(0)?.len()),
        "string.format" => Yield::Val(super::formatted(Lang::Lua, given.0)),
        "string.gsub" if given.count() == 3 => {
            let (text, from, to) = (given.text(0)?, given.text(1)?, given.word(2)?);
            let literal = !from.is_empty() && !from.contains(MAGIC) && !to.contains('%');
            Yield::Text(literal.then(|| text.replace(&from, &to))?)
        }
        "table.concat" if given.count() < 3 => {
            let separator = if given.count() > 1 { Value::literal(given.text(1)?) } else { Value::default() };
            return joined(&separator, given.items(0)?);
        }
        "tostring" => match given.val(0)? {
            Val::Text(_) | Val::Number(_) => Yield::Val(Val::value(given.val(0)?.plain())),
            Val::Function(_)
            | Val::Handle(_)
            | Val::List(_)
            | Val::Name(..)
            | Val::OneOf(_)
            | Val::Pair(_) => return None,
        },
        "tonumber" => {
            let radix = given.optional(1)?.map_or(Some(10), |radix| u32::try_from(radix).ok());
            let radix = radix.filter(|radix| (2..=36).contains(radix))?;
            Yield::Number(i64::from_str_radix(given.text(0)?.trim(), radix).ok()?)
        }
        _ => return None,
    })
}

/// Characters that mean something else than themselves in a pattern.
const MAGIC: &[char] = &['^', '$', '(', ')', '%', '.', '[', ']', '*', '+', '-', '?'];
