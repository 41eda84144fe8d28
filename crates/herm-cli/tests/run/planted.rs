//! What a command in the sandbox leaves for programs outside to run.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use crate::place::{Place, Ran, eventually};

/// Places of root and of somebody else: what holds must hold for both.
fn places() -> [Place; 2] {
    let places = [Place::new(), Place::unprivileged()];
    for place in &places {
        place.file(".git/HEAD", "ref: refs/heads/main\n");
        place.file(".git/config", "[core]\n");
        fs::write(place.home().join(".gitconfig"), "[user]\n\tname = A\n\temail = a@host.example\n").unwrap();
        place.give();
    }
    places
}

fn confined(place: &Place, script: &str) -> Ran {
    place.run(&["run", "--yolo", "--backend", "sandbox", script])
}

/// What was set aside in a directory of the workspace, by the beginnings of names.
fn aside(place: &Place, below: &str, name: &str) -> Vec<PathBuf> {
    let beginning = format!("{name}.herm-aside-");
    let entries = fs::read_dir(place.work(below)).unwrap().map(|entry| entry.unwrap().path());
    let is_one = |path: &PathBuf| path.file_name().unwrap().to_string_lossy().starts_with(&beginning);
    entries.filter(is_one).collect()
}

#[test]
fn what_appears_is_set_aside_and_said() {
    for place in places() {
        place.file(".hg/requires", "store\n");
        place.give();
        let script = "echo elsewhere > .git/commondir; mkdir .claude; echo {} > .claude/settings.json; echo x > made; \
             echo x > .hg/hgrc; echo x > .aider.conf.yml";
        let ran = place.run(&["run", "--yolo", "--backend", "sandbox", "--json", script]);
        let reply = ran.json();
        assert_eq!(reply["exit_code"], 0, "{ran:?}");
        assert!(place.work("made").exists());
        for (below, name) in
            [(".git", "commondir"), ("", ".claude"), (".hg", "hgrc"), ("", ".aider.conf.yml")]
        {
            assert!(!place.work(below).join(name).exists(), "{name}: {ran:?}");
            assert_eq!(aside(&place, below, name).len(), 1, "{name}: {ran:?}");
            assert!(
                ran.stderr.contains(name) || reply["notes"].to_string().contains(name),
                "{name}: {ran:?}"
            );
        }
        let settings = aside(&place, "", ".claude").remove(0).join("settings.json");
        assert_eq!(fs::read_to_string(settings).unwrap(), "{}\n", "nothing is lost");
        let shown = place.run(&["audit", "show", "--json", reply["receipt"].as_str().unwrap()]);
        assert!(shown.stdout.contains("set_aside") && shown.stdout.contains(".git/commondir"), "{shown:?}");
    }
}

/// Places without a repository.
fn bare_places() -> [Place; 2] {
    let places = places();
    for place in &places {
        fs::remove_dir_all(place.work(".git")).unwrap();
    }
    places
}

#[test]
fn a_new_repository_stays_unless_it_runs_something() {
    for place in bare_places() {
        let ran = confined(
            &place,
            "touch text && git init -q . && git add text && git commit -qm first && git log --oneline | wc -l",
        );
        assert_eq!(ran.stdout, "1\n", "{ran:?}");
        assert!(place.work(".git/HEAD").exists() && aside(&place, "", ".git").is_empty(), "{ran:?}");
    }
    for place in bare_places() {
        // Git reads a setting behind the bracket that ends a section.
        for (number, way) in
            ["git config core.fsmonitor ./run", "printf '[core]\\tfsmonitor=./run]\\n' >> .git/config"]
                .into_iter()
                .enumerate()
        {
            let ran = confined(&place, &format!("git init -q . && {way}"));
            assert!(!place.work(".git").exists() && aside(&place, "", ".git").len() == number + 1, "{ran:?}");
            assert!(ran.stderr.contains(".git"), "{ran:?}");
        }
    }
}

/// What git writes by itself in a repository that is new makes nobody run anything.
#[test]
fn a_new_repository_stays_with_its_worktrees_and_upstreams() {
    let begin = "git init -qb main . && git commit -q --allow-empty -m first && git branch topic";
    for more in [
        "git worktree add -q inner",
        "git branch -q -u main topic",
        "git checkout -qb next --track main && git worktree add -q inner topic && git -C inner commit -q --allow-empty -m more",
        "git config extensions.worktreeConfig true && git worktree add -q inner && rm -r inner",
    ] {
        for place in bare_places() {
            let ran = confined(&place, &format!("{begin} && {more}"));
            assert_eq!(ran.code, Some(0), "{more}: {ran:?}");
            assert!(
                place.work(".git/HEAD").exists() && aside(&place, "", ".git").is_empty(),
                "{more}: {ran:?}"
            );
            let next = confined(&place, "git log --oneline | wc -l && git worktree list > /dev/null");
            assert_eq!((next.stdout.as_str(), next.code), ("1\n", Some(0)), "{more}: {next:?}");
        }
    }
}

#[test]
fn a_new_repository_goes_whose_worktrees_run_something() {
    let begin = "git init -qb main . && git commit -q --allow-empty -m first && git worktree add -q inner";
    for more in [
        "git config extensions.worktreeConfig true && git -C inner config --worktree core.fsmonitor ./run",
        "git config extensions.worktreeConfig true && git config --worktree core.sshCommand ./run",
        "mkdir .git/worktrees/inner/hooks && echo run > .git/worktrees/inner/hooks/pre-commit",
        "echo /tmp > .git/worktrees/inner/commondir",
        "echo /etc/.git > .git/worktrees/inner/gitdir",
        "rm inner/.git && git init -q inner",
        "echo 'gitdir: ../evil' > inner/.git",
        "git config branch.main.remote ../evil",
    ] {
        for place in bare_places() {
            let ran = confined(&place, &format!("{begin} && {more}"));
            assert_eq!(ran.code, Some(0), "{more}: {ran:?}");
            assert!(!place.work(".git").exists() && aside(&place, "", ".git").len() == 1, "{more}: {ran:?}");
        }
    }
}

#[test]
fn git_works_as_ever_where_there_is_a_repository() {
    for place in bare_places() {
        let made = confined(
            &place,
            "echo one > text && git init -qb main . && git add text && git commit -qm first",
        );
        assert_eq!(made.code, Some(0), "{made:?}");
        let script = "git checkout -qb other && echo two >> text && git commit -qam second \
            && git checkout -q main && echo new > more && git add more && git commit -qm third \
            && git rebase -q other && git worktree add -q inner && git -C inner status -s \
            && git stash list && git tag v1 && git gc -q && git worktree remove inner && git log --oneline | wc -l";
        let ran = confined(&place, script);
        assert_eq!((ran.stdout.as_str(), ran.code), ("3\n", Some(0)), "{ran:?}");
        let left = fs::read_dir(place.work(".git")).unwrap().map(|entry| entry.unwrap().file_name());
        let set_aside = left.filter(|name| name.to_string_lossy().contains("aside")).count();
        assert_eq!(set_aside, 0, "{ran:?}");
    }
}

#[test]
fn settings_of_git_stay_as_they_are_and_can_be_given_for_once() {
    for place in bare_places() {
        confined(&place, "git init -qb main .");
        let before = fs::read_to_string(place.work(".git/config")).unwrap();
        let set = confined(&place, "echo begin && git config user.name X && git status");
        assert!(set.code != Some(0) && set.stderr.contains(".git/config"), "{set:?}");
        assert_eq!(fs::read_to_string(place.work(".git/config")).unwrap(), before);
        let once = "git -c user.name=X commit --allow-empty -qm first && git log -1 --format=%an";
        assert_eq!(confined(&place, once).stdout, "X\n");
    }
}

#[test]
fn hooks_are_locked_wherever_the_repository_has_them() {
    for place in places() {
        place.file(".git/config", "[core]\n\thooksPath = .husky/_\n");
        let made = confined(&place, "mkdir .husky; echo run > .husky/pre-commit");
        assert!(!place.work(".husky").exists() && aside(&place, "", ".husky").len() == 1, "{made:?}");
        place.file(".husky/pre-commit", "person's own\n");
        place.give();
        let changed = confined(&place, "echo run > .husky/pre-commit");
        assert!(changed.stderr.contains("Read-only file system"), "{changed:?}");
        assert_eq!(fs::read_to_string(place.work(".husky/pre-commit")).unwrap(), "person's own\n");
    }
}

#[test]
fn it_is_set_aside_when_herm_is_killed() {
    for place in places() {
        let script = "mkdir .claude; echo {} > .claude/settings.json; touch begun; sleep 60";
        let mut herm = place.start(&["run", "--yolo", "--backend", "sandbox", script]);
        eventually("it has begun", || place.work("begun").exists());
        herm.kill().unwrap();
        herm.wait().unwrap();
        eventually("it is set aside", || !place.work(".claude").exists());
        assert_eq!(aside(&place, "", ".claude").len(), 1);
    }
}

#[test]
fn whoever_keeps_making_it_is_ended() {
    for place in places() {
        let script = "while true; do echo elsewhere > .git/commondir; done";
        let ran = place.run(&["run", "--yolo", "--backend", "sandbox", "--timeout", "20", script]);
        assert_eq!(ran.code, Some(137), "{ran:?}");
        assert!(!place.work(".git/commondir").exists());
        let outside =
            Command::new("git").args(["config", "-l", "--local"]).current_dir(place.work("")).output();
        assert!(!String::from_utf8_lossy(&outside.unwrap().stderr).contains("elsewhere"));
    }
}

#[test]
fn names_to_set_it_aside_by_cannot_be_taken_beforehand() {
    for place in places() {
        let script = "echo 1 > .git/commondir; while test -e .git/commondir; do :; done; \
            first=$(ls .git | grep aside) && end=${first%?} && for last in 0 1 2 3 4 5 6 7 8 9 a b c d e f; \
            do mkdir -p .git/$end$last/x; done; mkdir -p .git/commondir/x; sleep 1; test ! -e .git/commondir && echo gone";
        let ran = confined(&place, script);
        assert_eq!(ran.stdout, "gone\n", "{ran:?}");
        assert!(!place.work(".git/commondir").exists(), "{ran:?}");
    }
}

#[test]
fn closed_doors_hide_nothing() {
    for place in places() {
        let script =
            "mkdir -p .github/hooks; echo run > .github/hooks/pre.json; chmod 000 .github; chmod 500 .";
        let ran = confined(&place, script);
        assert!(!place.work(".github/hooks").exists(), "{ran:?}");
        assert_eq!(aside(&place, ".github", "hooks").len(), 1, "{ran:?}");
        assert!(ran.stderr.contains(".github/hooks"), "{ran:?}");
    }
}

#[test]
fn levers_behind_links_are_levers() {
    for place in places() {
        fs::rename(place.work(".git"), place.work("realgit")).unwrap();
        place.file("realgit/objects/x", "");
        place.file("realgit/refs/x", "");
        place.file("agents/settings.json", "{}");
        for (link, to) in [(".git", "realgit"), (".claude", "agents"), (".vscode", "nothing")] {
            std::os::unix::fs::symlink(to, place.work(link)).unwrap();
        }
        place.give();
        let untouched = confined(
            &place,
            "git status -s > /dev/null; echo x > agents/settings.json; echo x > realgit/config",
        );
        assert_eq!(untouched.stderr.matches("Read-only file system").count(), 2, "{untouched:?}");
        assert!(place.work(".git").is_symlink() && place.work(".vscode").is_symlink(), "{untouched:?}");
        let ran = confined(
            &place,
            "rm .git .claude && mkdir .git .claude nothing && echo run > .claude/settings.json",
        );
        for name in [".git", ".claude", "nothing"] {
            assert!(!place.work(name).exists(), "{name}: {ran:?}");
            assert_eq!(aside(&place, "", name).len(), 1, "{name}: {ran:?}");
            assert!(ran.stderr.contains(&format!("{name}`")), "{name}: {ran:?}");
        }
    }
}

#[test]
fn a_workspace_becomes_no_repository_that_runs_something() {
    for place in bare_places() {
        let ran = confined(&place, "git init -q --bare . && git config core.fsmonitor ./run");
        assert!(!place.work("HEAD").exists() && aside(&place, "", "HEAD").len() == 1, "{ran:?}");
        assert!(ran.stderr.contains("HEAD"), "{ran:?}");
    }
    for place in bare_places() {
        let ran = confined(&place, "git init -q --bare .");
        assert!(place.work("HEAD").exists() && !ran.stderr.contains("HEAD"), "{ran:?}");
    }
}

#[test]
fn submodules_with_slashes_in_their_names_are_locked() {
    for place in places() {
        for name in ["HEAD", "config"] {
            place.file(&format!(".git/modules/vendor/lib/{name}"), "");
        }
        place.give();
        let ran =
            confined(&place, "echo x > .git/modules/vendor/lib/config; mkdir .git/modules/vendor/lib/hooks");
        assert!(ran.stderr.contains("Read-only file system"), "{ran:?}");
        assert_eq!(aside(&place, ".git/modules/vendor/lib", "hooks").len(), 1, "{ran:?}");
    }
}

#[test]
fn a_crowd_of_samples_hides_no_hook() {
    for place in bare_places() {
        let ran = confined(
            &place,
            "git init -q . && for n in $(seq 3000); do : > .git/hooks/s$n.sample; done; echo run > .git/hooks/pre-commit",
        );
        assert!(!place.work(".git").exists() && aside(&place, "", ".git").len() == 1, "{ran:?}");
    }
}
