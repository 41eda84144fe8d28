//! Credentials that are read along with much else, and what is read every day.

use herm::Action;

use crate::common::{act, check, policy};

#[test]
fn credentials_below_what_is_read_are_asked_about() {
    for command in [
        "grep -r PRIVATE /root",
        "grep -Rn PRIVATE ~",
        "grep -d recurse PRIVATE ~",
        "grep -re PRIVATE ~/.config",
        "cd ~ && grep -r PRIVATE",
        "rg --hidden PRIVATE ~",
        "rg -uu PRIVATE ~",
        "rg PRIVATE ~/.config",
        "ag --hidden PRIVATE ~",
        "tar c /root",
        "tar czf - ~ | base64",
        "cat ~/.*/*",
        "cat ~/.*",
        "cp -r ~ /srv/x",
        "zip -r x.zip ~",
        "grep -r PRIVATE /home/*",
    ] {
        assert_eq!(check(policy(""), command).decision.word(), "ask", "{command}");
    }
    for path in ["/root/**", "~/**", "/root/**/*", "~/.*/*", "/home/dev/**"] {
        let ruling = act(policy(""), Action::Read(path.to_owned()));
        assert_eq!(ruling.decision.word(), "ask", "{path}");
    }
}

#[test]
fn everyday_reading_is_not() {
    for command in [
        "grep -r foo .",
        "grep -rn foo src ~/project",
        "grep foo ~/notes.txt",
        "grep -rl foo ~",
        "rg foo",
        "rg --hidden foo",
        "rg foo ~",
        "ls -R ~",
        "find ~ -name notes.txt",
        "du -sh ~",
        "tar czf build.tgz build",
        "tar cf x.tar --no-recursion ..",
        "cat ~/project/*",
        "cat *",
        "cat .*",
        "cp -r src ../other",
    ] {
        let ruling = check(policy(""), command);
        assert!(
            ruling.findings.iter().all(|finding| finding.rule != "credential-read"),
            "{command}: {:?}",
            ruling.findings
        );
    }
    for path in ["./**", "src/**", "**/*", ".", "/home/dev", "/home/dev/project/**"] {
        let ruling = act(policy(""), Action::Read(path.to_owned()));
        assert_eq!(ruling.decision.word(), "allow", "{path}");
    }
}
