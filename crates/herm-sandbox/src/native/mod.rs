//! A boundary that the kernel keeps.
//!
//! A confined program lives in namespaces of its own. It sees a file system that was put together for it: the system and the
//! toolchains to read, the workspace to write, a private home, and nothing else. It has no rights to give back, cannot
//! make the calls that would get it some, and its use of the machine is bounded. None of this needs a daemon or a program
//! with special rights.
//!
//! [`Confinement`] says what is wanted; `plan` turns it into what a child does between `fork` and `exec`.
//!
//! # Who the program is
//!
//! An ordinary user stays himself, in a namespace of users in which only he exists. Root must not: without any rights he would
//! still own the files of the system. So root becomes a number that owns nothing, and the workspace is shown to it as if it
//! owned that.

#![forbid(unsafe_code)]

pub(crate) mod below;
pub(crate) mod beside;
pub(crate) mod cgroup;
mod entries;
pub mod examine;
mod failure;
mod foreign;
mod gate;
pub(crate) mod guards;
mod identity;
mod lacking;
pub(crate) mod landlock;
mod layer;
mod levers;
mod linked;
mod plain;
mod plan;
pub mod probe;
pub(crate) mod redirect;
mod repository;
pub(crate) mod seccomp;
mod settings;
mod since;
mod sockets;
mod strays;
mod survey;
mod toolchains;
mod trace;
mod tree;
mod view;
mod width;
mod witness;
mod worktrees;

pub use beside::Unkept;
pub use cgroup::{Bounds, Statistics};
pub use failure::Failure;
pub use foreign::Foreign;
pub use gate::{Doors, Gate, PROXY};
pub use guards::{Became, Guarded, MayBe, SetAside};
pub use lacking::{Lacking, is_dispensable, lacking};
pub use layer::Layer;
pub use levers::{is_lever, known_levers, may_be_lever};
pub use linked::Known;
pub use plan::{Confinement, Network};
pub(crate) use plan::{Held, Prepared, Words};
pub use repository::Workspace;
pub use seccomp::Profile;
pub use view::View;
pub(crate) use witness::{Announcer, Watching};
pub use witness::{Program, Programs};
