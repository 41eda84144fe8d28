//! Speaks MCP: what messages between a client and a server mean. Bytes in, bytes out; nothing is opened or run here.

pub mod door;
pub mod events;
pub mod http;
pub mod protocol;
mod rate;
pub mod serve;
pub mod tools;
pub mod wrap;
