//! The Agent Client Protocol, in which agents talk with editors: what a proxy between the two makes of their messages.
//!
//! [`Proxy`] is told each line that either side says, and says in [`Step`]s what is to be done about it. Nothing is opened or run here.
//! What it does not know passes as the bytes that came. What it stands in the way of is what has effects: permissions, files and
//! terminals. A permission is shown with what would really be done ([`Tool::meaning`]), since titles are the agent's own words; what
//! is answered is told by the [`Options`]' ids, and never by where they stand or how they are named.
//!
//! It cannot hold an agent back: most run commands themselves and ask when they want to. What ran unasked is told as a
//! [`Step::Saw`], so that it is at least known.

mod edit;
mod gleaned;
mod options;
mod permission;
mod place;
mod print;
mod proxy;
mod question;
mod sighting;
mod step;
mod terminal;
#[cfg(test)]
mod tests;
mod tool;
mod update;

pub use edit::proposed;
pub use options::{Choice, Chosen, Options};
pub use permission::Permission;
pub use place::Place;
pub use proxy::Proxy;
pub use question::{Question, Shown};
pub use step::{Deed, Said, Step, Ticket, What, Wish};
pub use terminal::{Create, Exit};
pub use tool::{Diff, Kind, Meaning, Tool};

/// Why something that an agent asked for does not happen.
pub const REFUSED: i64 = -32010;

/// Whoever asked has taken it back.
pub const CANCELLED: i64 = -32800;
