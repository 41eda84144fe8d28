//! How much of a line can be shown before its end is known.

use std::collections::BTreeMap;

use super::{Guesses, Redactor};
use crate::secrets::{BLANK, QUOTE, is};

impl Redactor {
    /// How much can be shown of the line that is being fed, whatever comes next: no secret begins in it that is not over.
    ///
    /// Secrets without quotes end at a blank, so all whole words can be, but for what a quote, a private key or a known value
    /// has begun. Of the last word nothing can be, unless it is the beginning of nothing: `Password:`, `45%`, `...`.
    #[must_use]
    pub fn harmless(&self, line: &[u8]) -> usize {
        if self.key.is_some() || self.swallowing {
            return 0;
        }
        if self.guesses == Guesses::Nothing {
            return self.known_beginning(line);
        }
        if self.layout.awaits() && !is_prompt(line) {
            return 0;
        }
        let words = line.iter().rposition(|byte| is(*byte, BLANK)).map_or(0, |blank| blank + 1);
        let (whole, last) = line.split_at_checked(words).unwrap_or((line, &[]));
        let end = if begins_nothing(last) && !is_awaited(whole) { line.len() } else { words };
        let limits = [open_quote(line), key_marker(line), self.known_beginning(line), taken_out(line)];
        limits.into_iter().fold(end, usize::min)
    }

    /// Where a known value begins that stands in the line, or that could go on behind it.
    fn known_beginning(&self, line: &[u8]) -> usize {
        let begun = self.known.begun(line).unwrap_or(line.len());
        self.known.find(line, 0, line.len()).map_or(begun, |(start, _)| begun.min(start))
    }
}

/// Whether a line asks for something, where a secret or a row with one is awaited: a sentence, or one word of letters.
fn is_prompt(line: &[u8]) -> bool {
    let Some((last, words)) = line.trim_ascii().split_last() else { return false };
    let is_one = words.iter().all(u8::is_ascii_alphabetic);
    let is_row = words.contains(&b'|') || words.contains(&b'\t') || words.windows(2).any(|two| two == b"  ");
    line.ends_with(b" ") && b":?>$#%]".contains(last) && (is_one || words.contains(&b' ')) && !is_row
}

/// Whether a word that may go on begins no secret, where none is awaited: signs alone, a percentage, or a short word that a
/// sign has ended.
fn begins_nothing(word: &[u8]) -> bool {
    let Some((last, before)) = word.split_last() else { return true };
    // What stands behind one of these may be the value of a name before it.
    if before.iter().any(|byte| b":=,<>~".contains(byte)) {
        return false;
    }
    let letters = word.iter().any(u8::is_ascii_alphabetic);
    let digits = word.iter().any(u8::is_ascii_digit);
    match (letters, digits) {
        (false, false) => true,
        (false, true) => *last == b'%',
        (true, false) => is_plain_word(before) && b":>?!.)]%#$*|".contains(last),
        (true, true) => false,
    }
}

/// `(Loading..`: few letters that stand together, all but the first of one case.
fn is_plain_word(word: &[u8]) -> bool {
    let mut parts = word.split(|byte| !byte.is_ascii_alphabetic()).filter(|part| !part.is_empty());
    match (parts.next(), parts.next()) {
        (Some([first, rest @ ..]), None) => {
            let capitals = first.is_ascii_uppercase() && rest.iter().all(u8::is_ascii_uppercase);
            rest.len() < LONGEST && (capitals || rest.iter().all(u8::is_ascii_lowercase))
        }
        (_, _) => false,
    }
}

/// The most letters of a word that is surely no token.
const LONGEST: usize = 12;

/// Whether a secret would be expected right behind these words, because of a name, an option or a phrase.
fn is_awaited(words: &[u8]) -> bool {
    let baited = [words, BAIT].concat();
    taken_out(&baited) < baited.len()
}

/// A value that is taken out wherever one would be.
const BAIT: &[u8] = b"q7Rk2vXz9LmT4wPs8Ny3Hd6";

/// Where the first secret begins in what has come so far.
fn taken_out(line: &[u8]) -> usize {
    let mut out = Vec::with_capacity(line.len());
    let mut redactor = Redactor::new();
    redactor.feed(line, &mut out);
    redactor.finish(&mut out);
    if out == line {
        return line.len();
    }
    line.iter().zip(&out).take_while(|(line, out)| line == out).count()
}

/// Where a value in quotes begins that has not ended: blanks do not end it. The line is gone over twice, however many quotes it has.
fn open_quote(line: &[u8]) -> usize {
    let is_escaped = |at: usize| at.checked_sub(1).and_then(|at| line.get(at)) == Some(&b'\\');
    let mut last = BTreeMap::new();
    let quotes = || line.iter().enumerate().filter(|(_, byte)| is(**byte, QUOTE));
    for (at, quote) in quotes() {
        last.insert((*quote, is_escaped(at)), at);
    }
    let mut counts: BTreeMap<u8, usize> = BTreeMap::new();
    let mut word = 0;
    for (at, byte) in line.iter().enumerate() {
        if is(*byte, BLANK) {
            word = at + 1;
        }
        if !is(*byte, QUOTE) {
            continue;
        }
        let count = counts.entry(*byte).or_default();
        let before = line.get(word..at).unwrap_or_default();
        // One behind a backslash ends at another such.
        let is_closed = last.get(&(*byte, is_escaped(at))).is_some_and(|last| *last > at);
        if !is_closed && !is_apostrophe(before, *count) {
            return at;
        }
        *count += 1;
    }
    line.len()
}

/// Whether a quote behind this word stands within or after it: `don't`, `'a b'`. In `-p'it is'`, `r"it is"` and `x=r"it is"` it
/// begins a value. So many such quotes stand before it.
fn is_apostrophe(word: &[u8], quotes: usize) -> bool {
    match word {
        [b'-', ..] | [] => false,
        [letter] => letter.is_ascii_alphanumeric() && !quotes.is_multiple_of(2),
        [.., one, last] => one.is_ascii_alphanumeric() && last.is_ascii_alphanumeric(),
    }
}

/// Where a private key is announced: what follows on its line is the key, blanks and all.
fn key_marker(line: &[u8]) -> usize {
    let marker = b"-----BEGIN";
    line.windows(marker.len()).position(|window| window == marker).unwrap_or(line.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn redactor() -> Redactor {
        Redactor::with_values(["open sesame now", "x-y-z-plain"])
    }

    #[track_caller]
    fn shows(line: &str, expected: &str) {
        let harmless = redactor().harmless(line.as_bytes());
        assert_eq!(line.get(..harmless), Some(expected), "{line}");
    }

    #[test]
    fn prompts_and_progress_are_shown() {
        for line in [
            "Password: ",
            "Password:",
            "Continue? [y/N] ",
            "rm: remove regular file 'a b'? ",
            ">>> ",
            "$ ",
            "Loading...",
            "45%",
            " 12.5%",
            ".....",
            "don't know: ",
            "[=====>  ] ",
            "[sudo] password for ann: ",
            "Enter \"name\" here: ",
            "token: str = ",
            "Bearer ",
            "--password ",
        ] {
            shows(line, line);
        }
    }

    #[test]
    fn what_may_go_on_as_a_secret_is_not() {
        for (line, expected) in [
            ("the token is gh", "the token is "),
            ("Password: hun", "Password: "),
            ("Password: ...", "Password: "),
            ("password:...", ""),
            ("password = \"my pass ", "password = "),
            ("password='a' b='my ", "password='a' b="),
            ("password=\"a\\\" b ", "password="),
            ("password=r\"my ", "password=r"),
            ("{\\\"password\\\": \\\"my ", "{\\\"password\\\": \\"),
            ("mysql -p'my ", "mysql -p"),
            ("see -----BEGIN PRIVATE KEY----- ab cd ", "see "),
            ("say open sesame ", "say "),
            ("x-y-", ""),
            ("123456789", ""),
            ("https://ann:", ""),
            ("AKIA", ""),
        ] {
            shows(line, expected);
        }
    }

    #[test]
    fn nothing_that_is_taken_out_in_the_end_is_shown_before() {
        let token = format!("gh{}_{}", "p", "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8");
        let bot = format!("1234567890:{}", "AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw1");
        for line in [
            format!("it is {token} here"),
            format!("Authorization: Bearer {token}"),
            format!("curl -u ann:Tr0ub4dor.3x https://example.com -H 'X-Api-Key: {token}'"),
            format!("bot {bot} started"),
            "postgres://ann:s3cr3t-Pa55@db.example.com/x is up".to_owned(),
            "<password>Tr0ub4dor.3x</password>".to_owned(),
            "mysql --password Tr0ub4dor.3x -p'Tr0ub4 dor.3x'".to_owned(),
            "say open sesame now and x-y-z-plain".to_owned(),
            format!(
                "-----BEGIN PRIVATE KEY----- {} -----END PRIVATE KEY-----",
                "MIIEvQIBADANBgkqhkiG9w0B ".repeat(4)
            ),
        ] {
            let whole = redactor().redact(&line);
            assert_ne!(whole, line);
            for cut in 0..=line.len() {
                let harmless = redactor().harmless(line.get(..cut).unwrap_or_default().as_bytes());
                assert!(
                    whole.starts_with(line.get(..harmless).unwrap_or_default()),
                    "{line} at {cut}: {harmless}"
                );
            }
        }
    }

    #[test]
    fn the_lines_of_a_private_key_are_never_shown() {
        let mut redactor = redactor();
        redactor.feed(b"-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0BAQEFAASC\n", &mut Vec::new());
        assert_eq!(redactor.harmless(b"abc: "), 0);
    }
}
