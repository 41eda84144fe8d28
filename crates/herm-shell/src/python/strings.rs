//! Where string literals end, what they hold, and how f-strings divide.

/// How deep f-strings may stand in each other's fields.
const MAX_NESTING: u32 = 40;

/// Whether `word` may stand before a quote.
pub(super) fn is_string_prefix(word: &str) -> bool {
    is_formatted_prefix(word)
        || ["r", "b", "u", "br", "rb", "ur"].iter().any(|prefix| word.eq_ignore_ascii_case(prefix))
}

/// Whether `word` before a quote makes replacement fields count.
pub(super) fn is_formatted_prefix(word: &str) -> bool {
    ["f", "t", "fr", "rf", "tr", "rt"].iter().any(|prefix| word.eq_ignore_ascii_case(prefix))
}

#[derive(Clone, Copy)]
struct Quote {
    byte: u8,
    length: usize,
}

impl Quote {
    fn at(bytes: &[u8], at: usize) -> Self {
        let byte = bytes.get(at).copied().unwrap_or(0);
        let triple = bytes.get(at..at + 3).is_some_and(|three| three.iter().all(|&each| each == byte));
        Self { byte, length: if triple { 3 } else { 1 } }
    }

    fn ends(self, bytes: &[u8], at: usize) -> bool {
        bytes.get(at..at + self.length).is_some_and(|end| end.iter().all(|&each| each == self.byte))
    }

    fn one_line(self) -> bool {
        self.length == 1
    }
}

/// The place after the string whose opening quote stands at `at`; `None` when it does not end.
pub(super) fn skip_string(bytes: &[u8], at: usize, formatted: bool, depth: u32) -> Option<usize> {
    let quote = Quote::at(bytes, at);
    let mut at = at + quote.length;
    loop {
        if quote.ends(bytes, at) {
            return Some(at + quote.length);
        }
        at = match (*bytes.get(at)?, bytes.get(at + 1)) {
            (b'\\', Some(b'{')) if formatted => at + 1,
            (b'\\', Some(b'N')) if formatted && bytes.get(at + 2) == Some(&b'{') => at + 3,
            (b'\\', Some(b'\r')) if bytes.get(at + 2) == Some(&b'\n') => at + 3,
            (b'\\', _) => at + 2,
            (b'\n', _) if quote.one_line() => return None,
            (b'{', Some(b'{')) if formatted => at + 2,
            (b'{', _) if formatted => field(bytes, at + 1, quote, depth)?.end,
            _ => at + 1,
        };
    }
}

/// A replacement field, from after its `{`.
struct Field {
    expression_end: usize,
    specification: Option<(usize, usize)>,
    end: usize,
}

fn field(bytes: &[u8], start: usize, quote: Quote, depth: u32) -> Option<Field> {
    if depth > MAX_NESTING {
        return None;
    }
    let (mut at, mut open, mut expression_end) = (start, 0_u32, None);
    loop {
        match *bytes.get(at)? {
            b'(' | b'[' | b'{' => open += 1,
            b')' | b']' => open = open.saturating_sub(1),
            b'}' if open > 0 => open -= 1,
            b'}' => {
                return Some(Field {
                    expression_end: expression_end.unwrap_or(at),
                    specification: None,
                    end: at + 1,
                });
            }
            b'\'' | b'"' => {
                at = skip_string(bytes, at, formatted_before(bytes, at), depth + 1)?;
                continue;
            }
            b'#' => {
                at += bytes.get(at..)?.iter().position(|&byte| byte == b'\n')?;
            }
            b'!' if bytes.get(at + 1) == Some(&b'=') => at += 1,
            b'!' if open == 0 => expression_end = expression_end.or(Some(at)),
            b':' if open == 0 => {
                let end = specification_end(bytes, at + 1, quote, depth)?;
                let expression_end = expression_end.unwrap_or(at);
                return Some(Field { expression_end, specification: Some((at + 1, end)), end: end + 1 });
            }
            _ => {}
        }
        at += 1;
    }
}

fn specification_end(bytes: &[u8], mut at: usize, quote: Quote, depth: u32) -> Option<usize> {
    loop {
        match *bytes.get(at)? {
            b'{' => at = field(bytes, at + 1, quote, depth + 1)?.end,
            b'}' => return Some(at),
            b'\n' if quote.one_line() => return None,
            _ if quote.ends(bytes, at) => return None,
            _ => at += 1,
        }
    }
}

fn formatted_before(bytes: &[u8], at: usize) -> bool {
    let letters = bytes
        .get(..at)
        .unwrap_or_default()
        .iter()
        .rev()
        .take(3)
        .take_while(|byte| byte.is_ascii_alphabetic())
        .count();
    bytes
        .get(at - letters..at)
        .and_then(|word| std::str::from_utf8(word).ok())
        .is_some_and(is_formatted_prefix)
}

/// A part of an f-string: byte ranges of the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    /// Text as written, escapes and doubled braces included.
    Plain(usize, usize),
    /// An expression, and its format if one is given.
    Field { start: usize, end: usize, specification: Option<(usize, usize)> },
}

/// Divides the inside of an f-string, which stands at `start..end`.
pub(super) fn parts(text: &str, start: usize, end: usize, inside: Inside) -> Option<Vec<Part>> {
    let bytes = text.as_bytes().get(..end)?;
    let (mut found, mut plain, mut at) = (Vec::new(), start, start);
    // The quote no longer matters: the range is known to end before it.
    let quote = Quote { byte: 0, length: 3 };
    while let Some(&byte) = bytes.get(at) {
        let next = bytes.get(at + 1);
        at = match (byte, next) {
            (b'\\', Some(b'N')) if inside == Inside::Escaped && bytes.get(at + 2) == Some(&b'{') => {
                at + bytes.get(at..)?.iter().position(|&byte| byte == b'}')?
            }
            (b'\\', Some(b'{')) => at + 1,
            (b'\\', _) if inside == Inside::Escaped => at + 2,
            (b'{', Some(b'{')) | (b'}', Some(b'}')) if inside != Inside::Specification => at + 2,
            (b'}', _) => return None,
            (b'{', _) => {
                let field = field(bytes, at + 1, quote, 0)?;
                found.push(Part::Plain(plain, at));
                let (start, specification) = (at + 1, field.specification);
                found.push(Part::Field {
                    start,
                    end: before_equals(bytes, start, field.expression_end),
                    specification,
                });
                plain = field.end;
                field.end
            }
            _ => at + 1,
        };
    }
    found.push(Part::Plain(plain, end));
    Some(found)
}

/// What stands inside an f-string.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Inside {
    /// Text with escapes.
    Escaped,
    /// Text of a raw string.
    Raw,
    /// The format of a field.
    Specification,
}

/// The end of an expression without the `=` that asks for its source to be shown.
fn before_equals(bytes: &[u8], start: usize, end: usize) -> usize {
    let expression = bytes.get(start..end).unwrap_or_default().trim_ascii_end();
    match expression {
        [.., b'=' | b'!' | b'<' | b'>', b'='] => end,
        [.., b'='] => start + expression.len() - 1,
        _ => end,
    }
}

/// What a literal's text stands for, once its escapes are read.
pub(super) fn unescape(raw: &str) -> String {
    let mut out = String::with_capacity(raw.len());
    let mut rest = raw.chars();
    while let Some(letter) = rest.next() {
        if letter == '\r' {
            // Line ends inside literals are always one line feed.
            if !rest.as_str().starts_with('\n') {
                out.push('\n');
            }
        } else if letter == '\\' {
            escape(&mut rest, &mut out);
        } else {
            out.push(letter);
        }
    }
    out
}

fn escape(rest: &mut std::str::Chars<'_>, out: &mut String) {
    let Some(letter) = rest.next() else { return out.push('\\') };
    match letter {
        '\n' => {}
        '\r' => {
            if rest.as_str().starts_with('\n') {
                rest.next();
            }
        }
        'a' => out.push('\x07'),
        'b' => out.push('\x08'),
        'f' => out.push('\x0c'),
        'n' => out.push('\n'),
        'r' => out.push('\r'),
        't' => out.push('\t'),
        'v' => out.push('\x0b'),
        '\\' | '\'' | '"' => out.push(letter),
        'x' => code(rest, 16, 2, 0, out),
        'u' => code(rest, 16, 4, 0, out),
        'U' => code(rest, 16, 8, 0, out),
        '0'..='7' => code(rest, 8, 2, letter.to_digit(8).unwrap_or(0), out),
        'N' => {
            out.push('\u{fffd}');
            rest.by_ref().take_while(|&letter| letter != '}').for_each(drop);
        }
        _ => out.extend(['\\', letter]),
    }
}

fn code(rest: &mut std::str::Chars<'_>, radix: u32, most: usize, mut number: u32, out: &mut String) {
    for _ in 0..most {
        let Some(digit) = rest.clone().next().and_then(|letter| letter.to_digit(radix)) else { break };
        number = number.wrapping_mul(radix).wrapping_add(digit);
        rest.next();
    }
    out.push(char::from_u32(number).unwrap_or('\u{fffd}'));
}

/// The bytes of a `b"…"` literal: each letter of the unescaped text is one byte.
pub(super) fn bytes_of(text: &str) -> Vec<u8> {
    text.chars().map(|letter| u8::try_from(u32::from(letter)).unwrap_or(b'?')).collect()
}
