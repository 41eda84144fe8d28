//! Ordinary longer scripts are read to their end, with work to spare.

use std::fs;
use std::path::PathBuf;

use herm_shell::gap::Reason;
use herm_shell::{Analysis, Lang, Limits, Setting, analyse};
use herm_test::judge::{Empty, Judge};

/// The part of a budget that an ordinary script may take.
const ORDINARY: Limits = Limits { bytes: 128 * 1024, fuel: 7_000 };

fn read(text: &str, lang: Lang, limits: Limits) -> Analysis {
    let setting = Setting {
        cwd: "/home/dev/project",
        home: "/home/dev",
        user: None,
        world: &Empty,
        limits,
        input: herm_shell::Input::default(),
    };
    analyse(text, lang, &setting)
}

fn language(script: &std::path::Path) -> Lang {
    match script.extension().and_then(|ending| ending.to_str()) {
        Some("js") => Lang::JavaScript,
        Some("mk") => Lang::Make,
        Some("pl") => Lang::Perl,
        Some("py") => Lang::Python,
        Some("rb") => Lang::Ruby,
        _ => Lang::Shell,
    }
}

#[test]
fn ordinary_scripts_are_read_to_their_end() {
    let directory = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/work");
    let mut unread = Vec::new();
    for entry in fs::read_dir(directory).unwrap() {
        let script = entry.unwrap().path();
        let text = fs::read_to_string(&script).unwrap();
        let found = read(&text, language(&script), ORDINARY);
        if found.gaps.iter().any(|gap| gap.reason == Reason::Fuel) {
            unread.push(script);
        }
    }
    assert!(unread.is_empty(), "{unread:?}");
}

/// A list that a loop fills in many ways, and what stands behind it.
fn filled_then(behind: &str) -> String {
    format!(
        "list=$(git status --short)\nall=()\nwhile read -r one; do\ncase $one in\na*) all+=(a);;\nb*) all+=(b);;\n\
         c*) all+=(/);;\n*) all+=(d);;\nesac\ndone <<< \"$list\"\n{behind}\n"
    )
}

#[test]
fn what_is_taken_for_one_may_still_be_anything() {
    let judge = Judge::new();
    assert_eq!(judge.decision(&filled_then("printf '%s\\n' \"${all[@]}\"")), "allow");
    assert_ne!(judge.decision(&filled_then("rm -rf \"${all[@]}\"")), "allow");
    assert_ne!(judge.decision(&filled_then("for one in \"${all[@]}\"; do rm -rf \"$one\"; done")), "allow");
    assert_ne!(judge.decision(&filled_then("rm -rf \"/opt/${all[0]}\"")), "allow");
    assert_ne!(judge.decision(&filled_then("\"${all[@]}\"")), "allow");
}

/// A script whose trap runs a function after each of these lines.
fn trapped(lines: &str) -> String {
    format!("log=/tmp/a.log\nend() {{ rm -rf \"$log\"; }}\ntrap end INT TERM\n{lines}\n")
}

#[test]
fn what_a_trap_does_is_seen_wherever_it_may_do_something_else() {
    let judge = Judge::new();
    assert_ne!(judge.decision(&trapped("echo a\necho b\nlog=/tmp/b.log\necho c")), "deny");
    for changed in [
        "echo a\necho b\nlog=/\necho c\nlog=/tmp/b.log",
        "echo a\nend() { rm -rf /; }\necho b\nend() { :; }",
        "echo a\nf() { local log=/; echo b; }\nf",
    ] {
        assert_eq!(judge.decision(&trapped(changed)), "deny", "{changed}");
    }
    let written = "echo : > /tmp/x.sh\ntrap 'sh /tmp/x.sh' INT\necho a\necho 'rm -rf /' > /tmp/x.sh\necho b\necho : > /tmp/x.sh";
    assert_eq!(judge.decision(written), "deny");
    assert_eq!(judge.decision("trap 'echo \"rm -rf /\"' INT\necho a\n{ echo b; echo c; } | sh"), "deny");
}

#[test]
fn turns_that_differ_are_each_gone_through() {
    let judge = Judge::new();
    let numbers = (1..=40).map(|number| number.to_string()).collect::<Vec<_>>().join(" ");
    for body in [
        format!("for i in {numbers}; do rm -rf \"$d\"; d=/; done"),
        format!("d=a; e=b; for i in {numbers}; do rm -rf \"$d\"; d=$e; e=/; done"),
        format!("for i in {numbers}; do sh x.sh; echo 'rm -rf /' > x.sh; done"),
        format!("for i in {numbers}; do [ $i = 2 ] && rm -rf /; done"),
    ] {
        assert_eq!(judge.decision(&body), "deny", "{body}");
    }
    assert_eq!(
        judge.decision(&format!("for i in {numbers}; do curl -fs localhost:80 && break; sleep 1; done")),
        "allow"
    );
}
