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
