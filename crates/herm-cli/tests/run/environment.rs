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
fn the_configuration_passes_variables_on() {
    let place = Place::new();
    place.config("terminal:\n  env_passthrough: [MY_TOKEN, NOT_SET_KEY]\n");
    let ran = Ran::of(place.herm(&["run", "env"]).env("MY_TOKEN", "blue").env("OTHER_TOKEN", "red"));
    assert_eq!(ran.code, Some(0), "{ran:?}");
    // The name says that the value is a secret, so it is taken out of what is shown; the command itself has it.
    assert!(ran.stdout.contains("MY_TOKEN=") && !ran.stdout.contains("OTHER_TOKEN"), "{ran:?}");
    let has = r#"test "$MY_TOKEN" = blue && echo it is"#;
    assert_eq!(Ran::of(place.herm(&["run", has]).env("MY_TOKEN", "blue")).stdout, "it is\n");
    let script = "import os; print('MY_TOKEN' in os.environ, 'NOT_SET_KEY' in os.environ)";
    let ran = Ran::of(place.herm(&["run", "--language", "python", script]).env("MY_TOKEN", "blue"));
    assert_eq!(ran.stdout, "True False\n", "{ran:?}");
}

#[test]
fn nobody_passes_on_what_belongs_to_the_agent() {
    let place = Place::new();
    place.config("terminal:\n  env_passthrough: [OPENROUTER_API_KEY]\n");
    let ran = Ran::of(place.herm(&["run", "env"]).env("OPENROUTER_API_KEY", "x"));
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(125), ""), "{ran:?}");
    assert!(
        ran.stderr.contains("config.yaml:2:21: `OPENROUTER_API_KEY` is not passed on: it is "),
        "{ran:?}"
    );
    assert!(place.ledger().is_empty());
}

const SKILL: &str = "---\nname: gif\nrequired_environment_variables:\n  - name: TENOR_API_KEY\n  - GIPHY_API_KEY\n  \
                     - ANTHROPIC_API_KEY\nrequired_credential_files:\n  - path: google_token.json\n  - path: ../out.json\n  \
                     - path: .env\n---\n# Gifs\n";

#[test]
fn a_skill_gets_what_it_declares_and_a_skill_may_have() {
    let place = Place::new();
    place.file("skills/gif/SKILL.md", SKILL);
    std::fs::create_dir_all(place.guard()).unwrap();
    std::fs::write(place.guard().join(".env"), "").unwrap();
    let has = r#"echo "${TENOR_API_KEY:+tenor} ${GIPHY_API_KEY:+giphy} ${ANTHROPIC_API_KEY:+anthropic}""#;
    let with = |skill: &[&str]| {
        let arguments = [&["run"], skill, &[has]].concat();
        Ran::of(place.herm(&arguments).env("TENOR_API_KEY", "t").env("ANTHROPIC_API_KEY", "a"))
    };
    assert_eq!(with(&[]).stdout, "  \n");
    for skill in ["skills/gif", "skills/gif/SKILL.md"] {
        let ran = with(&["--skill", skill]);
        assert_eq!(ran.stdout, "tenor  \n", "{ran:?}");
        for note in [
            "herm: a skill needs `GIPHY_API_KEY`, which is not set\n",
            "herm: a skill wants `ANTHROPIC_API_KEY`, which is not passed on: it is ",
            "herm: a skill needs the file `google_token.json`, which is not there\n",
            "herm: a skill wants the file `../out.json`, which it does not get: it lies outside the home\n",
            "herm: a skill wants the file `.env`, which it does not get: it holds keys of the agent itself\n",
        ] {
            assert!(ran.stderr.contains(note), "{note}: {ran:?}");
        }
    }
}

#[test]
fn a_skill_that_cannot_be_read_stops_the_run() {
    let place = Place::new();
    place.file("broken.md", "---\nrequired_environment_variables: A\n---\n");
    for (skill, told) in [("none", "cannot read `none`"), ("broken.md", "broken.md:2:33: ")] {
        let ran = place.run(&["run", "--skill", skill, "echo ran"]);
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(125), ""), "{ran:?}");
        assert!(ran.stderr.contains(told), "{ran:?}");
    }
}

#[test]
fn credential_files_are_checked_and_listed() {
    let place = Place::new();
    place.config("terminal: {credential_files: [token.json, absent.json]}\n");
    std::fs::write(place.guard().join("token.json"), "{}").unwrap();
    let shown = place.run(&["config", "show"]);
    assert!(shown.stdout.contains("  credential_files: [\"token.json\", \"absent.json\"]"), "{shown:?}");
    std::os::unix::fs::symlink("/etc/hostname", place.guard().join("absent.json")).unwrap();
    let ran = place.run(&["run", "echo ran"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(125), ""), "{ran:?}");
    assert!(
        ran.stderr.contains("config.yaml:1:43: `absent.json` is not mounted: it lies outside the home"),
        "{ran:?}"
    );
}

#[test]
fn secrets_are_shown_to_who_wants_them_and_recorded_never() {
    let secret = format!("ghp_{}", "a1B2c3D4e5".repeat(4).get(..36).unwrap());
    for (config, shown) in [("", false), ("security: {redact_secrets: false}\n", true)] {
        let place = Place::new();
        place.config(config);
        place.file("key.txt", &secret);
        let plain = place.run(&["run", "--captured", "cat key.txt"]);
        assert_eq!(plain.stdout.contains(&secret), shown, "{plain:?}");
        let json = place.run(&["run", "--json", "cat key.txt"]).json();
        assert_eq!(json["stdout"].as_str().unwrap().contains(&secret), shown, "{json}");
        let at_terminal = place.at_terminal(80, &[], &["run", "cat key.txt"]);
        assert_eq!(at_terminal.stdout.contains(&secret), shown, "{at_terminal:?}");
        let records = place.ledger();
        assert!(records.len() >= 6 && !format!("{records:?}").contains(&secret), "{records:?}");
    }
}

#[test]
fn our_own_values_are_taken_out_whatever_the_policy_shows() {
    let ours = "FOO=supersecretvalue\nPIN=48392017\nMODE=fast\n";
    let secret = format!("ghp_{}", "a1B2c3D4e5".repeat(4).get(..36).unwrap());
    let text = format!("{secret} supersecretvalue 48392017 fast\nMODE=fast c3VwZXJzZWNyZXR2YWx1ZQ==\n");
    let expected = format!("{secret} [REDACTED] [REDACTED] fast\nMODE=[REDACTED] [REDACTED]Q==\n");
    for (config, expected) in [
        ("security: {redact_secrets: false}\n", expected.clone()),
        ("", expected.replace(&secret, "[REDACTED]")),
    ] {
        let place = Place::new();
        place.config(config);
        std::fs::write(place.guard().join(".env"), ours).unwrap();
        place.file("text", &text);
        assert_eq!(place.run(&["run", "--captured", "cat text"]).stdout, expected);
        // Split between two reads, and without an end.
        let split = "printf 'MODE=fa'; sleep 0.4; printf 'st supersec'; sleep 0.4; printf retvalue";
        assert_eq!(place.run(&["run", "--captured", split]).stdout, "MODE=[REDACTED] [REDACTED]");
        assert_eq!(place.run(&["run", "--json", "cat text"]).json()["stdout"], expected);
        let at_terminal = place.at_terminal(200, &[], &["run", "cat text"]);
        assert_eq!(at_terminal.stdout.replace('\r', ""), expected);
        assert!(!format!("{:?}", place.ledger()).contains("supersecretvalue"));
    }
}

#[test]
fn times_of_the_configuration_hold() {
    let place = Place::new();
    place.config("terminal: {timeout: 1, max_timeout: 2}\n");
    let usual = place.run(&["run", "--json", "sleep 20"]).json();
    assert_eq!((&usual["exit_code"], &usual["ending"]), (&124.into(), &"timed-out".into()), "{usual}");
    let most = place.run(&["run", "--json", "--timeout", "600", "sleep 20"]).json();
    assert!(most["duration"].as_f64().unwrap() < 10.0 && most["exit_code"] == 124, "{most}");
}

#[test]
fn another_backend_is_not_replaced_by_this_machine() {
    let place = Place::new();
    place.config("terminal: {backend: docker}\n");
    let ran = place.run(&["run", "echo ran"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(125), ""), "{ran:?}");
    assert!(ran.stderr.contains("`terminal.backend` is `docker`"), "{ran:?}");
    assert_eq!(place.run(&["run", "--backend", "local", "echo ran"]).stdout, "ran\n");
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
