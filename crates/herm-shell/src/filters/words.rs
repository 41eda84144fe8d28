//! Programs that compute a word: `basename`, `dirname`, `expr`, `seq`, `jq` on a string.

use super::computed::{Computed, Known};
use super::options::parse;
use super::regex::{Dialect, Regex};
use super::streams::Streams;
use crate::value::Value;

/// The most numbers that `seq` counts.
const LONGEST: i64 = 5_000;

/// `basename`, `dirname`, `expr`, `seq`.
pub(super) fn compute(program: &str, arguments: &[Value]) -> Option<Computed> {
    let known = Known::all(arguments)?;
    let words: Vec<&str> = known.iter().map(|word| &**word).filter(|word| *word != "--").collect();
    let output = match program {
        "basename" => basename(&words)?,
        "dirname" => dirname(words.as_slice())?,
        "expr" => expr(&words)?,
        _ => seq(&words)?,
    };
    Some(Computed::exact_from(
        if program == "seq" && output.is_empty() { output } else { output + "\n" },
        &known,
    ))
}

fn basename(words: &[&str]) -> Option<String> {
    let (path, suffix) = match words {
        [path] => (path, ""),
        ["-s", suffix, path] | [path, suffix] => (path, *suffix),
        _ => return None,
    };
    if path.starts_with('-') || path.is_empty() {
        return None;
    }
    let trimmed = path.trim_end_matches('/');
    let name = trimmed.rsplit('/').next().filter(|name| !name.is_empty()).unwrap_or("/");
    let bare = name.strip_suffix(suffix).filter(|bare| !bare.is_empty()).unwrap_or(name);
    Some(bare.to_owned())
}

fn dirname(words: &[&str]) -> Option<String> {
    let [path] = words else { return None };
    if path.starts_with('-') {
        return None;
    }
    let trimmed = path.trim_end_matches('/');
    Some(match trimmed.rsplit_once('/') {
        None if trimmed.is_empty() && !path.is_empty() => "/".to_owned(),
        None => ".".to_owned(),
        Some((front, _)) => {
            let front = front.trim_end_matches('/');
            if front.is_empty() { "/".to_owned() } else { front.to_owned() }
        }
    })
}

fn expr(words: &[&str]) -> Option<String> {
    // Words that are signs are read as such wherever they stand.
    let sign =
        |word: &&str| matches!(*word, "(" | ")" | "|" | "&" | "<" | ">" | "=" | "==" | "!=" | "<=" | ">=");
    if words.iter().any(sign) || words.first().is_some_and(|word| *word == "+" || word.starts_with('-')) {
        return None;
    }
    match words {
        [word] => Some((*word).to_owned()),
        ["length", text] if text.is_ascii() => Some(text.chars().count().to_string()),
        ["substr", text, first, length] if text.is_ascii() => {
            let (first, length): (usize, usize) = (first.parse().ok()?, length.parse().ok()?);
            Some(text.chars().skip(first.checked_sub(1)?).take(length).collect())
        }
        [text, ":", pattern] | ["match", text, pattern] => matched(text, pattern),
        [left, operator, right] => {
            let (left, right): (i64, i64) = (left.parse().ok()?, right.parse().ok()?);
            let value = match *operator {
                "+" => left.checked_add(right)?,
                "-" => left.checked_sub(right)?,
                "*" => left.checked_mul(right)?,
                "/" => left.checked_div(right)?,
                "%" => left.checked_rem(right)?,
                _ => return None,
            };
            Some(value.to_string())
        }
        _ => None,
    }
}

/// `expr TEXT : PATTERN`: what the first group holds, or how much matched, from the beginning of the text.
fn matched(text: &str, pattern: &str) -> Option<String> {
    if pattern.starts_with(['^', '*'])
        || pattern.contains("\\|")
        || pattern.contains("\\n")
        || !text.is_ascii()
    {
        return None;
    }
    let regex = Regex::new(&format!("^{pattern}"), Dialect::Basic, false)?;
    let letters: Vec<char> = text.chars().collect();
    let found = regex.find(&letters, 0).ok()?;
    let groups = found.unwrap_or_default();
    let span = |at: usize| groups.get(at).copied().flatten();
    if pattern.contains("\\(") {
        let (from, to) = span(1).unwrap_or_default();
        return Some(letters.get(from..to)?.iter().collect());
    }
    Some(span(0).map_or(0, |(from, to)| to - from).to_string())
}

fn seq(words: &[&str]) -> Option<String> {
    let (glue, numbers) = match words {
        ["-s", glue, numbers @ ..] => (*glue, numbers),
        numbers => ("\n", numbers),
    };
    let numbers = numbers.iter().map(|word| word.parse::<i64>().ok()).collect::<Option<Vec<_>>>()?;
    let (first, step, last) = match numbers.as_slice() {
        [last] => (1, 1, *last),
        [first, last] => (*first, 1, *last),
        [first, step, last] if *step != 0 => (*first, *step, *last),
        _ => return None,
    };
    // What is rounded towards zero is one turn too many where the steps lead away.
    let leads_away = (first < last && step < 0) || (first > last && step > 0);
    let count = if leads_away { 0 } else { last.checked_sub(first)?.checked_div(step)?.saturating_add(1) };
    if count > LONGEST {
        return None;
    }
    let counted: Vec<String> = (0..count).map(|at| (first + at * step).to_string()).collect();
    Some(counted.join(glue))
}

/// `jq -r .` on a string, and `jq -r .name` on an object whose members are strings.
pub(super) fn jq(arguments: &[Value], streams: &mut Streams<'_>) -> Option<Computed> {
    let options = parse(arguments, "rnM", &[("raw-output", 'r'), ("null-input", 'n')])?;
    let (filter, files) = options.operands.split_first()?;
    let filter = Known::of(filter)?;
    if !options.has('r') {
        return None;
    }
    if options.has('n') {
        return null_input(&filter);
    }
    streams.map(files, |text| {
        let text = text.trim();
        let name = filter.trim().strip_prefix('.')?;
        let plain = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
        if !name.chars().all(plain) || name.starts_with(|first: char| first.is_ascii_digit()) {
            return None;
        }
        let found = if name.is_empty() {
            json_string(text).filter(|(_, rest)| rest.is_empty())?.0
        } else {
            member(text, name)?
        };
        Some(found + "\n")
    })
}

/// A filter that needs no input: a string, perhaps decoded.
fn null_input(known: &Known<'_>) -> Option<Computed> {
    let filter = known.trim();
    if filter.starts_with('[') {
        return Some(Computed::exact(joined(filter)?, known));
    }
    let (text, rest) = json_string(filter)?;
    match rest.trim().strip_prefix('|').map_or(rest, str::trim) {
        "" => Some(Computed::exact(text + "\n", known)),
        "@base64d" => {
            let whole = text.len() % 4 == 0 && !text.contains(['-', '_']);
            let bytes =
                super::decode::base64(&text).filter(|bytes| whole && std::str::from_utf8(bytes).is_ok())?;
            let text = super::bytes::to_text(&bytes) + "\n";
            Some(Computed::exact(text, known).from(crate::value::Provenance::DECODED))
        }
        _ => None,
    }
}

/// `["rm", "-rf"] | join(" ")`.
fn joined(filter: &str) -> Option<String> {
    let mut rest = filter.strip_prefix('[')?;
    let mut words = Vec::new();
    loop {
        let (word, after) = json_string(rest.trim_start())?;
        words.push(word);
        let after = after.trim_start();
        if let Some(more) = after.strip_prefix(',') {
            rest = more;
        } else {
            rest = after.strip_prefix(']')?;
            break;
        }
    }
    let call = rest.trim_start().strip_prefix('|')?.trim().strip_prefix("join(")?;
    let (glue, end) = json_string(call.trim_start())?;
    (end.trim() == ")").then(|| words.join(&glue) + "\n")
}

/// A member of a flat object of strings, which is all there is. What is given twice has the last value.
fn member(text: &str, name: &str) -> Option<String> {
    let mut rest = text.strip_prefix('{')?.trim_start();
    let mut found = None;
    loop {
        let (key, after) = json_string(rest)?;
        let after = after.trim_start().strip_prefix(':')?.trim_start();
        let (value, after) = json_string(after)?;
        if key == name {
            found = Some(value);
        }
        let after = after.trim_start();
        match after.strip_prefix(',') {
            Some(more) => rest = more.trim_start(),
            None => return found.filter(|_| after == "}"),
        }
    }
}

/// A JSON string and what follows it.
fn json_string(text: &str) -> Option<(String, &str)> {
    let mut letters = text.strip_prefix('"')?.chars();
    let mut whole = String::new();
    loop {
        whole.push(match letters.next()? {
            '"' => return Some((whole, letters.as_str())),
            '\\' => match letters.next()? {
                letter @ ('"' | '\\' | '/') => letter,
                'b' => '\u{8}',
                'f' => '\u{c}',
                'n' => '\n',
                'r' => '\r',
                't' => '\t',
                'u' => {
                    let digits = letters.as_str().get(..4)?;
                    letters = letters.as_str().get(4..)?.chars();
                    char::from_u32(u32::from_str_radix(digits, 16).ok()?)?
                }
                _ => return None,
            },
            control if control.is_control() => return None,
            letter => letter,
        });
    }
}
