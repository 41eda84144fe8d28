//! `xxd`, `od`, `hexdump`.

use super::bytes::{of_text, to_text};
use super::streams::Streams;
use super::{decode, encode};
use crate::value::{Provenance, Value};

/// `xxd -r -p`, `xxd -r` and `xxd -p`; a plain dump is not worth computing.
pub(super) fn xxd(arguments: &[Value], streams: &mut Streams<'_>) -> Option<Value> {
    let (mut back, mut plain, mut columns, mut files) = (false, false, 30, Vec::new());
    let mut words = arguments.iter();
    while let Some(word) = words.next() {
        let text = word.known();
        match text.as_deref() {
            Some("-r" | "-revert") => back = true,
            Some("-p" | "-ps" | "-postscript" | "-plain") => plain = true,
            Some("-rp" | "-pr") => (back, plain) = (true, true),
            Some("-u" | "-uppercase") => {}
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
    if plain {
        streams.map(&files, |text| Some(encode::wrapped(&encode::hex(&of_text(text)), width)))
    } else {
        None
    }
}

/// `od -An -tx1` and `hexdump -ve '1/1 "%02x"'`: the bytes as digits, which is all that is ever read back.
pub(super) fn od(program: &str, arguments: &[Value], streams: &mut Streams<'_>) -> Option<Value> {
    let words = arguments.iter().map(Value::known).collect::<Option<Vec<_>>>()?;
    let (mut hexadecimal, mut bare, mut files) = (false, program == "hexdump", Vec::new());
    let mut words = words.iter().map(AsRef::as_ref);
    while let Some(word) = words.next() {
        match word {
            "-An" => bare = true,
            "-A" => bare = words.next()? == "n",
            "-t" => hexadecimal = words.next()? == "x1",
            "-tx1" => hexadecimal = true,
            "-v" => {}
            "-e" | "-ve" => hexadecimal = words.next()?.contains("%02x"),
            option if option.starts_with('-') => return None,
            file => files.push(Value::literal(file)),
        }
    }
    if !(hexadecimal && bare) {
        return None;
    }
    let spaced = program == "od";
    streams.map(&files, |text| {
        Some(of_text(text).iter().map(|byte| digits(*byte, spaced)).collect::<String>() + "\n")
    })
}

fn digits(byte: u8, spaced: bool) -> String {
    if spaced { format!(" {byte:02x}") } else { format!("{byte:02x}") }
}

/// Digits up to the first that is none, as xxd does; `0x` and `\x` before a byte are skipped.
fn plain_bytes(text: &str) -> Option<Vec<u8>> {
    let digits: String = text.replace("\\x", "").replace("0x", "");
    decode::hex(
        &digits.chars().take_while(|one| one.is_ascii_hexdigit() || one.is_whitespace()).collect::<String>(),
    )
}

/// The bytes of a dump: `00000000: 726d 202d  rm -`.
fn dumped_bytes(text: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    for line in text.lines() {
        let Some((_, rest)) = line.split_once(':') else { continue };
        let rest = rest.trim_start();
        let digits = rest.split_once("  ").map_or(rest, |(digits, _)| digits);
        bytes.extend(decode::hex(digits)?);
    }
    Some(bytes)
}
