use std::io::{Read, Write};
use std::process::{Command, Stdio};

use crate::test::Test;

const TOKEN: &str = concat!("gh", "p_", "q8W7e6R5t4Y3u2I1o0P9a8S7d6F5g4H3j2K1");

#[test]
fn secrets_are_taken_out_and_the_rest_stays() {
    let text = |secret: &str| {
        format!(
            "# .env\nMAX_TOKENS=100\nTOKEN={secret}\npassword: ${{PASSWORD}}\nlast line without an end {secret}"
        )
    };
    Test::new(&["redact"]).input(&text(TOKEN)).answers(0, &text("[REDACTED]"));
}

#[test]
fn bytes_that_are_no_text_pass() {
    let stdout = Test::new(&["redact"]).bytes(b"ab\xff\xfe\0\n").stdout_bytes();
    assert_eq!(stdout, b"ab\xff\xfe\0\n");
}

#[test]
fn secrets_that_are_held_are_taken_out() {
    Test::new(&["redact"])
        .file(".env", "DB_PASSWORD='open-sesame'\nPORT=3000\n")
        .input("it is open-sesame on port 3000, or b3Blbi1zZXNhbWU=\n")
        .answers(0, "it is [REDACTED] on port 3000, or [REDACTED]U=\n");
}

#[test]
fn a_file_of_secrets_that_cannot_be_read_stops_everything() {
    Test::new(&["redact"]).file(".env/inside", "").input("text\n").fails("herm: cannot read `DIR/.env`\n");
}

#[test]
fn what_would_be_taken_out_is_told_in_json() {
    Test::new(&["redact", "--json"]).input(&format!("{TOKEN} {TOKEN}\npassword=hunter2\n")).answers(
        0,
        "{\n  \"redacted\": {\n    \"github-token\": 2,\n    \"password\": 1\n  },\n  \"total\": 3\n}\n",
    );
    Test::new(&["redact", "--json"])
        .input("nothing\n")
        .answers(0, "{\n  \"redacted\": {},\n  \"total\": 0\n}\n");
}

#[test]
fn every_line_of_a_batch_is_answered() {
    let rows = [
        serde_json::json!({ "id": 1, "input": format!("a {TOKEN}\nb") }).to_string(),
        serde_json::json!({ "id": "two", "input": "nothing" }).to_string(),
        "nonsense".to_owned(),
        r#"{"id": 4}"#.to_owned(),
    ];
    Test::new(&["redact", "--batch"]).input(&rows.join("\n")).answers(
        0,
        concat!(
            r#"{"id":1,"output":"a [REDACTED]\nb","redacted":{"github-token":1}}"#,
            "\n",
            r#"{"id":"two","output":"nothing","redacted":{}}"#,
            "\n",
            r#"{"error":"not valid JSON: expected ident at line 1 column 2","id":null}"#,
            "\n",
            r#"{"error":"`input` must be a text","id":4}"#,
            "\n",
        ),
    );
}

/// A line comes out while the input is still open.
#[test]
#[expect(clippy::disallowed_methods, reason = "a test starts the binary")]
fn lines_are_passed_on_as_they_come() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_herm"))
        .arg("redact")
        .env("HERM_HOME", "/nonexistent")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    input.write_all(b"first\nsecond").unwrap();
    let mut line = [0; 6];
    child.stdout.as_mut().unwrap().read_exact(&mut line).unwrap();
    assert_eq!(&line, b"first\n");
    drop(input);
    let mut rest = String::new();
    child.stdout.as_mut().unwrap().read_to_string(&mut rest).unwrap();
    assert_eq!(rest, "second");
    assert!(child.wait().unwrap().success());
}
