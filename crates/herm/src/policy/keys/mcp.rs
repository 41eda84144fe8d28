//! Servers of tools.

use super::{Key, Kind, Scope};
use crate::policy::mcp;

/// The keys of `mcp`.
pub(super) static MCP: &[Key] = &[Key {
    path: "mcp.servers",
    kind: Kind::Servers,
    default: "{}",
    about: "What holds for servers that speak MCP, by the names that they are wrapped under: `allow` are the tools that are not asked about and `deny` those that nobody may call, both as patterns; `env` is what the server's environment holds besides the usual, where `${NAME}` stands for that line of `.env`; `rate` is the most calls a minute (usually 120); `sampling` says whether it may have the model of its client answer (`allow`, `ask`, `deny`; usually `ask`). What it is given is judged all the same.",
    scope: Scope::Trusted,
    set: |_, config, node| mcp::read(node).map(|servers| config.mcp = servers),
}];
