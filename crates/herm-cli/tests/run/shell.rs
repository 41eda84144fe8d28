//! `herm shell`, with real processes.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Stdio};

use serde_json::{Value, json};

use crate::place::{Place, eventually};

/// A shell that a program speaks to.
#[derive(Debug)]
struct Spoken {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
}

impl Spoken {
    fn to(place: &Place, arguments: &[&str]) -> Self {
        let mut command = place.herm(&[&["shell", "--json"], arguments].concat());
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let (input, output) = (child.stdin.take(), BufReader::new(child.stdout.take().unwrap()));
        Self { child, input, output }
    }

    fn line(&mut self, line: &str) -> Value {
        writeln!(self.input.as_mut().unwrap(), "{line}").unwrap();
        let mut answer = String::new();
        self.output.read_line(&mut answer).unwrap();
        serde_json::from_str(&answer).unwrap_or_else(|error| panic!("{error}: {answer}"))
    }

    fn call(&mut self, text: &str) -> Value {
        self.line(&json!({ "command": text }).to_string())
    }

    fn within(&mut self, seconds: u32, text: &str) -> Value {
        self.line(&json!({ "command": text, "timeout": seconds }).to_string())
    }

    /// What a call prints that is allowed.
    fn prints(&mut self, text: &str) -> String {
        let answer = self.call(text);
        assert_eq!(answer["decision"], "allow", "{text}: {answer}");
        answer["stdout"].as_str().unwrap_or_else(|| panic!("{text}: {answer}")).to_owned()
    }

    /// Which rules stand in the way of a text.
    fn minded(&mut self, text: &str) -> Vec<String> {
        let answer = self.call(text);
        let findings = answer["findings"].as_array().cloned().unwrap_or_default();
        let minded = findings.iter().filter(|finding| finding["stance"] != "note");
        assert_eq!(answer["decision"] == "deny", minded.clone().count() > 0, "{text}: {answer}");
        minded.map(|finding| finding["rule"].as_str().unwrap().to_owned()).collect()
    }

    fn end(mut self) -> Option<i32> {
        drop(self.input.take());
        self.child.wait().unwrap().code()
    }
}

/// Shells of root and of somebody else, confined and not: what holds must hold for all.
fn everywhere(test: impl Fn(&Place, &mut Spoken)) {
    for place in [Place::new(), Place::unprivileged()] {
        for backend in ["local", "sandbox"] {
            let mut shell = Spoken::to(&place, &["--backend", backend]);
            test(&place, &mut shell);
            assert_eq!(shell.end(), Some(0), "{backend}");
        }
    }
}

/// What is written beside the workspace is there for the calls that follow, and is told once.
#[test]
fn what_does_not_stay_is_told_once() {
    for place in [Place::new(), Place::unprivileged()] {
        let mut shell = Spoken::to(&place, &["--backend", "sandbox"]);
        let told = |answer: &Value| answer["notes"].to_string().matches("not kept: `").count();
        let first = shell.call("echo x > ~/one");
        assert!(told(&first) == 1 && first["notes"].to_string().contains("/one`"), "{first}");
        assert_eq!(told(&shell.call("cat ~/one; echo x > made")), 0);
        let next = shell.call("cat ~/one; echo x > ~/two");
        let notes = next["notes"].to_string();
        assert!(notes.contains("/two`") && !notes.contains("/one`") && next["stdout"] == "x\n", "{next}");
        assert_eq!(shell.end(), Some(0));
        assert!(!place.home().join("one").exists());
    }
}

#[test]
fn directory_variables_and_functions_go_on() {
    everywhere(|place, shell| {
        let first = shell.call("mkdir -p src; cd src; x=1; export Y='a b'; a=(1 '2 3'); f() { echo \"$x $Y ${a[1]} $1\"; }; set -o noglob; umask 027");
        assert_eq!(first["cwd"], place.work("src").to_str().unwrap());
        assert_eq!(first["state"], "kept");
        assert_eq!(
            shell.prints("f last; pwd; echo *; umask; env | grep ^Y="),
            format!("1 a b 2 3 last\n{}\n*\n0027\nY=a b\n", place.work("src").display())
        );
        assert_eq!(
            shell.prints("unset x Y; cd ..; cd -; set +o noglob; umask 022"),
            format!("{}\n", place.work("src").display())
        );
        assert_eq!(shell.prints("echo \"[$x][$Y]\"; umask; declare -F"), "[][]\n0022\ndeclare -f f\n");
    });
}

/// What must come back as it was: how to make it, and how bash tells it.
const KEPT: &[(&str, &str)] = &[
    (r#"v=$'a\nb\t"c" \'d\' \\ $HOME `id` $(id) * ? ~ ! ü \001'"#, "declare -p v"),
    (
        "v=; export w; declare -r r=1; declare -i i=3+4; declare -lx l=ABC; declare -u u=abc",
        "declare -p v w r i l u",
    ),
    ("a=(1 '2 3' '' '$x' [9]=nine); declare -a none=() declared", "declare -p a none declared"),
    (r#"declare -A m=([k]=v [a.b/c-d]=1 ["e f"]='g h' ['$x']=2 [']']=3 ['"']=4 [é]=5)"#, "declare -p m"),
    ("x=1; declare -n ref=x", "declare -p ref x"),
    ("unset HOME; TERM=other", "declare -p TERM; echo ${HOME-none}"),
    (
        "f() { local a=\"$1\"; case $a in (x|y) echo \"${a@Q}\";; *) cat <<END | tr a-z A-Z\n  $a and $(echo more)\nEND\n;; esac; }",
        "declare -f f; f x; f low",
    ),
    ("f() { cat; } <<'END'\n$not this\nEND", "declare -f f; f"),
    ("f() ( cd /; pwd ); function g-h { f; }; export -f f", "declare -f f g-h; bash -c f; g-h"),
    ("shopt -s extglob", "f() { case $1 in !(a)) echo other;; esac; }; f b"),
    (
        "f() { for ((i=0; i<2; i++)); do [[ $i =~ ^[0-9]+$ && $i -lt 5 ]] && echo $((i*2)) || :; done; }; time_it() { time :; }",
        "declare -f f time_it; f",
    ),
    (
        "shopt -s nullglob globstar; set -o pipefail -o nounset; set -C",
        "shopt -p nullglob globstar; shopt -po pipefail nounset noclobber",
    ),
    ("shopt -s expand_aliases; alias say='echo \"it'\"'\"'s\"' ll='ls -l '", "alias; say"),
];

#[test]
fn everything_that_goes_on_comes_back_as_it_was() {
    for backend in ["local", "sandbox"] {
        let place = Place::new();
        for (make, tell) in KEPT {
            let mut shell = Spoken::to(&place, &["--backend", backend, "--yolo"]);
            let made = shell.call(make);
            assert_eq!((&made["state"], &made["stderr"]), (&json!("kept"), &json!("")), "{make}: {made}");
            // What the shell that made it says of it; alias definitions hold from the next line on.
            let mut fresh = Spoken::to(&place, &["--backend", backend, "--yolo"]);
            let told = fresh.prints(&format!("{make}\n{tell}"));
            for _ in 0..3 {
                let again = shell.call(tell);
                assert_eq!(
                    (again["stdout"].as_str(), &again["stderr"]),
                    (Some(told.as_str()), &json!("")),
                    "{make}: {again}"
                );
            }
        }
    }
}

#[test]
fn a_call_is_judged_by_what_it_means_in_this_shell() {
    everywhere(|place, shell| {
        place.file("src/keep", "kept");
        // One at a time: each is harmless until it is called.
        for (define, then, undo) in [
            ("ls() { rm -rf \"$@\"; }", "ls src", "unset -f ls"),
            ("function cat { command rm -r \"$1\"; }", "cat src", "unset -f cat"),
            ("shopt -s expand_aliases; alias ls='rm -rf'", "ls src", "shopt -u expand_aliases; unalias ls"),
            ("c='rm -rf src'", "$c", "unset c"),
            ("c='rm -rf src'", "eval \"$c\"", "unset c"),
            ("declare -a words=(rm -rf src)", "\"${words[@]}\"", "unset words"),
            ("declare -n ref=target; target=rm", "$ref -rf src", "unset -n ref; unset target"),
            ("x='a[$(rm -rf src)0]'", "(( x ))", "unset x"),
            ("y=x; x='a[$(rm -rf src)0]'", "[[ 1 -eq y ]]", "unset x y"),
            ("x='a[$(rm -rf src)0]'", "RANDOM=x", "unset x"),
            ("declare -i n=1", "n='a[$(rm -rf src)0]'", "unset n"),
            ("declare -n ref=x; x='a[$(rm -rf src)0]'", "(( ref ))", "unset -n ref; unset x"),
            ("x='$(rm -rf src)'", "echo \"${x@P}\"", "unset x"),
            ("IFS=_; c=rm_-rf_src", "$c", "unset c; IFS=$' \\t\\n'"),
            ("g() { rm -rf \"$@\"; }; f() { g \"$@\"; }", "f src", "unset -f f g"),
            ("export -f true 2>/dev/null; h() { f2; }; f2() { rm -rf src; }", "h", "unset -f h f2"),
            ("cd() { rm -rf src; }", "cd src", "unset -f cd"),
            (
                "command_not_found_handle() { rm -rf src; }",
                "nosuchprogram",
                "unset -f command_not_found_handle",
            ),
        ] {
            assert_eq!(shell.minded(define), Vec::<String>::new(), "{define}");
            assert_eq!(shell.minded(then), ["recursive-delete"], "{define}; {then}");
            assert_eq!(shell.minded(undo), Vec::<String>::new(), "{undo}");
            assert_eq!(shell.prints("ls src"), "keep\n", "{define}");
        }
    });
}

#[test]
fn a_call_is_judged_where_the_shell_is() {
    let place = Place::new();
    let mut shell = Spoken::to(&place, &["--backend", "local"]);
    // Within the workspace a single file may go; where the shell is then, it is another one.
    assert_eq!(shell.minded("rm -f passwd"), Vec::<String>::new());
    assert_eq!(shell.minded("cd /etc"), Vec::<String>::new());
    assert!(!shell.minded("rm -f passwd").is_empty());
    assert!(!shell.minded("echo x > hosts").is_empty());
    assert!(!shell.minded("cat shadow").is_empty());
    // The name is a link's, and not where it leads.
    let link = place.work("harmless");
    std::os::unix::fs::symlink("/etc", link).unwrap();
    let answer = shell.call(&format!("cd {}", place.work("harmless").display()));
    assert_eq!(answer["cwd"], "/etc", "{answer}");
    assert!(!shell.minded("rm -f passwd").is_empty());
    assert_eq!(shell.end(), Some(0));
}

#[test]
fn a_shell_that_lies_is_judged_where_it_is() {
    let place = Place::new();
    let mut shell = Spoken::to(&place, &["--backend", "local"]);
    let lie = "builtin pwd >/dev/null; cd /etc; PWD=/; pwd() { echo /; }; builtin() { case $1 in pwd) echo /nowhere;; *) command \"$@\";; esac; }";
    let answer = shell.call(lie);
    let cwd = answer["cwd"].as_str().unwrap().to_owned();
    assert_eq!(shell.prints("exec readlink /proc/self/cwd").trim_end(), cwd, "{answer}");
}

#[test]
fn a_shell_that_tells_more_than_it_has_become_is_not_believed() {
    everywhere(|place, shell| {
        place.file("src/keep", "kept");
        let _ = shell.prints("x=before");
        for forged in [
            "rm -rf src",
            "declare -i n=\"a[\\$(rm -rf src)]\"",
            "declare -- y=\"\"; rm -rf src",
            "declare -- y=`rm -rf src`",
        ] {
            let quoted = forged.replace('\'', r"'\''");
            let text = format!(
                "x=after; builtin() {{ command builtin \"$@\"; if [ \"$1 $2\" = 'declare -p' ]; then command printf '%s\\n' '{quoted}'; fi; }}"
            );
            let answer = shell.call(&text);
            assert_eq!(
                (&answer["decision"], &answer["state"]),
                (&json!("allow"), &json!("lost")),
                "{answer}"
            );
            assert_eq!(shell.prints("echo $x; ls src"), "before\nkeep\n", "{forged}");
        }
    });
}

#[test]
fn programs_are_looked_for_where_the_shell_looks() {
    everywhere(|place, shell| {
        place.file("evil/ls", "#!/bin/sh\nrm -rf src\n");
        std::fs::set_permissions(place.work("evil/ls"), std::os::unix::fs::PermissionsExt::from_mode(0o755))
            .unwrap();
        assert_eq!(shell.minded("PATH=./evil:$PATH"), Vec::<String>::new());
        assert!(shell.minded("ls src").contains(&"recursive-delete".to_owned()));
        assert!(!shell.minded("/bin/ls src").iter().any(|rule| rule == "recursive-delete"));
    });
}

#[test]
fn what_makes_programs_run_something_else_is_minded_as_long_as_it_holds() {
    everywhere(|_, shell| {
        for text in ["export BASH_ENV=./e", "export LD_PRELOAD=/tmp/x.so"] {
            assert_eq!(shell.minded(text), ["environment-hijack"], "{text}");
        }
        assert_eq!(shell.minded("bash -c ls"), Vec::<String>::new(), "what was refused does not hold");
        assert_eq!(shell.minded("BASH_ENV=./e"), Vec::<String>::new(), "nobody sees it yet");
        for text in ["export BASH_ENV", "bash -c ls", "unset BASH_ENV; bash -c ls", "unset PATH"] {
            assert_eq!(shell.minded(text), ["environment-hijack"], "{text}");
        }
        assert_eq!(shell.minded("unset BASH_ENV"), Vec::<String>::new(), "whoever set it can unset it");
        assert_eq!(shell.minded("bash -c ls"), Vec::<String>::new());
        shell.call("unset() { bash -c ls; }; BASH_ENV=./e");
        assert_eq!(shell.minded("unset BASH_ENV"), ["environment-hijack"], "this is no builtin");
    });
}

#[test]
fn an_answer_covers_only_what_it_was_given_to() {
    let place = Place::new();
    place.file("src/keep", "kept");
    let mut shell = Spoken::to(&place, &["--backend", "local", "--yolo"]);
    assert_eq!(shell.prints("f() { echo one; }"), "");
    assert_eq!(shell.end(), Some(0));
    // The same words mean something else: the question is another one.
    let mut shell = Spoken::to(&place, &["--backend", "local"]);
    let one = shell.call("f() { rm -rf one; }; f");
    let two = shell.call("f() { rm -rf one; }");
    let three = shell.call("f");
    assert_eq!(
        (&one["decision"], &two["decision"], &three["decision"]),
        (&json!("deny"), &json!("allow"), &json!("deny"))
    );
    let digests: Vec<_> = place
        .ledger()
        .iter()
        .filter_map(|record| record["body"]["digest"].as_str().map(str::to_owned))
        .collect();
    let mut distinct = digests.clone();
    distinct.sort();
    distinct.dedup();
    assert_eq!(distinct.len(), digests.len(), "{digests:?}");
}

#[test]
fn a_call_that_does_not_come_back_costs_what_it_has_changed() {
    everywhere(|place, shell| {
        let _ = shell.call("mkdir -p src; cd src; x=before");
        for (text, code) in [
            ("cd ..; x=after; while :; do :; done", 124),
            ("x=after; exec true", 0),
            ("x=after; trap 'exit 3' EXIT; exit", 3),
            ("x=after; builtin() { :; }", 0),
        ] {
            let answer = shell.within(1, text);
            assert_eq!(
                (&answer["exit_code"], &answer["state"]),
                (&json!(code), &json!("lost")),
                "{text}: {answer}"
            );
            assert!(answer["notes"].to_string().contains("is lost"), "{answer}");
            assert_eq!(
                shell.prints("echo $x; pwd"),
                format!("before\n{}\n", place.work("src").display()),
                "{text}"
            );
        }
    });
}

#[test]
fn what_an_earlier_call_left_does_not_speak_in_a_later_one() {
    everywhere(|place, shell| {
        assert_eq!(shell.prints("(sleep 0.3; echo late; echo late >&2; touch spoken) & echo now"), "now\n");
        let spoken = place.work("spoken");
        for _ in 0..200 {
            let answer = shell.call("echo call");
            assert_eq!((&answer["stdout"], &answer["stderr"]), (&json!("call\n"), &json!("")), "{answer}");
            if spoken.exists() {
                let _ = shell.prints("rm -f spoken");
                return;
            }
        }
        panic!("it was never heard of");
    });
}

/// That a call was not run, because the shell's directory is gone.
#[track_caller]
fn goes_nowhere(shell: &mut Spoken, text: &str) {
    let answer = shell.call(text);
    let error = answer["error"].as_str().unwrap_or_default();
    assert!(
        error.contains("the shell cannot go on in") && error.contains("nothing was run"),
        "{text}: {answer}"
    );
    assert!(answer["notes"].to_string().contains("begin with `cd` and an absolute path"), "{text}: {answer}");
    assert_eq!((&answer["exit_code"], &answer["cwd"]), (&json!(125), &Value::Null), "{text}: {answer}");
}

#[test]
fn nothing_meant_for_a_directory_that_is_gone_happens_elsewhere() {
    everywhere(|place, shell| {
        let work = place.work("").to_str().unwrap().trim_end_matches('/').to_owned();
        place.file("b/theirs", "");
        place.give();
        let _ = shell.prints("mkdir -p b/c; cd b/c; x=kept");
        let answer = shell.call("rmdir ../c");
        assert_eq!((&answer["decision"], &answer["cwd"]), (&json!("allow"), &Value::Null), "{answer}");
        let note = format!("the directory of the shell, `{work}/b/c`, is gone");
        assert!(answer["notes"].to_string().contains(&note), "{answer}");
        for text in [
            "touch made-here",
            "pwd",
            "cd ..",
            "cd .. && touch made-here",
            "x=other",
            "cd /nowhere/at/all; touch made-here",
        ] {
            goes_nowhere(shell, text);
        }
        assert!(!place.work("made-here").exists() && !place.work("b/made-here").exists());
        // What is refused does not leave, either.
        let refused = shell.call(&format!("cd {work}; rm -r b"));
        assert_eq!((&refused["decision"], &refused["cwd"]), (&json!("deny"), &Value::Null), "{refused}");
        goes_nowhere(shell, "touch made-here");
        let back = shell.call(&format!("cd '{work}/b' && touch made-there; pwd; echo $x"));
        assert_eq!(
            (&back["stdout"], &back["cwd"], &back["notes"]),
            (&json!(format!("{work}/b\nkept\n")), &json!(format!("{work}/b")), &json!([])),
            "{back}"
        );
        assert!(place.work("b/made-there").exists());
        assert_eq!(shell.prints("rm made-there; pwd"), format!("{work}/b\n"));
    });
}

#[test]
fn a_directory_that_is_there_again_is_gone_on_in() {
    everywhere(|place, shell| {
        let _ = shell.prints("mkdir -p again; cd again");
        // By somebody else, while a process waits in it.
        std::fs::remove_dir(place.work("again")).unwrap();
        goes_nowhere(shell, "touch made");
        std::fs::create_dir(place.work("again")).unwrap();
        assert_eq!(shell.prints("pwd"), format!("{}\n", place.work("again").display()));
        let _ = shell.prints(&format!("cd {}; rmdir again", place.work("").display()));
    });
}

#[test]
fn a_repository_tightens_what_holds_in_it() {
    let place = Place::new();
    place.file("inner/.herm.yaml", "approvals:\n  deny:\n    - \"touch *\"\n");
    let mut shell = Spoken::to(&place, &["--backend", "local"]);
    let _ = shell.prints("touch a; cd inner");
    assert_eq!(shell.call("touch a")["decision"], "deny");
    let _ = shell.prints("cd ..");
    let _ = shell.prints("touch a");
    // What holds in the workspace holds in a repository inside it, wherever the shell begins.
    place.file(".herm.yaml", "approvals:\n  deny:\n    - \"mkdir *\"\n");
    place.file("inner/.git/HEAD", "");
    let mut shell = Spoken::to(&place, &["--backend", "local", "--cwd", "inner"]);
    for _ in 0..2 {
        assert_eq!(shell.call("touch a")["decision"], "deny");
        assert_eq!(shell.call("mkdir a")["decision"], "deny");
        let _ = shell.prints("cd ..; cd inner");
    }
    let _ = shell.prints("cd ..");
    assert_eq!(shell.call("mkdir a")["decision"], "deny");
    let _ = shell.prints("touch a");
}

#[test]
fn every_call_is_recorded_with_where_it_ran() {
    let place = Place::new();
    let mut shell = Spoken::to(&place, &["--backend", "local", "--session", "s1"]);
    let answer = shell.line(r#"{"id": "seven", "command": "mkdir -p src; cd src"}"#);
    assert_eq!(answer["id"], "seven");
    let _ = shell.prints("true");
    assert_eq!(shell.end(), Some(0));
    let intents: Vec<_> = place.ledger().into_iter().filter(|record| record["kind"] == "intent").collect();
    let told: Vec<_> = intents
        .iter()
        .map(|record| (record["body"]["cwd"].clone(), record["body"]["session"].clone()))
        .collect();
    let at = |name: &str| json!(place.work(name).to_str().unwrap().trim_end_matches('/'));
    assert_eq!(told, [(at(""), json!("s1")), (at("src"), json!("s1"))], "{intents:?}");
    assert_eq!(intents[0]["body"]["call"], "seven");
}

#[test]
fn lines_that_are_no_requests_are_answered_as_such() {
    let place = Place::new();
    let mut shell = Spoken::to(&place, &["--backend", "local"]);
    for line in [
        "{",
        "7",
        "{}",
        r#"{"command": 1}"#,
        r#"{"command": "true", "timeout": 0}"#,
        r#"{"command": "true", "cmd": ""}"#,
    ] {
        let answer = shell.line(line);
        assert_eq!(answer["exit_code"], 125, "{line}: {answer}");
        assert!(answer["error"].is_string(), "{line}: {answer}");
    }
    assert_eq!(shell.prints("echo fine"), "fine\n");
    assert_eq!(shell.end(), Some(0));
}

#[test]
fn everything_ends_with_the_shell() {
    everywhere(|_, shell| {
        let mark = format!("77{}", std::process::id());
        let _ = shell.prints(&format!("sleep {mark} & disown"));
    });
    let mark = format!("sleep\x0077{}\0", std::process::id());
    eventually("what it left ends with it", || {
        let processes = std::fs::read_dir("/proc").unwrap().flatten();
        let mut commands = processes.filter_map(|entry| std::fs::read(entry.path().join("cmdline")).ok());
        !commands.any(|command| command == mark.as_bytes())
    });
}

#[test]
fn what_starts_commands_shows_them_nothing() {
    for place in [Place::new(), Place::unprivileged()] {
        let mut command = place.herm(&["shell", "--json", "--backend", "sandbox", "--yolo"]);
        command.env("MY_API_TOKEN", "Xq7secret9Zk");
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let (input, output) = (child.stdin.take(), BufReader::new(child.stdout.take().unwrap()));
        let mut shell = Spoken { child, input, output };
        let look = "for p in /proc/[0-9]*; do tr '\\0' '\\n' < $p/environ | grep -c TOKEN; ls $p/fd | wc -l; cat $p/comm; \
                    grep -c Xq7 $p/mem; done 2>&1; echo \"${#MY_API_TOKEN}\"";
        let seen = shell.prints(look);
        assert!(seen.contains("herm-spawner") && seen.ends_with("\n0\n"), "{seen}");
        let lines: Vec<_> = seen.lines().collect();
        let others = lines.iter().filter(|line| line.contains("environ: Permission denied")).count();
        assert!(others >= 3, "the first process, the spawner and a supervisor are closed: {seen}");
        assert!(!lines.contains(&"1"), "nobody has the token: {seen}");
        let words = shell.prints("cat /proc/[0-9]*/cmdline | tr '\\0' ' '; echo");
        assert!(words.contains("herm") && !words.contains("--yolo"), "{words}");
        assert_eq!(shell.end(), Some(0));
    }
}

#[test]
fn a_shell_whose_ground_was_taken_away_begins_anew_with_what_it_knew() {
    for place in [Place::new(), Place::unprivileged()] {
        for backend in ["local", "sandbox"] {
            let mut shell = Spoken::to(&place, &["--backend", backend, "--yolo"]);
            let _ = shell.prints("mkdir -p src; cd src; x=known; f() { echo $x; }");
            // Whoever starts commands, whoever watches over this one, the one that waits for the next: all of them can be reached from inside.
            for text in [
                "kill -9 $(cut -d ' ' -f 4 /proc/$PPID/stat)",
                "kill -9 $PPID; sleep 5",
                // The one that waits works in this directory, and is bash; so is whoever looks for it.
                "(sleep 0.3; for p in /proc/[0-9]*; do [[ $p/cwd -ef . && ${p#/proc/} != $BASHPID && $(< $p/comm) = bash ]] && kill -9 ${p#/proc/}; done) 2>/dev/null & sleep 0.1",
            ] {
                let answer = shell.call(text);
                assert_eq!(answer["decision"], "allow", "{answer}");
                std::thread::sleep(std::time::Duration::from_millis(500));
                assert_eq!(
                    shell.prints("f; pwd"),
                    format!("known\n{}\n", place.work("src").display()),
                    "{backend}: {text}"
                );
            }
            assert_eq!(shell.end(), Some(0));
        }
    }
}

#[test]
fn when_herm_is_killed_everything_in_the_shell_ends() {
    for backend in ["local", "sandbox"] {
        let place = Place::new();
        let mark = format!("88{}", std::process::id());
        let mut shell = Spoken::to(&place, &["--backend", backend]);
        let _ = shell.prints(&format!("sleep {mark} & disown"));
        shell.child.kill().unwrap();
        let sleeping = format!("sleep\0{mark}\0");
        eventually("what it left ends with it", || {
            let processes = std::fs::read_dir("/proc").unwrap().flatten();
            let mut commands = processes.filter_map(|entry| std::fs::read(entry.path().join("cmdline")).ok());
            !commands.any(|command| command == sleeping.as_bytes())
        });
        drop(shell.input.take());
        let _ = shell.child.wait();
    }
}

#[test]
fn a_person_types_commands() {
    let place = Place::new();
    let steps = [("$ ", "cd src && x=5\n"), ("src $ ", "echo \"x is $x\"\n"), ("x is 5", "exit\n")];
    place.file("src/a", "");
    let ran = place.at_terminal(120, &steps, &["shell", "--backend", "local"]);
    assert!(ran.code == Some(0) && ran.stdout.contains("x is 5"), "{ran:?}");
}

#[test]
fn in_the_sandbox_it_has_a_guarded_way_out_and_the_record_says_so() {
    let place = Place::new();
    place.config("terminal:\n  credential_files: [token.json]\negress:\n  allowed_domains: [example.com]\n");
    std::fs::write(place.guard().join("token.json"), "given").unwrap();
    let mut shell = Spoken::to(&place, &["--backend", "sandbox", "--yolo"]);
    let devices = shell.prints("tail -n +3 /proc/net/dev | cut -d : -f 1 | tr -d ' '");
    assert_eq!(devices, "lo\n");
    let seen = shell.prints("(: < /dev/tcp/127.0.0.1/3128) && echo \"$https_proxy\"");
    assert_eq!(seen, "http://127.0.0.1:3128\n");
    // What lasts is lent no credentials.
    let seen = shell.prints("cat /root/.hermes/token.json 2>&1");
    assert!(!seen.contains("given"), "{seen}");
    assert_eq!(shell.end(), Some(0));
    let ledger = place.ledger();
    for (kind, measures) in [("intent", "requested"), ("outcome", "applied")] {
        let records: Vec<_> = ledger.iter().filter(|record| record["kind"] == kind).collect();
        assert_eq!(records.len(), 3, "{ledger:?}");
        for record in records {
            let told = record["body"][measures].as_array().unwrap();
            assert!(
                told.contains(&json!("guarded-network")) && !told.contains(&json!("no-network")),
                "{record}"
            );
        }
    }
}

#[test]
fn wrong_arguments_are_a_failure_of_its_own() {
    let ran = Place::new().run(&["shell", "--json", "--nonsense"]);
    assert!(ran.code == Some(125) && ran.json()["exit_code"] == 125, "{ran:?}");
}
