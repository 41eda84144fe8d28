//! The grammar, line by line. `regenerable/tests/oracle.rs` asks git itself.

use super::*;

fn left_out(rules: &str, path: &str) -> bool {
    Ignore::read(rules).unwrap().says(path, Kind::Directory) == Some(Said::LeftOut)
}

#[test]
fn names_match_anywhere_and_paths_from_the_top() {
    assert!(left_out("build", "build") && left_out("build", "a/b/build"));
    assert!(left_out("/build", "build") && !left_out("/build", "a/build"));
    assert!(left_out("a/build", "a/build") && !left_out("a/build", "b/a/build"));
    assert!(
        left_out("**/build", "build")
            && left_out("**/build", "a/b/build")
            && !left_out("**/build", "a/xbuild")
    );
    assert!(left_out("a/**/b", "a/b") && left_out("a/**/b", "a/x/y/b") && !left_out("a/**/b", "a/xb"));
    assert!(left_out("a/**", "a/x/y") && !left_out("a/**", "a"));
    assert!(left_out("*.pyc", "x.pyc") && !left_out("a/*", "a/b/c"));
}

#[test]
fn a_slash_at_the_end_is_about_directories() {
    let ignore = Ignore::read("build/\n").unwrap();
    assert_eq!(ignore.says("build", Kind::Directory), Some(Said::LeftOut));
    assert_eq!(ignore.says("build", Kind::File), None);
}

#[test]
fn the_last_rule_counts() {
    let ignore = Ignore::read("*.log\n!keep.log\n").unwrap();
    assert_eq!(ignore.says("a.log", Kind::File), Some(Said::LeftOut));
    assert_eq!(ignore.says("keep.log", Kind::File), Some(Said::Kept));
    assert!(ignore.may_keep(|name| name == "keep.log") && !ignore.may_keep(|name| name == "a.log"));
    assert!(Ignore::read("!*.log").unwrap().may_keep(|_| false), "nobody knows which");
}

#[test]
fn comments_spaces_and_escapes() {
    assert!(!left_out("#build", "#build") && left_out("\\#build", "#build"));
    assert!(left_out("\\!build", "!build") && left_out("build  ", "build") && left_out("build\\ ", "build "));
    assert!(left_out("\u{feff}build\r\n", "build") && left_out("b\\uild", "build"));
    assert!(!left_out("\n/\n!\n  \n", "build"));
}

#[test]
fn sets() {
    assert!(left_out("*.py[cod]", "a.pyc") && !left_out("*.py[cod]", "a.pyx"));
    assert!(left_out("[!a-c]x", "dx") && !left_out("[!a-c]x", "bx") && left_out("[]-]x", "]x"));
    assert!(
        Ignore::read("[!a]x").unwrap().has_exceptions() && !Ignore::read("[a]x").unwrap().has_exceptions()
    );
}

#[test]
fn what_git_could_read_otherwise_is_not_understood() {
    for rules in ["a**/b", "**b", "[[:alpha:]]", "[a", "build\\", "a\\/b"] {
        assert_eq!(Ignore::read(rules), None, "{rules}");
    }
}

#[test]
fn tools_leave_their_own_directory_out() {
    assert!(Ignore::read("# made by a tool\n*\n").unwrap().leaves_out_everything());
    for rules in ["", "*/", "*.x", "*\n!a\n"] {
        assert!(!Ignore::read(rules).unwrap().leaves_out_everything(), "{rules}");
    }
}
