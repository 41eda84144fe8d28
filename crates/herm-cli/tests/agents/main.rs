//! Real agents, wired by `herm init`, against a stand-in for their model, where nothing but the loopback is reached.
//!
//! `xtask/agents.toml` says which, and in which version. `cargo xtask test` installs and runs those of every change,
//! `cargo xtask test --agents` all of them; `HERM_AGENTS` names those that must be there.

#![expect(clippy::disallowed_methods, reason = "tests make their own files and processes")]
#![expect(clippy::indexing_slicing, reason = "a test that finds nothing there has failed")]
#![expect(clippy::panic, reason = "a test that cannot go on has failed")]
#![expect(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

mod acp;
mod claude_code;
mod client;
mod codex;
mod copilot;
mod formats;
mod gemini;
mod hermes;
mod model;
mod opencode;
mod pi;
#[expect(dead_code, reason = "what else runs herm needs more of it")]
#[path = "../run/place.rs"]
mod place;
mod scenarios;
mod space;
mod stage;
mod working;
