//! Performs what was permitted: processes, their limits, their output.
//!
//! [`process::run`] starts a program with an environment of its own and ends everything that it started, however it tried
//! to get away. [`output`] keeps what it says within bounds and free of what a terminal would obey. [`workspace`] decides
//! where it may work, and a [`Scratch`] is a place for one run. [`changes`] knows what a run did to a workspace, keeps it and takes it back. Linux only so far: nothing else has the means to find every descendant of a process.

#[cfg(target_os = "linux")]
pub mod changes;
#[cfg(target_os = "linux")]
mod foreground;
mod harden;
#[cfg(target_os = "linux")]
pub mod native;
mod outgrown;
pub mod output;
#[cfg(target_os = "linux")]
pub mod process;
mod scratch;
#[cfg(target_os = "linux")]
pub mod shell;
#[cfg(target_os = "linux")]
mod sys;
#[cfg(target_os = "linux")]
mod warden;
pub mod workspace;

#[cfg(target_os = "linux")]
pub use foreground::is_in_foreground;
#[cfg(target_os = "linux")]
pub use harden::harden;
#[cfg(target_os = "linux")]
pub use outgrown::survive_outgrown_files;
pub use scratch::Scratch;
#[cfg(target_os = "linux")]
pub use warden::guarded;
