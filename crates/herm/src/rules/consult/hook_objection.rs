//! What a hook of the operator objects to.

use super::judge;
use crate::finding::Stance;
use crate::rules::{Layer, Rule};

/// What a hook of the operator objects to. The examples are those of a hook that keeps commands below one directory.
pub static HOOK_OBJECTION: Rule = Rule {
    name: "hook-objection",
    title: "refused by a hook",
    layer: Layer::Consult,
    stance: Stance::Deny,
    finds: "What a hook under `hooks.pre_tool_call` objects to, and hooks that fail.",
    matters: "The operator put it there to be obeyed. One that cannot be heard may have had an objection.",
    instead: "Do what the hook's message says.",
    suggestion: "",
    examples: &["cat /srv/other/notes.txt", "ls /srv/other", "cp a.txt /srv/other/"],
    near_misses: &["ls", "cat /etc/hostname", "echo hello"],
    judge,
};
