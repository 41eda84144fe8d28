//! Secrets on their way into version control.

use herm_shell::place::Extent;
use herm_shell::{Effect, Flags, PathTarget, Places, Provenance, Verb};

use crate::facts::Facts;
use crate::finding::Stance;
use crate::rules::exfiltration::send_secret::reads_private_file;
use crate::rules::rule::{Layer, Report, Rule};
use crate::rules::subject::{is_env_file, paths, things};

/// Adding keys or files of secrets to a commit.
pub static COMMIT_SECRET: Rule = Rule {
    name: "commit-secret",
    title: "put secrets under version control",
    layer: Layer::Command,
    stance: Stance::Ask,
    finds: "Keys, tokens or a project's file of secrets, added to a commit of git, Mercurial or Subversion by name or by a pattern that is meant for them, or in the words of one.",
    matters: "Whoever gets the repository has the secret, and a later commit does not take it out of the history.",
    instead: "Commit an example without values, and list the file in `.gitignore`.",
    suggestion: "git add .env.example",
    examples: &[
        "git add -f .env && git commit -m x && git push",
        "git add .env",
        "git add .en*",
        "git add ~/.ssh/id_rsa",
        "git commit -m x config/.env.production",
        "git update-index --add .env",
        "git stage :/.env",
        "hg add .env",
        "git hash-object -w .env",
        "git add -f secrets/prod.pem",
        "git ls-files -o | xargs git add -f",
        "jj file track .env",
        "svn add .env",
        "git commit --allow-empty -m \"deploy $(cat .env)\"",
        "git tag -a v9 -F .env",
        "git notes add -F ~/.aws/credentials HEAD",
        "git stash push -a -- .env",
        "git hash-object -w --stdin < ~/.ssh/id_rsa",
    ],
    near_misses: &[
        "git add .env.example",
        "git add src",
        "git add -A",
        "git add -f dist/app.js",
        "git add -n .env",
        "git add src/key.rs",
        "git add tests/fixtures/ca.pem",
        "git hash-object .env.example",
        "git rm --cached .env",
        "git commit -am 'Read .env'",
        "git diff .env",
        "git commit -F message.txt",
        "git stash push -m wip -- src",
        "git commit -m \"$(cat message.txt)\"",
    ],
    judge,
};

fn judge(facts: &Facts, report: &mut Report<'_>) {
    for (effect, path) in paths(facts, &[Verb::Read])
        .filter(|(effect, path)| is_staged(effect) && (is_secret(path) || is_kept_apart(effect, path)))
    {
        report.effect(effect, format!("puts `{}`, which holds secrets, under version control", path.shown));
    }
    let is_private = reads_private_file(facts);
    for (effect, command) in things(facts, Verb::Write, "commit") {
        let origin = effect.provenance;
        if origin.has(Provenance::SECRET) || is_private && origin.has(Provenance::FILE) {
            report.effect(effect, format!("records secrets with `git {command}`"));
        }
    }
}

/// Only what is to be committed is looked at as something that is tracked.
fn is_staged(effect: &Effect) -> bool {
    effect.flags.has(Flags::TRACKED.and(Flags::METADATA))
}

fn is_secret(path: &PathTarget) -> bool {
    let is_named = matches!(path.extent, Extent::Exact | Extent::Pattern);
    is_named && path.places.has(Places::CREDENTIAL) || is_env_file(path)
}

/// Whether a file's name says that it holds keys, or one is forced in from a directory of secrets. Tests have keys that open nothing.
fn is_kept_apart(effect: &Effect, path: &PathTarget) -> bool {
    if path.extent != Extent::Exact {
        // What is forced in without its being named may be what is left out for a reason.
        return matches!(path.extent, Extent::Prefix | Extent::Unknown) && effect.flags.has(Flags::FORCE);
    }
    let text = path.path.to_lowercase();
    let (directory, name) = text.rsplit_once('/').unwrap_or(("", &text));
    let is_harmless = |part: &str| HARMLESS.iter().any(|word| part.contains(word));
    let is_apart = |part: &str| matches!(part, "secrets" | ".secrets");
    let holds_keys = KEY_FILES.contains(&name) || KEYS_END.iter().any(|end| name.ends_with(end));
    let is_forced_in = effect.flags.has(Flags::FORCE) && text.split('/').any(is_apart);
    (holds_keys || is_forced_in) && !is_harmless(name) && !directory.split('/').any(is_example)
}

fn is_example(part: &str) -> bool {
    ["test", "fixture", "example", "sample", "spec", "doc"].iter().any(|word| part.starts_with(word))
}

/// Files of keys and of passwords.
const KEY_FILES: &[&str] = &[
    "credentials.json",
    "id_dsa",
    "id_ecdsa",
    "id_ed25519",
    "id_rsa",
    "private.key",
    "server.key",
    "service-account.json",
];

/// What names of such files end with.
const KEYS_END: &[&str] = &[".jks", ".kdbx", ".keystore", ".p12", ".pem", ".pfx"];

/// Words in names of files that hold the public half, or nothing.
const HARMLESS: &[&str] = &["bundle", "ca.", "cert", "chain", "example", "pub", "sample", "template", "test"];
