//! Deletions of what tools generate again, judged on the machine as it is. Nothing is deleted.

use std::fs;
use std::os::unix::fs::symlink;

use crate::place::{Place, Ran};

/// A repository that leaves out what is built.
fn project() -> Place {
    let place = Place::new();
    fs::remove_dir_all(place.work(".git")).unwrap();
    place.file(".gitignore", "build/\nnode_modules\n__pycache__/\n");
    place.file("src/main.c", "int main(void) { return 0; }\n");
    place.file("Makefile", "clean:\n\trm -rf build\n");
    git(&place, &["init", "--quiet"]);
    git(&place, &["add", "--all"]);
    place.file("build/main.o", "");
    place
}

fn git(place: &Place, words: &[&str]) {
    let ran = Ran::of(place.command("git").args(words));
    assert_eq!(ran.code, Some(0), "{ran:?}");
}

#[track_caller]
fn decides(place: &Place, words: &[&str], code: i32) {
    let ran = place.run(&[&["check"], words].concat());
    assert_eq!(ran.code, Some(code), "{words:?}: {ran:?}");
}

const ALLOWED: i32 = 0;
const ASKED: i32 = 2;

#[test]
fn the_output_of_a_build_is_not_asked_about() {
    let place = project();
    for command in [
        "rm -rf build",
        "make clean",
        "rm -rf node_modules && npm ci",
        "find . -name __pycache__ -exec rm -r {} +",
        "python3 -c \"import shutil; shutil.rmtree('build')\"",
    ] {
        decides(&place, &[command], ALLOWED);
    }
    let told = place.run(&["check", "--json", "rm -rf build"]).json();
    assert_eq!(
        (&told["decision"], &told["findings"][0]["stance"]),
        (&"allow".into(), &"note".into()),
        "{told:#}"
    );
}

#[test]
fn what_is_in_doubt_is_asked_about() {
    let place = project();
    for command in [
        "rm -rf src",
        "rm -rf build src",
        "mv src build; rm -rf build",
        "echo src >> .gitignore; rm -rf build",
    ] {
        decides(&place, &[command], ASKED);
    }
    decides(&place, &["--no-files", "rm -rf build"], ASKED);
    place.config("approvals: {ask: [recursive-delete]}\n");
    decides(&place, &["rm -rf build"], ASKED);
    place.config("");
    decides(&place, &["rm -rf build"], ALLOWED);
    git(&place, &["add", "--force", "build/main.o"]);
    decides(&place, &["rm -rf build"], ASKED);
    symlink(place.work("src"), place.work("node_modules")).unwrap();
    decides(&place, &["rm -rf node_modules"], ASKED);
}

#[test]
fn an_index_that_cannot_be_read_is_asked_about() {
    let place = project();
    decides(&place, &["rm -rf build"], ALLOWED);
    fs::write(place.work(".git/index"), "DIRC\0\0\0\u{2}\0\0\0\u{7f}").unwrap();
    decides(&place, &["rm -rf build"], ASKED);
    fs::write(place.work(".git/index"), vec![0; (32 << 20) + 1]).unwrap();
    decides(&place, &["rm -rf build"], ASKED);
    fs::remove_file(place.work(".git/index")).unwrap();
    decides(&place, &["rm -rf build"], ASKED);
}
