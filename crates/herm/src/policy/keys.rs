//! Every key of the configuration, in one table.
//!
//! Reading, checking, the JSON schema and the reference page all come from [`KEYS`].

use super::auxiliary;
use super::config::Case;
use super::credential;
use super::egress;
use super::hooks::{self, Event};
use super::terminal;
use super::value::{boolean, check, choice, entries, list, number, text, texts};
use super::{Mode, Preset};

pub use super::key::{Key, Kind, Scope};

/// Sections in which an unknown key is a mistake. Elsewhere it belongs to Hermes.
pub(super) const STRICT_SECTIONS: &[&str] = &["approvals", "egress", "file_safety"];

/// A key that is checked and has no effect yet. Until it has, nobody but the person may think that it does.
const fn kept(path: &'static str, kind: Kind, default: &'static str, about: &'static str) -> Key {
    Key {
        path,
        kind,
        default,
        about,
        scope: Scope::Trusted,
        set: |key, _, node| check(key.kind, node, key.path),
    }
}

/// What is done about somebody unknown who writes.
const STRANGERS: Kind = Kind::Choice(&["pair", "ignore"]);

/// Where commands may be meant to run.
const BACKENDS: &[&str] = &[
    "local",
    "apptainer",
    "daytona",
    "docker",
    "kubernetes",
    "modal",
    "podman",
    "sandbox",
    "singularity",
    "ssh",
];

/// Every key.
pub static KEYS: &[Key] = &[
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
            let path = text(node, "approvals.broker")?;
            config.broker = Some((node.at, path.to_owned()));
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
        path: "auxiliary.approval.api_key",
        kind: Kind::Text,
        default: "null",
        about: "Where the key of the model is: `${NAME}` means that line of `.env`. The key itself is refused here.",
        scope: Scope::Trusted,
        set: |_, config, node| auxiliary::key(node).map(|name| config.auxiliary.key = name),
    },
    Key {
        path: "auxiliary.approval.base_url",
        kind: Kind::Text,
        default: "null",
        about: "Where the model that answers in `smart` mode is: `https://`, or `http://` on this machine.",
        scope: Scope::Trusted,
        set: |_, config, node| {
            auxiliary::setting(node, "auxiliary.approval.base_url").map(|url| config.auxiliary.base_url = url)
        },
    },
    Key {
        path: "auxiliary.approval.model",
        kind: Kind::Text,
        default: "null",
        about: "Which model answers in `smart` mode.",
        scope: Scope::Trusted,
        set: |_, config, node| {
            auxiliary::setting(node, "auxiliary.approval.model").map(|model| config.auxiliary.model = model)
        },
    },
    Key {
        path: "auxiliary.approval.provider",
        kind: Kind::Text,
        default: "auto",
        about: "Whose model it is; known are the addresses and the names of the keys of the usual ones.",
        scope: Scope::Trusted,
        set: |_, config, node| {
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
        set: |_, config, node| {
            number(node, "auxiliary.approval.timeout").map(|seconds| config.auxiliary.timeout = Some(seconds))
        },
    },
    Key {
        path: "command_allowlist",
        kind: Kind::Entries,
        default: "[]",
        about: "What is not asked about. It never answers a refusal, nor a text that could not be read.",
        scope: Scope::Trusted,
        set: |_, config, node| entries(node, "command_allowlist").map(|entries| config.allow = entries),
    },
    kept(
        "discord.auto_thread",
        Kind::Boolean,
        "true",
        "Read and kept: whether an answer on Discord opens a thread.",
    ),
    kept(
        "discord.free_response_channels",
        Kind::TextOrTexts,
        "''",
        "Read and kept: channels of Discord in which nobody has to mention the bot.",
    ),
    kept(
        "discord.require_mention",
        Kind::Boolean,
        "true",
        "Read and kept: whether the bot answers on Discord only when it is mentioned.",
    ),
    kept(
        "discord.unauthorized_dm_behavior",
        STRANGERS,
        "pair",
        "Read and kept: `unauthorized_dm_behavior`, on Discord alone.",
    ),
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
    kept(
        "email.unauthorized_dm_behavior",
        STRANGERS,
        "pair",
        "Read and kept: `unauthorized_dm_behavior`, by mail alone.",
    ),
    Key {
        path: "file_safety.write_safe_root",
        kind: Kind::Paths,
        default: "null",
        about: "The directories that writing is confined to. Where several files set it, all of them hold.",
        scope: Scope::Everywhere,
        set: |_, config, node| {
            texts(node, "file_safety.write_safe_root").map(|roots| config.safe_root = roots)
        },
    },
    kept(
        "group_sessions_per_user",
        Kind::Boolean,
        "true",
        "Read and kept: whether each member of a group has a session of their own.",
    ),
    Key {
        path: "hooks.post_tool_call",
        kind: Kind::Hooks,
        default: "[]",
        about: "Programs that are told what became of a call.",
        scope: Scope::Trusted,
        set: |_, config, node| hooks::read(Event::PostToolCall, node).map(|hooks| config.hooks.extend(hooks)),
    },
    Key {
        path: "hooks.pre_tool_call",
        kind: Kind::Hooks,
        default: "[]",
        about: "Programs that are asked before a call and may object. One that fails objects, unless it has `fail_open: true`.",
        scope: Scope::Trusted,
        set: |_, config, node| hooks::read(Event::PreToolCall, node).map(|hooks| config.hooks.extend(hooks)),
    },
    kept(
        "mattermost.unauthorized_dm_behavior",
        STRANGERS,
        "pair",
        "Read and kept: `unauthorized_dm_behavior`, on Mattermost alone.",
    ),
    kept(
        "mcp_servers",
        Kind::Mappings,
        "{}",
        "Read and kept: the servers of tools, each with `command`, `args` and the `env` that it alone gets.",
    ),
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
    kept(
        "signal.unauthorized_dm_behavior",
        STRANGERS,
        "pair",
        "Read and kept: `unauthorized_dm_behavior`, on Signal alone.",
    ),
    kept(
        "slack.unauthorized_dm_behavior",
        STRANGERS,
        "pair",
        "Read and kept: `unauthorized_dm_behavior`, on Slack alone.",
    ),
    kept(
        "telegram.unauthorized_dm_behavior",
        STRANGERS,
        "pair",
        "Read and kept: `unauthorized_dm_behavior`, on Telegram alone.",
    ),
    Key {
        path: "terminal.backend",
        kind: Kind::Choice(BACKENDS),
        default: "local",
        about: "Where commands run. So far there is `local`; with any other, `herm run` runs nothing unless it is told `--backend local`.",
        scope: Scope::Trusted,
        set: |key, config, node| {
            choice(node, key.path, BACKENDS).map(|word| config.terminal.backend = Some(word.to_owned()))
        },
    },
    kept("terminal.container_cpu", Kind::Number, "1", "Read and kept: the processors that a container gets."),
    kept(
        "terminal.container_disk",
        Kind::Number,
        "51200",
        "Read and kept: the megabytes of disk that a container gets.",
    ),
    kept(
        "terminal.container_memory",
        Kind::Number,
        "5120",
        "Read and kept: the megabytes of memory that a container gets.",
    ),
    kept(
        "terminal.container_persistent",
        Kind::Boolean,
        "true",
        "Read and kept: whether the files of a container stay from one session to the next.",
    ),
    Key {
        path: "terminal.credential_files",
        kind: Kind::Texts,
        default: "[]",
        about: "Files of herm's own directory that an isolated backend is given, read-only. On `local` they are only checked and listed, since commands have the caller's rights there.",
        scope: Scope::Trusted,
        set: |_, config, node| {
            terminal::files(node, &config.file).map(|files| config.terminal.credentials = files)
        },
    },
    kept(
        "terminal.cwd",
        Kind::Text,
        ".",
        "Read and kept: the working directory in a container. Here commands start where herm does, or in `--cwd`.",
    ),
    kept("terminal.daytona_image", Kind::Text, "null", "Read and kept: the image of a Daytona workspace."),
    kept(
        "terminal.docker_forward_env",
        Kind::Texts,
        "[]",
        "Read and kept: variables that a container gets. None is passed on because of it.",
    ),
    kept("terminal.docker_image", Kind::Text, "null", "Read and kept: the image of a container."),
    kept(
        "terminal.docker_mount_cwd_to_workspace",
        Kind::Boolean,
        "false",
        "Read and kept: whether a container sees the working directory.",
    ),
    Key {
        path: "terminal.env_passthrough",
        kind: Kind::Texts,
        default: "[]",
        about: "Variables that commands and code get although their names say that they are secret. Those that are not set are left out; what belongs to the agent itself is refused.",
        scope: Scope::Trusted,
        set: |_, config, node| {
            terminal::variables(node, &config.file).map(|names| config.terminal.passthrough = names)
        },
    },
    Key {
        path: "terminal.max_timeout",
        kind: Kind::Number,
        default: "600",
        about: "The most seconds that a call may ask for: 120 in the strict preset, or fewer. Of several files, the shortest holds.",
        scope: Scope::Trusted,
        set: |key, config, node| {
            terminal::seconds(node, key.path).map(|seconds| config.terminal.max_timeout = Some(seconds))
        },
    },
    kept("terminal.modal_image", Kind::Text, "null", "Read and kept: the image of a Modal sandbox."),
    kept(
        "terminal.persistent_shell",
        Kind::Boolean,
        "false",
        "Read and kept: whether commands share a shell. Each has one of its own here.",
    ),
    kept(
        "terminal.singularity_image",
        Kind::Text,
        "null",
        "Read and kept: the image of a Singularity container.",
    ),
    kept("terminal.ssh_host", Kind::Text, "null", "Read and kept: the machine of the `ssh` backend."),
    kept("terminal.ssh_key", Kind::Text, "null", "Read and kept: the key file of the `ssh` backend."),
    kept("terminal.ssh_port", Kind::Number, "22", "Read and kept: the port of the `ssh` backend."),
    kept("terminal.ssh_user", Kind::Text, "null", "Read and kept: the user of the `ssh` backend."),
    Key {
        path: "terminal.timeout",
        kind: Kind::Number,
        default: "180",
        about: "Seconds that a command may run: 30 in the strict preset, or fewer. Never more than `terminal.max_timeout`; of several files, the shortest holds.",
        scope: Scope::Trusted,
        set: |key, config, node| {
            terminal::seconds(node, key.path).map(|seconds| config.terminal.timeout = Some(seconds))
        },
    },
    Key {
        path: "tests",
        kind: Kind::Cases,
        default: "[]",
        about: "Commands with the decision that is expected, for `herm config test`.",
        scope: Scope::Everywhere,
        set: |_, config, node| {
            config.tests = list(node, "tests")?.iter().map(Case::read).collect::<Result<_, _>>()?;
            Ok(())
        },
    },
    kept(
        "unauthorized_dm_behavior",
        STRANGERS,
        "pair",
        "Read and kept: what somebody unknown who writes gets, a code to pair with or nothing.",
    ),
    kept(
        "whatsapp.unauthorized_dm_behavior",
        STRANGERS,
        "pair",
        "Read and kept: `unauthorized_dm_behavior`, on WhatsApp alone.",
    ),
    kept(
        "yolo",
        Kind::Boolean,
        "false",
        "Read and kept: it switches nothing off. Whoever wants no questions writes `approvals.mode: off`.",
    ),
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
