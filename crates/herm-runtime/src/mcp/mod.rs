//! MCP: moves the messages, has each call of a tool decided about, and keeps what is known of servers.

pub mod pins;
pub mod serve;
pub mod wrap;
