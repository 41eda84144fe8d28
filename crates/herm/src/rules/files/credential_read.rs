//! Reads keys, tokens, password files, or the memory or environment of another process.

use herm_shell::{Effect, Flags, PathTarget, Places, Verb};

use crate::facts::Facts;
use crate::finding::Stance;
use crate::rules::rule::{Layer, Report, Rule};
use crate::rules::subject::{is_env_file, paths};

pub(crate) static CREDENTIAL_READ: Rule = Rule {
    name: "credential-read",
    title: "read credentials",
    layer: Layer::Files,
    stance: Stance::Ask,
    finds: "Reads keys, tokens, password files, or the memory or environment of another process.",
    matters: "What the agent has read may leave through anything it says or sends.",
    instead: "Let the program that needs the secret read it.",
    suggestion: "ls ~/.ssh",
    examples: &[
        "cat ~/.ssh/id_rsa",
        "cp ~/.aws/credentials /tmp/x",
        "grep token ~/.netrc",
        "cat .env",
        "sudo cat /etc/shadow",
        "strings /proc/1/environ",
        "grep -r PRIVATE ~",
        "rg --hidden token /root",
        "tar c ~ | wc -c",
        "cat ~/.*/*",
        r#"cat "$HOME/.codex/$name.json""#,
        r#"cat "$stage.env""#,
        r#"python3 -c 'import pandas; pandas.read_csv("/etc/shadow")'"#,
        "python3 -c 'import netrc; print(netrc.netrc())'",
    ],
    near_misses: &[
        "ls -la ~/.ssh",
        "cat /etc/passwd",
        "cat .env.example",
        "stat ~/.ssh/id_rsa",
        "cat ~/.ssh/id_rsa.pub",
        "cat README.md",
        "grep -r foo .",
        "find ~ -name notes.txt",
        "ls -R ~",
        r#"sqlite3 "$name.db" 'select 1'"#,
    ],
    judge,
};

fn judge(facts: &Facts, report: &mut Report<'_>) {
    for (effect, path) in paths(facts, &[Verb::Read]).filter(|(effect, path)| is_secret(effect, path)) {
        report.effect(effect, format!("reads `{}`, which holds secrets", path.shown));
    }
    let wide = paths(facts, &[Verb::Read]).filter(|(_, path)| path.places.has(Places::ABOVE_CREDENTIALS));
    for (effect, path) in wide.filter(|(effect, path)| !is_secret(effect, path)) {
        report.effect(effect, format!("reads what is in `{}`, where secrets are kept", path.shown));
    }
}

fn is_secret(effect: &Effect, path: &PathTarget) -> bool {
    let secret = path.places.any(Places::CREDENTIAL.and(Places::MEMORY)) || is_env_file(path);
    secret && !effect.flags.has(Flags::METADATA)
}
