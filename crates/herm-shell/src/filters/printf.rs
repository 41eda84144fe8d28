//! `printf`, as bash has it, and as far as programs of that name agree.

use super::bytes::to_text;
use super::computed::{Computed, Known};
use super::escape::{Reader, unescape};
use super::streams::printed;
use super::{LARGEST, Speaker};
use crate::value::{Hole, Piece, Value};

/// What `printf` prints. A hole in an argument stays one; a hole in the format, `-v` and dates cannot be computed.
pub(super) fn printf(speaker: Speaker, arguments: &[Value]) -> Option<Computed> {
    let (first, mut rest) = arguments.split_first()?;
    let mut format = Known::of(first)?;
    if &*format == "--" {
        let (next, after) = rest.split_first()?;
        (format, rest) = (Known::of(next)?, after);
    } else if format.starts_with('-') {
        return None;
    }
    let parts = parse(&format, speaker)?;
    let takes = parts.iter().filter(|part| matches!(part, Part::Convert(_))).count();
    let mut out =
        Output { speaker, format, printed: Computed::default(), words: rest.iter(), size: 0, ended: false };
    loop {
        out.pass(&parts)?;
        if out.ended || takes == 0 || out.words.len() == 0 {
            return Some(out.printed);
        }
    }
}

/// A part of a format.
enum Part {
    Convert(Conversion),
    Text(Vec<u8>),
}

struct Conversion {
    flags: String,
    width: Option<Size>,
    precision: Option<Size>,
    letter: char,
}

#[derive(Clone, Copy)]
enum Size {
    /// `*`: the next argument says.
    Argument,
    Fixed(usize),
}

fn parse(format: &str, speaker: Speaker) -> Option<Vec<Part>> {
    let mut parts = Vec::new();
    let mut rest = format;
    while !rest.is_empty() {
        let (text, tail) = rest.split_at(rest.find('%').unwrap_or(rest.len()));
        if !text.is_empty() {
            let read = unescape(text, Reader::Format);
            if read.doubtful || speaker == Speaker::Program && !is_read_alike(text) {
                return None;
            }
            parts.push(Part::Text(read.bytes));
        }
        rest = tail;
        if let Some(after) = rest.strip_prefix("%%") {
            parts.push(Part::Text(b"%".to_vec()));
            rest = after;
        } else if let Some(after) = rest.strip_prefix('%') {
            let (conversion, after) = conversion(after)?;
            if speaker == Speaker::Program && !"sdiuoxX".contains(conversion.letter) {
                return None;
            }
            parts.push(Part::Convert(conversion));
            rest = after;
        }
    }
    Some(parts)
}

fn conversion(text: &str) -> Option<(Conversion, &str)> {
    let plain = text.trim_start_matches(['-', '+', ' ', '0', '#', '\'']);
    let flags = text.strip_suffix(plain)?.to_owned();
    let (width, rest) = size(plain);
    let (precision, rest) = match rest.strip_prefix('.') {
        Some(rest) => {
            let (precision, rest) = size(rest);
            (Some(precision.unwrap_or(Size::Fixed(0))), rest)
        }
        None => (None, rest),
    };
    let rest = rest.trim_start_matches(['l', 'h', 'j', 'z', 't', 'L']);
    let letter = rest.chars().next()?;
    let known = "sbqQcdiuoxX".contains(letter);
    known.then_some((Conversion { flags, width, precision, letter }, rest.get(1..)?))
}

fn size(text: &str) -> (Option<Size>, &str) {
    if let Some(rest) = text.strip_prefix('*') {
        return (Some(Size::Argument), rest);
    }
    let rest = text.trim_start_matches(|letter: char| letter.is_ascii_digit());
    let digits = text.strip_suffix(rest).unwrap_or_default();
    (digits.parse().ok().map(Size::Fixed), rest)
}

struct Output<'a> {
    speaker: Speaker,
    format: Known<'a>,
    printed: Computed,
    words: std::slice::Iter<'a, Value>,
    size: usize,
    ended: bool,
}

impl Output<'_> {
    /// One pass through the format.
    fn pass(&mut self, parts: &[Part]) -> Option<()> {
        for part in parts {
            match part {
                Part::Text(bytes) => {
                    let text = to_text(bytes);
                    self.grow(text.len())?;
                    self.printed.write(&text, &self.format);
                }
                Part::Convert(conversion) => self.convert(conversion)?,
            }
            if self.ended {
                break;
            }
        }
        Some(())
    }

    fn grow(&mut self, by: usize) -> Option<()> {
        self.size += by;
        (self.size <= LARGEST).then_some(())
    }

    /// A word that is not known. Only where it is printed as it is do the known parts of it stand there.
    fn open(&mut self, word: &Value, conversion: &Conversion) -> Option<()> {
        self.grow(word.pieces.len() + word.known_prefix().len())?;
        let is_plain =
            conversion.letter == 's' && conversion.width.is_none() && conversion.precision.is_none();
        if is_plain {
            self.printed.pass(&printed(word));
        } else {
            let hole = Hole { shown: word.shown(), may_be_empty: true, may_split: true, ..Hole::default() };
            self.printed.keep(&Piece::Hole(hole), word.provenance);
        }
        Some(())
    }

    fn convert(&mut self, conversion: &Conversion) -> Option<()> {
        let width = self.measure(conversion.width, 0)?;
        let precision = self.measure(conversion.precision, usize::MAX)?;
        let word = self.words.next();
        let none = Value::default();
        let Some(known) = Known::of(word.unwrap_or(&none)) else {
            return self.open(word.unwrap_or(&none), conversion);
        };
        let text = &*known;
        if self.speaker == Speaker::Program && conversion.letter != 's' && word.is_some() && !is_plain(text) {
            return None;
        }
        // The locale says how wide a letter is.
        let measured =
            conversion.width.is_some() || conversion.precision.is_some() || conversion.letter == 'c';
        let quotes = matches!(conversion.letter, 'q' | 'Q')
            && (conversion.precision.is_some() || !text.is_ascii() || text.contains(char::is_control));
        if measured && !unescape(text, Reader::Argument).bytes.is_ascii() || quotes {
            return None;
        }
        let text = match conversion.letter {
            's' => text.chars().take(precision).collect(),
            'c' => text.chars().take(1).collect(),
            'q' | 'Q' => quoted(text),
            'b' => {
                let read = unescape(text, Reader::Argument);
                if read.doubtful {
                    return None;
                }
                self.ended = read.ended;
                to_text(&read.bytes).chars().take(precision).collect()
            }
            letter => numeral(
                number(text)?,
                letter,
                &conversion.flags,
                if precision == usize::MAX { 0 } else { precision },
            ),
        };
        let text = pad(text, width, conversion);
        self.grow(text.len())?;
        self.printed.write(&text, &known);
        Some(())
    }

    fn measure(&mut self, size: Option<Size>, otherwise: usize) -> Option<usize> {
        let size = match size {
            None => return Some(otherwise),
            Some(Size::Fixed(size)) => size,
            Some(Size::Argument) => usize::try_from(number(&self.words.next()?.known()?)?).ok()?,
        };
        (size <= LARGEST).then_some(size)
    }
}

/// Whether every printf reads the escapes of a format alike.
fn is_read_alike(text: &str) -> bool {
    let mut rest = text.as_bytes();
    while let Some((byte, after)) = rest.split_first() {
        rest = match (byte, after) {
            (
                b'\\',
                [b'0'..=b'3', b'0'..=b'7', b'0'..=b'7', tail @ ..]
                | [b'\\' | b'a' | b'b' | b'f' | b'n' | b'r' | b't' | b'v', tail @ ..],
            ) => tail,
            (b'\\', _) => return false,
            _ => after,
        };
    }
    true
}

/// Whether every printf reads it as the same number.
fn is_plain(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text);
    !digits.is_empty()
        && digits.bytes().all(|byte| byte.is_ascii_digit())
        && (digits.len() == 1 || !digits.starts_with('0'))
}

/// A number as printf reads it; `'A` is a character's code. What is no number is not computed.
fn number(text: &str) -> Option<i64> {
    let text = text.trim();
    if let Some(quoted) = text.strip_prefix(['\'', '"']) {
        return quoted.chars().next().map(|letter| i64::from(u32::from(letter)));
    }
    let (negative, digits) = text.strip_prefix('-').map_or((false, text), |digits| (true, digits));
    let digits = digits.strip_prefix('+').unwrap_or(digits);
    let value = if digits.is_empty() {
        0
    } else if let Some(hex) = digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X")) {
        i64::from_str_radix(hex, 16).ok()?
    } else if digits.starts_with('0') && digits.len() > 1 {
        i64::from_str_radix(digits, 8).ok()?
    } else {
        digits.parse().ok()?
    };
    Some(if negative { value.wrapping_neg() } else { value })
}

fn numeral(value: i64, letter: char, flags: &str, precision: usize) -> String {
    let (sign, digits) = match letter {
        'o' => ("", format!("{value:o}")),
        'x' => ("", format!("{value:x}")),
        'X' => ("", format!("{value:X}")),
        'u' => ("", value.cast_unsigned().to_string()),
        _ if value < 0 => ("-", value.unsigned_abs().to_string()),
        _ if flags.contains('+') => ("+", value.to_string()),
        _ if flags.contains(' ') => (" ", value.to_string()),
        _ => ("", value.to_string()),
    };
    let prefix = match (flags.contains('#'), letter) {
        (true, _) if value == 0 => "",
        (true, 'x') => "0x",
        (true, 'X') => "0X",
        (true, 'o') => "0",
        _ => "",
    };
    let zeros = precision.saturating_sub(digits.len());
    format!("{sign}{prefix}{}{digits}", "0".repeat(zeros))
}

fn pad(text: String, width: usize, conversion: &Conversion) -> String {
    let missing = width.saturating_sub(text.chars().count());
    let number = "diuoxX".contains(conversion.letter);
    if conversion.flags.contains('-') {
        text + &" ".repeat(missing)
    } else if number && conversion.flags.contains('0') && conversion.precision.is_none() {
        let (sign, digits) = text.strip_prefix('-').map_or(("", text.as_str()), |digits| ("-", digits));
        format!("{sign}{}{digits}", "0".repeat(missing))
    } else {
        " ".repeat(missing) + &text
    }
}

/// The text so that a shell reads it as one word.
fn quoted(text: &str) -> String {
    if text.is_empty() {
        return "''".to_owned();
    }
    let mut out = String::with_capacity(text.len());
    for letter in text.chars() {
        if !(letter.is_alphanumeric() || "_-./:=@%+,".contains(letter)) {
            out.push('\\');
        }
        out.push(letter);
    }
    out
}
