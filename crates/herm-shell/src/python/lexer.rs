//! Cuts Python text into tokens.
//!
//! A string is one token, whatever it holds: the replacement fields of an f-string are cut again, on their own, when
//! the parser gets there.

use super::strings::{is_formatted_prefix, is_string_prefix, skip_string};

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Dedent,
    End,
    Error,
    Indent,
    Keyword,
    Name,
    Newline,
    Number,
    Operator,
    String,
}

/// A token and where it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Token {
    pub(super) kind: Kind,
    pub(super) start: u32,
    pub(super) end: u32,
}

/// Where the text being cut stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Within {
    /// A replacement field: lines mean nothing there.
    Field,
    /// A file of logical lines.
    File,
}

/// Cuts `text` from `start` up to `end`. The last token is always [`Kind::End`].
pub(super) fn tokens(text: &str, start: usize, end: usize, within: Within) -> Vec<Token> {
    let bytes = text.as_bytes().get(..end).unwrap_or_default();
    let brackets = u32::from(within == Within::Field);
    let mut lexer = Lexer {
        text,
        bytes,
        at: start,
        brackets,
        columns: vec![0],
        out: Vec::new(),
        fresh: within == Within::File,
        unended: 0,
    };
    lexer.run();
    lexer.out
}

const KEYWORDS: &[&str] = &[
    "False", "None", "True", "and", "as", "assert", "async", "await", "break", "class", "continue", "def",
    "del", "elif", "else", "except", "finally", "for", "from", "global", "if", "import", "in", "is",
    "lambda", "nonlocal", "not", "or", "pass", "raise", "return", "try", "while", "with", "yield",
];

/// Longest first, so that the first match is the right one.
const OPERATORS: &[&str] = &[
    "**=", "//=", "<<=", ">>=", "...", "!=", "%=", "&=", "**", "*=", "+=", "-=", "->", "//", "/=", ":=",
    "<<", "<=", "<>", "==", ">=", ">>", "@=", "^=", "|=", "!", "%", "&", "(", ")", "*", "+", ",", "-", ".",
    "/", ":", ";", "<", "=", ">", "@", "[", "]", "^", "`", "{", "|", "}", "~",
];

struct Lexer<'a> {
    text: &'a str,
    bytes: &'a [u8],
    at: usize,
    /// How many brackets are open; inside them lines mean nothing.
    brackets: u32,
    columns: Vec<u32>,
    out: Vec<Token>,
    /// Whether a logical line is about to begin.
    fresh: bool,
    /// How many strings did not end. Each was sought to the end of the text, so there may not be many.
    unended: u32,
}

impl Lexer<'_> {
    fn run(&mut self) {
        if self.at == 0 && self.bytes.starts_with("\u{feff}".as_bytes()) {
            self.at = 3;
        }
        while self.at < self.bytes.len() {
            if self.fresh {
                self.indentation();
            }
            // Blanks may be the last of it.
            if self.at < self.bytes.len() {
                self.token();
            }
        }
        if self.brackets == 0 && !self.fresh {
            self.push(Kind::Newline, self.at);
        }
        for _ in 1..self.columns.len() {
            self.push(Kind::Dedent, self.at);
        }
        self.push(Kind::End, self.at);
    }

    fn byte(&self, ahead: usize) -> u8 {
        self.bytes.get(self.at + ahead).copied().unwrap_or(0)
    }

    fn push(&mut self, kind: Kind, start: usize) {
        let offset = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
        self.out.push(Token { kind, start: offset(start), end: offset(self.at) });
    }

    /// Measures the beginning of a line; blank lines and lines of comments do not count.
    fn indentation(&mut self) {
        let mut column = 0_u32;
        loop {
            match self.byte(0) {
                b' ' => column += 1,
                b'\t' => column = (column / 8 + 1) * 8,
                b'\x0c' => column = 0,
                _ => break,
            }
            self.at += 1;
        }
        let blank = matches!(self.byte(0), b'\n' | b'\r' | b'#') || self.at >= self.bytes.len();
        let joined = self.byte(0) == b'\\' && matches!(self.byte(1), b'\n' | b'\r');
        if !blank && !joined {
            self.fresh = false;
            self.indent_to(column);
        }
    }

    fn indent_to(&mut self, column: u32) {
        let current = self.columns.last().copied().unwrap_or(0);
        if column > current {
            self.columns.push(column);
            self.push(Kind::Indent, self.at);
        }
        while self.columns.last().is_some_and(|&last| column < last) {
            self.columns.pop();
            self.push(Kind::Dedent, self.at);
        }
        if self.columns.last().is_some_and(|&last| column > last) {
            self.columns.push(column);
            self.push(Kind::Error, self.at);
            self.push(Kind::Indent, self.at);
        }
    }

    fn token(&mut self) {
        let start = self.at;
        match self.byte(0) {
            b' ' | b'\t' | b'\x0c' | b'\r' => self.at += 1,
            b'\n' => self.newline(),
            b'#' => self.comment(),
            b'\\' => self.continuation(),
            b'\'' | b'"' => self.string(start),
            b'0'..=b'9' => self.number(),
            b'.' if self.byte(1).is_ascii_digit() => self.number(),
            b'a'..=b'z' | b'A'..=b'Z' | b'_' | 0x80.. => self.name(),
            _ => self.operator(),
        }
    }

    fn newline(&mut self) {
        self.at += 1;
        if self.brackets == 0 && !self.fresh {
            self.push(Kind::Newline, self.at - 1);
            self.fresh = true;
        }
    }

    fn comment(&mut self) {
        while self.at < self.bytes.len() && self.byte(0) != b'\n' {
            self.at += 1;
        }
    }

    fn continuation(&mut self) {
        let length = match (self.byte(1), self.byte(2)) {
            (b'\r', b'\n') => 3,
            (b'\n' | b'\r', _) => 2,
            _ => 0,
        };
        let start = self.at;
        self.at += length.max(1);
        if length == 0 {
            self.push(Kind::Error, start);
        }
    }

    /// A string whose prefix began at `start` and whose quote stands at the current place.
    fn string(&mut self, start: usize) {
        let prefix = self.text.get(start..self.at).unwrap_or_default();
        let end = skip_string(self.bytes, self.at, is_formatted_prefix(prefix), 0);
        self.unended += u32::from(end.is_none());
        let hopeless = self.unended > 8;
        self.at = end.unwrap_or_else(|| if hopeless { self.bytes.len() } else { self.line_end() });
        self.push(if end.is_some() { Kind::String } else { Kind::Error }, start);
    }

    fn line_end(&self) -> usize {
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        self.at + rest.iter().position(|&byte| byte == b'\n').unwrap_or(rest.len())
    }

    fn number(&mut self) {
        let start = self.at;
        let radix = self.byte(0) == b'0' && matches!(self.byte(1) | 0x20, b'x' | b'o' | b'b');
        loop {
            let (byte, next) = (self.byte(0), self.byte(1));
            let exponent = !radix && byte | 0x20 == b'e' && matches!(next, b'+' | b'-');
            if exponent {
                self.at += 2;
            } else if !radix && self.keyword_follows(start) {
                break;
            } else if byte.is_ascii_alphanumeric() || byte == b'_' || (byte == b'.' && !radix) {
                self.at += 1;
            } else {
                break;
            }
        }
        self.push(Kind::Number, start);
    }

    /// Whether a word such as `if` or `else` begins right after the digits, as in `1if x else 2`.
    fn keyword_follows(&self, start: usize) -> bool {
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        self.at > start
            && ["if", "else", "or", "and", "in", "is", "not", "for"]
                .iter()
                .any(|word| rest.starts_with(word.as_bytes()))
    }

    fn name(&mut self) {
        let start = self.at;
        while self.byte(0).is_ascii_alphanumeric() || self.byte(0) == b'_' || self.byte(0) >= 0x80 {
            self.at += 1;
        }
        let word = self.text.get(start..self.at).unwrap_or_default();
        if matches!(self.byte(0), b'\'' | b'"') && is_string_prefix(word) {
            return self.string(start);
        }
        let odd =
            word.chars().any(|letter| !letter.is_ascii() && !letter.is_alphanumeric() && !is_mark(letter));
        let keyword = KEYWORDS.contains(&word);
        self.push(
            if odd {
                Kind::Error
            } else if keyword {
                Kind::Keyword
            } else {
                Kind::Name
            },
            start,
        );
    }

    fn operator(&mut self) {
        let start = self.at;
        let rest = self.bytes.get(start..).unwrap_or_default();
        // Most operators differ in their first byte.
        let same = |operator: &str| operator.as_bytes().first() == rest.first();
        let found = OPERATORS.iter().find(|operator| same(operator) && rest.starts_with(operator.as_bytes()));
        self.at += found.map_or(1, |operator| operator.len());
        match found {
            Some(&("(" | "[" | "{")) => self.brackets += 1,
            Some(&(")" | "]" | "}")) => self.brackets = self.brackets.saturating_sub(1),
            Some(_) | None => {}
        }
        self.push(if found.is_some() { Kind::Operator } else { Kind::Error }, start);
    }
}

/// Combining marks and connectors may stand inside names.
fn is_mark(letter: char) -> bool {
    matches!(letter, '\u{300}'..='\u{36f}' | '\u{203f}' | '\u{2040}' | '\u{900}'..='\u{dff}' | '\u{fe00}'..='\u{fe0f}' | '\u{b7}' | '\u{387}' | '\u{2118}' | '\u{212e}')
}

/// A name as Python compares it: styled and full-width letters count as the plain ones.
pub(super) fn plain_name(word: &str) -> String {
    word.chars().map(plain_letter).collect()
}

fn plain_letter(letter: char) -> char {
    let code = u32::from(letter);
    let plain = match code {
        0x1d400..=0x1d6a3 => styled((code - 0x1d400) % 52),
        0x1d7ce..=0x1d7ff => 0x30 + (code - 0x1d7ce) % 10,
        0xff01..=0xff5e => code - 0xfee0,
        0x2102 | 0x212d => 0x43,
        0x210a => 0x67,
        0x210b..=0x210d => 0x48,
        0x210e => 0x68,
        0x2110 | 0x2111 => 0x49,
        0x2112 => 0x4c,
        0x2113 => 0x6c,
        0x2115 => 0x4e,
        0x2119 => 0x50,
        0x211a => 0x51,
        0x211b..=0x211d => 0x52,
        0x2124 | 0x2128 => 0x5a,
        0x212c => 0x42,
        0x212f => 0x65,
        0x2130 => 0x45,
        0x2131 => 0x46,
        0x2133 => 0x4d,
        0x2134 => 0x6f,
        0x17f => 0x73,
        _ => code,
    };
    char::from_u32(plain).unwrap_or(letter)
}

/// The letter at a place of an alphabet that holds the capitals first.
fn styled(place: u32) -> u32 {
    if place < 26 { 0x41 + place } else { 0x61 + place - 26 }
}
