//! `base64`, `base32`, `basenc` and openssl's way of doing the same.

use super::bytes::{of_text, to_text};
use super::computed::{Computed, Known};
use super::options::{Options, parse};
use super::streams::Streams;
use super::{decode, encode};
use crate::value::{Provenance, Value};

const LONG: &[(&str, char)] = &[
    ("decode", 'd'),
    ("ignore-garbage", 'i'),
    ("wrap", 'w'),
    ("break", 'b'),
    ("input", 'I'),
    ("base64", '6'),
    ("base64url", 'u'),
    ("base32", '3'),
    ("base32hex", 'h'),
    ("base16", '1'),
    ("base2msbf", '2'),
];

/// `base64`, `base32`, `base16`, `basenc`.
pub(super) fn base(program: &str, arguments: &[Value], streams: &mut Streams<'_>) -> Option<Computed> {
    let mut options = parse(arguments, "dDiw:b:I:6u3h12", LONG)?;
    if let Some(file) = options.value('I').map(Value::literal) {
        options.operands.push(file);
    }
    let code = code(program, &options)?;
    if options.has('d') || options.has('D') {
        let group = match code {
            Code::Base2 | Code::Base16 => 2,
            Code::Base32 | Code::Base32Hex => 8,
            Code::Base64Url => 4,
            Code::Base64 => 1,
        };
        let whole = |text: &str| {
            group == 1 || !text.bytes().any(|byte| byte.is_ascii_lowercase()) && code.is_whole(text, group)
        };
        let output = streams.map(&options.operands, |text| {
            let text = options.cleaned(text);
            (matches!(code, Code::Base64Url) && code.is_whole(&text, group) || whole(&text))
                .then(|| code.decoded(&text))?
        })?;
        let output = output.from(Provenance::DECODED);
        // Only macOS knows `-D`.
        return Some(if options.has('d') { output } else { output.perhaps() });
    }
    let width = options.value('w').or(options.value('b')).map_or(Some(76), |width| width.parse().ok())?;
    streams.map(&options.operands, |text| Some(encode::wrapped(&code.encoded(&of_text(text))?, width)))
}

/// `openssl base64` and `openssl enc` without a cipher.
pub(super) fn openssl(arguments: &[Value], streams: &mut Streams<'_>) -> Option<Computed> {
    let words = Known::all(arguments)?;
    let (command, rest) = words.split_first()?;
    let (mut decode, mut base64, mut file, mut one_line) = (false, &**command == "base64", None, false);
    let mut rest = rest.iter();
    while let Some(word) = rest.next() {
        match word.trim_start_matches('-') {
            "d" => decode = true,
            "e" => decode = false,
            "a" | "base64" => base64 = true,
            "A" => one_line = true,
            "in" => file = Some(Value::literal(&**rest.next()?)),
            _ => return None,
        }
    }
    if !base64 || !matches!(&**command, "base64" | "enc") {
        return None;
    }
    let files: Vec<_> = file.into_iter().collect();
    if decode {
        let mut is_ended = true;
        let output = streams.map(&files, |text| {
            is_ended = one_line || text.ends_with('\n');
            let lines = if one_line { 1 } else { usize::MAX };
            let short =
                text.lines().all(|line| one_line || line.len() <= 64) && text.lines().count() <= lines;
            let is_whole = Code::Base64.is_whole(text, 4) && !text.contains("===");
            (short && is_whole).then(|| Code::Base64.decoded(text))?
        })?;
        let output = output.from(Provenance::DECODED);
        // Some versions leave out a line that does not end.
        return Some(if is_ended { output } else { output.perhaps() });
    }
    let width = if one_line { 0 } else { 64 };
    streams.map(&files, |text| Some(encode::wrapped(&encode::base64(&of_text(text)), width)))
}

/// An encoding. Tools print what they decoded before they complain, so what is invalid only ends the text.
#[derive(Clone, Copy)]
enum Code {
    Base2,
    Base16,
    Base32,
    Base32Hex,
    Base64,
    Base64Url,
}

/// The parts of a text that each end in padding: decoders take one after the other.
fn padded(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let start = rest.find('=').unwrap_or(rest.len());
        let ends = |letter: char| letter != '=' && !letter.is_ascii_whitespace();
        let end = rest.get(start..)?.find(ends).map_or(rest.len(), |more| start + more);
        let (part, after) = rest.split_at(end);
        rest = after;
        (!part.is_empty()).then_some(part)
    })
}

fn code(program: &str, options: &Options) -> Option<Code> {
    let chosen = [
        ('6', Code::Base64),
        ('u', Code::Base64Url),
        ('3', Code::Base32),
        ('h', Code::Base32Hex),
        ('1', Code::Base16),
        ('2', Code::Base2),
    ];
    match program {
        "base64" | "gbase64" => Some(Code::Base64),
        "base32" => Some(Code::Base32),
        "base16" => Some(Code::Base16),
        _ => chosen.into_iter().find(|(letter, _)| options.has(*letter)).map(|(_, code)| code),
    }
}

impl Code {
    fn decoded(self, text: &str) -> Option<String> {
        let read = match self {
            Self::Base2 => decode::binary,
            Self::Base16 => decode::hex,
            Self::Base32 => decode::base32,
            Self::Base32Hex => decode::base32hex,
            Self::Base64 | Self::Base64Url => decode::base64,
        };
        let coded = |letter: &char| letter.is_ascii_alphanumeric() || self.signs().contains(*letter);
        let valid: String = text.chars().take_while(coded).collect();
        // Where they stop in what is invalid differs between the others.
        let lenient = matches!(self, Self::Base64) && !valid.is_empty();
        if valid.len() < text.len() && !lenient {
            return None;
        }
        let mut bytes = Vec::new();
        for part in padded(&valid) {
            bytes.extend(read(part)?);
        }
        Some(to_text(&bytes))
    }

    /// What stands in this code besides letters and digits.
    fn signs(self) -> &'static str {
        match self {
            Self::Base2 | Self::Base16 => "\n",
            Self::Base32 | Self::Base32Hex => "=\n",
            Self::Base64 => "+/=\n",
            Self::Base64Url => "-_=\n",
        }
    }

    /// Whether the text is whole in every way: nothing else in it, and all of its padding.
    fn is_whole(self, text: &str, group: usize) -> bool {
        let letters = text.chars().filter(|letter| *letter != '\n').count();
        let body = text.trim_end_matches(['=', '\n']);
        let coded =
            |letter: char| letter.is_ascii_alphanumeric() || self.signs().replace('=', "").contains(letter);
        letters % group == 0 && body.chars().all(coded)
    }

    fn encoded(self, bytes: &[u8]) -> Option<String> {
        match self {
            Self::Base16 => Some(encode::hex(bytes).to_uppercase()),
            Self::Base32 => Some(encode::base32(bytes)),
            Self::Base64 => Some(encode::base64(bytes)),
            Self::Base64Url => Some(encode::base64url(bytes)),
            Self::Base2 | Self::Base32Hex => None,
        }
    }
}

impl Options {
    /// The text without what `--ignore-garbage` skips.
    fn cleaned(&self, text: &str) -> String {
        let keep = |letter: &char| letter.is_ascii_alphanumeric() || "+/-_=".contains(*letter);
        if self.has('i') { text.chars().filter(keep).collect() } else { text.to_owned() }
    }
}
