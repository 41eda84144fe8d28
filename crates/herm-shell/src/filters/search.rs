//! `grep`.

use super::computed::Computed;
use super::options::{Options, parse};
use super::regex::{Dialect, Regex};
use super::streams::Streams;
use crate::value::Value;

const LONG: &[(&str, char)] = &[
    ("extended-regexp", 'E'),
    ("fixed-strings", 'F'),
    ("basic-regexp", 'G'),
    ("ignore-case", 'i'),
    ("invert-match", 'v'),
    ("only-matching", 'o'),
    ("no-filename", 'h'),
    ("text", 'a'),
    ("regexp", 'e'),
];

/// The lines, or the parts of them, that match.
pub(super) fn grep(program: &str, arguments: &[Value], streams: &mut Streams<'_>) -> Option<Computed> {
    let mut options = parse(arguments, "EFGivohae:", LONG)?;
    let pattern = match options.value('e') {
        Some(pattern) if options.values('e').count() == 1 => pattern.to_owned(),
        Some(_) => return None,
        None if options.operands.is_empty() => return None,
        None => options.operands.remove(0).known()?.into_owned(),
    };
    if options.operands.len() > 1 {
        return None;
    }
    // Lines are patterns of their own, and escapes are letters here.
    let other =
        pattern.is_empty() || pattern.contains('\n') || pattern.contains("\\n") || pattern.contains("\\t");
    if other {
        return None;
    }
    let regex = compiled(program, &pattern, &options)?.without_groups();
    streams.map(&options.operands, |text| lines(text, &regex, &options))
}

fn compiled(program: &str, pattern: &str, options: &Options) -> Option<Regex> {
    if options.has('F') || program == "fgrep" {
        let escaped = |letter: char| {
            if ".*[]^$\\".contains(letter) { format!("\\{letter}") } else { letter.to_string() }
        };
        return Regex::new(
            &pattern.chars().map(escaped).collect::<String>(),
            Dialect::Basic,
            options.has('i'),
        );
    }
    let dialect = if options.has('E') || program == "egrep" { Dialect::Extended } else { Dialect::Basic };
    Regex::new(pattern, dialect, options.has('i'))
}

fn lines(text: &str, regex: &Regex, options: &Options) -> Option<String> {
    let mut out = String::new();
    if !text.is_ascii() && (options.has('o') || options.has('i')) || text.contains('\0') {
        return None;
    }
    for line in super::lines::of(text) {
        let letters: Vec<char> = line.chars().collect();
        if options.has('o') && options.has('v') {
            continue;
        }
        if options.has('o') {
            matches(&letters, regex, &mut out)?;
        } else if regex.find(&letters, 0).ok()?.is_some() != options.has('v') {
            out.push_str(line);
            out.push('\n');
        }
    }
    Some(out)
}

fn matches(letters: &[char], regex: &Regex, out: &mut String) -> Option<()> {
    let mut from = 0;
    while let Some((start, end)) =
        regex.find(letters, from).ok()?.and_then(|groups| groups.first().copied().flatten())
    {
        if start < end {
            out.extend(letters.get(start..end).unwrap_or_default());
            out.push('\n');
        }
        from = end.max(start + 1);
        if from > letters.len() {
            break;
        }
    }
    Some(())
}
