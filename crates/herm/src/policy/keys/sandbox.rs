//! What is demanded of the sandbox.

use super::{Key, Kind, Scope};
use crate::policy::Released;
use crate::policy::config::Source;
use crate::policy::error::Problem;
use crate::policy::sandbox::{Missing, Profile, amount};
use crate::policy::value::{Wrong, choice, paths};

/// The keys of `sandbox`.
pub(super) static SANDBOX: &[Key] = &[
    Key {
        path: "sandbox.agents",
        kind: Kind::Choice(Released::WORDS),
        default: "unasked",
        about: "Which commands of agents with hooks herm runs itself, in the sandbox: none, those of an agent that asks nobody, or all that can be run so.",
        scope: Scope::Trusted,
        set: |_, config, node| {
            let word = choice(node, "sandbox.agents", Released::WORDS)?;
            config.released = Released::from_word(word);
            Ok(())
        },
    },
    Key {
        path: "sandbox.file_size",
        kind: Kind::Number,
        default: "16384",
        about: "Mebibytes that a file may grow to in the sandbox. Of several files the smallest number holds.",
        scope: Scope::Everywhere,
        set: |key, config, node| amount(node, key.path).map(|amount| config.sandbox.file_size = amount),
    },
    Key {
        path: "sandbox.missing",
        kind: Kind::Choice(Missing::WORDS),
        default: "accept",
        about: "What becomes of a command whose sandbox would lack something that was demanded and can be done without (control groups, of which limits of each process take the place; Landlock), or that would have no sandbox at all: it runs and that is recorded, a person is asked, or it is refused. Without the essential parts there is no sandbox. Of several files the strictest holds.",
        scope: Scope::Everywhere,
        set: |key, config, node| {
            choice(node, key.path, Missing::WORDS).map(|word| config.sandbox.missing = Missing::of(word))
        },
    },
    Key {
        path: "sandbox.processes",
        kind: Kind::Number,
        default: "4096",
        about: "Processes and threads that a command may have in the sandbox. Of several files the smallest number holds.",
        scope: Scope::Everywhere,
        set: |key, config, node| amount(node, key.path).map(|amount| config.sandbox.processes = amount),
    },
    Key {
        path: "sandbox.profile",
        kind: Kind::Choice(Profile::WORDS),
        default: "standard",
        about: "Which parts of the kernel commands may speak to. `nested` also opens what tools need that sandbox themselves (browsers, `bwrap`, rootless containers): namespaces and mounts, without Landlock's rules on files. `standard` in any file holds; a repository cannot say `nested`.",
        scope: Scope::Everywhere,
        set: |key, config, node| {
            let profile = Profile::of(choice(node, key.path, Profile::WORDS)?);
            if profile == Profile::Nested && config.source == Source::Repository {
                return Err(Wrong::from((node.at, Problem::Loosens(format!("{}: nested", key.path)))));
            }
            config.sandbox.profile = Some(profile);
            Ok(())
        },
    },
    Key {
        path: "sandbox.readable",
        kind: Kind::Paths,
        default: "[]",
        about: "Paths that commands see in the sandbox besides the workspace, the system and tools. Those that are not there are left out, and so is what lies in them and is called a secret; homes, credentials and herm's own files are refused. In a repository's file: those of the person's that stay.",
        scope: Scope::Everywhere,
        set: |key, config, node| paths(node, key.path).map(|paths| config.sandbox.readable = Some(paths)),
    },
    Key {
        path: "sandbox.writable",
        kind: Kind::Paths,
        default: "[]",
        about: "Paths that commands may change in the sandbox besides the workspace, with the same exceptions, and none that the system or the person runs programs from. What happens to them is asked about as in the workspace.",
        scope: Scope::Everywhere,
        set: |key, config, node| paths(node, key.path).map(|paths| config.sandbox.writable = Some(paths)),
    },
];
