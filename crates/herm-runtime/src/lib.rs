//! Puts herm together: configuration files, the machine as the judge may see it, consent, performance, the record.

#![forbid(unsafe_code)]

pub mod allowlist;
pub mod ancestry;
pub mod asked;
mod author;
mod books;
pub mod broker;
mod cleanse;
mod confine;
mod consent;
pub mod consult;
pub mod doctor;
mod egress;
pub mod environment;
pub mod fetch;
mod files;
mod gate;
pub mod hooks;
mod identity;
pub mod import;
pub mod incoming;
mod interpreter;
pub mod lookup;
pub mod observe;
pub mod pace;
pub mod passing;
pub mod people;
pub mod perform;
mod record;
mod rehearsal;
mod release;
pub mod replay;
pub mod reply;
pub mod runtime;
mod scratch;
mod settings;
pub mod setup;
pub mod shell;
mod sites;
mod sources;
mod stream;
#[cfg(test)]
mod tightness;
pub mod trial;
mod unfinished;
pub mod wiring;
mod witness;
pub mod world;

pub use books::Follows;
pub use cleanse::cleansed;
pub use herm_adapters as adapters;
pub use herm_sandbox::changes;
pub use herm_sandbox::guarded;
pub use herm_sandbox::is_in_foreground;
pub use herm_store as store;
pub use record::Consent;
pub use release::{Release, catch_up};
pub use reply::{Outcome, Reply};
pub use runtime::Runtime;
pub use setup::{Setup, Wishes};
