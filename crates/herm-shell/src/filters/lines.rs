//! Filters that work line by line.

use super::bytes::{of_text, to_text};
use super::computed::Computed;
use super::options::{Options, parse};
use super::streams::Streams;
use crate::value::{Provenance, Value};

/// `cat` without numbering and the like.
pub(super) fn cat(arguments: &[Value], streams: &mut Streams<'_>) -> Option<Computed> {
    let options = parse(arguments, "u", &[])?;
    Some(Computed::unchanged(streams.input(&options.operands)))
}

/// `dd` when it only copies.
pub(super) fn dd(arguments: &[Value], streams: &mut Streams<'_>) -> Option<Computed> {
    let mut files = Vec::new();
    for argument in arguments {
        let word = argument.known()?;
        match word.split_once('=')? {
            ("if", name) => files.push(Value::literal(name)),
            ("bs" | "ibs" | "obs" | "status", _) => {}
            _ => return None,
        }
    }
    Some(Computed::unchanged(streams.input(&files)))
}

/// `iconv`, `expand`, `unexpand`: plain text passes unchanged.
pub(super) fn unchanged(program: &str, arguments: &[Value], streams: &mut Streams<'_>) -> Option<Computed> {
    let long = &[("from-code", 'f'), ("to-code", 't'), ("tabs", 't'), ("initial", 'i'), ("all", 'a')];
    let options = parse(arguments, if program == "iconv" { "f:t:cs" } else { "t:ia" }, long)?;
    if let Some(order) = options.value('f').and_then(wide_order) {
        return streams.map(&options.operands, |text| from_wide(text, order));
    }
    let plain = |text: &str| text.is_ascii() && (program != "expand" || !text.contains('\t'));
    let plain_code = |code: &str| {
        matches!(
            code.to_ascii_lowercase().as_str(),
            "utf-8" | "utf8" | "ascii" | "us-ascii" | "latin1" | "iso-8859-1"
        )
    };
    let codes = [options.value('f'), options.value('t').filter(|_| program == "iconv")];
    let wide = program == "iconv" && !codes.into_iter().flatten().all(plain_code) || program == "unexpand";
    streams.map(&options.operands, |text| (plain(text) && !wide).then(|| text.to_owned()))
}

/// The order of bytes in a 16-bit encoding.
fn wide_order(code: &str) -> Option<fn([u8; 2]) -> u16> {
    match code.to_ascii_lowercase().replace('_', "-").as_str() {
        "utf-16le" | "utf16le" | "ucs-2le" | "utf-16" | "utf16" => Some(u16::from_le_bytes),
        "utf-16be" | "utf16be" | "ucs-2be" => Some(u16::from_be_bytes),
        _ => None,
    }
}

fn from_wide(text: &str, order: fn([u8; 2]) -> u16) -> Option<String> {
    let bytes = of_text(text);
    let pairs = bytes.chunks_exact(2);
    let units: Vec<u16> = pairs.filter_map(|pair| pair.try_into().ok().map(order)).collect();
    String::from_utf16(&units).ok()
}

/// Programs that only watch or slow down what goes through them.
pub(super) fn passed_on(arguments: &[Value], streams: &mut Streams<'_>) -> Option<Computed> {
    let long = &[("quiet", 'q'), ("rate-limit", 'L'), ("size", 's'), ("force", 'f')];
    let options = parse(arguments, "qfpterbaL:s:i:N:B:m:", long)?;
    Some(Computed::unchanged(streams.input(&options.operands)))
}

/// What comes in goes on. Where it is written to the same output once more, it depends on the moment how the two mix.
pub(super) fn tee(arguments: &[Value], streams: &Streams<'_>) -> Option<Computed> {
    let own = ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"];
    let is_twice = |word: &Value| word.known().is_some_and(|word| own.contains(&word.as_ref()));
    (!arguments.iter().any(is_twice)).then(|| Computed::unchanged(streams.stdin.clone()))
}

/// The filters whose output is a function of the lines alone.
pub(super) fn filter(program: &str, arguments: &[Value], streams: &mut Streams<'_>) -> Option<Computed> {
    match program {
        "fold" => with(arguments, "w:s", &[("width", 'w')], streams, fold),
        "head" => with(&counted(arguments), "n:c:q", COUNTS, streams, head),
        "nl" => with(arguments, "", &[], streams, |text, _| Some(nl(text))),
        "rev" => {
            // Where a locale knows no letter outside of ASCII, everything behind the first one is lost.
            let turned = with(arguments, "", &[], streams, |text, _| text.is_ascii().then(|| rev(text)))?;
            Some(turned.from(Provenance::DECODED))
        }
        "sort" => with(arguments, "rnu", &[("reverse", 'r'), ("unique", 'u')], streams, sort),
        "strings" => with(arguments, "an:", &[("bytes", 'n')], streams, |text, options| {
            let least = options.value('n').unwrap_or("4").parse().ok().filter(|least| *least > 0)?;
            text.is_ascii().then(|| strings(text, least))
        }),
        // What has no end is put before the last line.
        "tac" => with(arguments, "", &[], streams, |text, _| {
            (text.is_empty() || text.ends_with('\n')).then(|| tac(text))
        }),
        "tail" => with(&counted(arguments), "n:c:q", COUNTS, streams, tail),
        "uniq" => with(arguments, "", &[], streams, |text, _| Some(uniq(text))),
        "wc" => with(arguments, "lwc", &[("lines", 'l'), ("words", 'w'), ("bytes", 'c')], streams, wc),
        _ => None,
    }
}

const COUNTS: &[(&str, char)] = &[("lines", 'n'), ("bytes", 'c'), ("quiet", 'q')];

type Change = fn(&str, &Options) -> Option<String>;

fn with(
    arguments: &[Value],
    short: &str,
    long: &[(&str, char)],
    streams: &mut Streams<'_>,
    change: Change,
) -> Option<Computed> {
    let options = parse(arguments, short, long)?;
    streams.map(&options.operands, |text| change(text, &options))
}

/// `-5` and `+5` written out as `-n 5`.
fn counted(arguments: &[Value]) -> Vec<Value> {
    let old = |word: &Value| {
        let word = word.known()?;
        let count = word.strip_prefix('-')?;
        count.chars().all(|letter| letter.is_ascii_digit()).then(|| Value::literal(format!("-n{count}")))
    };
    arguments
        .iter()
        .map(|word| old(word).filter(|new| new.known_prefix() != "-n").unwrap_or_else(|| word.clone()))
        .collect()
}

fn head(text: &str, options: &Options) -> Option<String> {
    if let Some(count) = options.value('c') {
        let count: usize = count.parse().ok()?;
        return of_text(text).get(..).map(|bytes| to_text(bytes.get(..count).unwrap_or(bytes)));
    }
    let all = text.split_inclusive('\n').count();
    let count = options.value('n').unwrap_or("10");
    let count = match count.strip_prefix('-') {
        Some(left) => all.saturating_sub(left.parse().ok()?),
        None => count.parse().ok()?,
    };
    Some(text.split_inclusive('\n').take(count).collect())
}

fn tail(text: &str, options: &Options) -> Option<String> {
    if let Some(count) = options.value('c') {
        let bytes = of_text(text);
        let start = start(count, bytes.len())?;
        return Some(to_text(bytes.get(start..).unwrap_or_default()));
    }
    let all = text.split_inclusive('\n').count();
    let start = start(options.value('n').unwrap_or("10"), all)?;
    Some(text.split_inclusive('\n').skip(start).collect())
}

/// Where the last `count` of `all` begin; `+N` counts from the front.
fn start(count: &str, all: usize) -> Option<usize> {
    match count.strip_prefix('+') {
        Some(first) => first.parse::<usize>().ok().map(|first| first.saturating_sub(1)),
        None => count.strip_prefix('-').unwrap_or(count).parse().ok().map(|count| all.saturating_sub(count)),
    }
}

fn rev(text: &str) -> String {
    each(text, |line| line.chars().rev().collect())
}

fn tac(text: &str) -> String {
    text.split_inclusive('\n').rev().collect()
}

fn uniq(text: &str) -> String {
    let mut lines: Vec<&str> = of(text).collect();
    lines.dedup();
    joined(&lines)
}

/// Lines in order, where every locale has the same order.
fn sort(text: &str, options: &Options) -> Option<String> {
    let mut lines: Vec<&str> = of(text).collect();
    lines.sort_unstable();
    let plain = |line: &str| line.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit());
    let alike = |pair: &[&str]| match pair {
        [one, next] => one == next || plain(one) && plain(next),
        _ => true,
    };
    if options.has('n') {
        let number =
            |line: &&str| line.parse::<u64>().ok().filter(|_| line.bytes().all(|byte| byte.is_ascii_digit()));
        let mut numbers = lines.iter().map(number).collect::<Option<Vec<_>>>()?;
        numbers.sort_unstable();
        if options.has('u') && numbers.windows(2).any(|pair| pair.first() == pair.last()) {
            return None;
        }
        lines.sort_by_key(number);
    } else if !lines.windows(2).all(alike) {
        return None;
    }
    if options.has('u') {
        lines.dedup();
    }
    if options.has('r') {
        lines.reverse();
    }
    Some(joined(&lines))
}

fn nl(text: &str) -> String {
    let mut number = 0;
    let mut numbered = |line: &str| {
        if line.is_empty() {
            return "       \n".to_owned();
        }
        number += 1;
        format!("{number:6}\t{line}\n")
    };
    of(text).map(&mut numbered).collect()
}

fn fold(text: &str, options: &Options) -> Option<String> {
    let width: usize = options.value('w').unwrap_or("80").parse().ok().filter(|width| *width > 0)?;
    // Where letters take several bytes, or no column, the locale and the version say where a line is full.
    let plain = |letter: char| letter == '\n' || letter == ' ' || letter.is_ascii_graphic();
    if options.has('s') || !text.chars().all(plain) {
        return None;
    }
    Some(each(text, |line| {
        let letters: Vec<char> = line.chars().collect();
        let rows: Vec<String> = letters.chunks(width).map(|row| row.iter().collect()).collect();
        rows.join("\n")
    }))
}

fn strings(text: &str, least: usize) -> String {
    let rows = text.split(|letter: char| letter.is_control() && letter != '\t');
    let long: Vec<&str> = rows.filter(|row| !row.is_empty() && row.chars().count() >= least).collect();
    joined(&long)
}

fn wc(text: &str, options: &Options) -> Option<String> {
    let count = match (options.has('l'), options.has('w'), options.has('c')) {
        (true, false, false) => text.matches('\n').count(),
        (false, true, false) => text.split_whitespace().count(),
        (false, false, true) => text.len(),
        _ => return None,
    };
    options.operands.is_empty().then(|| format!("{count}\n"))
}

/// Each line changed, its end kept.
pub(super) fn each(text: &str, mut change: impl FnMut(&str) -> String) -> String {
    let mut out = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        let bare = line.strip_suffix('\n');
        out.push_str(&change(bare.unwrap_or(line)));
        if bare.is_some() {
            out.push('\n');
        }
    }
    out
}

/// The lines of a text. A carriage return belongs to its line.
pub(super) fn of(text: &str) -> impl Iterator<Item = &str> {
    text.split_inclusive('\n').map(|line| line.strip_suffix('\n').unwrap_or(line))
}

/// Lines, each ended.
pub(super) fn joined(lines: &[&str]) -> String {
    lines.iter().flat_map(|line| [line, "\n"]).collect()
}
