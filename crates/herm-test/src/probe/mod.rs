//! Ways out of the sandbox, tried from inside.
//!
//! What a probe does is a Python function (`probes/`): most of them are single system calls with harmless arguments, which is
//! short in Python and needs no `unsafe` here. What it tries, who can do it without a sandbox and which layers hold it is data
//! ([`GROUPS`]), from which the reference page comes. A [`Scene`] has everything that is to be out of reach, as stand-ins.

#[cfg(target_os = "linux")]
mod attempt;
#[cfg(target_os = "linux")]
mod drive;
#[cfg(target_os = "linux")]
mod page;
#[cfg(target_os = "linux")]
mod scene;
#[cfg(target_os = "linux")]
mod table;

#[cfg(target_os = "linux")]
pub use attempt::{Outcome, Surroundings};
#[cfg(target_os = "linux")]
pub use drive::{Report, drive};
#[cfg(target_os = "linux")]
pub use page::page;
#[cfg(target_os = "linux")]
pub use scene::Scene;
#[cfg(target_os = "linux")]
pub use table::{Control, GROUPS, Group, Held, OPEN_WHEN_NESTED, Probe, all};
