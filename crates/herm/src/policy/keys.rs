//! Every key of the configuration, in one table.
//!
//! Reading, checking, the JSON schema and the reference page all come from [`KEYS`].

use super::auxiliary;
use super::config::{Case, Config};
use super::hooks::{self, Event};
use super::value::{Located, boolean, choice, entries, list, number, text, texts};
use super::yaml::Node;
use super::{Mode, Preset};

/// A key of the configuration.
#[derive(Clone, Copy, Debug)]
pub struct Key {
    /// Its path: `approvals.deny`.
    pub path: &'static str,
    /// What its value is.
    pub kind: Kind,
    /// What holds without it, as YAML.
    pub default: &'static str,
    /// What it does, in a sentence.
    pub about: &'static str,
    /// Who may set it.
    pub scope: Scope,
    pub(super) set: fn(&mut Config, &Node) -> Result<(), Located>,
}

/// What a value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// `true` or `false`.
    Boolean,
    /// Commands with the decision that is expected.
    Cases,
    /// One of these words.
    Choice(&'static [&'static str]),
    /// Rule names, descriptions, matchers or patterns.
    Entries,
    /// Hooks: a list of them, or tools with theirs.
    Hooks,
    /// A whole number.
    Number,
    /// A path, or a list of them.
    Paths,
    /// A text.
    Text,
    /// A list of texts.
    Texts,
}

/// Who may set a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// Anyone: it can only tighten.
    Everywhere,
    /// The machine's and the user's own files.
    Trusted,
}

/// Sections in which an unknown key is a mistake. Elsewhere it belongs to Hermes.
pub(super) const STRICT_SECTIONS: &[&str] = &["approvals", "file_safety"];

/// Every key.
pub static KEYS: &[Key] = &[
    Key {
        path: "approvals.approvers",
        kind: Kind::Texts,
        default: "[]",
        about: "The users, by name or number, whose answers `herm broker` takes from the machine's other users.",
        scope: Scope::Trusted,
        set: |config, node| {
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
        set: |config, node| entries(node, "approvals.ask").map(|entries| config.ask = entries),
    },
    Key {
        path: "approvals.broker",
        kind: Kind::Text,
        default: "null",
        about: "The socket of a broker under a user of its own: it asks, remembers and records, and nobody else does.",
        scope: Scope::Trusted,
        set: |config, node| {
            let path = text(node, "approvals.broker")?;
            config.broker = Some((node.at, path.to_owned()));
            Ok(())
        },
    },
    Key {
        path: "approvals.cron_mode",
        kind: Kind::Text,
        default: "deny",
        about: "Kept for Hermes; without a person, questions are refused.",
        scope: Scope::Trusted,
        set: |_, node| text(node, "approvals.cron_mode").map(drop),
    },
    Key {
        path: "approvals.deny",
        kind: Kind::Entries,
        default: "[]",
        about: "What is refused in every preset and mode.",
        scope: Scope::Everywhere,
        set: |config, node| entries(node, "approvals.deny").map(|entries| config.deny = entries),
    },
    Key {
        path: "approvals.destructive_slash_confirm",
        kind: Kind::Boolean,
        default: "true",
        about: "Kept for Hermes.",
        scope: Scope::Trusted,
        set: |_, node| boolean(node, "approvals.destructive_slash_confirm").map(drop),
    },
    Key {
        path: "approvals.mcp_reload_confirm",
        kind: Kind::Boolean,
        default: "true",
        about: "Kept for Hermes.",
        scope: Scope::Trusted,
        set: |_, node| boolean(node, "approvals.mcp_reload_confirm").map(drop),
    },
    Key {
        path: "approvals.mode",
        kind: Kind::Choice(Mode::WORDS),
        default: "manual",
        about: "Who answers questions: a person, a model first, or nobody because nothing is asked.",
        scope: Scope::Trusted,
        set: |config, node| {
            let word = choice(node, "approvals.mode", &["manual", "smart", "off", "false"])?;
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
        set: |config, node| {
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
        set: |config, node| number(node, "approvals.timeout").map(|seconds| config.timeout = Some(seconds)),
    },
    Key {
        path: "auxiliary.approval.api_key",
        kind: Kind::Text,
        default: "null",
        about: "Where the key of the model is: `${NAME}` means that line of `.env`. The key itself is refused here.",
        scope: Scope::Trusted,
        set: |config, node| auxiliary::key(node).map(|name| config.auxiliary.key = name),
    },
    Key {
        path: "auxiliary.approval.base_url",
        kind: Kind::Text,
        default: "null",
        about: "Where the model that answers in `smart` mode is: `https://`, or `http://` on this machine.",
        scope: Scope::Trusted,
        set: |config, node| {
            auxiliary::setting(node, "auxiliary.approval.base_url").map(|url| config.auxiliary.base_url = url)
        },
    },
    Key {
        path: "auxiliary.approval.model",
        kind: Kind::Text,
        default: "null",
        about: "Which model answers in `smart` mode.",
        scope: Scope::Trusted,
        set: |config, node| {
            auxiliary::setting(node, "auxiliary.approval.model").map(|model| config.auxiliary.model = model)
        },
    },
    Key {
        path: "auxiliary.approval.provider",
        kind: Kind::Text,
        default: "auto",
        about: "Whose model it is; known are the addresses and the names of the keys of the usual ones.",
        scope: Scope::Trusted,
        set: |config, node| {
            auxiliary::setting(node, "auxiliary.approval.provider")
                .map(|name| config.auxiliary.provider = name)
        },
    },
    Key {
        path: "auxiliary.approval.timeout",
        kind: Kind::Number,
        default: "30",
        about: "Seconds to wait for the model; after that a person is asked.",
        scope: Scope::Trusted,
        set: |config, node| {
            number(node, "auxiliary.approval.timeout").map(|seconds| config.auxiliary.timeout = Some(seconds))
        },
    },
    Key {
        path: "command_allowlist",
        kind: Kind::Entries,
        default: "[]",
        about: "What is not asked about. It never answers a refusal, nor a text that could not be read.",
        scope: Scope::Trusted,
        set: |config, node| entries(node, "command_allowlist").map(|entries| config.allow = entries),
    },
    Key {
        path: "file_safety.write_safe_root",
        kind: Kind::Paths,
        default: "null",
        about: "The directories that writing is confined to. Where several files set it, all of them hold.",
        scope: Scope::Everywhere,
        set: |config, node| texts(node, "file_safety.write_safe_root").map(|roots| config.safe_root = roots),
    },
    Key {
        path: "hooks.post_tool_call",
        kind: Kind::Hooks,
        default: "[]",
        about: "Programs that are told what became of a call.",
        scope: Scope::Trusted,
        set: |config, node| hooks::read(Event::PostToolCall, node).map(|hooks| config.hooks.extend(hooks)),
    },
    Key {
        path: "hooks.pre_tool_call",
        kind: Kind::Hooks,
        default: "[]",
        about: "Programs that are asked before a call and may object. One that fails objects, unless it has `fail_open: true`.",
        scope: Scope::Trusted,
        set: |config, node| hooks::read(Event::PreToolCall, node).map(|hooks| config.hooks.extend(hooks)),
    },
    Key {
        path: "security.redact_secrets",
        kind: Kind::Boolean,
        default: "true",
        about: "Whether secrets are taken out of what tools print.",
        scope: Scope::Trusted,
        set: |config, node| {
            boolean(node, "security.redact_secrets").map(|on| config.security.redact_secrets = Some(on))
        },
    },
    Key {
        path: "security.tirith_block",
        kind: Kind::Choice(&["deny", "ask"]),
        default: "deny",
        about: "What becomes of a command that tirith blocks.",
        scope: Scope::Trusted,
        set: |config, node| {
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
        set: |config, node| {
            boolean(node, "security.tirith_enabled").map(|on| config.security.tirith_enabled = Some(on))
        },
    },
    Key {
        path: "security.tirith_fail_open",
        kind: Kind::Boolean,
        default: "true",
        about: "Whether commands go on when tirith is not there; `false` in the strict preset. One that crashes asks.",
        scope: Scope::Trusted,
        set: |config, node| {
            boolean(node, "security.tirith_fail_open").map(|on| config.security.tirith_fail_open = Some(on))
        },
    },
    Key {
        path: "security.tirith_path",
        kind: Kind::Text,
        default: "tirith",
        about: "Where tirith is: a path, or a name to look for.",
        scope: Scope::Trusted,
        set: |config, node| {
            text(node, "security.tirith_path").map(|path| config.security.tirith_path = Some(path.to_owned()))
        },
    },
    Key {
        path: "security.tirith_timeout",
        kind: Kind::Number,
        default: "5",
        about: "Seconds to wait for tirith; after that the command asks.",
        scope: Scope::Trusted,
        set: |config, node| {
            number(node, "security.tirith_timeout")
                .map(|seconds| config.security.tirith_timeout = Some(seconds))
        },
    },
    Key {
        path: "security.website_blocklist.domains",
        kind: Kind::Texts,
        default: "[]",
        about: "Hosts that nothing may connect to; `*.example.com` means its subdomains. Read and kept for later.",
        scope: Scope::Everywhere,
        set: |config, node| {
            texts(node, "security.website_blocklist.domains").map(|domains| {
                config.security.blocked_domains = domains.into_iter().map(|(_, host)| host).collect();
            })
        },
    },
    Key {
        path: "security.website_blocklist.enabled",
        kind: Kind::Boolean,
        default: "false",
        about: "Whether the list of hosts holds. Read and kept for later.",
        scope: Scope::Trusted,
        set: |config, node| {
            boolean(node, "security.website_blocklist.enabled")
                .map(|on| config.security.blocklist_enabled = Some(on))
        },
    },
    Key {
        path: "security.website_blocklist.shared_files",
        kind: Kind::Texts,
        default: "[]",
        about: "Files with more hosts, one on a line. Read and kept for later.",
        scope: Scope::Trusted,
        set: |config, node| {
            texts(node, "security.website_blocklist.shared_files").map(|files| {
                config.security.blocklist_files = files.into_iter().map(|(_, file)| file).collect();
            })
        },
    },
    Key {
        path: "tests",
        kind: Kind::Cases,
        default: "[]",
        about: "Commands with the decision that is expected, for `herm config test`.",
        scope: Scope::Everywhere,
        set: |config, node| {
            config.tests = list(node, "tests")?.iter().map(Case::read).collect::<Result<_, _>>()?;
            Ok(())
        },
    },
];

/// The key with this path.
#[must_use]
pub fn find(path: &str) -> Option<&'static Key> {
    KEYS.iter().find(|key| key.path == path)
}

/// Whether any key lies in this section.
pub(super) fn is_section(path: &str) -> bool {
    KEYS.iter().any(|key| key.path.strip_prefix(path).is_some_and(|rest| rest.starts_with('.')))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_stand_in_order_once_and_are_explained() {
        assert!(KEYS.windows(2).all(|pair| pair[0].path < pair[1].path));
        assert!(KEYS.iter().all(|key| key.about.ends_with('.')));
    }
}
