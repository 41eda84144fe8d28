//! Bytes that are not text, and text that is not kind.

use crate::test::Test;

const ODD: &[&[u8]] = &[
    b"rm -rf /\r\n",
    b"rm -rf /\0",
    b"\0\0\0",
    b"\xff\xfe\xfd",
    b"rm -rf /\xff",
    b"rm -rf /; echo \xc3\x28",
    b"\xef\xbb\xbfrm -rf /",
    b"r\xffm -rf /; rm -rf /",
    b"echo '\xed\xa0\x80'; rm -rf /",
    b"\xf4\x90\x80\x80; rm -rf /",
];

/// Allowed is 0; anything else is a refusal, a question or a mistake, but never the end by a signal.
fn is_refused(code: Option<i32>) -> bool {
    matches!(code, Some(1..=3))
}

#[test]
fn odd_bytes_on_standard_input_are_refused() {
    for bytes in ODD {
        let code = Test::new(&["check", "-"]).bytes(bytes).code();
        assert!(is_refused(code), "{code:?}: {}", bytes.escape_ascii());
    }
}

#[test]
fn odd_bytes_in_an_argument_are_refused() {
    // An argument cannot hold a NUL.
    for bytes in ODD.iter().filter(|bytes| !bytes.contains(&0)) {
        let code = Test::new(&["check"]).raw(bytes).code();
        assert!(is_refused(code), "{code:?}: {}", bytes.escape_ascii());
    }
}

#[test]
fn every_line_of_a_batch_is_answered() {
    let lines = [
        &b"{\"id\": 1, \"input\": \"rm -rf /\"}\n"[..],
        b"\xff\xfe\n",
        b"{\"id\": 2, \"input\": \"\xff\"}\n",
        b"{\"id\": 3, \"input\": \"rm -rf /\\u0000\"}\n",
        b"[[[[[[[[\n",
        b"{\"input\": 7}\n",
        b"nonsense\r\n",
    ];
    let answers = Test::new(&["check", "--batch"]).bytes(&lines.concat()).stdout();
    assert_eq!(answers.lines().count(), lines.len(), "{answers}");
    assert!(answers.lines().all(|answer| answer.contains(r#""decision":"deny""#)), "{answers}");
}

#[test]
fn a_deeply_nested_line_is_no_way_out() {
    let deep = format!("{{\"input\": {}\n", "[".repeat(1 << 20));
    let answer = Test::new(&["check", "--batch"]).input(&deep).stdout();
    assert!(answer.contains(r#""decision":"deny""#), "{answer}");
}

#[test]
fn a_large_text_on_standard_input_is_refused() {
    let large = "echo a; ".repeat(1 << 18) + "rm -rf /";
    let code = Test::new(&["check", "-"]).input(&large).code();
    assert!(is_refused(code), "{code:?}");
}
