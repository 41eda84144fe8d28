//! Secrets, tirith, hosts.

use super::{Key, Kind, Scope};
use crate::policy::value::{boolean, choice, number, text, texts};

/// The keys of `security`.
pub(super) static SECURITY: &[Key] = &[
    Key {
        path: "security.redact_secrets",
        kind: Kind::Boolean,
        default: "true",
        about: "Whether secrets are taken out of what tools print. The record, questions and messages never hold them. Where several files set it, `true` holds.",
        scope: Scope::Trusted,
        set: |_, config, node| {
            boolean(node, "security.redact_secrets").map(|on| config.security.redact_secrets = Some(on))
        },
    },
    Key {
        path: "security.tirith_block",
        kind: Kind::Choice(&["deny", "ask"]),
        default: "deny",
        about: "What becomes of a command that tirith blocks.",
        scope: Scope::Trusted,
        set: |_, config, node| {
            let word = choice(node, "security.tirith_block", &["deny", "ask"])?;
            config.security.tirith_block_asks = Some(word == "ask");
            Ok(())
        },
    },
    Key {
        path: "security.tirith_enabled",
        kind: Kind::Boolean,
        default: "false",
        about: "Whether the tirith program is called as well. It is never downloaded.",
        scope: Scope::Trusted,
        set: |_, config, node| {
            boolean(node, "security.tirith_enabled").map(|on| config.security.tirith_enabled = Some(on))
        },
    },
    Key {
        path: "security.tirith_fail_open",
        kind: Kind::Boolean,
        default: "true",
        about: "Whether commands go on when tirith is not there; `false` in the strict preset. One that crashes asks.",
        scope: Scope::Trusted,
        set: |_, config, node| {
            boolean(node, "security.tirith_fail_open").map(|on| config.security.tirith_fail_open = Some(on))
        },
    },
    Key {
        path: "security.tirith_path",
        kind: Kind::Text,
        default: "tirith",
        about: "Where tirith is: a path, or a name to look for.",
        scope: Scope::Trusted,
        set: |_, config, node| {
            text(node, "security.tirith_path").map(|path| config.security.tirith_path = Some(path.to_owned()))
        },
    },
    Key {
        path: "security.tirith_timeout",
        kind: Kind::Number,
        default: "5",
        about: "Seconds to wait for tirith; after that the command asks.",
        scope: Scope::Trusted,
        set: |_, config, node| {
            number(node, "security.tirith_timeout")
                .map(|seconds| config.security.tirith_timeout = Some(seconds))
        },
    },
    Key {
        path: "security.website_blocklist.domains",
        kind: Kind::Texts,
        default: "[]",
        about: "Hosts that nothing may connect to; `*.example.com` means its subdomains. Read and kept: nothing is refused because of it yet.",
        scope: Scope::Everywhere,
        set: |_, config, node| {
            texts(node, "security.website_blocklist.domains").map(|domains| {
                config.security.blocked_domains = domains.into_iter().map(|(_, host)| host).collect();
            })
        },
    },
    Key {
        path: "security.website_blocklist.enabled",
        kind: Kind::Boolean,
        default: "false",
        about: "Read and kept: whether the list of hosts holds.",
        scope: Scope::Trusted,
        set: |_, config, node| {
            boolean(node, "security.website_blocklist.enabled")
                .map(|on| config.security.blocklist_enabled = Some(on))
        },
    },
    Key {
        path: "security.website_blocklist.shared_files",
        kind: Kind::Texts,
        default: "[]",
        about: "Read and kept: files with more hosts, one on a line.",
        scope: Scope::Trusted,
        set: |_, config, node| {
            texts(node, "security.website_blocklist.shared_files").map(|files| {
                config.security.blocklist_files = files.into_iter().map(|(_, file)| file).collect();
            })
        },
    },
];
