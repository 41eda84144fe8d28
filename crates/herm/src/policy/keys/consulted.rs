//! Who is heard before and after a call: a model, and the operator's hooks.

use super::{Key, Kind, Scope};
use crate::policy::auxiliary;
use crate::policy::hooks::{self, Event};
use crate::policy::value::number;

/// The keys of `auxiliary` and `hooks`.
pub(super) static CONSULTED: &[Key] = &[
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
];
