//! One letter, as those write it who put it into an address, JSON, a page or a string of a program.

/// What bytes begin with, if it is not taken as it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Spelling {
    /// A letter in so many bytes.
    Letter { letter: u8, length: usize },
    /// Nothing but what stands there.
    Nothing,
    /// What comes next decides.
    Unclear,
}

/// The longest spelling of a letter. Zeros before a number would have no end.
pub(super) const LONGEST: usize = 24;

/// What letters spelled otherwise begin with.
pub(super) const MARKS: &[u8] = b"%&+\\";

/// The letter that bytes begin with. None is begun by a mark in two ways at once.
pub(super) fn read(bytes: &[u8]) -> Spelling {
    match bytes {
        [b'+', ..] => Spelling::Letter { letter: b' ', length: 1 },
        [b'%' | b'\\' | b'&'] => Spelling::Unclear,
        [b'%' | b'\\', b'u', ..] => digits(bytes, 2, 4),
        [b'\\', b'x', ..] => digits(bytes, 2, 2),
        [b'%', ..] => digits(bytes, 1, 2),
        [b'\\', letter, ..] if is_escaped_by_itself(*letter) => {
            Spelling::Letter { letter: *letter, length: 2 }
        }
        [b'&', b'#', b'x' | b'X', rest @ ..] => number(rest, 3, 16),
        [b'&', b'#', rest @ ..] => number(rest, 2, 10),
        [b'&', rest @ ..] => named(rest),
        _ => Spelling::Nothing,
    }
}

/// After a backslash, letters and digits mean something else.
fn is_escaped_by_itself(letter: u8) -> bool {
    letter == b' ' || letter.is_ascii_punctuation()
}

/// The greatest letter that a secret can have.
const GREATEST: u32 = 0x7f;

/// A letter in so many hexadecimal digits.
fn digits(bytes: &[u8], from: usize, count: usize) -> Spelling {
    let mut value = 0;
    for place in 0..count {
        let Some(byte) = bytes.get(from + place) else { return Spelling::Unclear };
        let Some(digit) = char::from(*byte).to_digit(16) else { return Spelling::Nothing };
        value |= digit << (4 * (count - 1 - place));
        if value > GREATEST {
            return Spelling::Nothing;
        }
    }
    letter(value, from + count)
}

/// A letter as a number that ends with a semicolon, after so many bytes.
fn number(rest: &[u8], before: usize, radix: u32) -> Spelling {
    let mut value = 0;
    for (place, byte) in rest.iter().enumerate().take(LONGEST - before) {
        match char::from(*byte).to_digit(radix) {
            Some(digit) => value = value * radix + digit,
            None if *byte == b';' && place > 0 => return letter(value, before + place + 1),
            None => return Spelling::Nothing,
        }
        if value > GREATEST {
            return Spelling::Nothing;
        }
    }
    if before + rest.len() < LONGEST { Spelling::Unclear } else { Spelling::Nothing }
}

fn named(rest: &[u8]) -> Spelling {
    let rest = rest.get(..LONGEST).unwrap_or(rest);
    let name: &[u8] = rest.split(|byte| !byte.is_ascii_alphabetic()).next().unwrap_or_default();
    if name.len() == rest.len() {
        let begun = NAMES.iter().any(|(known, _)| known.as_bytes().starts_with(name));
        return if begun { Spelling::Unclear } else { Spelling::Nothing };
    }
    let known = NAMES.iter().find(|(known, _)| known.as_bytes() == name);
    match (known, rest.get(name.len())) {
        (Some((_, letter)), Some(b';')) => Spelling::Letter { letter: *letter, length: name.len() + 2 },
        _ => Spelling::Nothing,
    }
}

fn letter(value: u32, length: usize) -> Spelling {
    u8::try_from(value).map_or(Spelling::Nothing, |letter| Spelling::Letter { letter, length })
}

/// The letters that pages have names for.
pub(super) static NAMES: &[(&str, u8)] = &[
    ("AMP", b'&'),
    ("DiacriticalGrave", b'`'),
    ("GT", b'>'),
    ("Hat", b'^'),
    ("LT", b'<'),
    ("QUOT", b'"'),
    ("UnderBar", b'_'),
    ("VerticalLine", b'|'),
    ("amp", b'&'),
    ("apos", b'\''),
    ("ast", b'*'),
    ("bsol", b'\\'),
    ("colon", b':'),
    ("comma", b','),
    ("commat", b'@'),
    ("dollar", b'$'),
    ("equals", b'='),
    ("excl", b'!'),
    ("grave", b'`'),
    ("gt", b'>'),
    ("lbrace", b'{'),
    ("lbrack", b'['),
    ("lcub", b'{'),
    ("lowbar", b'_'),
    ("lpar", b'('),
    ("lsqb", b'['),
    ("lt", b'<'),
    ("midast", b'*'),
    ("nbsp", b' '),
    ("num", b'#'),
    ("percnt", b'%'),
    ("period", b'.'),
    ("plus", b'+'),
    ("quest", b'?'),
    ("quot", b'"'),
    ("rbrace", b'}'),
    ("rbrack", b']'),
    ("rcub", b'}'),
    ("rpar", b')'),
    ("rsqb", b']'),
    ("semi", b';'),
    ("sol", b'/'),
    ("verbar", b'|'),
    ("vert", b'|'),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_are_read_however_they_are_spelled() {
        for (bytes, letter) in [
            ("+", b' '),
            ("%2B", b'+'),
            ("%2b", b'+'),
            ("%u002b", b'+'),
            (r"\u002B", b'+'),
            (r"\x2b", b'+'),
            (r"\/", b'/'),
            (r"\\", b'\\'),
            (r#"\""#, b'"'),
            (r"\ ", b' '),
            ("&#43;", b'+'),
            ("&#0000043;", b'+'),
            ("&#x2B;", b'+'),
            ("&#X00002b;", b'+'),
            ("&amp;", b'&'),
            ("&DiacriticalGrave;", b'`'),
        ] {
            let length = bytes.len();
            assert_eq!(read(bytes.as_bytes()), Spelling::Letter { letter, length }, "{bytes}");
            let longer = format!("{bytes};2");
            assert_eq!(read(longer.as_bytes()), Spelling::Letter { letter, length }, "{longer}");
            for end in 1..length {
                assert_eq!(read(&bytes.as_bytes()[..end]), Spelling::Unclear, "{bytes} to {end}");
            }
        }
    }

    #[test]
    fn nothing_else_is_a_spelling() {
        for bytes in [
            "", "a", ";", "%g", "%2g", "%ff", "%ux", r"\n", r"\u1", r"\u00e", r"\u00e9", r"\xff", "& ", "&;",
            "&x", "&amp ", "&amq", "&#;", "&#x;", "&#xg", "&#1a", "&#300", "&#8217;",
        ] {
            assert_eq!(read(bytes.as_bytes()), Spelling::Nothing, "{bytes}");
        }
        let zeros = format!("&#{}", "0".repeat(LONGEST));
        assert_eq!(read(zeros.as_bytes()), Spelling::Nothing);
    }

    #[test]
    fn no_spelling_is_longer_than_the_longest_and_every_mark_is_known() {
        for (name, letter) in NAMES {
            let written = format!("&{name};");
            assert!(written.len() <= LONGEST, "{name}");
            assert_eq!(
                read(written.as_bytes()),
                Spelling::Letter { letter: *letter, length: written.len() },
                "{name}"
            );
        }
        for byte in u8::MIN..=u8::MAX {
            assert_eq!(read(&[byte]) == Spelling::Nothing, !MARKS.contains(&byte), "{byte}");
        }
        let longest = format!("&#{}43;", "0".repeat(LONGEST - 5));
        assert_eq!(read(longest.as_bytes()), Spelling::Letter { letter: b'+', length: LONGEST });
    }
}
