//! What a word looks like.

use std::iter::Peekable;
use std::str::Chars;
use std::sync::LazyLock;

use crate::characters::{is_invisible, is_odd_space, marks_direction, turns_direction};

/// The text as it looks to a person who reads ASCII: look-alikes replaced, what cannot be seen left out.
///
/// Letters that look like no ASCII letter (`é`, `語`) stay as they are.
#[must_use]
pub fn skeleton(text: &str) -> String {
    let seen =
        |letter: &char| !is_invisible(*letter) && !marks_direction(*letter) && !turns_direction(*letter);
    text.chars().filter(seen).map(look_alike).collect()
}

/// The text as it looks on a terminal: [`skeleton`], without the sequences that command the terminal.
#[must_use]
pub fn plain(text: &str) -> String {
    let mut seen = String::with_capacity(text.len());
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            '\u{1b}' => skip_sequence(&mut letters),
            '\u{9b}' => skip_parameters(&mut letters),
            other => seen.push(other),
        }
    }
    skeleton(&seen)
}

fn skip_sequence(letters: &mut Peekable<Chars<'_>>) {
    match letters.next() {
        Some('[') => skip_parameters(letters),
        Some(']' | 'P' | '_' | '^') => {
            let _ = letters.find(|letter| matches!(letter, '\u{7}' | '\u{9c}' | '\\'));
        }
        Some(_) | None => {}
    }
}

/// A control sequence ends with its first letter.
fn skip_parameters(letters: &mut Peekable<Chars<'_>>) {
    let _ = letters.find(|letter| ('@'..='~').contains(letter));
}

/// Whether a word looks like plain ASCII but is not.
#[must_use]
pub fn is_disguised(text: &str) -> bool {
    !text.is_ascii() && skeleton(text).is_ascii()
}

/// The ASCII character that this one looks like, or itself.
pub(crate) fn look_alike(letter: char) -> char {
    if letter.is_ascii() {
        return letter;
    }
    let code = u32::from(letter);
    match code {
        0xFF01..=0xFF5E => char::from_u32(code - 0xFEE0).unwrap_or(letter),
        0x1D400..=0x1D6A3 => alphabet(code - 0x1D400).unwrap_or(letter),
        0x1D7CE..=0x1D7FF => digit((code - 0x1D7CE) % 10).unwrap_or(letter),
        0x24B6..=0x24CF => offset('A', code - 0x24B6).unwrap_or(letter),
        0x24D0..=0x24E9 => offset('a', code - 0x24D0).unwrap_or(letter),
        0x1F130..=0x1F149 => offset('A', code - 0x1F130).unwrap_or(letter),
        _ if is_odd_space(letter) => ' ',
        _ => twin(letter).unwrap_or(letter),
    }
}

fn twin(letter: char) -> Option<char> {
    let at = SORTED.binary_search_by_key(&letter, |(twin, _)| *twin).ok()?;
    SORTED.get(at).map(|(_, plain)| *plain)
}

/// [`TWINS`] by the look-alike.
static SORTED: LazyLock<Vec<(char, char)>> = LazyLock::new(|| {
    let pairs = TWINS.iter().flat_map(|(plain, twins)| twins.chars().map(move |twin| (twin, *plain)));
    let mut sorted: Vec<_> = pairs.collect();
    sorted.sort_unstable();
    sorted
});

/// The mathematical alphabets: capitals then small letters, one style after the other.
fn alphabet(place: u32) -> Option<char> {
    match place % 52 {
        capital @ 0..26 => offset('A', capital),
        small => offset('a', small - 26),
    }
}

fn digit(value: u32) -> Option<char> {
    offset('0', value)
}

fn offset(first: char, by: u32) -> Option<char> {
    char::from_u32(u32::from(first) + by)
}

/// Characters and those that look like them. Greek letters that formulas use by themselves are left out.
static TWINS: &[(char, &str)] = &[
    ('a', "аɑạ\u{1D00}"),
    ('b', "ЬƄᖯ"),
    ('c', "сϲⅽᴄ\u{03F2}"),
    ('d', "ԁⅾɗᏧ"),
    ('e', "еҽ℮ℯ"),
    ('f', "ϝſꞙ"),
    ('g', "ɡցℊ"),
    ('h', "һհᏂℎ"),
    ('i', "іıɩιⅰℹ"),
    ('j', "јϳⅉ"),
    ('k', "κкᴋ"),
    ('l', "ӏⅼℓǀ"),
    ('m', "ⅿᴍ"),
    ('n', "ոռ"),
    ('o', "оοօσᴏℴ"),
    ('p', "рρϱ"),
    ('q', "ԛզ"),
    ('r', "гᴦꭇ"),
    ('s', "ѕꜱ"),
    ('t', "ᴛт"),
    ('u', "υսʋᴜ"),
    ('v', "νѵⅴᴠ"),
    ('w', "ԝѡաᴡ"),
    ('x', "хⅹ×"),
    ('y', "уүγỿ"),
    ('z', "ᴢ"),
    ('A', "АΑᎪ"),
    ('B', "ВΒᏴ"),
    ('C', "СϹⅭᏟℂℭ"),
    ('D', "ⅮᎠ"),
    ('E', "ЕΕᎬℰ"),
    ('F', "Ϝℱ"),
    ('G', "Ԍ"),
    ('H', "НΗᎻℋℌℍ"),
    ('I', "ІΙӀⅠℐℑ"),
    ('J', "ЈᎫͿ"),
    ('K', "КΚᏦ\u{212A}"),
    ('L', "ⅬᏞℒ"),
    ('M', "МΜⅯᎷℳ"),
    ('N', "Νℕ"),
    ('O', "ОΟՕ"),
    ('P', "РΡᏢℙ"),
    ('Q', "ℚԚ"),
    ('R', "ᎡᏒℛℜℝ"),
    ('S', "ЅՏᏚ"),
    ('T', "ТΤᎢ"),
    ('U', "Սሀ"),
    ('V', "ѴᏙⅤ"),
    ('W', "ԜᏔ"),
    ('X', "ХΧⅩ"),
    ('Y', "ҮΥ"),
    ('Z', "ΖᏃℤ"),
    ('-', "‐‑‒–—−﹣⁃"),
    ('/', "⁄∕╱⧸"),
    ('.', "․。"),
    ('~', "∼˜"),
    (':', "։ː∶"),
    ('*', "∗⁎"),
    ('_', "ˍ"),
    ('|', "∣⏐"),
    ('$', "﹩"),
    ('&', "﹠"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn look_alikes_become_what_they_look_like() {
        for (text, plain) in [
            ("ｒｍ", "rm"),
            ("－ｒｆ", "-rf"),
            ("гm", "rm"),
            ("r\u{200B}m", "rm"),
            ("c\u{AD}at", "cat"),
            ("𝐫𝐦", "rm"),
            ("𝚌𝚞𝚛𝚕", "curl"),
            ("ѕudо", "sudo"),
            ("–rf", "-rf"),
            ("ⅿkfs", "mkfs"),
            ("chmod\u{A0}777", "chmod 777"),
            ("\u{202E}mr", "mr"),
        ] {
            assert_eq!(skeleton(text), plain);
            assert!(is_disguised(text), "{text}");
        }
    }

    #[test]
    fn honest_words_are_not_disguised() {
        for text in ["rm", "café", "naïve", "日本語", "привет", "ünïcödé", "λ", "Δx", "don’t", "🚀"]
        {
            assert!(!is_disguised(text), "{text}");
        }
    }

    #[test]
    fn every_twin_has_one_meaning() {
        for (plain, twins) in TWINS {
            for twin in twins.chars() {
                assert!(!twin.is_ascii(), "{twin}");
                assert_eq!(look_alike(twin), *plain, "{twin}");
            }
        }
    }
}
