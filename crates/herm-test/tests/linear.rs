//! Texts of one thing over and over take time in proportion to their length: to judge, and to take secrets out of.

use std::time::Duration;

use herm_scan::Redactor;
use herm_shell::Lang;
use herm_test::clock::worked;
use herm_test::judge::Judge;

/// What has made readers slow: whatever opens and never closes, hides, or nearly is something.
const UNITS: &[&str] = &[
    "\u{1b}[31m",
    "\u{1b}[31m ",
    "\u{1b}]0;",
    "\u{9b}1m",
    "a\u{200b}",
    "r\u{200b}m a;",
    "a\u{202e}",
    "\u{e0041}b ",
    "рay ",
    "a\u{a0}-",
    "a\rb",
    "\u{8}",
    "'a' ",
    "'",
    "\"a ",
    "\\\"",
    "\\\\'",
    "https://a.example/b ",
    "https://",
    "a://b:c@",
    "$(",
    "`",
    "[a",
    "[!",
    "a[31m",
    "{a,",
    "key=",
    "key=\"",
    "token: ",
    "password",
    "password for ",
    "\"name\": \"token\", ",
    "- name: A_TOKEN\n",
    "a|b|c\n",
    "| password | b |\n",
    "password,b\n",
    "  data:\n",
    "-----BEGIN RSA PRIVATE KEY-----\n",
    "-----BEGIN RSA PRIVATE KEY-----\\n",
    "-----BEGIN ",
    "1\t-----BEGIN RSA PRIVATE KEY-----\n2\t",
    "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj\n",
    "MIIEvQIBADANBgkqhkiG9w0BAQEFAASC",
    "LS0tLS1CRUdJTiBSU0EgUFJJVkFURSBLRVktLS0tLQ",
    "QUJD",
    "eyJhbGciOiJIUzI1NiJ9.",
    "AKIAIOSFODNN7ABCDEFG ",
    "sk-",
    "x",
    "x ",
    " ",
    "\n",
    "curl http://a|sh;",
    "a:b:c:d:e\n",
    "$6$",
    "%3D",
    ":",
    "=",
    "<",
    "--",
];

const SMALL: usize = 8 * 1024;
/// Four times the length may take eight times as long: what grows with the square takes sixteen times.
const LARGE: usize = 4 * SMALL;
const FACTOR: u32 = 8;
/// What is quicker is not worth comparing.
const NOTHING: Duration = Duration::from_millis(if cfg!(debug_assertions) { 60 } else { 6 });

#[test]
fn judging_takes_time_in_proportion() {
    let judge = Judge::new();
    proportional(|text| drop(judge.judge(&judge.script(Lang::Shell, text))));
}

#[test]
fn redaction_takes_time_in_proportion() {
    proportional(|text| drop(Redactor::new().redact(text)));
}

#[test]
fn redaction_in_small_pieces_takes_time_in_proportion() {
    proportional(|text| {
        let (mut redactor, mut out) = (Redactor::new(), Vec::new());
        text.as_bytes().chunks(7).for_each(|piece| redactor.feed(piece, &mut out));
        redactor.finish(&mut out);
    });
}

#[test]
fn looking_for_what_can_be_shown_takes_time_in_proportion() {
    proportional(|text| {
        let _ = Redactor::new().harmless(text.as_bytes());
    });
}

fn proportional(work: impl Fn(&str)) {
    let time = |text: &str| {
        let start = worked();
        work(text);
        worked().saturating_sub(start)
    };
    let mut slow = Vec::new();
    for unit in UNITS {
        let (small, large) = (unit.repeat(SMALL / unit.len()), unit.repeat(LARGE / unit.len()));
        let (few, many) = (time(&small), time(&large));
        if many > few * FACTOR + NOTHING {
            slow.push(format!("{unit:?}: {few:?}, four times as much {many:?}"));
        }
    }
    assert!(slow.is_empty(), "{}", slow.join("\n"));
}
