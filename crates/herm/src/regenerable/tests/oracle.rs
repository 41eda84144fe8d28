//! Rules made by chance, read as git itself reads them.

use std::collections::BTreeSet;
use std::fs;

use super::super::repository::Repositories;
use super::workspace::Workspace;
use crate::git::ignore::Kind;

/// Numbers that look like chance, and are the same every time.
struct Chance(u64);

impl Chance {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % end
    }

    fn one<'a>(&mut self, of: &[&'a str]) -> &'a str {
        of[self.below(of.len())]
    }

    /// A file of rules, mostly such as people write.
    fn rules(&mut self) -> String {
        (0..=self.below(4)).map(|_| self.rule()).collect()
    }

    fn rule(&mut self) -> String {
        let mut rule = self.one(&["", "", "", "", "!", "/", "**/", "\\", "!/", "#", " "]).to_owned();
        for _ in 0..=self.below(4) {
            rule.push_str(self.one(PARTS));
        }
        rule + self.one(&["", "", "", "/", "/**", "/*", " ", "\\ ", "\r"]) + "\n"
    }
}

const PARTS: &[&str] = &[
    "a", "b", "a", "b", "ab", ".b", "a b", "*", "?", "/", "/", "/**/", "[ab]", "[!a]", "[^b]", "[a-b]",
    "[]a]", "[a-]", "\\a", "\\*", "!", "#", "[\\]b]", "[-b]", "***/", "**",
];

/// Names that the rules are about, and some that they are nearly about.
const NAMES: &[&str] =
    &["a", "b", "ab", "a.b", ".b", "a b", "aa", "ba", "!a", "#a", "*", "]", "-", "b ", "\\a"];

#[test]
fn what_is_left_out_is_what_git_leaves_out() {
    let workspace = Workspace::new();
    let top = workspace.path();
    let mut chance = Chance(20_261_116);
    let mut paths = Vec::new();
    for number in 0..ROUNDS {
        let root = format!("{number}");
        workspace.file(&format!("{root}/.gitignore"), &chance.rules());
        if chance.below(3) == 0 {
            workspace.file(&format!("{root}/a/.gitignore"), &chance.rules());
        }
        for _ in 0..12 {
            let parts: Vec<&str> = (0..=chance.below(3)).map(|_| chance.one(NAMES)).collect();
            let path = format!("{root}/{}", parts.join("/"));
            // What is there already is of another kind.
            if fs::create_dir_all(top.join(&path).parent().unwrap()).is_err() || top.join(&path).is_file() {
                continue;
            }
            let kind = if chance.below(2) == 0 { Kind::Directory } else { Kind::File };
            match kind {
                Kind::Directory => fs::create_dir_all(top.join(&path)).unwrap(),
                Kind::File if top.join(&path).is_dir() => continue,
                Kind::File => fs::write(top.join(&path), "").unwrap(),
            }
            paths.push((path, kind));
        }
    }
    workspace.file(".git/info/exclude", "aa\n");
    workspace.file("main.py", "");
    workspace.git(&["add", "main.py"]);
    compare(&workspace, &paths);
}

const ROUNDS: usize = 150;

fn compare(workspace: &Workspace, paths: &[(String, Kind)]) {
    let top = workspace.path().to_str().unwrap().to_owned();
    let mut repositories = Repositories::new(workspace);
    let (mut wrong, mut understood, mut left_out) = (Vec::new(), 0, 0);
    let names: Vec<&str> = paths.iter().map(|(path, _)| path.as_str()).collect();
    let told: BTreeSet<String> = workspace.left_out(&names).into_iter().collect();
    for (path, kind) in paths {
        let Some(is_left_out) = repositories.is_left_out(&top, path, *kind) else { continue };
        understood += 1;
        left_out += usize::from(is_left_out);
        if is_left_out != told.contains(path) {
            wrong.push(format!("{path} ({kind:?}): {is_left_out}"));
        }
    }
    assert!(wrong.is_empty(), "{} of {understood}: {:#?}", wrong.len(), shown(workspace, &wrong));
    assert!(
        understood > paths.len() / 2 && left_out > 100,
        "{understood} of {} understood, {left_out} left out",
        paths.len()
    );
}

/// The first few, with their rules.
fn shown(workspace: &Workspace, wrong: &[String]) -> Vec<String> {
    let rules = |one: &String| {
        let root = one.split('/').next().unwrap();
        let read =
            |name: &str| fs::read_to_string(workspace.path().join(root).join(name)).unwrap_or_default();
        format!("{one}: {:?} {:?}", read(".gitignore"), read("a/.gitignore"))
    };
    wrong.iter().take(10).map(rules).collect()
}
