//! Links that a command leaves in a repository, by which git outside would write somewhere else.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::PathBuf;
use std::process::Command;

use crate::place::{Place, Ran, eventually};

/// Repositories of root and of somebody else, each with a branch and something of the person's own.
fn repositories() -> [Place; 2] {
    let places = [Place::new(), Place::unprivileged()];
    for place in &places {
        fs::write(place.home().join(".gitconfig"), "[user]\n\tname = A\n\temail = a@host.example\n").unwrap();
        fs::write(own(place), OWN).unwrap();
        fs::remove_dir_all(place.work(".git")).unwrap();
        place.give();
        let made = confined(place, "git init -qb main . && git commit -q --allow-empty -m first");
        assert_eq!(made.code, Some(0), "{made:?}");
    }
    places
}

const OWN: &str = "export EDITOR=vi\n";

fn own(place: &Place) -> PathBuf {
    place.home().join(".bashrc")
}

fn confined(place: &Place, script: &str) -> Ran {
    place.run(&["run", "--yolo", "--backend", "sandbox", script])
}

/// What a person does with git afterwards. Some of it fails where a repository was spoilt, and must not write elsewhere all the same.
fn work_outside(place: &Place) {
    for arguments in [
        &["commit", "-q", "--allow-empty", "-m", "touch planted"][..],
        &["fetch", "-q", "."],
        &["branch", "-f", "x"],
        &["add", "-A"],
        &["reset", "-q", "--hard"],
        &["pack-refs", "--all"],
    ] {
        let mut git = Command::new("git");
        // Where there is no repository any more, git must not find one further up: it may be the one that these tests are in.
        git.env("GIT_DIR", place.work(".git")).env("GIT_WORK_TREE", place.work(""));
        git.args(arguments).env("HOME", place.home()).current_dir(place.work("")).output().unwrap();
    }
}

/// What is in the person's home, and in the files there.
fn home(place: &Place) -> Vec<(String, Option<Vec<u8>>)> {
    let entries = fs::read_dir(place.home()).unwrap().map(|entry| entry.unwrap());
    let told =
        |entry: fs::DirEntry| (entry.file_name().to_string_lossy().into_owned(), fs::read(entry.path()).ok());
    let mut all: Vec<_> = entries.map(told).collect();
    all.sort();
    all
}

fn aside(place: &Place, link: &str) -> Vec<PathBuf> {
    let link = place.work(link);
    let beginning = format!("{}..herm-aside-", link.file_name().unwrap().to_string_lossy());
    let entries = fs::read_dir(link.parent().unwrap()).unwrap().map(|entry| entry.unwrap().path());
    entries.filter(|path| path.file_name().unwrap().to_string_lossy().starts_with(&beginning)).collect()
}

#[test]
fn git_outside_writes_nowhere_else_by_what_was_planted() {
    for place in repositories() {
        for link in ["logs/HEAD", "logs/refs/heads/x", "COMMIT_EDITMSG", "FETCH_HEAD", "index", "packed-refs"]
        {
            let link = format!(".git/{link}");
            for to in [own(&place), place.home().join("made")] {
                let before = home(&place);
                let ran = confined(
                    &place,
                    &format!("mkdir -p $(dirname {link}) && ln -sfn {} {link}", to.display()),
                );
                assert_eq!(ran.code, Some(0), "{link}: {ran:?}");
                assert!(!place.work(&link).is_symlink(), "{link}: {ran:?}");
                assert!(ran.stderr.contains(&format!("{link}`")), "{link}: {ran:?}");
                assert_eq!(aside(&place, &link).len(), 1, "{link}: {ran:?}");
                work_outside(&place);
                assert_eq!(home(&place), before, "{link}");
                fs::remove_file(aside(&place, &link).remove(0)).unwrap();
            }
        }
    }
}

/// It is for this that it had to go.
#[test]
fn git_outside_writes_by_what_is_put_back() {
    for place in repositories() {
        confined(&place, &format!("ln -sf {} .git/logs/HEAD", own(&place).display()));
        fs::rename(aside(&place, ".git/logs/HEAD").remove(0), place.work(".git/logs/HEAD")).unwrap();
        work_outside(&place);
        assert!(fs::read_to_string(own(&place)).unwrap().contains("touch planted"));
    }
}

#[test]
fn directories_of_git_lead_nowhere_else() {
    for place in repositories() {
        for part in ["logs", "objects", "refs/heads", "info", "rr-cache", "modules"] {
            let link = format!(".git/{part}");
            let before = home(&place);
            let script = format!("mv {link} .git/kept; ln -s {} {link}", place.home().display());
            let ran = confined(&place, &script);
            assert!(
                !place.work(&link).exists() && ran.stderr.contains(&format!("{link}`")),
                "{link}: {ran:?}"
            );
            work_outside(&place);
            assert_eq!(home(&place), before, "{link}");
            fs::remove_file(aside(&place, &link).remove(0)).unwrap();
            if place.work(".git/kept").exists() {
                let _ = fs::remove_dir_all(place.work(&link));
                fs::rename(place.work(".git/kept"), place.work(&link)).unwrap();
            }
        }
        let before = home(&place);
        let whole = confined(&place, &format!("mv .git kept; ln -sfn {} .git; true", place.home().display()));
        assert!(!place.work(".git").is_symlink(), "{whole:?}");
        work_outside(&place);
        assert_eq!(home(&place), before);
    }
}

#[test]
fn links_of_the_person_stay_and_git_goes_on() {
    for place in repositories() {
        let elsewhere = place.home().join("logs");
        fs::rename(place.work(".git/logs"), &elsewhere).unwrap();
        symlink(&elsewhere, place.work(".git/logs")).unwrap();
        symlink("nothing", place.work(".git/rr-cache")).unwrap();
        place.give();
        let ran = confined(&place, "git status -s; ln -s /etc/hostname name; echo x > text; ls");
        assert_eq!(ran.code, Some(0), "{ran:?}");
        assert!(!ran.stderr.contains("set aside") && !ran.stderr.contains("outside run code"), "{ran:?}");
        for link in [".git/logs", ".git/rr-cache", "name"] {
            assert!(place.work(link).is_symlink(), "{link}: {ran:?}");
        }
    }
}

#[test]
fn a_new_repository_with_such_a_link_is_set_aside() {
    for place in repositories() {
        fs::remove_dir_all(place.work(".git")).unwrap();
        let script =
            format!("git init -q . && mkdir .git/logs && ln -s {} .git/logs/HEAD", own(&place).display());
        let ran = confined(&place, &script);
        assert!(!place.work(".git").exists() && ran.stderr.contains(".git`"), "{ran:?}");
        work_outside(&place);
        assert_eq!(fs::read_to_string(own(&place)).unwrap(), OWN);
    }
}

#[test]
fn links_go_while_a_command_runs_and_when_herm_is_killed() {
    for place in repositories() {
        let plant = format!("ln -sfn {} .git/logs/HEAD", place.home().join("made").display());
        let script = format!("{plant}; while test -L .git/logs/HEAD; do sleep 0.05; done; echo gone");
        let ran = place.run(&["run", "--yolo", "--backend", "sandbox", "--timeout", "60", &script]);
        assert_eq!(ran.stdout, "gone\n", "{ran:?}");
        let late = format!("touch begun; while true; do {plant}; done");
        let mut herm = place.start(&["run", "--yolo", "--backend", "sandbox", &late]);
        eventually("it has begun", || place.work("begun").exists());
        // Nobody but herm has looked so far.
        eventually("it was set aside once", || aside(&place, ".git/logs/HEAD").len() > 1);
        herm.kill().unwrap();
        herm.wait().unwrap();
        eventually("it is set aside", || !place.work(".git/logs/HEAD").is_symlink());
    }
}

#[test]
fn in_a_try_such_a_link_is_said_and_not_kept_unseen() {
    for place in repositories() {
        let script = format!("echo x > text; ln -sf {} .git/logs/HEAD", own(&place).display());
        let tried = place.run(&["try", "--yolo", "--keep", &script]);
        assert!(tried.stderr.contains("`.git/logs/HEAD` can make programs outside run code"), "{tried:?}");
        assert!(!place.work(".git/logs/HEAD").is_symlink() && !place.work("text").exists(), "{tried:?}");
    }
}
