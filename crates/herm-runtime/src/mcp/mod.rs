//! MCP: moves the messages, has each call of a tool decided about, and keeps what is known of servers.

pub mod pins;
pub mod serve;
pub mod wrap;

use herm::call::SessionId;

use crate::identity;

/// A session that nobody else is in: what is answered in it holds for this conversation alone.
#[must_use]
pub fn session() -> SessionId {
    SessionId(format!("mcp-{}{}", identity::fresh(), identity::fresh()))
}
