//! The verbs of command lines that speak of things and what to do with them: `aws ec2 terminate-instances`,
//! `gcloud compute instances delete`, `heroku apps:destroy`.
//!
//! Such clients have thousands of sub-commands and a few dozen verbs. Reading the verbs keeps up with services that
//! did not exist when this was written.

use std::borrow::Cow;

use super::arguments::Parsed;
use super::phrases::emit;
use crate::effect::{Flags, Verb};
use crate::sink::Sink;

/// What a verb does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Meaning {
    /// Makes something public, or puts a new version where others use it.
    Deploy,
    /// What is named is gone afterwards.
    Destroy,
    /// Someone gets rights.
    Grant,
    /// Credentials change.
    Login,
    /// It only looks.
    Look,
    /// What runs is restarted or taken back to an earlier version.
    Restart,
    /// It runs no more.
    Stop,
}

const WHOLE: &[(Meaning, &[&str])] = &[
    (Meaning::Deploy, &["deploy", "promote", "publish"]),
    (
        Meaning::Destroy,
        &[
            "del",
            "delete",
            "delete-batch",
            "destroy",
            "detach",
            "drop",
            "erase",
            "nuke",
            "prune",
            "purge",
            "rb",
            "rd",
            "remove",
            "reset",
            "rm",
            "terminate",
            "unset",
            "wipe",
        ],
    ),
    (
        Meaning::Grant,
        &[
            "add-iam-policy-binding",
            "add-permission",
            "attach-group-policy",
            "attach-role-policy",
            "attach-user-policy",
        ],
    ),
    (
        Meaning::Grant,
        &[
            "create-access-key",
            "create-login-profile",
            "put-bucket-acl",
            "put-bucket-policy",
            "put-group-policy",
        ],
    ),
    (
        Meaning::Grant,
        &[
            "add-user-to-group",
            "create-for-rbac",
            "create-policy-version",
            "modify-image-attribute",
            "modify-snapshot-attribute",
            "put-public-access-block",
            "put-resource-policy",
            "update-login-profile",
            "upload-ssh-public-key",
        ],
    ),
    (Meaning::Deploy, &["update-function-code"]),
    (Meaning::Grant, &["put-role-policy", "put-user-policy", "set-iam-policy", "update-assume-role-policy"]),
    (Meaning::Login, &["login", "logout", "signin", "signout"]),
    (
        Meaning::Look,
        &[
            "describe", "diff", "get", "help", "info", "inspect", "list", "list-all", "ls", "plan", "print",
            "query", "read", "search", "show", "stat", "status", "tail", "validate", "version", "wait",
            "whoami",
        ],
    ),
    (Meaning::Restart, &["reboot", "restart", "rollback"]),
    (
        Meaning::Stop,
        &["deallocate", "disable", "halt", "kill", "poweroff", "scale-to-zero", "stop", "suspend"],
    ),
];

const BEGINNINGS: &[(Meaning, &[&str])] = &[
    (
        Meaning::Destroy,
        &[
            "batch-delete-",
            "delete-",
            "deregister-",
            "destroy-",
            "drop-",
            "empty-",
            "leave-",
            "purge-",
            "release-hosts",
            "remove-",
            "revoke-",
            "schedule-key-deletion",
            "terminate-",
            "unset-",
        ],
    ),
    (Meaning::Grant, &["authorize-security-group-"]),
    (Meaning::Look, &["batch-get-", "describe-", "get-", "list-", "lookup-", "search-", "show-", "view-"]),
    (Meaning::Restart, &["failover-", "reboot-", "restore-", "rollback-"]),
    (Meaning::Stop, &["disable-", "stop-", "suspend-"]),
];

/// Nouns whose loss has a name of its own; everything else is a cloud resource.
const KINDS: &[(&str, &[&str])] = &[
    ("bucket", &["bucket", "buckets", "s3", "s3api"]),
    ("cluster", &["aks", "cluster", "clusters", "eks"]),
    ("database", &["cosmosdb", "database", "databases", "db", "pg", "postgres", "rds", "sql"]),
    ("queue", &["queue", "queues", "sqs", "topic", "topics"]),
    ("secret", &["env", "secret", "secrets", "secretsmanager", "variable", "variables"]),
];

/// How far into the words a verb may stand.
const REACH: usize = 5;

/// Reads the words of a client of a service by their verb, unless a described sub-command has spoken.
pub(super) fn read(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    read_of(parsed, sink, "cloud resource");
}

/// The same for a client whose things are of this kind unless their noun says otherwise.
pub(super) fn read_of(parsed: &Parsed<'_>, sink: &mut dyn Sink, usual: &'static str) {
    if parsed.subcommands.is_empty() {
        read_words(parsed, sink, usual);
    }
}

/// Reads the words after a sub-command that is only a noun (`vercel env`).
pub(super) fn read_below(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    read_words(parsed, sink, "cloud resource");
}

/// Reads a service and an operation (`aws ec2 terminate-instances`); what follows are options and their values.
pub(super) fn read_operation(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    let words: Vec<String> = parsed.words().take(2).collect();
    if let Some(meaning) = words.get(1).and_then(|operation| meaning(operation, 1)) {
        report(meaning, kind(&words).unwrap_or("cloud resource"), words.join(" "), sink);
    }
}

fn read_words(parsed: &Parsed<'_>, sink: &mut dyn Sink, usual: &'static str) {
    let words: Vec<String> = parsed.words().take(REACH).collect();
    if words.iter().any(|word| word == "help") {
        return;
    }
    let found = words
        .iter()
        .enumerate()
        .find_map(|(place, word)| meaning(word, place).map(|meaning| (place, meaning)));
    let Some((place, meaning)) = found else { return };
    let name = words.get(place + 1).cloned().unwrap_or_else(|| words.join(" "));
    report(meaning, kind(words.get(..=place).unwrap_or_default()).unwrap_or(usual), name, sink);
}

fn report(meaning: Meaning, kind: &'static str, name: String, sink: &mut dyn Sink) {
    match meaning {
        Meaning::Deploy => emit(sink, Verb::Publish, "deployment", name, Flags::NONE),
        Meaning::Destroy => emit(sink, Verb::Destroy, kind, name, Flags::IRREVERSIBLE),
        Meaning::Grant => emit(sink, Verb::Account, "cloud resource", name, Flags::NONE),
        Meaning::Login => emit(sink, Verb::Login, "account", "", Flags::NONE),
        Meaning::Look => {}
        Meaning::Restart => emit(sink, Verb::Service, "deployment", name, Flags::RESTART),
        Meaning::Stop => emit(sink, Verb::Service, "deployment", name, Flags::STOP),
    }
}

/// What a word means, when it is a verb. `apps:destroy` has its verb at the end; `delete-stack` is one only where no
/// name of a branch or a bucket can stand.
fn meaning(word: &str, place: usize) -> Option<Meaning> {
    let word = hyphenated(word);
    let verb = word.rsplit(':').next().unwrap_or(&word);
    let whole = WHOLE.iter().find(|(_, verbs)| verbs.contains(&verb));
    let begins = |starts: &[&str]| place <= 1 && starts.iter().any(|start| verb.starts_with(start));
    let found = whole.or_else(|| BEGINNINGS.iter().find(|(_, starts)| begins(starts)));
    found.map(|(meaning, _)| *meaning).or_else(|| ends_in_verb(verb).then_some(Meaning::Destroy))
}

/// `DeleteInstance` as `delete-instance`: some clients call the operations as their service does.
fn hyphenated(word: &str) -> Cow<'_, str> {
    let capitals = word.starts_with(|first: char| first.is_ascii_uppercase())
        && word.contains(|letter: char| letter.is_ascii_lowercase())
        && word.chars().all(|letter| letter.is_ascii_alphanumeric());
    if !capitals {
        return Cow::Borrowed(word);
    }
    let mut out = String::with_capacity(word.len() + 4);
    for letter in word.chars() {
        if letter.is_ascii_uppercase() && !out.is_empty() {
            out.push('-');
        }
        out.push(letter.to_ascii_lowercase());
    }
    Cow::Owned(out)
}

/// `ibmcloud is instance-delete`.
fn ends_in_verb(word: &str) -> bool {
    ["-delete", "-destroy", "-terminate"].iter().any(|end| word.ends_with(end))
}

fn kind(words: &[String]) -> Option<&'static str> {
    let mut parts = words.iter().rev().flat_map(|word| word.split([':', '-']));
    parts.find_map(|part| KINDS.iter().find(|(_, nouns)| nouns.contains(&part)).map(|(kind, _)| *kind))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verbs_are_told_apart() {
        for word in [
            "delete",
            "terminate-instances",
            "apps:destroy",
            "rb",
            "deregister-image",
            "schedule-key-deletion",
        ] {
            assert_eq!(meaning(word, 1), Some(Meaning::Destroy), "{word}");
        }
        assert_eq!(meaning("DeleteInstance", 1), Some(Meaning::Destroy));
        assert_eq!(meaning("DescribeInstances", 1), Some(Meaning::Look));
        for word in ["describe-instances", "list", "get-item"] {
            assert_eq!(meaning(word, 1), Some(Meaning::Look), "{word}");
        }
        for word in
            ["instances", "create-app", "put-record", "cp", "update-item", "apps", "logs", "Delete-me"]
        {
            assert_eq!(meaning(word, 1), None, "{word}");
        }
    }

    #[test]
    fn nouns_name_the_kind() {
        assert_eq!(kind(&["s3api".to_owned(), "delete-bucket".to_owned()]), Some("bucket"));
        assert_eq!(kind(&["rds".to_owned(), "delete-db-instance".to_owned()]), Some("database"));
        assert_eq!(kind(&["compute".to_owned(), "instances".to_owned(), "delete".to_owned()]), None);
    }
}
