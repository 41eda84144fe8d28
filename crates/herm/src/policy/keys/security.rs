//! Secrets, tirith, hosts.

use super::{Key, Kind, Scope};
use crate::policy::value::{boolean, choice, rounded, text, texts};
use crate::policy::{credential, egress};

/// The keys of `security`.
pub(super) static SECURITY: &[Key] = &[
    Key {
        path: "egress.allowed_domains",
        kind: Kind::Texts,
        default: "null",
        about: "The hosts that connections may go to: `example.com` is that host alone, `*.example.com` what is below it. Others are asked about, and refused where nobody is asked. Without it, every public host is allowed. Where several files set it, all of them must allow a host.",
        scope: Scope::Everywhere,
        set: |key, config, node| {
            egress::allowed(node, key.path).map(|sites| config.egress.allowed.extend(sites))
        },
    },
    Key {
        path: "egress.credentials",
        kind: Kind::Credentials,
        default: "{}",
        about: "Secrets that commands may use and not see: `secret` is a line of `.env` as `${NAME}`, `hosts` are those that get it, `headers` where it may stand (usually `authorization`), `variable` what holds the placeholder (usually `NAME`). The proxy puts the secret in on the way.",
        scope: Scope::Trusted,
        set: |_, config, node| {
            credential::read(node).map(|credentials| config.egress.credentials = credentials)
        },
    },
    Key {
        path: "egress.endpoints",
        kind: Kind::Texts,
        default: "[]",
        about: "Services on this machine or in its private networks that may be connected to, each by its exact `host:port`. The model of `auxiliary.approval.base_url` is one by itself; metadata services can be none.",
        scope: Scope::Trusted,
        set: |_, config, node| egress::endpoints(node).map(|endpoints| config.egress.endpoints = endpoints),
    },
    Key {
        path: "security.redact_secrets",
        kind: Kind::Boolean,
        default: "true",
        about: "Whether secrets are taken out of what tools print. The values of herm's own `.env` always are, and the record, questions and messages never hold any. Where several files set it, `true` holds.",
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
            rounded(node, "security.tirith_timeout")
                .map(|seconds| config.security.tirith_timeout = Some(seconds))
        },
    },
    Key {
        path: "security.website_blocklist.domains",
        kind: Kind::Texts,
        default: "[]",
        about: "Hosts that nothing may connect to: `example.com` is that host and everything below it, `*.example.com` only what is below it.",
        scope: Scope::Everywhere,
        set: |key, config, node| {
            egress::sites(node, key.path).map(|sites| {
                config.security.blocked_domains =
                    sites.iter().map(|site| site.written().to_owned()).collect();
            })
        },
    },
    Key {
        path: "security.website_blocklist.enabled",
        kind: Kind::Boolean,
        default: "false",
        about: "Whether the list of hosts that nothing may connect to holds. Where several files set it, `true` holds.",
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
        about: "Files with more such hosts, one on a line, in herm's directory or by their whole path; read again when they change. While one cannot be read, every connection is asked about.",
        scope: Scope::Trusted,
        set: |_, config, node| {
            texts(node, "security.website_blocklist.shared_files").map(|files| {
                config.security.blocklist_files = files.into_iter().map(|(_, file)| file).collect();
            })
        },
    },
];
