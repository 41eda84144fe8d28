//! Speaks the languages of agents: bytes of their hooks in, bytes of a decision out.
//!
//! Each agent tells its hooks in JSON of its own what a tool is about to do, and understands an answer of its own. An
//! [`Agent`] turns the first into an [`Event`], whose [`Use`]s can be judged, and an [`Answer`] into the second: a
//! [`Reply`], which is what the process prints and how it ends. Nothing is opened or run here.
//!
//! What an agent does when its hook fails is the reason for most of the details: nearly all of them run the tool then. So
//! whatever cannot be understood is answered with [`Reply::block`], which stops every one of them.
//!
//! ```
//! use herm_adapters::{Agent, Answer, Use};
//!
//! let told = br#"{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"ls"},"cwd":"/srv/app"}"#;
//! let event = Agent::ClaudeCode.decode(told)?;
//! assert!(matches!(&event.uses[..], [Use::Command { text, .. }] if text == "ls"));
//! let reply = Agent::ClaudeCode.encode(&event, &Answer::Refuse("not today".to_owned()));
//! assert_eq!(reply.exit, 2);
//! # Ok::<(), herm_adapters::Malformed>(())
//! ```

#![forbid(unsafe_code)]

pub mod acp;
mod agent;
mod agents;
pub mod amend;
mod event;
mod fields;
mod json;
pub mod jsonrpc;
pub mod keys;
mod links;
pub mod mcp;
mod patch;
mod reply;
mod rewriting;
mod skill;
mod table;
pub mod transcript;
mod typing;
pub mod wiring;

pub use agent::Agent;
pub use event::{Dialect, Event, Malformed, Phase, Use};
pub use json::{LONGEST, once};
pub use reply::{Answer, Reply};
pub use rewriting::Keeps;
pub use skill::Sheet;
pub use transcript::{Past, Transcript};
