//! Indexes as git writes them, and as somebody might who wants to hide something.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;

use super::*;

fn git(directory: &Path, words: &[&str]) {
    let mut git = Command::new("git");
    git.env_clear().env("PATH", "/usr/bin:/bin").env("HOME", directory).current_dir(directory);
    let ran =
        git.args(["-c", "user.name=A", "-c", "user.email=a@host.example"]).args(words).output().unwrap();
    assert!(ran.status.success(), "{words:?}: {ran:?}");
}

/// A repository with so many files, and two links, one of them deep.
fn repository(scratch: &TempDir, format: &str, files: usize) -> PathBuf {
    let work = scratch.path().to_owned();
    git(&work, &["init", "-q", "--object-format", format, "."]);
    for number in 0..files {
        let name = format!("part{}/file-{number}", number % 7);
        fs::create_dir_all(work.join(&name).parent().unwrap()).unwrap();
        fs::write(work.join(name), "").unwrap();
    }
    git(&work, &["add", "."]);
    let object = "1".repeat(if format == "sha1" { 40 } else { 64 });
    for name in ["part3/inner/deep", "zulu"] {
        git(&work, &["update-index", "--add", "--cacheinfo", &format!("160000,{object},{name}")]);
    }
    work
}

fn index(work: &Path) -> Vec<u8> {
    fs::read(work.join(".git/index")).unwrap()
}

fn links(bytes: &[u8], hash: Hash) -> Option<Vec<PathBuf>> {
    Index::read(bytes, hash, Counted::Links).map(|index| index.links)
}

fn both() -> Vec<PathBuf> {
    vec!["part3/inner/deep".into(), "zulu".into()]
}

#[test]
fn links_are_found_in_every_version_that_git_writes() {
    for (format, hash) in [("sha1", Hash::Sha1), ("sha256", Hash::Sha256)] {
        let scratch = tempfile::tempdir().unwrap();
        let work = repository(&scratch, format, 50);
        for version in ["2", "4", "3"] {
            git(&work, &["update-index", "--index-version", version]);
            assert_eq!(links(&index(&work), hash), Some(both()), "{format} {version}");
        }
        git(&work, &["update-index", "--skip-worktree", "part1/file-1"]);
        assert_eq!(links(&index(&work), hash), Some(both()), "{format}, extended");
    }
}

#[test]
fn names_of_any_length_are_read() {
    let scratch = tempfile::tempdir().unwrap();
    let work = repository(&scratch, "sha1", 3);
    let long = ["a".repeat(200).as_str(); 24].join("/");
    let object = "1".repeat(40);
    git(&work, &["update-index", "--add", "--cacheinfo", &format!("160000,{object},{long}")]);
    for version in ["2", "4"] {
        git(&work, &["update-index", "--index-version", version]);
        let found = links(&index(&work), Hash::Sha1).unwrap();
        assert_eq!(found.first(), Some(&PathBuf::from(&long)), "{version}");
        assert_eq!(found.len(), 3, "{version}");
    }
}

#[test]
fn what_another_file_has_is_known_to_be_there() {
    let scratch = tempfile::tempdir().unwrap();
    let work = repository(&scratch, "sha1", 20);
    git(&work, &["update-index", "--split-index"]);
    let found = Index::read(&index(&work), Hash::Sha1, Counted::Links).unwrap();
    let shared = fs::read(work.join(format!(".git/sharedindex.{}", found.shared.unwrap()))).unwrap();
    assert_eq!(links(&shared, Hash::Sha1), Some(both()));
    // What takes the place of a file there has no name here.
    let object = "2".repeat(40);
    git(&work, &["update-index", "--force-remove", "zulu"]);
    git(&work, &["update-index", "--add", "--cacheinfo", &format!("160000,{object},part3/inner/deep")]);
    let found = Index::read(&index(&work), Hash::Sha1, Counted::Links).unwrap();
    assert!(found.has_nameless_link && found.links.is_empty(), "{found:?}");
    let all = Index::read(&shared, Hash::Sha1, Counted::All).unwrap().links;
    assert_eq!(all.len(), 22);
}

#[test]
fn blocks_that_git_writes_are_understood_and_others_are_not() {
    let scratch = tempfile::tempdir().unwrap();
    let work = repository(&scratch, "sha1", 40);
    for version in ["2", "4"] {
        // Git writes blocks for many files, or when it is told to in its own tests.
        let mut bytes = many(&work, version);
        assert_eq!(links(&bytes, Hash::Sha1).map(|links| links.len()), Some(2), "{version}");
        let at = find(&bytes, b"IEOT");
        // The second block begins elsewhere, where nobody sees it who reads from the beginning.
        let second = at + EXTENSION + 4 + 8;
        bytes[second + 3] ^= 8;
        assert_eq!(links(&bytes, Hash::Sha1), None, "{version}");
        bytes[second + 3] ^= 8;
        let end = find(&bytes, b"EOIE");
        bytes[end + EXTENSION + 3] ^= 8;
        assert_eq!(links(&bytes, Hash::Sha1), None, "{version}");
    }
}

/// An index with as many entries as git writes blocks for.
fn many(work: &Path, version: &str) -> Vec<u8> {
    git(work, &["update-index", "--index-version", version]);
    let object = "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391";
    let lines: Vec<String> = (0..24_000).map(|number| format!("100644 {object}\tmany/{number}\n")).collect();
    fs::write(work.join("lines"), lines.concat()).unwrap();
    let file = fs::File::open(work.join("lines")).unwrap();
    let mut git = Command::new("git");
    git.env_clear().env("PATH", "/usr/bin:/bin").env("HOME", work).current_dir(work).stdin(file);
    let ran = git.args(["-c", "index.threads=4", "update-index", "--index-info"]).output().unwrap();
    assert!(ran.status.success(), "{ran:?}");
    index(work)
}

fn find(bytes: &[u8], what: &[u8]) -> usize {
    bytes.windows(what.len()).rposition(|window| window == what).unwrap()
}

#[test]
fn what_git_refuses_names_nobody_and_what_it_may_learn_is_not_understood() {
    let scratch = tempfile::tempdir().unwrap();
    let work = repository(&scratch, "sha1", 3);
    let good = index(&work);
    for refused in [&b""[..], b"DIRC", b"XXXX\0\0\0\x02\0\0\0\0aaaaaaaaaaaaaaaaaaaaaaaa"] {
        assert_eq!(links(refused, Hash::Sha1), Some(Vec::new()));
    }
    let mut newer = good.clone();
    newer[7] = 5;
    assert_eq!(links(&newer, Hash::Sha1), None);
    let mut more = good.clone();
    more[11] = 200;
    assert_eq!(links(&more, Hash::Sha1), None);
    let mut unknown = good.clone();
    let end = unknown.len() - Hash::Sha1.length();
    unknown.splice(end..end, *b"nova\0\0\0\0");
    assert_eq!(links(&unknown, Hash::Sha1), None);
}

#[test]
fn whatever_the_bytes_are_it_comes_to_an_end() {
    let scratch = tempfile::tempdir().unwrap();
    let work = repository(&scratch, "sha1", 12);
    for version in ["2", "4"] {
        git(&work, &["update-index", "--index-version", version]);
        let good = index(&work);
        for at in 0..good.len() {
            for value in [0, 0x7f, 0xff, good[at] ^ 1] {
                let mut bytes = good.clone();
                bytes[at] = value;
                let _ = Index::read(&bytes, Hash::Sha1, Counted::All);
            }
            let _ = Index::read(&good[..at], Hash::Sha1, Counted::Links);
        }
    }
}

#[test]
fn names_that_take_more_than_any_repository_has_are_not_understood() {
    let name = [b'a'; 4000];
    let mut index = Index::default();
    let most = MOST_TOLD / name.len();
    assert!((0..=most).any(|_| index.add(LINK, &name, Counted::Links).is_none()));
}
