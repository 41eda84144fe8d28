//! Texts of all kinds, in pieces of all sizes.

use herm_scan::Redactor;

use crate::random::{ALNUM, BASE64, HEX, Random};

/// What texts are put together from, to be as awkward as possible.
const PARTS: &[&str] = &[
    "\n",
    "\n",
    "\r\n",
    " ",
    "  ",
    "\t",
    "=",
    ":",
    ": ",
    " = ",
    ":=",
    "=>",
    "\"",
    "'",
    "`",
    "\\",
    "\\\n",
    "\\n",
    "\\\"",
    ",",
    ";",
    "@",
    "://",
    "/",
    "&",
    "?",
    "-",
    "--",
    "_",
    ".",
    "(",
    ")",
    "{",
    "}",
    "[",
    "]",
    "<",
    ">",
    "$",
    "%20",
    "\u{1b}[31m",
    "|",
    "~",
    "token",
    "API_KEY",
    "password",
    "secret",
    "Authorization",
    "Bearer ",
    "Basic ",
    "login ",
    "Private-Lines: 2",
    "bot123456789:",
    "\"name\": \"token\", \"value\": ",
    "key ",
    "user",
    "https",
    "postgres",
    "curl -u ",
    "mysql -p",
    "--token ",
    "--password=",
    "-----BEGIN PRIVATE KEY-----",
    "-----END PRIVATE KEY-----",
    "-----",
    "[REDACTED]",
    "REDACTED",
    "xxxx",
    "example",
    "true",
    "MAX_TOKENS=100",
    "\u{e9}\u{1f600}",
    "\0",
    concat!("gh", "p_"),
    concat!("sk", "-"),
    concat!("AK", "IA"),
    concat!("ey", "J"),
    "123456789:",
    "Q~",
    "atlasv1.",
    "open sesame!",
    "sesame",
];

fn part(random: &mut Random) -> String {
    match random.below(8) {
        0 => {
            let length = 1 + random.below(48);
            random.text(ALNUM, length)
        }
        1 => random.text(HEX, 32),
        2 => random.text(BASE64, 64),
        _ => PARTS[random.below(PARTS.len())].to_owned(),
    }
}

fn text(random: &mut Random, parts: usize) -> String {
    (0..parts).map(|_| part(random)).collect()
}

fn redactor() -> Redactor {
    Redactor::with_values(["open sesame!", "tr0ub4dor&3"])
}

/// Feeds a text in pieces of random sizes.
fn in_pieces(text: &[u8], random: &mut Random, largest: usize) -> Vec<u8> {
    let (mut redactor, mut output) = (redactor(), Vec::new());
    let mut rest = text;
    while !rest.is_empty() {
        let (now, later) = rest.split_at(random.below(largest.min(rest.len()) + 1));
        redactor.feed(now, &mut output);
        rest = later;
    }
    redactor.finish(&mut output);
    output
}

#[test]
fn pieces_do_not_matter() {
    let mut random = Random::new();
    for _ in 0..1500 {
        let count = 1 + random.below(60);
        let text = text(&mut random, count);
        let whole = redactor().redact(&text);
        for largest in [1, 7, 100] {
            let pieces = in_pieces(text.as_bytes(), &mut random, largest);
            assert_eq!(String::from_utf8_lossy(&pieces), whole, "{text:?}");
        }
    }
}

#[test]
fn a_string_that_goes_on_below_is_judged_line_by_line() {
    let text = "key = \"f6733423dae28df2a9b36ce9\\\n        4180026ad640b74243b3133e7b9fae62\";\n";
    let (mut pieces, mut output) = (redactor(), Vec::new());
    for line in text.split_inclusive('\n') {
        pieces.feed(line.as_bytes(), &mut output);
    }
    pieces.finish(&mut output);
    assert_eq!(redactor().redact(text).as_bytes(), output);
}

#[test]
fn pieces_of_long_lines_do_not_matter() {
    let mut random = Random::new();
    for _ in 0..4 {
        let text = text(&mut random, 20_000).replace('\n', " ");
        let whole = redactor().redact(&text);
        for largest in [1000, 100_000] {
            assert!(in_pieces(text.as_bytes(), &mut random, largest) == whole.as_bytes());
        }
    }
}

#[test]
fn twice_is_once() {
    let mut random = Random::new();
    for _ in 0..5000 {
        let count = 1 + random.below(40);
        let text = text(&mut random, count);
        let once = redactor().redact(&text);
        let twice = redactor().redact(&once);
        assert_eq!(twice, once, "{text:?}");
    }
}

#[test]
fn any_bytes_are_read() {
    let mut random = Random::new();
    for _ in 0..3000 {
        let length = random.below(300);
        let bytes: Vec<u8> = (0..length).map(|_| u8::try_from(random.below(256)).unwrap()).collect();
        let mut whole = Vec::new();
        let mut redactor = redactor();
        redactor.feed(&bytes, &mut whole);
        redactor.finish(&mut whole);
        assert_eq!(in_pieces(&bytes, &mut random, 9), whole);
    }
}

#[test]
fn a_secret_is_found_anywhere_in_a_line_that_never_ends() {
    let mut random = Random::new();
    let token = format!("{}{}", concat!("gh", "p_"), random.text(ALNUM, 36));
    for position in [0, 1000, 49_000, 49_100, 49_151, 49_152, 65_530, 65_536, 98_000, 98_304, 150_000] {
        let text = format!("{} {token} {}", "a".repeat(position), "b".repeat(100_000));
        let expected = format!("{} [REDACTED] {}", "a".repeat(position), "b".repeat(100_000));
        assert!(redactor().redact(&text) == expected, "{position}");
    }
}

#[test]
fn a_secret_of_any_length_is_taken_out_whole() {
    let mut random = Random::new();
    for length in [100, 1000, 1100, 20_000, 70_000, 300_000] {
        let text = format!("token={} end", random.text(ALNUM, length));
        assert_eq!(redactor().redact(&text), "token=[REDACTED] end", "{length}");
    }
}

#[test]
fn no_more_than_a_window_is_kept_back() {
    let mut random = Random::new();
    let (mut redactor, mut output) = (redactor(), Vec::new());
    let mut fed = 0;
    for _ in 0..100 {
        let piece = random.text("abcdefgh ", 10_000);
        fed += piece.len();
        redactor.feed(piece.as_bytes(), &mut output);
        assert!(fed - output.len() <= 64 * 1024);
    }
}

#[test]
fn a_line_is_passed_on_when_it_ends() {
    let (mut redactor, mut output) = (redactor(), Vec::new());
    redactor.feed(b"first\nsec", &mut output);
    assert_eq!(output, b"first\n");
    redactor.feed(b"ond\n", &mut output);
    assert_eq!(output, b"first\nsecond\n");
}
