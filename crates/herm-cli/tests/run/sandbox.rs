//! `herm run --backend sandbox`, with real processes.

use std::fs;
use std::os::unix::fs::MetadataExt;

use crate::place::{Place, Ran};

/// Places of root and of somebody else: what holds must hold for both.
fn places() -> [Place; 2] {
    [Place::new(), Place::unprivileged()]
}

fn confined(place: &Place, script: &str) -> Ran {
    place.run(&["run", "--backend", "sandbox", script])
}

#[test]
fn it_writes_to_the_workspace_and_nowhere_else() {
    for place in places() {
        fs::write(place.home().join("mine"), "secret").unwrap();
        let script =
            "echo new > made; cat ~/mine; echo x > ~/left; echo x > /usr/left; ls ~; touch ../beside; id -u";
        let ran = confined(&place, script);
        assert!(ran.code == Some(0) && !ran.stdout.contains("secret"), "{ran:?}");
        assert!(ran.stderr.contains("/usr/left: Read-only file system"), "{ran:?}");
        assert!(!ran.stdout.ends_with("\n0\n"), "{ran:?}");
        assert_eq!(fs::read_to_string(place.work("made")).unwrap(), "new\n");
        let owner = |path| fs::metadata(path).unwrap().uid();
        assert_eq!(owner(place.work("made")), owner(place.work("")), "as if the person had made it");
        assert!(!place.home().join("left").exists() && !place.work("../beside").exists());
    }
}

/// Whoever writes beside the workspace is told so: at once, or afterwards where it could be written, as it can be in a home.
#[test]
fn what_does_not_stay_is_told() {
    let script = "mkdir ~/out; echo x > ../beside; echo x > ~/.cache-of-mine; echo x > /tmp/own; echo made > made; \
                  echo x > ~/$'esc\\e[2J'";
    for place in places() {
        let work = fs::canonicalize(place.work("")).unwrap();
        let beside = work.parent().unwrap();
        let home = fs::canonicalize(place.home()).unwrap();
        let ran = confined(&place, script);
        assert_eq!(ran.code, Some(0), "{ran:?}");
        let line =
            ran.stderr.lines().find(|line| line.contains("not kept")).unwrap_or_else(|| panic!("{ran:?}"));
        assert!(line.contains(&format!("`{}`", home.join("out").display())), "{line}");
        let is_refused = ran.stderr.contains("../beside: Read-only file system");
        let is_told = line.contains(&format!("`{}`", beside.join("beside").display()));
        assert!(is_refused != is_told, "{ran:?}");
        assert!(
            line.contains("sandbox.writable") && line.contains("u{1b}[2J") && !line.contains('\u{1b}'),
            "{line:?}"
        );
        for silent in ["cache-of-mine", "/tmp/own", "made`", ".local", "`/tmp`"] {
            assert!(!line.contains(silent), "{silent}: {line}");
        }
        let reply = place.run(&["run", "--backend", "sandbox", "--json", "mkdir ~/out"]).json();
        assert!(reply["notes"].to_string().contains("/out`"), "{reply}");
        let shown = place.run(&["audit", "show", "--json", reply["receipt"].as_str().unwrap()]);
        assert!(shown.stdout.contains("\"unkept\"") && shown.stdout.contains("/out\""), "{shown:?}");
        let silent = confined(&place, "echo x > made; ls ~; echo x > /tmp/x; rm -rf ~/out");
        assert!(silent.code == Some(0) && !silent.stderr.contains("not kept"), "{silent:?}");
    }
}

#[test]
fn of_much_that_does_not_stay_a_little_is_told() {
    for place in places() {
        let ran = confined(&place, "for i in $(seq 100 140); do echo x > ~/n$i; done; chmod u-w ~");
        let line =
            ran.stderr.lines().find(|line| line.contains("not kept")).unwrap_or_else(|| panic!("{ran:?}"));
        assert!(line.contains("/n109`, 31 more;") && !line.contains("/n110`"), "{line}");
    }
}

/// What is kept is not told, wherever it is.
#[test]
fn what_may_be_written_besides_is_not_told() {
    let place = Place::new();
    let kept = place.home().join("kept");
    fs::create_dir(&kept).unwrap();
    place.config(&format!("sandbox: {{writable: [{}]}}\n", kept.display()));
    let ran = confined(&place, "echo x > ~/kept/file && echo x > ~/lost");
    assert!(ran.code == Some(0) && kept.join("file").exists(), "{ran:?}");
    let line = ran.stderr.lines().find(|line| line.contains("not kept")).unwrap_or_else(|| panic!("{ran:?}"));
    assert!(line.contains("/lost`") && !line.contains("/kept"), "{line}");
}

#[test]
fn the_guards_own_files_are_not_there() {
    for place in places() {
        let script = format!("ls -A {0}; cat {0}/herm.db; echo x > {0}/config.yaml", place.guard().display());
        let ran = place.run(&["run", "--yolo", "--backend", "sandbox", &script]);
        assert!(!place.guard().join("config.yaml").exists(), "{ran:?}");
        assert!(!ran.stdout.contains("herm.db"), "{ran:?}");
    }
}

#[test]
fn codes_signals_and_time_limits_are_as_without_it() {
    for place in places() {
        assert_eq!(confined(&place, "exit 7").code, Some(7));
        assert_eq!(confined(&place, "kill -SEGV $$").code, Some(139));
        let late =
            place.run(&["run", "--backend", "sandbox", "--timeout", "1", "setsid -f sleep 333; sleep 334"]);
        assert!(late.code == Some(124) && late.stderr.contains("time limit"), "{late:?}");
        let missing = place.run(&["run", "--backend", "sandbox", "--", "no-such-program"]);
        assert!(missing.code == Some(125) && missing.stderr.contains("no-such-program"), "{missing:?}");
    }
}

#[test]
fn it_reaches_nobody_and_sees_nobody() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    for place in places() {
        let script = format!("exec 3<>/dev/tcp/127.0.0.1/{port} && echo reached; ps -e | wc -l; hostname");
        let ran = confined(&place, &script);
        assert!(!ran.stdout.contains("reached"), "{ran:?}");
        assert!(
            ran.stdout.ends_with("\nherm\n") && ran.stdout.trim().lines().next().unwrap().len() < 2,
            "{ran:?}"
        );
        // What it starts can still talk to itself.
        let own = "python3 -c \"import socket; s = socket.create_server(('127.0.0.1', 0)); socket.create_connection(s.getsockname()); print('own')\"";
        assert_eq!(confined(&place, own).stdout, "own\n");
    }
}

#[test]
fn files_of_a_third_user_are_used_as_the_owner_of_the_workspace_could() {
    let place = Place::new();
    if !rustix::process::geteuid().is_root() {
        return;
    }
    let chown =
        |name: &str, user| std::os::unix::fs::chown(place.work(name), Some(user), Some(user)).unwrap();
    place.file("theirs", "text\n");
    place.file("ours", "text\n");
    chown("theirs", 61_234);
    let read = confined(&place, "cat theirs ours; echo new > ours");
    assert_eq!((read.stdout.as_str(), read.stderr.as_str(), read.code), ("text\ntext\n", "", Some(0)));
    let written = confined(&place, "echo new > theirs");
    assert_eq!(fs::read_to_string(place.work("theirs")).unwrap(), "text\n");
    assert!(written.stderr.contains("theirs: Permission denied"), "{written:?}");
    assert!(
        written.stderr.contains("theirs` belongs to user 61234, and the workspace to user 0"),
        "{written:?}"
    );
    // A workspace of somebody else: what is made belongs to them, and what is root's there is not theirs to change.
    for name in ["", ".git", "ours", "theirs"] {
        chown(name, 61_234);
    }
    place.file("of-root", "text\n");
    let ran = confined(&place, "echo made > made; echo new > theirs; echo new > of-root");
    assert!(ran.stderr.contains("of-root` belongs to user 0, and the workspace to user 61234"), "{ran:?}");
    assert_eq!(fs::metadata(place.work("made")).unwrap().uid(), 61_234);
    assert_eq!(fs::read_to_string(place.work("of-root")).unwrap(), "text\n");
}

#[test]
fn nobody_inside_learns_how_herm_was_started() {
    for place in places() {
        let look = "tr '\\0' ' ' < /proc/1/cmdline; echo; wc -c < /proc/1/cmdline; ps -o args= -p 1";
        let ran = confined(&place, look);
        assert_eq!(ran.stdout, "herm \n5\nherm\n", "{ran:?}");
    }
}

#[test]
fn what_would_make_others_run_code_is_locked() {
    for place in places() {
        place.file(".git/hooks/sample", "");
        place.file(".git/config", "[core]\n");
        place.file(".claude/settings.json", "{}");
        place.file("build.sh", "echo x > .git/hooks/pre-commit; echo x > .git/config; echo x > .claude/settings.json; echo x > made");
        let ran = place.run(&["run", "--yolo", "--backend", "sandbox", "bash build.sh"]);
        assert_eq!(ran.stderr.matches("Read-only file system").count(), 3, "{ran:?}");
        assert!(place.work("made").exists() && !place.work(".git/hooks/pre-commit").exists());
    }
}

#[test]
fn code_works_in_a_directory_of_its_own() {
    for place in places() {
        place.file("data", "in the workspace");
        let script = format!("import os; print(os.listdir('.'), open({:?}).read())", place.work("data"));
        let ran = place.run(&["run", "--backend", "sandbox", "--language", "python", &script]);
        assert_eq!(ran.stdout, "['script.py'] in the workspace\n", "{ran:?}");
    }
}

#[test]
fn credential_files_are_where_skills_expect_them() {
    let place = Place::new();
    place.config("terminal:\n  credential_files: [token.json]\n");
    fs::write(place.guard().join("token.json"), "given").unwrap();
    let ran = confined(&place, "cat /root/.hermes/token.json; findmnt -no OPTIONS /root/.hermes/token.json");
    assert!(ran.stdout.starts_with("givenro,"), "{ran:?}");
    let local = place.run(&["run", "cat /root/.hermes/token.json"]);
    assert_ne!(local.stdout, "given");
}

#[test]
fn the_record_says_what_was_demanded_and_what_held() {
    let place = Place::new();
    let ran = place.run(&["run", "--backend", "sandbox", "--json", "true"]);
    let reply: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
    let shown = place.run(&["audit", "show", reply["receipt"].as_str().unwrap()]);
    let (intent, outcome) = shown.stdout.split_once("\n}\n").unwrap();
    assert!(intent.contains("\"backend\": \"sandbox\""), "{shown:?}");
    for measure in ["guarded-network", "private-files", "system-call-filter", "no-rights", "other-user"] {
        let quoted = format!("\"{measure}\"");
        assert!(intent.contains(&quoted) && outcome.contains(&quoted), "{measure}: {shown:?}");
    }
}

#[test]
fn what_stays_inside_is_not_asked_about_and_what_leaves_is() {
    for place in places() {
        place.file("src/main.c", "");
        fs::create_dir_all(place.home().join("other")).unwrap();
        let elsewhere = confined(&place, "rm -rf ~/other; ls ~");
        assert!(elsewhere.code == Some(0) && place.home().join("other").exists(), "{elsewhere:?}");
        let here = confined(&place, "rm -rf src");
        assert!(here.code == Some(126) && place.work("src/main.c").exists(), "{here:?}");
    }
}

#[test]
fn a_home_directory_is_too_wide() {
    let place = Place::new();
    let ran = Ran::of(place.herm(&["run", "--backend", "sandbox", "true"]).current_dir(place.home()));
    assert!(ran.code == Some(125) && ran.stderr.contains("holds the home directory"), "{ran:?}");
}

#[test]
fn a_terminal_of_its_own_works_inside() {
    let place = Place::new();
    let ran = place.at_terminal(
        60,
        &[],
        &["run", "--backend", "sandbox", "--interactive", "test -t 0 && stty size && echo seen > /dev/tty"],
    );
    assert!(ran.stdout.contains("24 60") && ran.stdout.contains("seen"), "{ran:?}");
}

#[test]
fn settings_that_run_nothing_can_be_set() {
    for place in places() {
        let git = |arguments: &[&str]| Ran::of(place.command("git").args(arguments));
        git(&["init", "--quiet", "."]);
        place.file("bin/git", "#!/bin/sh\necho x > .git/config\n");
        place.give();
        let set = "git config user.name 'A. U. Thor' && git remote add up git@host.example:a/b.git";
        let mut herm = place.herm(&["run", "--backend", "sandbox", set]);
        let found = herm.get_envs().find(|(name, _)| *name == "PATH").and_then(|(_, value)| value);
        let path = format!("{}:{}", place.work("bin").display(), found.unwrap().to_str().unwrap());
        let ran = Ran::of(herm.env("PATH", path));
        assert_eq!(ran.code, Some(0), "{ran:?}");
        let settings = fs::read_to_string(place.work(".git/config")).unwrap();
        assert!(
            settings.contains("A. U. Thor") && settings.contains("git@host.example:a/b.git"),
            "{settings}"
        );
        for more in
            ["git config core.fsmonitor ./run", "git config user.name B; sh -c 'git config alias.a !run'"]
        {
            let ran = place.run(&["run", "--yolo", "--backend", "sandbox", more]);
            assert!(ran.stderr.contains("could not write config file"), "{ran:?}");
        }
        assert_eq!(fs::read_to_string(place.work(".git/config")).unwrap(), settings);
    }
}

/// What is not asked about inside because it acts on the machine finds nothing there to act on.
#[test]
fn the_machine_cannot_be_changed_from_inside() {
    let script = "for place in /etc /etc/passwd /etc/cron.d /var/spool/cron /var/lib/dpkg /usr/lib/systemd/system /boot; do test -w $place && \
                  echo can write $place; done; for socket in /run/systemd/private /run/dbus/system_bus_socket /run/systemd/journal/socket \
                  /var/run/docker.sock; do test -e $socket && echo found $socket; done; echo over";
    for place in places() {
        let ran = confined(&place, script);
        assert_eq!(ran.stdout, "over\n", "{ran:?}");
    }
}
