//! Ordinary longer scripts are read to their end, with work to spare.

use std::fs;
use std::path::PathBuf;

use herm_shell::gap::Reason;
use herm_shell::{Analysis, Lang, Limits, Setting, analyse};
use herm_test::judge::{Empty, Judge};

/// The part of a budget that an ordinary script may take.
const ORDINARY: Limits = Limits { bytes: 128 * 1024, fuel: 5_000 };

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
