//! PHP's functions.

use super::coding::{Plus, base64, hex, hexed, percent};
use super::sets;
use super::{
    Given, Share, Val, Yield, code, count, joined, letters, padded, parts, repeated, reversed, with_first,
};
use crate::lang::Lang;
use crate::value::Value;

pub(super) const FUNCTIONS: &[&str] = &[
    "strtolower",
    "strtoupper",
    "ucfirst",
    "lcfirst",
    "ucwords",
    "strrev",
    "str_rot13",
    "trim",
    "ltrim",
    "rtrim",
    "chop",
    "base64_decode",
    "hex2bin",
    "bin2hex",
    "urldecode",
    "rawurldecode",
    "chr",
    "ord",
    "strlen",
    "dechex",
    "hexdec",
    "octdec",
    "bindec",
    "intval",
    "strval",
    "implode",
    "join",
    "explode",
    "str_replace",
    "strtr",
    "substr",
    "sprintf",
    "vsprintf",
    "str_pad",
    "str_repeat",
    "pack",
    "array_reverse",
    "array_merge",
    "array_values",
    "str_split",
    "escapeshellarg",
    "escapeshellcmd",
    "range",
    "array_slice",
    "array_unique",
    "end",
    "reset",
    "array_pop",
    "array_shift",
];

/// What PHP takes for blanks at the ends of a text.
const BLANKS: &[char] = &[' ', '\t', '\n', '\r', '\0', '\u{b}'];

pub(super) fn function(name: &str, given: &Given<'_>) -> Option<Yield> {
    Some(match name {
        "strtolower" => Yield::Text(given.only()?.to_ascii_lowercase()),
        "strtoupper" => Yield::Text(given.only()?.to_ascii_uppercase()),
        "ucfirst" => Yield::Text(with_first(&given.only()?, char::to_ascii_uppercase)),
        "lcfirst" => Yield::Text(with_first(&given.only()?, char::to_ascii_lowercase)),
        "ucwords" => Yield::Text(words_raised(&given.only()?)),
        "strrev" => Yield::Decoded(reversed(&given.only()?)),
        "str_rot13" => Yield::Decoded(crate::filters::decode::rot13(&given.only()?)),
        "trim" | "ltrim" | "rtrim" | "chop" => return trimmed(name, given),
        "base64_decode" => Yield::Decoded(base64(&given.only()?)?),
        "hex2bin" => Yield::Decoded(hex(&given.only()?)?),
        "bin2hex" => Yield::Text(hexed(&given.only()?)),
        "urldecode" => Yield::Decoded(percent(&given.only()?, Plus::Blank)?),
        "rawurldecode" => Yield::Decoded(percent(&given.only()?, Plus::Itself)?),
        "chr" => return letters(given.0),
        "ord" => return code(&given.only()?),
        "strlen" => return count(given.only()?.len()),
        "dechex" => Yield::Text(format!("{:x}", u32::try_from(given.number(0)?).ok()?)),
        "hexdec" => {
            Yield::Number(i64::from_str_radix(&given.only()?, 16).ok().filter(|number| *number >= 0)?)
        }
        "octdec" => Yield::Number(i64::from_str_radix(&given.only()?, 8).ok().filter(|number| *number >= 0)?),
        "bindec" => Yield::Number(i64::from_str_radix(&given.only()?, 2).ok().filter(|number| *number >= 0)?),
        "intval" if given.count() == 1 => Yield::Number(given.number(0)?),
        "strval" => Yield::Text(given.only()?),
        "implode" | "join" => return glued(given),
        "explode" => return exploded(given),
        "str_replace" if given.count() == 3 => return replaced(given),
        "strtr" if given.count() == 3 => {
            let (from, to) = (given.text(1)?, given.text(2)?);
            let both = from.len().min(to.len());
            let (from, to) = (from.get(..both)?, to.get(..both)?);
            let ranges = from.contains('-') || to.contains('-');
            Yield::Text(if both == 0 {
                given.text(0)?
            } else {
                sets::translated(&given.text(0)?, from, to).filter(|_| !ranges)?
            })
        }
        "substr" => Yield::Text(part(&given.text(0)?, given.number(1)?, given.optional(2)?)),
        "sprintf" => Yield::Val(super::formatted(Lang::Php, given.0)),
        "vsprintf" => {
            let all: Vec<Val> = given.val(0).into_iter().chain(given.items(1)?).cloned().collect();
            Yield::Val(super::formatted(Lang::Php, &all))
        }
        "str_pad" => {
            let pad = if given.count() > 2 { given.text(2)? } else { " ".to_owned() };
            let share = match given.val(3) {
                None => Share::After,
                Some(Val::Name(name, _)) if &**name == "STR_PAD_LEFT" => Share::Before,
                Some(_) => return None,
            };
            return padded(&given.text(0)?, given.number(1)?, &pad, share);
        }
        "str_repeat" => return repeated(&given.text(0)?, given.number(1)?),
        "pack" => return super::packing::packed(&given.text(0)?, given.0.get(1..)?),
        "array_reverse" if given.count() == 1 => {
            Yield::Val(Val::list(unkeyed(given.items(0)?)?.iter().rev().cloned().collect()))
        }
        "array_merge" => {
            let lists: Option<Vec<&[Val]>> =
                (0..given.count()).map(|index| unkeyed(given.items(index)?)).collect();
            Yield::Val(Val::list(lists?.concat()))
        }
        "array_values" => Yield::Val(Val::list(unkeyed(given.items(0)?)?.to_vec())),
        "str_split" => {
            let size = usize::try_from(given.optional(1)?.unwrap_or(1)).ok().filter(|size| *size > 0)?;
            let letters: Vec<char> = given.text(0)?.chars().collect();
            Yield::List(letters.chunks(size).map(|chunk| chunk.iter().collect()).collect())
        }
        "escapeshellarg" if given.count() == 1 => Yield::Val(Val::value(quoted(&given.val(0)?.plain())?)),
        "escapeshellcmd" => Yield::Text(
            given
                .only()
                .filter(|text| text.chars().all(|c| c.is_ascii_alphanumeric() || " -_/.=,:".contains(c)))?,
        ),
        "range" if given.count() == 2 => return ranged(given),
        "array_slice" if given.count() == 2 => {
            let from = usize::try_from(given.number(1)?).ok()?;
            Yield::Val(Val::list(unkeyed(given.items(0)?)?.iter().skip(from).cloned().collect()))
        }
        "array_unique" => {
            let mut seen: Vec<String> = Vec::new();
            for text in given.texts(0)? {
                if !seen.contains(&text) {
                    seen.push(text);
                }
            }
            Yield::List(seen)
        }
        "end" | "array_pop" => Yield::Val(unkeyed(given.items(0)?)?.last()?.clone()),
        "reset" | "array_shift" => Yield::Val(unkeyed(given.items(0)?)?.first()?.clone()),
        _ => return None,
    })
}

/// The items of a list that is no map.
fn unkeyed(items: &[Val]) -> Option<&[Val]> {
    (!items.iter().any(|item| matches!(item, Val::Pair(_)))).then_some(items)
}

fn words_raised(text: &str) -> String {
    let mut first = true;
    let mut raised = |c: char| {
        let shown = if first { c.to_ascii_uppercase() } else { c };
        first = c.is_ascii_whitespace() || c == '\u{b}';
        shown
    };
    text.chars().map(&mut raised).collect()
}

fn trimmed(name: &str, given: &Given<'_>) -> Option<Yield> {
    let set: Vec<char> = match given.count() {
        1 => BLANKS.to_vec(),
        _ => given.text(1).filter(|set| !set.contains(".."))?.chars().collect(),
    };
    let whole = given.text(0)?;
    let text = whole.as_str();
    Some(Yield::Text(
        match name {
            "trim" => text.trim_matches(set.as_slice()),
            "ltrim" => text.trim_start_matches(set.as_slice()),
            _ => text.trim_end_matches(set.as_slice()),
        }
        .to_owned(),
    ))
}

/// Separator and list, or the list alone.
fn glued(given: &Given<'_>) -> Option<Yield> {
    match given.0 {
        [Val::List(items)] => joined(&Value::default(), items),
        [separator, Val::List(items)] => joined(&separator.plain(), items),
        _ => None,
    }
}

fn exploded(given: &Given<'_>) -> Option<Yield> {
    let (separator, text) = (given.text(0).filter(|text| !text.is_empty())?, given.text(1)?);
    let parts: Vec<String> = text.split(separator.as_str()).map(str::to_owned).collect();
    Some(Yield::List(match given.optional(2)? {
        None => parts,
        Some(most) if most > 0 => {
            text.splitn(usize::try_from(most).ok()?, separator.as_str()).map(str::to_owned).collect()
        }
        Some(0) => vec![text],
        Some(less) => {
            let kept = parts.len().saturating_sub(usize::try_from(less.unsigned_abs()).ok()?);
            parts.into_iter().take(kept).collect()
        }
    }))
}

/// Several texts may be replaced, one after the other, by one or by as many.
fn replaced(given: &Given<'_>) -> Option<Yield> {
    let mut text = given.text(2)?;
    let from = given.texts(0).or_else(|| given.text(0).map(|one| vec![one]))?;
    let many = given.texts(1);
    for (index, from) in from.iter().enumerate() {
        let to = match &many {
            Some(all) => all.get(index).cloned().unwrap_or_default(),
            None => given.text(1)?,
        };
        if !from.is_empty() {
            text = text.replace(from.as_str(), &to);
        }
        if text.len() > super::TEXT_MOST {
            return None;
        }
    }
    Some(Yield::Text(text))
}

/// Counts from either end; what lies outside is cut off.
fn part(text: &str, start: i64, most: Option<i64>) -> String {
    let all = parts::length(text);
    let from = if start < 0 { all.saturating_add(start).max(0) } else { start };
    let to = match most {
        None => all,
        Some(most) if most < 0 => all.saturating_add(most),
        Some(most) => from.saturating_add(most),
    };
    if from > all { String::new() } else { parts::between(text, from, to) }
}

/// In single quotes, for the shell.
fn quoted(value: &Value) -> Option<Value> {
    if let Some(text) = value.known() {
        return text
            .is_ascii()
            .then(|| Value::literal(format!("'{}'", text.replace('\'', "'\\''"))).from(value.provenance));
    }
    let bare = value
        .pieces
        .iter()
        .all(|piece| !matches!(piece, crate::value::Piece::Literal(text) if text.contains('\'')));
    bare.then(|| {
        let mut whole = Value::literal("'");
        whole.push(value);
        whole.push_str("'");
        whole
    })
}

fn ranged(given: &Given<'_>) -> Option<Yield> {
    if let [Val::Number(from), Val::Number(to)] = given.0 {
        return (from <= to && to - from < 256).then(|| Yield::Numbers((*from..=*to).collect()));
    }
    let ends = [given.word(0)?, given.word(1)?]
        .map(|end| end.chars().next().filter(|c| c.is_ascii_alphabetic() && end.len() == 1));
    let [Some(from), Some(to)] = ends else { return None };
    (from <= to).then(|| Yield::List((from..=to).map(String::from).collect()))
}
