//! What a backslash means in the strings of each language.

use super::Cursor;
use crate::lang::Lang;

/// What an escape stands for.
pub(super) enum Escape {
    /// The text up to `\E`, or to the end, is changed by this function.
    Changes(&'static str),
    /// Such a change ends.
    Ends,
    /// This text.
    Text(String),
    /// Something that is not read.
    Unknown,
}

type Read = fn(&mut Cursor<'_>) -> Escape;

/// The languages whose escapes have a meaning of their own.
const OWN: &[(Lang, Read)] = &[
    (Lang::JavaScript, javascript),
    (Lang::Lua, lua),
    (Lang::Perl, perl),
    (Lang::Php, php),
    (Lang::Ruby, ruby),
];

/// Reads an escape after its backslash.
pub(super) fn escape(lang: Lang, cursor: &mut Cursor<'_>) -> Escape {
    OWN.iter().find(|own| own.0 == lang).map_or(plain as Read, |own| own.1)(cursor)
}

fn plain(cursor: &mut Cursor<'_>) -> Escape {
    let mut out = String::new();
    super::strings::escape(cursor, &mut out);
    Escape::Text(out)
}

fn text(c: char) -> Escape {
    Escape::Text(String::from(c))
}

/// A character by its number in digits to some base; above ASCII it depends on more than the text.
fn coded(digits: &str, radix: u32) -> Escape {
    let code = u32::from_str_radix(digits, radix).ok().filter(|code| *code < 128);
    code.and_then(char::from_u32).map_or(Escape::Unknown, text)
}

fn digits(cursor: &mut Cursor<'_>, most: usize, radix: u32) -> String {
    let digits: String = cursor.rest().chars().take(most).take_while(|c| c.is_digit(radix)).collect();
    cursor.skip(digits.len());
    digits
}

/// The number between braces that follow, if they do.
fn braced(cursor: &mut Cursor<'_>) -> Option<String> {
    if !cursor.starts("{") {
        return None;
    }
    cursor.advance();
    Some(cursor.until("}").trim().to_owned())
}

fn common(c: char) -> Option<char> {
    Some(match c {
        'n' => '\n',
        't' => '\t',
        'r' => '\r',
        'f' => '\u{c}',
        'b' => '\u{8}',
        'v' => '\u{b}',
        'a' => '\u{7}',
        'e' => '\u{1b}',
        _ => return None,
    })
}

fn perl(cursor: &mut Cursor<'_>) -> Escape {
    match cursor.next() {
        Some('F' | 'L') => Escape::Changes("lc"),
        Some('U') => Escape::Changes("uc"),
        Some('Q') => Escape::Changes("quotemeta"),
        Some('l') => Escape::Changes("lcfirst"),
        Some('u') => Escape::Changes("ucfirst"),
        Some('c') => control(cursor),
        Some('N' | 'o') => {
            braced(cursor);
            Escape::Unknown
        }
        Some('E') => Escape::Ends,
        Some('x') => match braced(cursor) {
            Some(number) => coded(&number, 16),
            None => coded(&digits(cursor, 2, 16), 16),
        },
        Some(first @ '0'..='7') => octal(cursor, first),
        Some('v') => text('v'),
        Some(other) => text(common(other).unwrap_or(other)),
        None => Escape::Text(String::new()),
    }
}

/// `\cA`: the letter belongs to it.
fn control(cursor: &mut Cursor<'_>) -> Escape {
    cursor.advance();
    Escape::Unknown
}

fn octal(cursor: &mut Cursor<'_>, first: char) -> Escape {
    coded(&format!("{first}{}", digits(cursor, 2, 8)), 8)
}

fn ruby(cursor: &mut Cursor<'_>) -> Escape {
    match cursor.next() {
        Some('s') => text(' '),
        Some('x') => coded(&digits(cursor, 2, 16), 16),
        Some('u') => match braced(cursor) {
            Some(numbers) => {
                let letters: Option<String> = numbers
                    .split_whitespace()
                    .map(|number| u32::from_str_radix(number, 16).ok().and_then(char::from_u32))
                    .collect();
                letters.map_or(Escape::Unknown, Escape::Text)
            }
            None => lettered(&digits(cursor, 4, 16)),
        },
        Some('c') => control(cursor),
        Some('C' | 'M') => {
            cursor.advance();
            control(cursor)
        }
        None | Some('\n') => Escape::Text(String::new()),
        Some(first @ '0'..='7') => octal(cursor, first),
        Some(other) => text(common(other).unwrap_or(other)),
    }
}

/// A letter of Unicode, in languages whose texts consist of such.
fn lettered(digits: &str) -> Escape {
    let code = u32::from_str_radix(digits, 16).ok().and_then(char::from_u32);
    code.map_or(Escape::Unknown, text)
}

fn javascript(cursor: &mut Cursor<'_>) -> Escape {
    match cursor.next() {
        Some('x') => lettered(&digits(cursor, 2, 16)),
        Some('u') => match braced(cursor) {
            Some(number) => lettered(&number),
            None => lettered(&digits(cursor, 4, 16)),
        },
        None | Some('\n') => Escape::Text(String::new()),
        Some(first @ '0'..='3') => octal(cursor, first),
        Some(first @ '4'..='7') => coded(&format!("{first}{}", digits(cursor, 1, 8)), 8),
        Some(other @ ('a' | 'e')) => text(other),
        Some(other) => text(common(other).unwrap_or(other)),
    }
}

fn php(cursor: &mut Cursor<'_>) -> Escape {
    match cursor.next() {
        Some('x') if cursor.peek().is_some_and(|c| c.is_ascii_hexdigit()) => {
            coded(&digits(cursor, 2, 16), 16)
        }
        Some('u') if cursor.starts("{") => lettered(&braced(cursor).unwrap_or_default()),
        Some(first @ '0'..='7') => octal(cursor, first),
        Some(other @ ('n' | 't' | 'r' | 'f' | 'v' | 'e')) => text(common(other).unwrap_or(other)),
        Some(other @ ('\\' | '$' | '"' | '`')) => text(other),
        // What means nothing stays as it is written.
        Some(other) => Escape::Text(format!("\\{other}")),
        None => Escape::Text("\\".to_owned()),
    }
}

fn lua(cursor: &mut Cursor<'_>) -> Escape {
    match cursor.next() {
        Some('x') => coded(&digits(cursor, 2, 16), 16),
        Some('u') => lettered(&braced(cursor).unwrap_or_default()),
        Some('z') => {
            cursor.take_while(char::is_whitespace);
            Escape::Text(String::new())
        }
        Some(first @ '0'..='9') => coded(&format!("{first}{}", digits(cursor, 2, 10)), 10),
        Some('e') => text('e'),
        Some(other) => text(common(other).unwrap_or(other)),
        None => Escape::Text(String::new()),
    }
}
