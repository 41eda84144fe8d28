//! Rights come into the workspace as the same command would have left them there, or it is said; never are there more of them.

use std::collections::BTreeMap;
use std::os::unix::fs::MetadataExt;

use herm_sandbox::changes::{Comparison, Right};

use super::picture::assert_same;
use super::world::{On, World, keep, operate, steps};

/// A list that gives nothing to the group, though the mode seems to.
const LIST: &str = "u::6,u:1:6,g::0,m::6,o::0";
/// One for what is made in a directory.
const PASSED_ON: &str = "u::7,u:1:7,g::0,g:60:5,m::7,o::0";

fn is_root() -> bool {
    rustix::process::geteuid().is_root()
}

fn told(comparison: &Comparison) -> Vec<(String, Right)> {
    comparison.rights.iter().map(|(path, right)| (path.to_string_lossy().into_owned(), *right)).collect()
}

/// Makes the same workspace twice, does the same to what a try stands on and to the workspace itself, and expects the same. Then
/// takes it back.
fn comes_out_as_without_a_try(grounds: &[On], make: &str, work: &str) {
    for on in grounds {
        let (world, reference) = (World::new(&steps(make)), World::new(&steps(make)));
        let before = world.picture();
        let (attempt, comparison) = world.tried("t", *on, &steps(work));
        keep(&attempt, &comparison);
        let done = operate(&reference.workspace, &steps(work));
        assert!(done.lines().all(|line| line.starts_with("ok ")), "{done}");
        assert_same(&world.picture(), &reference.picture(), &format!("{on:?} {work}"));
        assert_eq!(told(&comparison), [], "{on:?} {work}");
        world.tries.undo("t", &mut || {}).unwrap();
        assert_same(&world.picture(), &before, &format!("{on:?} undone {work}"));
    }
}

#[test]
fn a_list_stays_with_what_is_written_to() {
    let make = format!(
        "write|f|one\nacl|f|{LIST}\nmkdir|d\ndefault|d|{PASSED_ON}\nacl|d|{PASSED_ON}\nwrite|d/old|x"
    );
    for work in [
        "append|f|two",
        "append|f|two\nchmod|f|640",
        "chmod|f|600",
        "append|d/old|y\nchmod|d|750",
        "rename|f|g",
        "rename|d|e\nappend|e/old|y",
        "link|f|a\nappend|f|two",
    ] {
        let grounds: &[On] = if work.contains("rename|d") || !is_root() {
            &[On::Copy]
        } else if work.contains("link") {
            &[On::Copy, On::Root]
        } else {
            &[On::Copy, On::Root, On::User]
        };
        comes_out_as_without_a_try(grounds, &make, work);
    }
}

#[test]
fn what_is_new_gets_what_its_directory_passes_on() {
    let make = format!("mkdir|d\ndefault|d|{PASSED_ON}\nmkdir|plain\ndefault|plain|u::7,g::5,o::0");
    let work =
        "write|d/f|x\nmkdir|d/e\nwrite|d/e/f|y\nchmod|d/e/f|600\nwrite|plain/f|x\nmkdir|plain/e\nwrite|f|x";
    let grounds: &[On] = if is_root() { &[On::Copy, On::Root, On::User] } else { &[On::Copy] };
    comes_out_as_without_a_try(grounds, &make, work);
}

#[test]
fn directories_pass_their_group_on() {
    if !is_root() {
        return;
    }
    let make = "mkdir|d\nchown|d|0|60\nchmod|d|2775\nwrite|d/old|x\nchgrp|d/old|7\nmkdir|e\nchgrp|e|60";
    let work = "write|d/f|x\nmkdir|d/n\nmkdir|d/n/m\nwrite|d/n/m/f|y\nappend|d/old|y\nwrite|e/f|x\nmkdir|t\nchmod|t|1777";
    comes_out_as_without_a_try(&[On::Copy, On::Root], make, work);
    comes_out_as_without_a_try(&[On::Copy, On::Root], make, "rename|d|moved\nwrite|moved/f|x");
    comes_out_as_without_a_try(&[On::Copy, On::Root], make, "chmod|d|775\nwrite|f|x");
}

/// What a command gives away itself is not taken over, and what it had closed to the group stays closed to it.
#[test]
fn lists_that_a_command_made_are_not_kept_and_that_is_said() {
    let grounds: &[On] = if is_root() { &[On::Copy, On::Root] } else { &[On::Copy] };
    let given = "u::6,u:2:6,g::0,m::6,o::0";
    for on in grounds {
        let make = format!("write|had|one\nacl|had|{LIST}\nwrite|none|one\nmkdir|d\ndefault|d|{PASSED_ON}");
        let world = World::new(&steps(&make));
        let before = world.picture();
        let work = format!(
            "acl|had|{given}\nappend|had|two\nacl|none|{given}\nwrite|new|x\nacl|new|{given}\nwrite|d/new|x\nacl|d/new|{given}
            default|d|u::7,u:2:7,g::0,m::7,o::0\nmkdir|n\ndefault|n|{PASSED_ON}\nwrite|n/f|x"
        );
        let (attempt, comparison) = world.tried("t", *on, &steps(&work));
        keep(&attempt, &comparison);
        let lists = ["had", "none", "new", "d/new", "n/f"].map(|path| (path.to_owned(), Right::AccessList));
        let defaults = ["d", "n"].map(|path| (path.to_owned(), Right::DefaultList));
        let mut expected: Vec<_> = lists.into_iter().chain(defaults).collect();
        expected.sort();
        let mut found = told(&comparison);
        found.sort();
        assert_eq!(found, expected, "{on:?}");
        let kept = world.picture();
        let attributes = |path: &str| kept[std::path::Path::new(path)].clone();
        for path in ["none", "new", "d/new", "n", "n/f"] {
            assert!(!attributes(path).contains("posix_acl"), "{on:?} {path}: {}", attributes(path));
            let mode = world.path(path).metadata().unwrap().mode();
            assert!(path == "n" || mode & 0o1077 == 0, "{on:?} {path} {mode:o}");
        }
        let list = |picture: &BTreeMap<_, String>, path: &str| {
            let line: &String = &picture[std::path::Path::new(path)];
            line.split_once("system.posix_acl").map(|(_, list)| list.to_owned())
        };
        for path in ["had", "d"] {
            assert!(list(&before, path).is_some());
            assert_eq!(list(&kept, path), list(&before, path), "{on:?} {path}");
        }
        world.tries.undo("t", &mut || {}).unwrap();
        assert_same(&world.picture(), &before, &format!("{on:?} undone"));
    }
}

#[test]
fn that_a_list_is_gone_is_said() {
    let grounds: &[On] = if is_root() { &[On::Copy, On::Root] } else { &[On::Copy] };
    let make = format!(
        "write|f|one\nacl|f|{LIST}\nwrite|g|one\nacl|g|{LIST}\nwrite|h|one\nacl|h|{LIST}\nmkdir|d\ndefault|d|{PASSED_ON}"
    );
    for on in grounds {
        let world = World::new(&steps(&make));
        let work =
            "remove|f\nwrite|f|other\nunacl|g|access\nunacl|d|default\nremove|h\nwrite|h|other\nchmod|h|660";
        let (attempt, comparison) = world.tried("t", *on, &steps(work));
        let expected = [
            ("d".to_owned(), Right::DefaultListGone),
            ("f".to_owned(), Right::AccessListGone),
            ("g".to_owned(), Right::AccessListGone),
            ("h".to_owned(), Right::AccessListGone),
        ];
        assert_eq!(told(&comparison), expected, "{on:?}");
        keep(&attempt, &comparison);
        assert!(world.picture().values().all(|line| !line.contains("posix_acl")), "{on:?}");
        let mode = |path: &str| world.path(path).metadata().unwrap().mode() & 0o7777;
        assert_eq!([mode("f"), mode("g"), mode("h")], [0o644, 0o600, 0o600], "{on:?}");
    }
}

#[test]
fn bits_that_give_rights_away_are_said_and_not_kept() {
    if !is_root() {
        return;
    }
    for on in [On::Copy, On::Root] {
        let world = World::new(&steps(
            "mkdir|d\nwrite|f|x\nmkdir|s\nchown|s|0|60\nchmod|s|2775\nmkdir|s/other\nchgrp|s/other|7\nchmod|s/other|755",
        ));
        let work =
            "chmod|d|2777\nmkdir|n\nchmod|n|2755\nwrite|p|x\nchmod|p|6755\nchmod|f|1644\nchmod|s/other|2755";
        let (attempt, comparison) = world.tried("t", on, &steps(work));
        let expected = [
            ("d", Right::Setgid),
            ("f", Right::Sticky),
            ("n", Right::Setgid),
            ("p", Right::Setuid),
            ("p", Right::Setgid),
            ("s/other", Right::Setgid),
        ];
        assert_eq!(told(&comparison), expected.map(|(path, right)| (path.to_owned(), right)), "{on:?}");
        keep(&attempt, &comparison);
        for path in ["d", "n", "p", "f", "s/other"] {
            let mode = world.path(path).metadata().unwrap().mode();
            assert_eq!(mode & 0o7000, 0, "{on:?} {path}");
        }
    }
}
