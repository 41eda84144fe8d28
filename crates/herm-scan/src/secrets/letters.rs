//! Whether letters look like words or like chance.
//!
//! In words nearly every letter is followed by one of a few others. In a random token half of the pairs are ones that
//! words do not have, and digits stand between letters.

use super::bytes::{ALNUM, DASH, DIGIT, HEX, LETTER, LOWER, UPPER, head, is};

/// The letters that follow each letter often, in words of English and of program texts.
const FOLLOWERS: [&str; 26] = [
    "abcdfgiklmnprstuvwxy",
    "aceilorsuy",
    "acdehiklmoprstu",
    "abcdefiloprstu",
    "abcdefgilmnopqrstvwxy",
    "acdefilorstu",
    "aehilnorstu",
    "aeiort",
    "abcdefglmnoprstvxz",
    "aeou",
    "aeis",
    "acdeilopstuy",
    "abdeilmopsu",
    "acdefgiklmnoprstuv",
    "abcdfgiklmnoprstuvwx",
    "acdehiloprstuy",
    "u",
    "abcdefgiklmnoprstuvy",
    "acdefhiklmnopqrstuwy",
    "abcdefhilmnoprstuy",
    "abcdefilmnprst",
    "aeis",
    "aeinors",
    "eipt",
    "elmnpst",
    "aeo",
];

/// The same, one bit a pair.
static COMMON: [u32; 26] = common();

#[expect(clippy::indexing_slicing, reason = "runs when it is compiled")]
const fn common() -> [u32; 26] {
    let mut table = [0; 26];
    let mut letter = 0;
    while letter < 26 {
        let followers = FOLLOWERS[letter].as_bytes();
        let mut each = 0;
        while each < followers.len() {
            table[letter] |= 1 << (followers[each] - b'a');
            each += 1;
        }
        letter += 1;
    }
    table
}

/// Whether so many neighbours are odd that no word explains them. Names of several words have digits between them, one
/// word has not.
pub(crate) fn random(text: &[u8]) -> bool {
    let one_word = text.len() >= 14 && text.iter().all(|byte| is(*byte, ALNUM));
    oddness(text) >= if one_word { 16 } else { 22 } || is_hex(text)
}

/// How many of a hundred neighbours are such that words do not have them.
pub(crate) fn oddness(text: &[u8]) -> usize {
    let text = head(text);
    let begins = matches!(text, [one, two, ..] if odd(b' ', *one, *two));
    let odd = |three: &&[u8]| matches!(three, [before, one, next] if odd(*before, *one, *next));
    (text.windows(3).filter(odd).count() + usize::from(begins)) * 100 / text.len().max(1)
}

/// Hexadecimal digits, which happen to be letters or digits for long stretches.
fn is_hex(text: &[u8]) -> bool {
    let digits = text.iter().filter(|byte| is(**byte, DIGIT)).count();
    let all = text.iter().all(|byte| is(*byte, HEX | DASH));
    text.len() >= 16 && all && digits * 5 >= text.len() && digits < text.len()
}

fn odd(before: u8, one: u8, next: u8) -> bool {
    match (is(one, LETTER), is(next, LETTER)) {
        // Where a word of camel case begins, any letter may, but no word has one letter only.
        (true, true) if is(one, LOWER) && is(next, UPPER) => !is(before, LOWER),
        (true, true) => !follows(one, next),
        (true, false) => is(next, DIGIT),
        (false, true) => is(one, DIGIT),
        (false, false) => false,
    }
}

fn follows(one: u8, next: u8) -> bool {
    let number = |letter: u8| u32::from(letter.to_ascii_lowercase().wrapping_sub(b'a'));
    let followers = usize::try_from(number(one)).ok().and_then(|at| COMMON.get(at)).copied().unwrap_or(0);
    followers & (1 << (number(next) % 32)) != 0
}

/// How many bits each byte is worth, if all that is known is how often each occurs.
pub(crate) fn entropy(text: &[u8]) -> f64 {
    let text = head(text);
    let mut counts = [0_u32; 256];
    for byte in text {
        if let Some(count) = counts.get_mut(usize::from(*byte)) {
            *count += 1;
        }
    }
    let total: f64 = counts.iter().map(|count| f64::from(*count)).sum();
    let share = |count: &u32| f64::from(*count) / total;
    counts.iter().filter(|count| **count > 0).map(share).map(|share| -share * share.log2()).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_not_random() {
        for word in [
            "correct-horse-battery-staple",
            "accessTokenProvider",
            "PutTheTokenOfYourOwnWorkspaceInThisPlace",
            "utf8mb4_unicode_ci",
            "os.environ",
            "mainWindowButton1",
            "sha256_checksum_v2",
            "your-api-key-here",
            "listFoldersInSharedSpace",
            "DHPrivateKey",
            "VerifyingKey",
        ] {
            assert!(!random(word.as_bytes()), "{word}");
        }
    }

    #[test]
    fn chance_is_random() {
        for chance in
            ["qzkvwxjrtbgpdmhc", "9f86d081884c7d659a2feaa0c55ad015", "zKx9vQ2mRt7Lw4", "a7f3-b2c9-d8e1-44f0"]
        {
            assert!(random(chance.as_bytes()), "{chance}");
        }
    }

    #[test]
    fn repetition_has_little_entropy() {
        assert!(entropy(b"aaaaaaaaaaaaaaaa") < 0.1);
        assert!(entropy(b"0000000000000000000000000000TUVWXYZ") < 2.5);
        assert!(entropy(b"9f86d081884c7d659a2feaa0c55ad015") > 3.0);
    }
}
