//! What a run did to a workspace: shown, kept as a whole, taken back exactly.
//!
//! [`Tries::begin`] prepares the [`Ground`] on which a command is tried: an overlay of the workspace, or a private copy of it.
//! When the command has ended, [`Try::compare`] says what it changed, and a [`Summary`] makes that presentable.
//! [`Try::keep`] takes it over into the workspace, and [`Tries::undo`] takes it back.
//! [`Tries::recover`] belongs at every start: it sees to what was cut short.
//!
//! ```no_run
//! use herm_sandbox::changes::{Bounds, Ground, Standing, Summary, Tries};
//!
//! # fn mount_and_run(_: Ground) {}
//! # fn main() -> herm_sandbox::changes::Result<()> {
//! let tries = Tries::open("/home/user/.herm/guard".as_ref())?;
//! for (id, answer) in tries.recover(&mut || {})? {
//!     println!("{id}: {answer:?}");
//! }
//! let attempt = tries.begin("receipt-1", "/work".as_ref(), Standing::User, Bounds::default())?;
//! mount_and_run(attempt.ground());
//! let comparison = attempt.compare()?;
//! let summary = Summary::new(&attempt, &comparison)?;
//! // … a person looks at the summary, and says yes.
//! attempt.keep(&comparison, &mut || {})?;
//! // … and changes their mind.
//! tries.undo("receipt-1", &mut || {})?;
//! tries.clear()
//! # }
//! ```
//!
//! What the command left is hostile. No path is followed through links, nothing that gives rights is taken over, and what is
//! kept is what was shown, byte for byte.

#![forbid(unsafe_code)]

mod apart;
mod apply;
mod attempt;
mod below;
mod beneath;
mod codec;
mod compare;
mod copy;
mod diff;
mod edits;
mod error;
mod journal;
mod keep;
mod list;
mod name;
mod node;
mod overlay;
mod plan;
mod rescue;
mod rights;
mod snapshot;
mod summary;
mod tries;
mod undo;
mod view;

pub use apply::Steps;
pub use attempt::Try;
pub use compare::{Change, Comparison, Kind};
pub use diff::{Diff, Hunk, Line, diff};
pub use edits::Edits;
pub use error::{Error, Result};
pub use journal::{Recovered, Recovery};
pub use name::safe;
pub use node::{Attributes, Content, Digest, Node, Owner, Shape, Time};
pub use overlay::{Bounds, Ground, Lack, Options, Standing};
pub use rescue::Left;
pub use rights::Right;
pub use summary::{Counts, Item, Side as ItemSide, Summary};
pub use tries::{Listed, Retention, Status, Tries};
pub use undo::Undone;
