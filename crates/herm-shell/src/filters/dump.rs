//! `xxd`, `od`, `hexdump`.

use std::fmt::Write;

use super::bytes::{of_text, to_text};
use super::computed::{Computed, Known};
use super::streams::Streams;
use super::{decode, encode};
use crate::value::{Provenance, Value};

/// `xxd -r -p`, `xxd -r` and `xxd -p`; a plain dump is not worth computing.
pub(super) fn xxd(arguments: &[Value], streams: &mut Streams<'_>) -> Option<Computed> {
    let (mut back, mut plain, mut columns, mut capital, mut files) = (false, false, 30, false, Vec::new());
    let mut words = arguments.iter();
    while let Some(word) = words.next() {
        let text = word.known();
        match text.as_deref() {
            Some("-r" | "-revert") => back = true,
            Some("-p" | "-ps" | "-postscript" | "-plain") => plain = true,
            Some("-rp" | "-pr") => (back, plain) = (true, true),
            Some("-u" | "-uppercase") => capital = true,
            Some("-c" | "-cols") => columns = words.next()?.known()?.parse().ok()?,
            Some(option) if option.starts_with("-c") => columns = option.get(2..)?.parse().ok()?,
            Some(option) if option.starts_with('-') && option != "-" => return None,
            Some(_) | None => files.push(word.clone()),
        }
    }
    if files.len() > 1 {
        return None;
    }
    if back {
        let read = if plain { plain_bytes } else { dumped_bytes };
        return Some(streams.map(&files, |text| Some(to_text(&read(text)?)))?.from(Provenance::DECODED));
    }
    let width = usize::saturating_mul(columns, 2);
    if plain && !capital && width > 0 {
        streams.map(&files, |text| Some(encode::wrapped(&encode::hex(&of_text(text)), width)))
    } else {
        None
    }
}

/// `od -An -tx1` and `hexdump -ve '1/1 "%02x"'`: the bytes as digits, which is all that is ever read back.
pub(super) fn od(program: &str, arguments: &[Value], streams: &mut Streams<'_>) -> Option<Computed> {
    let words = Known::all(arguments)?;
    let (mut hexadecimal, mut bare, mut all, mut files) = (false, program == "hexdump", false, Vec::new());
    let mut words = words.iter().map(|word| &**word);
    while let Some(word) = words.next() {
        match word {
            "-An" => bare = true,
            "-A" => bare = words.next()? == "n",
            "-t" => hexadecimal = words.next()? == "x1",
            "-tx1" => hexadecimal = true,
            "-v" => all = true,
            "-e" | "-ve" if program == "hexdump" => {
                all |= word == "-ve";
                hexadecimal = matches!(words.next()?, "1/1 \"%02x\"" | "/1 \"%02x\"");
            }
            option if option.starts_with('-') => return None,
            file => files.push(Value::literal(file)),
        }
    }
    if !(hexadecimal && bare) {
        return None;
    }
    let rows = program == "od";
    streams.map(&files, |text| {
        let bytes = of_text(text);
        let repeats = bytes.chunks(16).zip(bytes.chunks(16).skip(1)).any(|(one, next)| one == next);
        // Rows that repeat are left out.
        (all || rows && !repeats)
            .then(|| if rows { bytes.chunks(16).map(row).collect() } else { encode::hex(&bytes) })
    })
}

fn row(bytes: &[u8]) -> String {
    let mut row = bytes.iter().fold(String::new(), |mut row, byte| {
        let _ = write!(row, " {byte:02x}");
        row
    });
    row.push('\n');
    row
}

/// Pairs of digits, a pair never cut in two. What else stands between them is skipped in ways of its own.
fn plain_bytes(text: &str) -> Option<Vec<u8>> {
    let whole =
        |part: &str| part.len().is_multiple_of(2) && part.bytes().all(|byte| byte.is_ascii_hexdigit());
    text.split([' ', '\n']).all(whole).then(|| decode::hex(text))?
}

/// The bytes of a dump: `00000000: 726d 202d  rm -`. Every row must begin where the one before it ended.
fn dumped_bytes(text: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    for line in super::lines::of(text) {
        let (place, rest) = line.split_once(": ")?;
        if usize::from_str_radix(place, 16).ok()? != bytes.len() {
            return None;
        }
        let (digits, _) = rest.split_once("  ")?;
        let row = digits
            .split(' ')
            .all(|pair| pair.len() == 4 || pair.len() == 2)
            .then(|| decode::hex(digits))??;
        bytes.extend(row);
    }
    Some(bytes)
}
