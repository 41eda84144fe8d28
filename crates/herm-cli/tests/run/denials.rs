//! A no holds for the effect, however it is spelt.

use crate::place::Place;

/// Ways to delete `build`, in four languages.
const SPELLINGS: &[&str] = &[
    "rm -rf build",
    "rm -r ./build/",
    "rm -rf \"$PWD/build\"",
    "cd build && rm -rf *",
    "find build -delete",
    "find build -type f -exec rm {} +",
    "find build -print0 | xargs -0 rm -rf",
    "x=rm; $x -rf build",
    "bash -c 'rm -rf build'",
    "eval rm -rf build",
    "echo cm0gLXJmIGJ1aWxk | base64 -d | sh",
    "busybox rm -rf build",
    "rsync -a --delete empty/ build/",
    "git rm -rf build",
    "rm -rf .",
    "python3 -c \"import shutil; shutil.rmtree('build')\"",
    "python3 -c \"import os; os.system('rm -rf build')\"",
    "python3 -c \"import pathlib; [p.unlink() for p in pathlib.Path('build').iterdir()]\"",
    "perl -e 'use File::Path; rmtree(\"build\")'",
    "perl -e 'system(\"rm -rf build\")'",
    "node -e \"require('fs').rmSync('build', {recursive: true})\"",
    "node -e \"require('child_process').execSync('rm -rf build')\"",
    "ruby -e 'require \"fileutils\"; FileUtils.rm_rf(\"build\")'",
    "ruby -e 'system(\"rm -rf build\")'",
];

#[test]
fn after_a_no_every_spelling_is_refused_and_a_neighbour_is_not() {
    let place = Place::new();
    place.file("build/x", "");
    let no = place.at_terminal(80, &[("Choice", r"d\r")], &["run", "--session", "s", "rm -rf build"]);
    assert_eq!(no.code, Some(126));
    let mut missed = Vec::new();
    for spelling in SPELLINGS {
        // Even where nothing is asked a denial holds.
        let ran = place.run(&["run", "--yolo", "--session", "s", spelling]);
        let named = ran.stderr.contains("denied before in this session: `rm -rf build`");
        if ran.code != Some(126) || !named {
            missed.push(format!("{spelling}: {ran:?}"));
        }
        assert!(place.work("build/x").exists(), "{spelling}");
    }
    assert!(missed.is_empty(), "{}", missed.join("\n"));
    place.file("dist/x", "");
    assert_eq!(place.run(&["run", "--yolo", "--session", "s", "rm -rf dist"]).code, Some(0));
    assert_eq!(place.run(&["run", "--yolo", "--session", "another", "rm -rf build"]).code, Some(0));
}
