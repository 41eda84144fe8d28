//! What the configuration makes of the sandbox, seen from inside.

use std::fs;
use std::path::PathBuf;

use serde_json::Value;

use crate::place::{Place, Ran};

/// Places of root and of somebody else, with this configuration.
fn places(config: &str) -> [Place; 2] {
    let places = [Place::new().unsaid(), Place::unprivileged().unsaid()];
    for place in &places {
        place.config(config);
        place.give();
    }
    places
}

fn applied(place: &Place, measure: &str) -> bool {
    let ledger = place.ledger();
    let outcome = ledger.iter().rfind(|record| record["kind"] == "outcome").unwrap();
    outcome["body"]["applied"].as_array().unwrap().contains(&Value::from(measure))
}

fn intent(place: &Place) -> Value {
    let ledger = place.ledger();
    ledger.iter().rfind(|record| record["kind"] == "intent").unwrap()["body"].clone()
}

/// A directory beside the workspace and the home, with files in it.
fn beside(place: &Place) -> PathBuf {
    let directory = place.home().parent().unwrap().join("beside");
    fs::create_dir_all(directory.join(".git/hooks")).unwrap();
    for (name, text) in [("data", "to be seen"), (".env", "KEY=hidden"), (".git/hooks/sample", "")] {
        fs::write(directory.join(name), text).unwrap();
    }
    place.give_also(&directory);
    directory
}

#[test]
fn memory_is_bounded() {
    for place in places("terminal:\n  container_memory: 128\n") {
        let script = |size: u32| format!("python3 -c 'print(len(bytearray({size} << 20)))'");
        assert_eq!(place.run(&["run", &script(8)]).stdout, "8388608\n");
        let ran = place.run(&["run", &script(512)]);
        assert!(ran.code != Some(0) && ran.stdout.is_empty(), "{ran:?}");
        assert_eq!(intent(&place)["sandbox"]["memory"], 128);
        place.config("");
        place.give();
        let usual = place.run(&["run", &script(512)]);
        assert_eq!(usual.stdout, "536870912\n", "{usual:?}");
    }
}

#[test]
fn processes_are_bounded() {
    let script = "import os, time\ncount = 0\nfor _ in range(60):\n  try: child = os.fork()\n  except OSError: break\n  if child == 0: time.sleep(20); os._exit(0)\n  count += 1\nprint(count)\nos.killpg(0, 9)";
    for place in places("sandbox:\n  processes: 24\n") {
        place.file("fork.py", script);
        // Root is bounded by groups alone.
        let ran = place.run(&["run", "--timeout", "20", "python3 -u fork.py"]);
        let count: u32 = ran.stdout.trim().parse().unwrap_or_else(|_| panic!("{ran:?}"));
        assert!(count < 24 || (!place.is_unprivileged() && !applied(&place, "process-limit")), "{ran:?}");
    }
}

#[test]
fn files_and_private_places_are_bounded() {
    for place in places("sandbox:\n  file_size: 2\nterminal:\n  container_disk: 8\n") {
        let ran = place.run(&["run", "head -c 3M /dev/zero > large; echo $?; wc -c < large"]);
        assert!(ran.stdout.ends_with("\n2097152\n") && !ran.stdout.starts_with("0\n"), "{ran:?}");
        let fill = "for i in 1 2 3 4 5 6 7 8; do head -c 2M /dev/zero > ~/$i; done; du -sm ~ | cut -f 1";
        let ran = place.run(&["run", fill]);
        assert!(
            ran.stderr.contains("No space left on device") && ran.stdout.trim().parse::<u32>().unwrap() <= 8,
            "{ran:?}"
        );
        assert!(applied(&place, "disk-limit") && applied(&place, "file-size-limit"));
    }
}

#[test]
fn processors_are_bounded() {
    let script = "import os, time\nchildren = []\nfor _ in range(4):\n  child = os.fork()\n  if child == 0:\n    end = time.time() + 2\n    while time.time() < end: pass\n    os._exit(0)\n  children.append(child)\nbegun = time.time()\nfor child in children: os.waitpid(child, 0)\nused = os.times()\nprint((used.children_user + used.children_system) / (time.time() - begun))";
    for place in places("terminal:\n  container_cpu: 1\n") {
        place.file("busy.py", script);
        let ran = place.run(&["run", "python3 busy.py"]);
        let used: f64 = ran.stdout.trim().parse().unwrap_or_else(|_| panic!("{ran:?}"));
        assert!(used < 1.3 || !applied(&place, "cpu-limit"), "{used} processors: {ran:?}");
        let demanded = intent(&place)["requested"].as_array().unwrap().contains(&"cpu-limit".into());
        assert!(demanded, "what was demanded is recorded, whether it holds or not");
    }
}

#[test]
fn tools_that_sandbox_themselves_need_another_profile() {
    for place in places("") {
        let make = [
            "run",
            "--yolo",
            "unshare --user --map-root-user --mount sh -c 'mount -t tmpfs none /tmp && echo inside'",
        ];
        let refused = place.run(&make);
        assert!(refused.code != Some(0) && !refused.stdout.contains("inside"), "{refused:?}");
        assert!(applied(&place, "file-rules"));
        place.config("sandbox:\n  profile: nested\n");
        place.give();
        let ran = place.run(&make);
        assert_eq!(ran.stdout, "inside\n", "{ran:?}");
        // What it takes is said: there are no rules on files then.
        let intent = intent(&place);
        assert!(intent["sandbox"]["profile"] == "nested" && !applied(&place, "file-rules"), "{intent}");
        assert!(!intent["requested"].as_array().unwrap().contains(&"file-rules".into()), "{intent}");
        // The view still holds.
        fs::write(place.home().join("mine"), "secret").unwrap();
        let ran = place.run(&["run", "cat ~/mine; touch /usr/made"]);
        assert!(!ran.stdout.contains("secret") && ran.stderr.contains("Read-only file system"), "{ran:?}");
    }
}

#[test]
fn more_can_be_shown_to_be_read() {
    for place in places("") {
        let directory = beside(&place);
        let look = format!("cat {0}/data; echo x > {0}/made; cat {0}/.env", directory.display());
        let unseen = place.run(&["run", "--yolo", &look]);
        assert!(!unseen.stdout.contains("to be seen"), "{unseen:?}");
        place.config(&format!("sandbox:\n  readable: [{}, /srv/no/such]\n", directory.display()));
        place.give();
        let ran = place.run(&["run", "--yolo", &look]);
        assert_eq!(ran.stdout, "to be seen", "what is called a secret is not there: {ran:?}");
        assert!(ran.stderr.contains("Read-only file system") && !directory.join("made").exists(), "{ran:?}");
    }
}

#[test]
fn more_can_be_shown_to_be_changed_and_is_asked_about() {
    for place in places("") {
        let directory = beside(&place);
        place.config(&format!("sandbox:\n  writable: [{}]\n", directory.display()));
        place.give();
        let script = format!("echo new > {0}/made; echo x > {0}/.git/hooks/post-commit", directory.display());
        let ran = place.run(&["run", "--yolo", &script]);
        assert_eq!(fs::read_to_string(directory.join("made")).unwrap(), "new\n", "{ran:?}");
        assert!(!directory.join(".git/hooks/post-commit").exists(), "{ran:?}");
        let asked = place.run(&["run", &format!("rm -rf {}", directory.display())]);
        assert!(asked.code == Some(126) && directory.join("data").exists(), "it is shared: {asked:?}");
        // While something is tried nothing may count.
        let tried =
            place.run(&["try", "--discard", &format!("echo more >> {}/made; true", directory.display())]);
        assert_eq!(fs::read_to_string(directory.join("made")).unwrap(), "new\n", "{tried:?}");
    }
}

#[test]
fn what_nobody_may_see_is_a_mistake() {
    let place = Place::new().unsaid();
    let above = place.home().parent().unwrap().to_owned();
    fs::create_dir_all(place.home().join(".ssh")).unwrap();
    std::os::unix::fs::symlink(place.home().join(".ssh"), above.join("innocent")).unwrap();
    std::os::unix::fs::symlink(place.guard(), above.join("harmless")).unwrap();
    fs::create_dir_all(above.join("guard")).unwrap();
    let refused = |path: &str, why: &str| {
        for key in ["readable", "writable"] {
            place.config(&format!("sandbox:\n  {key}: [{path}]\n"));
            for arguments in [&["run", "true"][..], &["run", "--backend", "sandbox", "true"], &["shell"]] {
                let ran = place.run(arguments);
                let told = ran.stderr.contains("config.yaml:2:") && ran.stderr.contains(why);
                assert!(ran.code == Some(125) && told, "{path}: {ran:?}");
            }
        }
    };
    refused("'~'", "is not shown: it is a home directory");
    refused("~/.ssh", "is not shown: it ");
    refused(above.to_str().unwrap(), "is not shown: ");
    refused(above.join("innocent").to_str().unwrap(), "is not shown: it ");
    refused(above.join("harmless").to_str().unwrap(), "herm keeps its own files there");
    let elsewhere = above.join("guard");
    fs::write(elsewhere.join("config.yaml"), format!("sandbox:\n  readable: [{}]\n", elsewhere.display()))
        .unwrap();
    let ran = Ran::of(place.herm(&["run", "true"]).env("HERM_HOME", &elsewhere));
    assert!(ran.code == Some(125) && ran.stderr.contains("herm keeps its own files there"), "{ran:?}");
}

#[test]
fn a_repository_can_only_tighten_it() {
    for place in places("sandbox:\n  file_size: 64\n  profile: nested\n") {
        let directory = beside(&place);
        place.config(&format!(
            "sandbox:\n  file_size: 64\n  profile: nested\n  readable: [{}]\n",
            directory.display()
        ));
        place.file(".herm.yaml", "sandbox:\n  file_size: 1\n  profile: standard\n  readable: []\n");
        place.give();
        let ran = place.run(&[
            "run",
            &format!("head -c 3M /dev/zero > large; wc -c < large; cat {}/data", directory.display()),
        ]);
        assert_eq!(ran.stdout, "1048576\n", "{ran:?}");
        assert!(applied(&place, "file-rules"), "the stricter profile holds");
        place.file(".herm.yaml", "sandbox:\n  file_size: 4096\n");
        let ran = place.run(&["run", "rm -f large; head -c 65M /dev/zero > large; wc -c < large"]);
        assert_eq!(ran.stdout, "67108864\n", "it cannot raise it: {ran:?}");
        for loosened in ["sandbox: {profile: nested}", "terminal: {backend: local}"] {
            place.file(".herm.yaml", loosened);
            let ran = place.run(&["run", "true"]);
            assert!(ran.code == Some(125) && ran.stderr.contains("a repository may only tighten"), "{ran:?}");
        }
    }
}
