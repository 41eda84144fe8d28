//! A home that a text goes to by itself is judged as one that it names.

use crate::common::{check, policy};

/// What is done to files.
const DEEDS: &[&str] = &[
    "chmod 000",
    "chmod -R 777",
    "chown -R nobody",
    "rm -f",
    "rm -rf",
    "sed -i s/a/b/",
    "perl -pi -e s/a/b/",
    "truncate -s 0",
    "shred",
    "mv -t /tmp",
];

/// Ways to go to the home.
const WAYS: &[&str] = &[
    "cd ~ &&",
    "cd;",
    "cd \"$HOME\" &&",
    "cd /home/dev;",
    "pushd ~ > /dev/null;",
    "cd .. &&",
    "cd ~/x/.. &&",
];

/// Ways to do something to all that is in a directory, and to all that is below it.
fn done_to_all(deed: &str) -> [String; 8] {
    [
        format!("{deed} *"),
        format!("{deed} $(ls)"),
        format!("ls | xargs {deed}"),
        format!("ls -A | xargs -I{{}} {deed} {{}}"),
        format!("printf '%s\\n' * | xargs {deed}"),
        format!("for f in *; do {deed} \"$f\"; done"),
        format!("ls | while read f; do {deed} \"$f\"; done"),
        format!("find . -type f -exec {deed} {{}} +"),
    ]
}

/// How strict a decision is.
fn strictness(text: &str) -> usize {
    let word = check(policy(""), text).decision.word();
    ["allow", "ask", "deny"].iter().position(|known| *known == word).unwrap()
}

#[test]
fn going_to_a_home_loosens_nothing() {
    let mut looser = Vec::new();
    for deed in DEEDS {
        let named = strictness(&format!("{deed} ~/*"));
        assert!(named > 0, "{deed}");
        for way in WAYS {
            let texts = done_to_all(deed).into_iter().map(|all| format!("{way} {all}"));
            looser.extend(texts.filter(|text| strictness(text) < named));
        }
    }
    assert!(looser.is_empty(), "{looser:#?}");
}

#[test]
fn files_of_a_home_that_are_named_are_everyday_work() {
    for text in [
        "cd ~ && rm notes.txt",
        "cd ~ && touch a && chmod 600 a",
        "cd && git status && git clone https://github.com/a/b",
        "cd ~ && mkdir -p x && cd x && rm -f y && find . -type f -exec sed -i s/a/b/ {} +",
        "cd ~/work/app && sed -i s/a/b/ *.py && ls | xargs wc -l",
        "cd ~ && ls | xargs cat",
        "cd ~ && cp -r /tmp/x .",
        "cd src && find . -type f -exec touch {} + && cd ..",
    ] {
        assert_eq!(strictness(text), 0, "{text}");
    }
}
