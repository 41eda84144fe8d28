//! `cut` and `paste`.

use super::computed::{Computed, Known};
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
pub(super) fn cut(arguments: &[Value], streams: &mut Streams<'_>) -> Option<Computed> {
    let options = parse(arguments, "b:c:f:d:snO:C", LONG)?;
    if ["b", "c", "f"].iter().filter(|one| one.chars().any(|letter| options.has(letter))).count() != 1 {
        return None;
    }
    let letters = options.has('b') || options.has('c');
    if letters && (options.has('d') || options.has('s') || options.has('O')) {
        return None;
    }
    streams.map(&options.operands, |text| {
        // Where letters take several bytes, the locale and the version say what a column is.
        if letters && !text.is_ascii() {
            return None;
        }
        if let Some(list) = options.value('c').or(options.value('b')) {
            let list = List::parse(list, &options)?;
            let kept = |line: &str| {
                let kept =
                    line.chars().enumerate().filter(|(at, _)| list.has(at + 1)).map(|(_, letter)| letter);
                kept.chain(['\n']).collect::<String>()
            };
            return Some(super::lines::of(text).map(kept).collect());
        }
        fields(text, &List::parse(options.value('f')?, &options)?, &options)
    })
}

fn fields(text: &str, list: &List, options: &Options) -> Option<String> {
    let delimiter = options.value('d').unwrap_or("\t");
    if delimiter.len() != 1 || delimiter == "\n" {
        return None;
    }
    let glue = options.value('O').unwrap_or(delimiter);
    let mut out = String::with_capacity(text.len());
    for line in super::lines::of(text) {
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
        if ranges.iter().any(|(first, last)| *first == 0 || first > last) {
            return None;
        }
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

/// The most lines that columns are put together of.
const LONGEST: usize = 1_024;

/// `paste`: the lines of each file one after the other with `-s`, else a line of every file side by side.
pub(super) fn paste(arguments: &[Value], streams: &mut Streams<'_>) -> Option<Computed> {
    let options = parse(arguments, "sd:", &[("serial", 's'), ("delimiters", 'd')])?;
    let glue = delimiters(options.value('d').unwrap_or("\t"))?;
    if options.operands.len() <= 1 {
        let whole = options.has('s');
        return streams.map(&options.operands, |text| {
            if text.is_empty() || text.contains('\0') {
                return None;
            }
            let ended = if text.ends_with('\n') { text.to_owned() } else { format!("{text}\n") };
            Some(if whole { glued(super::lines::of(text), &glue) + "\n" } else { ended })
        });
    }
    // Standard input named twice is read in turns.
    let own = |file: &&Value| file.known().as_deref() == Some("-");
    if options.operands.iter().filter(own).count() > 1 {
        return None;
    }
    let files: Vec<Value> =
        options.operands.iter().map(|file| streams.input(std::slice::from_ref(file))).collect();
    let texts = Known::all(&files)?;
    let columns: Vec<Vec<&str>> = texts.iter().map(|text| super::lines::of(text).collect()).collect();
    let lines: Vec<String> = if options.has('s') {
        columns.iter().map(|lines| glued(lines.iter().copied(), &glue)).collect()
    } else {
        side_by_side(&columns, &glue)?
    };
    Some(Computed::exact_from(lines.join("\n") + "\n", &texts))
}

fn side_by_side(columns: &[Vec<&str>], glue: &[String]) -> Option<Vec<String>> {
    let longest = columns.iter().map(Vec::len).max().filter(|longest| *longest <= LONGEST)?;
    let row = |at: usize| glued(columns.iter().map(|lines| lines.get(at).copied().unwrap_or_default()), glue);
    Some((0..longest).map(row).collect())
}

/// The words with the delimiters between them, which are taken in turn.
fn glued<'t>(words: impl Iterator<Item = &'t str>, glue: &[String]) -> String {
    let mut between = glue.iter().cycle();
    let mut out = String::new();
    for (index, word) in words.enumerate() {
        if index > 0 {
            out.push_str(between.next().map_or("", String::as_str));
        }
        out.push_str(word);
    }
    out
}

fn delimiters(list: &str) -> Option<Vec<String>> {
    if !list.is_ascii() {
        return None;
    }
    let mut letters = list.chars();
    let mut all = Vec::new();
    while let Some(letter) = letters.next() {
        all.push(match letter {
            '\\' => match letters.next()? {
                'n' => "\n".to_owned(),
                't' => "\t".to_owned(),
                '0' => String::new(),
                '\\' => "\\".to_owned(),
                _ => return None,
            },
            _ => letter.to_string(),
        });
    }
    Some(all)
}
