//! What is asked, refused and allowed, and how that is tested.

use super::{Key, Kind, Scope, kept};
use crate::policy::config::Case;
use crate::policy::value::{all, allowed, boolean, choice, entries, list, number, paths, text, texts};
use crate::policy::{Mode, Preset};

/// The keys of `approvals` and of what belongs to them.
pub(super) static APPROVALS: &[Key] = &[
    Key {
        path: "approvals.approvers",
        kind: Kind::Texts,
        default: "[]",
        about: "The users, by name or number, whose answers `herm broker` takes from the machine's other users.",
        scope: Scope::Trusted,
        set: |_, config, node| {
            texts(node, "approvals.approvers").map(|users| {
                config.approvers = users.into_iter().map(|(_, user)| user).collect();
            })
        },
    },
    Key {
        path: "approvals.ask",
        kind: Kind::Entries,
        default: "[]",
        about: "What must always be asked about, whatever else is allowed.",
        scope: Scope::Everywhere,
        set: |_, config, node| entries(node, "approvals.ask").map(|entries| config.ask = entries),
    },
    Key {
        path: "approvals.broker",
        kind: Kind::Text,
        default: "null",
        about: "The socket of a broker under a user of its own: it asks, remembers and records, and nobody else does.",
        scope: Scope::Trusted,
        set: |_, config, node| {
            text(node, "approvals.broker")?;
            config.broker = paths(node, "approvals.broker")?.into_iter().next();
            Ok(())
        },
    },
    kept(
        "approvals.cron_mode",
        Kind::Text,
        "deny",
        "Read and kept for Hermes: where nobody can be asked, questions are refused, whatever it says.",
    ),
    Key {
        path: "approvals.deny",
        kind: Kind::Entries,
        default: "[]",
        about: "What is refused in every preset and mode.",
        scope: Scope::Everywhere,
        set: |_, config, node| entries(node, "approvals.deny").map(|entries| config.deny = entries),
    },
    kept(
        "approvals.destructive_slash_confirm",
        Kind::Boolean,
        "true",
        "Read and kept for Hermes, which has such commands.",
    ),
    kept(
        "approvals.mcp_reload_confirm",
        Kind::Boolean,
        "true",
        "Read and kept for Hermes, which reloads servers.",
    ),
    Key {
        path: "approvals.mode",
        kind: Kind::Choice(Mode::WORDS),
        default: "manual",
        about: "Who answers questions: a person, a model first, or nobody because nothing is asked.",
        scope: Scope::Trusted,
        set: |_, config, node| {
            // Hermes takes what says no mode for the strictest.
            let word = if text(node, "approvals.mode").is_ok_and(|word| ["", "true"].contains(&word)) {
                "manual"
            } else {
                choice(node, "approvals.mode", &["manual", "smart", "off", "false"])?
            };
            config.mode = Mode::from_word(word);
            Ok(())
        },
    },
    Key {
        path: "approvals.preset",
        kind: Kind::Choice(Preset::WORDS),
        default: "hermes",
        about: "How strict the judgement is. Where several files set it, the strictest holds.",
        scope: Scope::Everywhere,
        set: |_, config, node| {
            let word = choice(node, "approvals.preset", Preset::WORDS)?;
            config.preset = Preset::from_word(word).map(|preset| (node.at, preset));
            Ok(())
        },
    },
    Key {
        path: "approvals.timeout",
        kind: Kind::Number,
        default: "60",
        about: "Seconds to wait for an answer; silence refuses.",
        scope: Scope::Trusted,
        set: |_, config, node| {
            number(node, "approvals.timeout").map(|seconds| config.timeout = Some(seconds))
        },
    },
    Key {
        path: "command_allowlist",
        kind: Kind::Entries,
        default: "[]",
        about: "What is not asked about. It never answers a refusal, nor a text that could not be read.",
        scope: Scope::Trusted,
        set: |_, config, node| allowed(node, "command_allowlist").map(|entries| config.allow = entries),
    },
    Key {
        path: "file_safety.edit_approval",
        kind: Kind::Boolean,
        default: "false",
        about: "Whether a person sees every change that herm makes to files for an agent (`herm mcp serve`) before it is made. Where several files set it, `true` holds.",
        scope: Scope::Everywhere,
        set: |_, config, node| boolean(node, "file_safety.edit_approval").map(|on| config.edit_approval = on),
    },
    Key {
        path: "file_safety.write_safe_root",
        kind: Kind::Paths,
        default: "null",
        about: "The directories that writing is confined to. Where several files set it, all of them hold.",
        scope: Scope::Everywhere,
        set: |_, config, node| {
            paths(node, "file_safety.write_safe_root").map(|roots| config.safe_root = roots)
        },
    },
    Key {
        path: "tests",
        kind: Kind::Cases,
        default: "[]",
        about: "Commands with the decision that is expected, for `herm config test`.",
        scope: Scope::Everywhere,
        set: |_, config, node| {
            config.tests = all(list(node, "tests")?.iter().map(Case::read))?;
            Ok(())
        },
    },
    Key {
        path: "undo.days",
        kind: Kind::Number,
        default: "30",
        about: "For how many days `herm undo` can take back what a try has kept.",
        scope: Scope::Trusted,
        set: |_, config, node| number(node, "undo.days").map(|days| config.undo.days = Some(days)),
    },
    Key {
        path: "undo.runs",
        kind: Kind::Number,
        default: "50",
        about: "How many runs that tries have kept `herm undo` can take back; the last one always, and 2 GiB at most.",
        scope: Scope::Trusted,
        set: |_, config, node| number(node, "undo.runs").map(|runs| config.undo.runs = Some(runs)),
    },
    kept(
        "yolo",
        Kind::Boolean,
        "false",
        "Read and kept: it switches nothing off. Whoever wants no questions writes `approvals.mode: off`.",
    ),
];
