//! What of our environment reaches a child.

use crate::place::{Place, Ran};

#[test]
fn secrets_do_not_reach_a_command() {
    let place = Place::new();
    let names = [
        "OPENROUTER_API_KEY",
        "OPENAI_API_KEY",
        "HERMES_API_KEY",
        "DATABASE_URL",
        "GITHUB_TOKEN",
        "AWS_SECRET_ACCESS_KEY",
        "TELEGRAM_BOT_TOKEN",
        "SUDO_PASSWORD",
        "SOME_UNKNOWN_TOKEN",
        "MY_CREDENTIAL",
    ];
    let mut command = place.herm(&["run", "env"]);
    for name in names {
        command.env(name, "do-not-tell");
    }
    let ran = Ran::of(command.env("PLAIN", "fine"));
    assert!(ran.stdout.contains("PLAIN=fine\n") && ran.stdout.contains("HERM=1\n"), "{ran:?}");
    assert!(ran.stdout.contains("AGENT_FOUNDRY_RUNTIME=1\n"), "{ran:?}");
    for name in names {
        assert!(!ran.stdout.contains(name), "{name}: {ran:?}");
    }
}

#[test]
fn code_gets_less() {
    let place = Place::new();
    let script = "import os; print(sorted(os.environ))";
    let ran =
        Ran::of(place.herm(&["run", "--language", "python", script]).env("PLAIN", "x").env("AUTHOR", "x"));
    assert!(!ran.stdout.contains("PLAIN") && !ran.stdout.contains("AUTHOR"), "{ran:?}");
    assert!(ran.stdout.contains("'PATH'") && ran.stdout.contains("'HOME'"), "{ran:?}");
}

#[test]
fn what_herm_itself_was_given_cannot_be_read_from_it() {
    let place = Place::unprivileged();
    // Everybody above the command is looked at, and what is found goes where nothing takes secrets out.
    let script = "pid=$$\nwhile [ \"$pid\" -gt 1 ]; do\n  cat \"/proc/$pid/comm\" >> names\n  cat \"/proc/$pid/environ\" >> found\n  head -c 1 \
                  \"/proc/$pid/mem\" >> found\n  pid=$(sed -n 's/^PPid:[^0-9]*//p' \"/proc/$pid/status\")\ndone";
    let mut command = place.herm(&["run", "--yolo", script]);
    let ran = Ran::of(command.env("OPENAI_API_KEY", "do-not-tell").env("PLAIN", "not-a-secret"));
    let read = |name: &str| String::from_utf8_lossy(&std::fs::read(place.work(name)).unwrap()).into_owned();
    assert!(read("names").contains("herm-run\n"), "{ran:?}");
    assert!(ran.stderr.contains("/environ: Permission denied"), "{ran:?}");
    assert!(
        read("found").contains("PLAIN=not-a-secret") && !read("found").contains("do-not-tell"),
        "{ran:?}"
    );
}
