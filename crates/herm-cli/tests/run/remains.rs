//! What a command leaves further down in the workspace: repositories that no index names, and programs that run as their owner.

use std::fs;
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use serde_json::json;

use crate::place::{Place, Ran, eventually};

/// Places of root and of somebody else: what holds must hold for both.
fn places() -> [Place; 2] {
    let places = [Place::new(), Place::unprivileged()];
    for place in &places {
        fs::write(place.home().join(".gitconfig"), "[user]\n\tname = A\n\temail = a@host.example\n").unwrap();
        place.give();
    }
    places
}

fn confined(place: &Place, script: &str) -> Ran {
    place.run(&["run", "--yolo", "--backend", "sandbox", script])
}

/// What a person does without herm.
fn outside(place: &Place, script: &str) -> String {
    let mut shell = Command::new("sh");
    shell.args(["-c", script]).env("HOME", place.home()).current_dir(place.work(""));
    let ran = shell
        .env("GIT_CONFIG_COUNT", "1")
        .env("GIT_CONFIG_KEY_0", "safe.directory")
        .env("GIT_CONFIG_VALUE_0", "*");
    let ran = ran.output().unwrap();
    assert!(ran.status.success(), "{ran:?}");
    place.give();
    String::from_utf8(ran.stdout).unwrap()
}

fn mark(place: &Place) -> PathBuf {
    place.home().join("obeyed")
}

/// What has git tell that it was obeyed.
fn telling(place: &Place, name: &str) -> String {
    format!("git -C {name} config core.fsmonitor 'touch {}'", mark(place).display())
}

/// Whether something is there that git would obey.
fn is_there(place: &Place, name: &str) -> bool {
    let path = place.work(name);
    let is_obeyed = |text: String| ["fsmonitor", "hooksPath"].iter().any(|word| text.contains(word));
    path.is_dir() || fs::read_to_string(path).is_ok_and(is_obeyed)
}

fn asides(place: &Place, below: &str) -> usize {
    let names = fs::read_dir(place.work(below)).unwrap().map(|entry| entry.unwrap().file_name());
    names.filter(|name| name.to_string_lossy().contains(".herm-aside-")).count()
}

#[test]
fn what_git_would_obey_below_is_set_aside_and_said() {
    for place in places() {
        let ways = [
            ("one/.git/config", format!("git init -q one && {}", telling(&place, "one"))),
            (
                "a/b/c/d/e/two/.git/config",
                format!("git init -q a/b/c/d/e/two && {}", telling(&place, "a/b/c/d/e/two")),
            ),
            ("three/.git/hooks", "git init -q three && echo x > three/.git/hooks/pre-commit".to_owned()),
            ("four/config", format!("git init -q --bare four && {}", telling(&place, "four"))),
            ("five/hooks", "git init -q --bare five && echo x > five/hooks/update".to_owned()),
            (
                "six/.git/config",
                "git init -q six && git -C six config core.hooksPath ../hooks && chmod 0 six/.git six"
                    .to_owned(),
            ),
        ];
        for (path, way) in ways {
            let ran = confined(&place, &way);
            assert_eq!(ran.code, Some(0), "{way}: {ran:?}");
            let (above, _) = path.rsplit_once('/').unwrap();
            assert!(!is_there(&place, path) && asides(&place, above) == 1, "{way}: {ran:?}");
            let said = format!("{path}`, which makes programs outside run code; that is now");
            assert!(ran.stderr.contains(&said), "{way}: {ran:?}");
        }
        outside(
            &place,
            "for name in one a/b/c/d/e/two three four five six; do (cd $name && git status --short || true); done",
        );
        assert!(!mark(&place).exists());
        let record = place.run(&["log", "show", "--json", "last"]);
        assert!(record.code != Some(0) || record.stdout.contains("set_aside"), "{record:?}");
    }
}

#[test]
fn what_git_makes_below_stays_and_works() {
    for place in places() {
        let ran = confined(
            &place,
            "mkdir p && cd p && git init -qb main one && cd one && git commit -q --allow-empty -m first && git worktree add -q ../tree \
             && cd .. && git clone -q one two && git init -q --bare three && git -C two remote add other https://host.example/x.git",
        );
        assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""), "{ran:?}");
        let again = "cd p && git -C two fetch -q && git -C tree commit -q --allow-empty -m second && git -C two switch -qc topic \
                     && git -C one log --oneline tree | wc -l && git -C three fsck";
        let ran = confined(&place, again);
        assert_eq!((ran.code, ran.stderr.contains("outside")), (Some(0), false), "{ran:?}");
        assert!(ran.stdout.contains('2'), "{ran:?}");
        assert_eq!(outside(&place, "cd p/two && git rev-parse --abbrev-ref HEAD"), "topic\n");
    }
}

#[test]
fn what_was_there_stays_as_long_as_nobody_changes_it() {
    for place in places() {
        let made = format!(
            "git init -qb main sub && {} && printf '#!/bin/sh\\nexit 0\\n' > sub/.git/hooks/pre-commit && chmod +x sub/.git/hooks/pre-commit \
             && git init -q --bare bare && {} && cp sub/.git/hooks/pre-commit bare/hooks/update",
            telling(&place, "sub"),
            telling(&place, "bare"),
        );
        outside(&place, &made);
        let ran = confined(
            &place,
            "cd sub && touch file && git add file && git commit -qm first && git switch -qc topic && git push -q ../bare topic; mv ../sub ../moved",
        );
        assert!(!ran.stderr.contains("which makes programs outside"), "{ran:?}");
        for name in ["moved/.git/config", "moved/.git/hooks/pre-commit", "bare/config", "bare/hooks/update"] {
            assert!(place.work(name).exists(), "{name}: {ran:?}");
        }
        let ran = confined(&place, "echo exit 1 >> moved/.git/hooks/pre-commit");
        assert!(ran.stderr.contains("moved/.git/hooks`, which makes programs outside run code"), "{ran:?}");
        assert!(place.work("moved/.git/config").exists(), "{ran:?}");
    }
}

#[test]
fn the_next_command_does_not_put_it_back() {
    for place in places() {
        let ran = confined(&place, &format!("git init -q sub && {}", telling(&place, "sub")));
        assert!(ran.stderr.contains("sub/.git/config`"), "{ran:?}");
        let ran = confined(
            &place,
            "cp -a sub other; cd sub/.git && mv config.herm-aside-* config; cd ../../other/.git && mv config.herm-aside-* config",
        );
        for name in ["sub/.git/config", "other/.git/config"] {
            assert!(!is_there(&place, name) && ran.stderr.contains(&format!("{name}`, which")), "{ran:?}");
        }
        // Nor from where the workspace's own repository would be.
        fs::remove_dir_all(place.work(".git")).unwrap();
        let ran = confined(&place, &format!("git init -q . && {}", telling(&place, ".")));
        assert!(!place.work(".git").exists(), "{ran:?}");
        let ran = confined(&place, "mkdir new && mv .git.herm-aside-* new/.git");
        assert!(place.work("new/.git/HEAD").exists() && !is_there(&place, "new/.git/config"), "{ran:?}");
        outside(&place, "for name in sub other new; do (cd $name && git status --short || true); done");
        assert!(!mark(&place).exists(), "{ran:?}");
    }
}

#[test]
fn it_goes_when_the_shell_ends_and_that_is_said() {
    for place in places() {
        let mut shell = place.herm(&["shell", "--yolo", "--json", "--backend", "sandbox"]);
        let mut shell =
            shell.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let plant = format!("git init -q sub && {}", telling(&place, "sub"));
        writeln!(shell.stdin.as_mut().unwrap(), "{}", json!({ "command": plant })).unwrap();
        drop(shell.stdin.take());
        let ran = shell.wait_with_output().unwrap();
        let said = String::from_utf8_lossy(&ran.stderr);
        assert!(
            said.contains("sub/.git/config`, which makes programs outside run code; that is now"),
            "{ran:?}"
        );
        assert!(!is_there(&place, "sub/.git/config"), "{ran:?}");
    }
}

#[test]
fn it_goes_when_herm_is_killed() {
    for place in places() {
        let script = format!("git init -q sub && {} && touch begun && sleep 60", telling(&place, "sub"));
        let mut herm = place.start(&["run", "--yolo", "--backend", "sandbox", &script]);
        eventually("it has begun", || place.work("begun").exists());
        assert!(is_there(&place, "sub/.git/config"));
        herm.kill().unwrap();
        herm.wait().unwrap();
        eventually("it is set aside", || !is_there(&place, "sub/.git/config"));
        assert_eq!(asides(&place, "sub/.git"), 1);
    }
}

/// Changes a file in a way that leaves its mode as it is.
const MAPPING: &str = "import mmap, sys; file = open(sys.argv[1], 'r+b'); memory = mmap.mmap(file.fileno(), 0); memory[:2] = b'::'";

#[test]
fn a_program_that_runs_as_its_owner_no_longer_does_once_it_was_changed() {
    for place in places() {
        fs::create_dir_all(place.work("a/b")).unwrap();
        for name in ["a/b/changed", "a/b/kept"] {
            fs::write(place.work(name), "#!/bin/sh\n").unwrap();
        }
        place.give();
        for name in ["a/b/changed", "a/b/kept"] {
            fs::set_permissions(place.work(name), fs::Permissions::from_mode(0o4755)).unwrap();
        }
        std::thread::sleep(std::time::Duration::from_millis(20));
        let mode = |name: &str| fs::metadata(place.work(name)).unwrap().permissions().mode() & 0o7777;
        let words = ["run", "--yolo", "--backend", "sandbox", "--", "python3", "-c", MAPPING, "a/b/changed"];
        let ran = place.run(&words);
        assert_eq!(ran.code, Some(0), "{ran:?}");
        assert_eq!(fs::read_to_string(place.work("a/b/changed")).unwrap(), "::/bin/sh\n");
        assert_eq!((mode("a/b/changed"), mode("a/b/kept")), (0o755, 0o4755), "{ran:?}");
        assert!(
            ran.stderr
                .contains("a/b/changed` was setuid or setgid and may have been changed; it no longer is"),
            "{ran:?}"
        );
        // In a try it is no different.
        let words = ["try", "--yolo", "--keep", "--", "python3", "-c", MAPPING, "a/b/kept"];
        let tried = place.run(&words);
        assert!(
            mode("a/b/kept") == 0o755 || fs::read_to_string(place.work("a/b/kept")).unwrap().starts_with('#'),
            "{tried:?}"
        );
    }
}
