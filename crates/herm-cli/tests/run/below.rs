//! Repositories that a command leaves below the workspace, and that git outside goes into by itself.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use serde_json::json;

use crate::place::{Place, Ran, eventually};

/// Repositories of root and of somebody else: what holds must hold for both.
fn repositories() -> [Place; 2] {
    let places = [Place::new(), Place::unprivileged()];
    for place in &places {
        fs::write(place.home().join(".gitconfig"), "[user]\n\tname = A\n\temail = a@host.example\n").unwrap();
        fs::remove_dir_all(place.work(".git")).unwrap();
        place.give();
        let made = confined(place, "git init -qb main . && git commit -q --allow-empty -m first");
        assert_eq!(made.code, Some(0), "{made:?}");
    }
    places
}

fn confined(place: &Place, script: &str) -> Ran {
    place.run(&["run", "--yolo", "--backend", "sandbox", script])
}

/// What a person does without herm.
fn outside(place: &Place, script: &str) {
    let mut shell = Command::new("sh");
    shell.args(["-c", script]).env("HOME", place.home()).current_dir(place.work(""));
    let ran = shell.output().unwrap();
    assert!(ran.status.success(), "{ran:?}");
    place.give();
}

/// A repository with one commit.
fn made(name: &str) -> String {
    format!("git init -qb main {name} && git -C {name} commit -q --allow-empty -m first")
}

/// What has git tell that it was obeyed.
fn telling(place: &Place, name: &str) -> String {
    format!("git -C {name} config core.fsmonitor 'touch {}'", mark(place).display())
}

fn mark(place: &Place) -> PathBuf {
    place.home().join("obeyed")
}

/// What a person's git does outside: whether it has obeyed what lies below.
fn is_obeyed(place: &Place) -> bool {
    let mut git = Command::new("git");
    git.args(["-c", "safe.directory=*", "status", "--short"]).env("HOME", place.home());
    let ran = git.current_dir(place.work("")).output().unwrap();
    assert!(ran.status.success(), "{ran:?}");
    mark(place).exists()
}

fn aside(place: &Place, below: &str, name: &str) -> Vec<PathBuf> {
    let beginning = format!("{name}.herm-aside-");
    let entries = fs::read_dir(place.work(below)).unwrap().map(|entry| entry.unwrap().path());
    entries.filter(|path| path.file_name().unwrap().to_string_lossy().starts_with(&beginning)).collect()
}

#[track_caller]
fn is_set_aside(place: &Place, below: &str, ran: &Ran) {
    assert!(!place.work(below).join(".git").exists(), "{ran:?}");
    assert_eq!(aside(place, below, ".git").len(), 1, "{ran:?}");
    assert!(ran.stderr.contains(&format!("{below}/.git`, which makes programs outside run code")), "{ran:?}");
    assert!(!is_obeyed(place), "{ran:?}");
}

#[test]
fn what_git_would_go_into_and_obey_is_set_aside() {
    for place in repositories() {
        let ran = confined(&place, &format!("{} && {} && git add sub", made("sub"), telling(&place, "sub")));
        assert_eq!(ran.code, Some(0), "{ran:?}");
        is_set_aside(&place, "sub", &ran);
        // It was for this that it had to go, and what is obeyed in it with it: the next run could put it somewhere else.
        fs::rename(aside(&place, "sub", ".git").remove(0), place.work("sub/.git")).unwrap();
        assert!(!is_obeyed(&place));
        fs::rename(aside(&place, "sub/.git", "config").remove(0), place.work("sub/.git/config")).unwrap();
        assert!(is_obeyed(&place));
    }
}

#[test]
fn hooks_and_settings_elsewhere_are_no_better() {
    let ways = [
        "mkdir -p sub/.git/hooks && echo 'touch mark' > sub/.git/hooks/post-index-change",
        "mv sub/.git kept && echo 'gitdir: ../kept' > sub/.git && git -C sub config alias.x '!run'",
        "mv sub/.git kept && ln -s ../kept sub/.git && git -C sub config alias.x '!run'",
        "echo '[core]' > sub/.git/config.worktree",
        "git -C sub config include.path ../../more",
        "git -C sub config alias.x '!run' && chmod 000 sub",
    ];
    for place in repositories() {
        for (number, way) in ways.iter().enumerate() {
            let name = format!("sub{number}");
            let way = way.replace("sub", &name).replace("kept", &format!("kept{number}"));
            let script = format!("{} && git add {name} && {way}", made(&name));
            let ran = confined(&place, &script);
            assert_eq!(ran.code, Some(0), "{way}: {ran:?}");
            is_set_aside(&place, &name, &ran);
        }
    }
}

#[test]
fn what_is_as_git_makes_it_stays() {
    for place in repositories() {
        let script = format!(
            "{} && git -C sub remote add origin https://host.example/a/b.git && git add sub && git commit -qm second \
             && {} && mkdir -p .git/modules && mv own/.git .git/modules/own && echo 'gitdir: ../.git/modules/own' > own/.git \
             && git config -f .git/modules/own/config core.worktree ../../../own && git add own \
             && git worktree add -q tree && git add tree && git -C own status -s && git status -s",
            made("sub"),
            made("own"),
        );
        let ran = confined(&place, &script);
        assert_eq!(ran.code, Some(0), "{ran:?}");
        for name in ["sub", "own", "tree"] {
            assert!(place.work(name).join(".git").exists(), "{name}: {ran:?}");
            assert!(aside(&place, name, ".git").is_empty() && !ran.stderr.contains("outside"), "{ran:?}");
        }
        // From now on they are there, and so are locked.
        let ran =
            confined(&place, "echo x >> sub/.git/config; echo x >> .git/modules/own/config; git status -s");
        assert_eq!(ran.stderr.matches("Read-only file system").count(), 2, "{ran:?}");
        assert!(place.work("sub/.git").exists() && place.work("own/.git").exists(), "{ran:?}");
    }
}

#[test]
fn a_persons_own_settings_stay_and_are_locked() {
    for place in repositories() {
        confined(&place, &format!("{} && git add sub && git commit -qm second", made("sub")));
        let config = place.work("sub/.git/config");
        let own = fs::read_to_string(&config).unwrap() + "[alias]\n\tst = !status\n";
        fs::write(&config, &own).unwrap();
        fs::create_dir_all(place.work("sub/.git/hooks")).unwrap();
        fs::write(place.work("sub/.git/hooks/pre-commit"), "#!/bin/sh\n").unwrap();
        place.give();
        let ran = confined(
            &place,
            "echo run >> sub/.git/hooks/pre-commit; git -C sub config alias.x run; touch more && git add more \
             && git commit -qm third; mv sub/.git sub/away; ls sub/.git/config",
        );
        assert_eq!(fs::read_to_string(&config).unwrap(), own, "{ran:?}");
        assert_eq!(fs::read_to_string(place.work("sub/.git/hooks/pre-commit")).unwrap(), "#!/bin/sh\n");
        assert!(ran.stdout.contains("sub/.git/config") && aside(&place, "sub", ".git").is_empty(), "{ran:?}");
    }
}

#[test]
fn it_does_not_help_to_name_later_what_was_left_before() {
    for place in repositories() {
        outside(&place, &format!("{} && {}", made("sub"), telling(&place, "sub")));
        let left = confined(&place, "touch sub/file && git -C sub add file");
        assert!(place.work("sub/.git/config").exists() && !left.stderr.contains("which makes"), "{left:?}");
        let ran = confined(&place, "git add sub");
        is_set_aside(&place, "sub", &ran);
    }
}

#[test]
fn a_repository_or_a_worktree_that_is_new_itself_hides_nothing() {
    for place in repositories() {
        let plant = format!("{} && {} && git add sub", made("sub"), telling(&place, "sub"));
        let tree = confined(&place, &format!("git worktree add -q tree && cd tree && {plant}"));
        is_set_aside(&place, "tree/sub", &tree);
        assert!(place.work("tree/.git").exists(), "{tree:?}");
        let tree = confined(
            &place,
            "git worktree add -q other && mkdir own && echo ../../../own > .git/worktrees/other/commondir",
        );
        is_set_aside(&place, "other", &tree);
        for name in [".git", "tree", "other"] {
            fs::remove_dir_all(place.work(name)).unwrap();
        }
        let fresh = confined(&place, &format!("git init -qb main . && {plant}"));
        is_set_aside(&place, "sub", &fresh);
        assert!(place.work(".git").exists(), "{fresh:?}");
    }
}

#[test]
fn in_a_shell_it_goes_after_each_call() {
    for place in repositories() {
        let plant = format!("{} && {} && git add sub", made("sub"), telling(&place, "sub"));
        let mut shell = place.herm(&["shell", "--yolo", "--json", "--backend", "sandbox"]);
        let mut shell = shell.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let mut answers = BufReader::new(shell.stdout.take().unwrap());
        let mut say = |text: &str| {
            writeln!(shell.stdin.as_mut().unwrap(), "{}", json!({ "command": text })).unwrap();
            let mut answer = String::new();
            answers.read_line(&mut answer).unwrap();
            answer
        };
        let answer = say(&plant);
        assert!(!place.work("sub/.git").exists(), "{answer}");
        assert!(answer.contains("sub/.git`, which makes programs outside run code"), "{answer}");
        let answer = say("echo on");
        assert!(answer.contains("on") && !answer.contains("which makes programs"), "{answer}");
        drop(shell.stdin.take());
        assert!(shell.wait().unwrap().success() && !is_obeyed(&place));
    }
}

#[test]
fn in_a_try_it_is_said_and_not_kept_unseen() {
    for place in repositories() {
        let plant = format!("{} && {}", made("sub"), telling(&place, "sub"));
        for script in [
            plant.clone(),
            format!("{plant} && git add sub"),
            format!("{} && touch sub/.git/hooks/update", made("sub")),
            "git init -q --bare sub && git -C sub config core.fsmonitor run".to_owned(),
            "git init -q --bare sub && touch sub/hooks/update".to_owned(),
        ] {
            let tried = place.run(&["try", "--yolo", "--keep", &script]);
            assert!(tried.stderr.contains("`sub/") && !place.work("sub").exists(), "{tried:?}");
            assert!(tried.stderr.contains("can make programs outside run code"), "{tried:?}");
        }
        // What only lacked something to be one.
        outside(
            &place,
            "mkdir part && printf '[core]\\n\\tfsmonitor = run\\n' > part/config && mkdir part/objects part/refs",
        );
        let tried = place.run(&["try", "--yolo", "--keep", "echo 'ref: refs/heads/main' > part/HEAD"]);
        assert!(tried.stderr.contains("`part/HEAD` can make programs outside run code"), "{tried:?}");
        assert!(!place.work("part/HEAD").exists(), "{tried:?}");
        let tried = place.run(&["try", "--yolo", "--keep", "git init -q --bare bare"]);
        assert!(tried.code == Some(0) && place.work("bare/config").exists(), "{tried:?}");
        let tried = place.run(&["try", "--yolo", "--keep", &format!("{} && git add sub", made("sub"))]);
        assert!(tried.code == Some(0) && place.work("sub/.git").exists(), "{tried:?}");
        // What was left before and is named now.
        outside(&place, &plant.replace("sub", "left"));
        let tried = place.run(&["try", "--yolo", "--keep", "git add left"]);
        assert!(tried.stderr.contains("`left/.git` can make programs outside run code"), "{tried:?}");
        assert!(!is_obeyed(&place));
    }
}

#[test]
fn it_is_found_however_deep_it_lies_and_however_the_index_is_written() {
    let ways = [
        "git update-index --index-version 4",
        "git update-index --split-index && git -C sub status -s",
        "true",
    ];
    for place in repositories() {
        for (number, way) in ways.iter().enumerate() {
            let (sub, inner) = (format!("sub{number}"), format!("sub{number}/a/inner"));
            let script = format!(
                "{} && {} && {} && git -C {sub} add a/inner && git add {sub} && {}",
                made(&sub),
                made(&inner),
                telling(&place, &inner),
                way.replace("sub", &sub)
            );
            let ran = confined(&place, &script);
            assert_eq!(ran.code, Some(0), "{way}: {ran:?}");
            is_set_aside(&place, &inner, &ran);
            assert!(place.work(&sub).join(".git").exists(), "{way}: {ran:?}");
        }
    }
}

#[test]
fn the_part_of_an_index_that_lies_elsewhere_is_read_though_the_index_stays_the_same() {
    for place in repositories() {
        let set = format!(
            "touch a && git add a && git update-index --split-index && git commit -qm a && {}",
            made("sub")
        );
        assert_eq!(confined(&place, &set).code, Some(0));
        let way = "GIT_INDEX_FILE=.git/other git update-index --add --cacheinfo 160000,$(git -C sub rev-parse HEAD),sub \
                   && f=$(ls .git/sharedindex.*) && head -c -20 .git/other > made && tail -c 20 $f >> made && cat made > $f";
        // An index that changed a moment ago is read in any case.
        std::thread::sleep(std::time::Duration::from_millis(2100));
        let ran = confined(&place, &format!("{} && {way}", telling(&place, "sub")));
        assert_eq!(ran.code, Some(0), "{ran:?}");
        assert!(!place.work("sub/.git").exists() && aside(&place, "sub", ".git").len() == 1, "{ran:?}");
    }
}

#[test]
fn an_index_that_nobody_understands_is_set_aside() {
    for place in repositories() {
        let script =
            "touch a && git add a && printf 'DIRC\\0\\0\\0\\5' | dd of=.git/index conv=notrunc status=none";
        let ran = confined(&place, script);
        assert!(!place.work(".git/index").exists() && aside(&place, ".git", "index").len() == 1, "{ran:?}");
        assert!(ran.stderr.contains(".git/index`"), "{ran:?}");
        assert_eq!(confined(&place, "git status --short").stdout, "?? a\n");
    }
}

#[test]
fn git_remembers_where_a_branch_comes_from() {
    for place in repositories() {
        let set = confined(&place, "git remote add origin https://host.example/a/b.git");
        assert_eq!(set.code, Some(0), "{set:?}");
        let modules = "[submodule \"lib\"]\n\tpath = lib\n\turl = https://host.example/lib.git\n";
        fs::write(place.work(".gitmodules"), modules).unwrap();
        place.give();
        let object = "1".repeat(40);
        let known = format!(
            "git update-ref refs/remotes/origin/main HEAD && git update-index --add --cacheinfo 160000,{object},lib"
        );
        assert_eq!(confined(&place, &known).code, Some(0));
        let ran = confined(
            &place,
            "git checkout -q -b topic --track origin/main && git submodule init && git status -s",
        );
        assert_eq!(ran.code, Some(0), "{ran:?}");
        let config = fs::read_to_string(place.work(".git/config")).unwrap();
        assert!(
            config.contains("merge = refs/heads/main") && config.contains("[submodule \"lib\"]"),
            "{config}"
        );
        // Where something else than git would run, it is locked as ever.
        for script in [
            "git switch -q -c more --track origin/main; make",
            "git switch -q -c most --track origin/main && git config core.fsmonitor run",
        ] {
            let ran = confined(&place, script);
            assert!(ran.code != Some(0) && ran.stderr.contains(".git/config"), "{script}: {ran:?}");
        }
        fs::write(place.work(".git/hooks/post-checkout"), "#!/bin/sh\necho '[alias]' >> .git/config\n")
            .unwrap();
        fs::set_permissions(place.work(".git/hooks/post-checkout"), fs::Permissions::from_mode(0o755))
            .unwrap();
        place.give();
        confined(&place, "git switch -q -c other --track origin/main");
        assert_eq!(fs::read_to_string(place.work(".git/config")).unwrap(), config);
    }
}

#[test]
fn it_goes_while_the_command_that_made_it_goes_on() {
    for place in repositories() {
        let script = format!(
            "{} && {} && git add sub && for n in $(seq 200); do test -e sub/.git || break; sleep 0.05; done; \
             test -e sub/.git || echo gone",
            made("sub"),
            telling(&place, "sub")
        );
        let ran = confined(&place, &script);
        assert_eq!(ran.stdout, "gone\n", "{ran:?}");
        is_set_aside(&place, "sub", &ran);
    }
}

#[test]
fn it_is_set_aside_when_herm_is_killed() {
    for place in repositories() {
        let script = format!(
            "{} && {} && cp .git/index more && GIT_INDEX_FILE=more git add sub && touch begun && \
             until test -e over; do sleep 0.02; done; mv more .git/index; touch moved; sleep 60",
            made("sub"),
            telling(&place, "sub")
        );
        let mut herm = place.start(&["run", "--yolo", "--backend", "sandbox", &script]);
        eventually("it has begun", || place.work("begun").exists());
        // What is stopped looks at nothing, and is killed like anybody.
        let pid = rustix::process::Pid::from_child(&herm);
        rustix::process::kill_process(pid, rustix::process::Signal::STOP).unwrap();
        fs::write(place.work("over"), "").unwrap();
        eventually("the index names it", || place.work("moved").exists());
        assert!(place.work("sub/.git").exists());
        herm.kill().unwrap();
        herm.wait().unwrap();
        eventually("it is set aside", || !place.work("sub/.git").exists());
        assert_eq!(aside(&place, "sub", ".git").len(), 1);
    }
}
