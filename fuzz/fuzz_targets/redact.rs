//! Whatever a text says, and wherever it is cut, what comes out is the same, and no secret is in it.

#![no_main]

use herm_scan::Redactor;
use libfuzzer_sys::fuzz_target;

/// A value that is known to be secret.
const KNOWN: &str = "tr0ub4dor3x";

/// A token that gives itself away.
const TOKEN: &str = concat!("gh", "p_", "zK9xvQ2mRt7Lw4pBd8Yc3Hf6Jn1Sa5Ue0WgXi");

fuzz_target!(|input: (&[u8], &[u8], Vec<u8>)| {
    let (before, after, sizes) = input;
    let text = [before, KNOWN.as_bytes(), b" ", TOKEN.as_bytes(), b"\n", after].concat();
    let whole = redact(&text, &[]);
    assert!(redact(&text, &sizes) == whole, "in pieces");
    assert!(redact(&whole, &sizes) == whole, "twice");
    assert!(!is_word(&whole, TOKEN), "{TOKEN}");
    assert!(!whole.windows(KNOWN.len()).any(|window| window == KNOWN.as_bytes()), "{KNOWN}");
});

/// Whether a word stands in a text by itself: what begins in the middle of another is no token.
fn is_word(text: &[u8], word: &str) -> bool {
    let mut places = text.windows(word.len()).enumerate().filter(|(_, window)| *window == word.as_bytes());
    places.any(|(at, _)| at.checked_sub(1).is_none_or(|before| !text[before].is_ascii_alphanumeric()))
}

/// A text without its secrets, fed in pieces of these sizes, and then the rest.
fn redact(text: &[u8], sizes: &[u8]) -> Vec<u8> {
    let (mut redactor, mut output) = (Redactor::with_values([KNOWN]), Vec::new());
    let mut rest = text;
    for size in sizes {
        let (now, later) = rest.split_at(usize::from(*size).min(rest.len()));
        redactor.feed(now, &mut output);
        rest = later;
    }
    redactor.feed(rest, &mut output);
    redactor.finish(&mut output);
    output
}
