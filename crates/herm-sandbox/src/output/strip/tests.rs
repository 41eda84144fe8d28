//! What is taken out of a stream, and what is not.

use super::*;

fn strip(colours: Colours, pieces: &[&[u8]]) -> String {
    let (mut strip, mut out) = (Strip::new(colours), Vec::new());
    for piece in pieces {
        strip.push(piece, &mut out);
    }
    strip.finish(&mut out);
    String::from_utf8(out).unwrap()
}

#[test]
fn escapes_of_every_kind_go() {
    let cases: &[(&[u8], &str)] = &[
        (b"a\x1b[31mred\x1b[0mb", "aredb"),
        (b"a\x1b[2J\x1b[1;1H\x1b[?25lb", "ab"),
        (b"a\x1b]0;title\x07b", "ab"),
        (b"a\x1b]8;;http://evil\x1b\\link\x1b]8;;\x1b\\b", "alinkb"),
        (b"a\x1b]52;c;cm0gLXJm\x1b\\b", "ab"),
        (b"a\x1bP+q544e\x1b\\b", "ab"),
        (b"a\x1b_Gi=1;AAAA\x1b\\b", "ab"),
        (b"a\x1b^private\x1b\\b", "ab"),
        (b"a\x1bcb\x1b7c\x1b8d\x1b(0e\x1b#8f", "abcdef"),
        (b"a\x9b31mb\x9d0;t\x07c\x90q\x9cd", "abcd"),
        ("a\u{9b}31mb\u{9d}0;t\u{9c}c\u{85}d".as_bytes(), "abcd"),
        (b"a\x1b\x1b[31mb", "ab"),
        (b"a\x1b", "a"),
        (b"a\x1b[3", "a"),
        (b"a\x08\x07\x00\x0e\x0f\x7f\x0b\x0cb", "ab"),
        (b"a\x1b[12\n3mb", "a\n3mb"),
        (b"a\x1b[1\xe4\xb8\xadb", "a\u{4e2d}b"),
    ];
    for (bytes, expected) in cases {
        assert_eq!(strip(Colours::Drop, &[bytes]), *expected, "{}", bytes.escape_ascii());
    }
}

#[test]
fn nothing_is_hidden_by_an_escape_without_an_end() {
    assert_eq!(strip(Colours::Drop, &[b"a\x1b]0;hidden\nshown\n"]), "a\nshown\n");
    let long = [b"a\x1b[".to_vec(), b"1;".repeat(200), b"shown".to_vec()].concat();
    assert!(strip(Colours::Drop, &[&long]).ends_with(";shown"));
}

#[test]
fn lines_are_not_written_over() {
    assert_eq!(strip(Colours::Drop, &[b"rm -rf x\rls\r\nnext\r\r\nend\r"]), "rm -rf x\nls\nnext\n\nend\n");
    assert_eq!(strip(Colours::Keep, &[b"10%\r20%\r\n"]), "10%\r20%\r\n");
}

#[test]
fn colours_stay_where_they_are_wanted_and_end() {
    assert_eq!(strip(Colours::Keep, &[b"\x1b[1;31mred\x1b[0m\x1b[2J"]), "\u{1b}[1;31mred\u{1b}[0m");
    assert_eq!(strip(Colours::Keep, &[b"\x1b[32mgreen"]), "\u{1b}[32mgreen\u{1b}[0m");
    assert_eq!(strip(Colours::Keep, &[b"\x1b[8mhidden\x1b[m"]), "hidden\u{1b}[m");
    assert_eq!(strip(Colours::Keep, &[b"\x1b[>4;1m\x1b[?1mx\x1b[1$my"]), "xy");
}

#[test]
fn text_is_left_as_it_is() {
    let text = "plain\ttext, Grüße, 字, 😀, \u{301}\n";
    assert_eq!(strip(Colours::Drop, &[text.as_bytes()]), text);
    assert_eq!(strip(Colours::Drop, &[b"a\xffb\xe4\xb8x\xf0\x9f"]), "a\u{fffd}b\u{fffd}x\u{fffd}");
}

/// Bytes that mean something, in every order that chance brings.
fn noise(seed: u64) -> Vec<u8> {
    const WORDS: &[&[u8]] = &[
        b"\x1b",
        b"[",
        b"]",
        b"P",
        b"\\",
        b"m",
        b"31",
        b";",
        b"0",
        b"8",
        b"?",
        b"\x07",
        b"\x9b",
        b"\x9c",
        b"\x9d",
        b"\xc2",
        b"\xe4",
        b"\xb8",
        b"\xad",
        b"\xf0\x9f\x98\x80",
        b"\n",
        b"\r",
        b"x",
        b" ",
        b"(",
        b"\x18",
        b"\xff",
    ];
    let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        usize::try_from(state % WORDS.len() as u64).unwrap()
    };
    (0..24).flat_map(|_| WORDS[next()].iter().copied()).collect()
}

#[test]
fn it_does_not_matter_where_the_stream_is_cut() {
    for seed in 1..400 {
        let bytes = noise(seed);
        for colours in [Colours::Drop, Colours::Keep] {
            let whole = strip(colours, &[&bytes]);
            for at in 0..bytes.len() {
                let (one, two) = bytes.split_at(at);
                assert_eq!(strip(colours, &[one, two]), whole, "{} at {at}", bytes.escape_ascii());
            }
            let single: Vec<&[u8]> = bytes.chunks(1).collect();
            assert_eq!(strip(colours, &single), whole, "{}", bytes.escape_ascii());
        }
    }
}

#[test]
fn nothing_that_a_terminal_obeys_remains() {
    for seed in 1..4000 {
        let bytes = noise(seed);
        let plain = strip(Colours::Drop, &[&bytes]);
        let obeyed = |found: char| found.is_control() && !matches!(found, '\n' | '\t');
        assert!(!plain.contains(obeyed), "{}", bytes.escape_ascii());
        let mut rest = strip(Colours::Keep, &[&bytes]).replace('\r', "");
        while let Some((before, after)) = rest.split_once("\u{1b}[") {
            let (parameters, after) = after.split_once('m').unwrap();
            assert!(parameters.chars().all(|c| c.is_ascii_digit() || matches!(c, ';' | ':')), "{parameters}");
            rest = format!("{before}{after}");
        }
        assert!(!rest.contains(obeyed), "{}", bytes.escape_ascii());
        // Stripping twice is stripping once.
        assert_eq!(strip(Colours::Drop, &[plain.as_bytes()]), plain);
    }
}
