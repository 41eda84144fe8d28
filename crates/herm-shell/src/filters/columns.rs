//! `cut` and `paste`.

use super::options::{Options, parse};
use super::streams::Streams;
use crate::value::Value;

const LONG: &[(&str, char)] = &[
    ("bytes", 'b'),
    ("characters", 'c'),
    ("fields", 'f'),
    ("delimiter", 'd'),
    ("only-delimited", 's'),
    ("output-delimiter", 'O'),
    ("complement", 'C'),
];

/// `cut`.
pub(super) fn cut(arguments: &[Value], streams: &mut Streams<'_>) -> Option<Value> {
    let options = parse(arguments, "b:c:f:d:snO:C", LONG)?;
    streams.map(&options.operands, |text| {
        if let Some(list) = options.value('c').or(options.value('b')) {
            let list = List::parse(list, &options)?;
            let kept = |line: &str| {
                let kept =
                    line.chars().enumerate().filter(|(at, _)| list.has(at + 1)).map(|(_, letter)| letter);
                kept.chain(['\n']).collect::<String>()
            };
            return Some(text.lines().map(kept).collect());
        }
        fields(text, &List::parse(options.value('f')?, &options)?, &options)
    })
}

fn fields(text: &str, list: &List, options: &Options) -> Option<String> {
    let delimiter = options.value('d').unwrap_or("\t");
    if delimiter.chars().count() != 1 {
        return None;
    }
    let glue = options.value('O').unwrap_or(delimiter);
    let mut out = String::with_capacity(text.len());
    for line in text.lines() {
        if !line.contains(delimiter) {
            if !options.has('s') {
                out.push_str(line);
                out.push('\n');
            }
            continue;
        }
        let kept: Vec<&str> = line
            .split(delimiter)
            .enumerate()
            .filter(|(at, _)| list.has(at + 1))
            .map(|(_, field)| field)
            .collect();
        out.push_str(&kept.join(glue));
        out.push('\n');
    }
    Some(out)
}

/// Ranges of columns, counted from one.
struct List {
    ranges: Vec<(usize, usize)>,
    complement: bool,
}

impl List {
    fn parse(text: &str, options: &Options) -> Option<Self> {
        let ranges = text.split([',', ' ']).map(range).collect::<Option<Vec<_>>>()?;
        (ranges.len() <= 64).then_some(Self { ranges, complement: options.has('C') })
    }

    fn has(&self, column: usize) -> bool {
        self.ranges.iter().any(|(first, last)| (*first..=*last).contains(&column)) != self.complement
    }
}

fn range(text: &str) -> Option<(usize, usize)> {
    match text.split_once('-') {
        None => text.parse().ok().map(|column| (column, column)),
        Some(("", last)) => last.parse().ok().map(|last| (1, last)),
        Some((first, "")) => first.parse().ok().map(|first| (first, usize::MAX)),
        Some((first, last)) => Some((first.parse().ok()?, last.parse().ok()?)),
    }
}

/// `paste -s`, which joins the lines of its input.
pub(super) fn paste(arguments: &[Value], streams: &mut Streams<'_>) -> Option<Value> {
    let options = parse(arguments, "sd:", &[("serial", 's'), ("delimiters", 'd')])?;
    if !options.has('s') || options.operands.len() > 1 {
        return None;
    }
    let glue = match options.value('d').unwrap_or("\t") {
        "\\n" => "\n",
        "\\t" => "\t",
        "\\0" | "" => "",
        other if other.chars().count() == 1 => other,
        _ => return None,
    };
    streams.map(&options.operands, |text| Some(text.lines().collect::<Vec<_>>().join(glue) + "\n"))
}
