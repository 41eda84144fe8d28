//! Sums, products and what works bit by bit, as each language computes them.
//!
//! Numbers are whole; whatever would become a fraction or too large to be exact is not computed.

use super::Val;
use crate::lang::Lang;

/// The largest number that every language holds exactly.
const LARGEST: u64 = 1 << 53;

/// What an operator makes of two numbers.
pub(super) fn computed(lang: Lang, op: &str, left: &Val, right: &Val) -> Option<Val> {
    let (a, b) = (operand(lang, left)?, operand(lang, right)?);
    let result = match op {
        "+" => a.checked_add(b),
        "-" => a.checked_sub(b),
        "*" => a.checked_mul(b),
        "/" => quotient(lang, a, b),
        "%" => remainder(lang, a, b),
        "**" if a >= 0 => u32::try_from(b).ok().and_then(|b| a.checked_pow(b)),
        "//" if lang == Lang::Lua && b != 0 => Some(floored(a, b)),
        "^" | "|" | "&" | "<<" | ">>" | "~" => bits(lang, op, a, b),
        _ => None,
    };
    result.filter(|result| result.unsigned_abs() < LARGEST).map(Val::Number)
}

/// Texts are numbers where the language takes them for such.
fn operand(lang: Lang, val: &Val) -> Option<i64> {
    match val {
        Val::Number(number) => Some(*number),
        Val::Text(_) if numbers_from_texts(lang) => {
            let text = val.known()?;
            let canonical = text.parse::<i64>().ok()?.to_string() == text;
            canonical.then(|| text.parse().ok()).flatten()
        }
        Val::Function(_)
        | Val::Handle(_)
        | Val::List(_)
        | Val::Name(..)
        | Val::OneOf(_)
        | Val::Pair(_)
        | Val::Text(_) => None,
    }
}

/// Whether `+` and the like take texts for numbers.
pub(super) fn numbers_from_texts(lang: Lang) -> bool {
    matches!(lang, Lang::Awk | Lang::Lua | Lang::Perl | Lang::Php)
}

fn quotient(lang: Lang, a: i64, b: i64) -> Option<i64> {
    if b == 0 {
        None
    } else if lang == Lang::Ruby {
        Some(floored(a, b))
    } else {
        let is_exact = matches!(lang, Lang::Awk | Lang::JavaScript | Lang::Perl | Lang::Php) && a % b == 0;
        is_exact.then(|| a / b)
    }
}

fn floored(a: i64, b: i64) -> i64 {
    let rounded = a.wrapping_div(b);
    if a.wrapping_rem(b) != 0 && (a < 0) != (b < 0) { rounded - 1 } else { rounded }
}

fn remainder(lang: Lang, a: i64, b: i64) -> Option<i64> {
    if b == 0 {
        None
    } else if matches!(lang, Lang::JavaScript | Lang::Php) {
        Some(a.wrapping_rem(b)).filter(|rest| *rest != 0 || a >= 0)
    } else if matches!(lang, Lang::Lua | Lang::Perl | Lang::Ruby) {
        a.checked_sub(floored(a, b).checked_mul(b)?)
    } else {
        None
    }
}

/// Bit by bit, where both numbers are so small that their width does not matter.
fn bits(lang: Lang, op: &str, a: i64, b: i64) -> Option<i64> {
    let small = |number: i64| (0..1 << 30).contains(&number);
    if !small(a) || !small(b) {
        return None;
    }
    match (op, lang) {
        ("^", Lang::JavaScript | Lang::Perl | Lang::Php | Lang::Ruby) | ("~", Lang::Lua) => Some(a ^ b),
        ("|", Lang::JavaScript | Lang::Lua | Lang::Perl | Lang::Php | Lang::Ruby) => Some(a | b),
        ("&", Lang::JavaScript | Lang::Lua | Lang::Perl | Lang::Php | Lang::Ruby) => Some(a & b),
        ("<<", _) => a.checked_shl(u32::try_from(b).ok()?).filter(|result| b < 32 && small(*result)),
        (">>", _) if b < 31 => Some(a >> b),
        _ => None,
    }
}
