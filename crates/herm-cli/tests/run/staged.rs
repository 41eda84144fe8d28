//! Secrets that a repository takes along, judged in real ones.

use std::fs;

use crate::place::{Place, Ran};

fn git(place: &Place, words: &[&str]) {
    let own = ["-c", "user.name=A", "-c", "user.email=a@host.example"];
    let ran = Ran::of(place.command("git").args(own).args(words));
    assert_eq!(ran.code, Some(0), "{words:?}: {ran:?}");
}

/// A repository that has a file of secrets, and one that it leaves out.
fn repository(format: &str) -> Place {
    let place = Place::new();
    fs::remove_dir_all(place.work(".git")).unwrap();
    for name in [".env", "deploy/server.key", "tests/fixtures/ca.pem", "src/main.c"] {
        place.file(name, "TOKEN=old\n");
    }
    place.file(".gitignore", ".env.local\n");
    git(&place, &["init", "--quiet", "--object-format", format]);
    // What is written in the very moment of the index, git reads again in any case.
    std::thread::sleep(std::time::Duration::from_millis(1100));
    git(&place, &["add", "--all"]);
    git(&place, &["commit", "--quiet", "-m", "first"]);
    place.file(".env.local", "TOKEN=mine\n");
    place
}

/// What is asked about, in a directory of the repository.
fn asked(place: &Place, below: &str, command: &str) -> bool {
    let cwd = place.work(below);
    let ran = place.run(&["check", "--cwd", cwd.to_str().unwrap(), command]);
    assert!(matches!(ran.code, Some(0 | 2)), "{command}: {ran:?}");
    let is_asked = ran.stdout.contains("commit-secret");
    assert_eq!(is_asked, ran.code == Some(2), "{command}: {ran:?}");
    is_asked
}

const ALL: &[&str] = &[
    "git commit -a -m x",
    "git commit -am x",
    "git commit --all -m x",
    "git add -u",
    "git add -A",
    "git stage --update",
];

#[test]
fn tracked_secret_that_was_changed_asks_wherever_all_of_its_kind_is_taken() {
    let place = repository("sha1");
    for command in ALL {
        assert!(!asked(&place, "", command), "nothing has changed: {command}");
    }
    place.file("src/main.c", "changed\n");
    place.file("tests/fixtures/ca.pem", "changed\n");
    for command in ALL.iter().chain(&["git add src", "git add -u src"]) {
        assert!(!asked(&place, "", command), "no secret has changed: {command}");
    }
    place.file(".env", "TOKEN=new\n");
    for command in ALL {
        assert!(asked(&place, "", command) && asked(&place, "src", command), "{command}");
    }
    assert!(asked(&place, "", "git add .") && asked(&place, "", "git add -u ."));
    assert!(!asked(&place, "", "git add src") && !asked(&place, "src", "git add -u ."));
    git(&place, &["commit", "--quiet", "-am", "second"]);
    fs::remove_file(place.work(".env")).unwrap();
    assert!(!asked(&place, "", "git commit -am x"), "what is gone is taken out");
    place.file("deploy/server.key", "longer than before\n");
    assert!(asked(&place, "src", "git commit -am x") && asked(&place, "", "git add deploy"));
}

#[test]
fn what_is_not_tracked_is_not_taken_by_what_takes_only_what_is() {
    let place = repository("sha1");
    place.file("config/.env", "TOKEN=new\n");
    assert!(asked(&place, "", "git add config") && asked(&place, "config", "git add -A"));
    for command in ["git commit -am x", "git add -u", "git add -u config"] {
        assert!(!asked(&place, "", command) && !asked(&place, "config", command), "{command}");
    }
}

#[test]
fn index_that_is_not_understood_asks_about_the_secrets_beside_it() {
    let place = repository("sha256");
    for command in ALL {
        assert!(asked(&place, "", command), "{command}");
    }
    assert!(!asked(&place, "src", "git add -u ."), "none lies there");
}
