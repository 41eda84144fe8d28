//! Decides whether an agent may do what it asks to do.
//!
//! A command is read as bash reads it, worked through without running, and judged by what it would do: which files it
//! would delete, what it would send where, what it would run. So it does not matter how a command is spelt.
//!
//! ```
//! use herm::call::{Call, CallId, Door, Exec, Principal, SessionId};
//! use herm::{AbsPath, Action, Decision, Engine, Policy};
//! use herm_shell::Lang;
//! use herm_shell::world::Blind;
//!
//! let home = AbsPath::new("/home/dev")?;
//! let call = |text: &str| Call {
//!     id: CallId("1".to_owned()),
//!     door: Door::CommandLine,
//!     principal: Principal { name: Some("dev".to_owned()), home: home.clone() },
//!     session: SessionId::default(),
//!     cwd: AbsPath::new("/home/dev/project").unwrap(),
//!     action: Action::Exec(Exec::new(text, Lang::Shell)),
//! };
//! let engine = Engine::new(Policy::default());
//!
//! // What nothing minds is allowed, and comes with a permit for exactly this action.
//! let ruling = engine.check(&call("git status"), &Blind);
//! let Decision::Allow(permit) = ruling.decision else { panic!("a look is free") };
//! assert_eq!(permit.redeem().action.text(), "git status");
//!
//! // A question says what a person must say yes to.
//! let ruling = engine.check(&call("x=rm; $x -rf build"), &Blind);
//! let Decision::Ask(question) = ruling.decision else { panic!("a deletion asks") };
//! assert_eq!(question.findings[0].rule, "recursive-delete");
//! assert_eq!(question.findings[0].reason, "deletes `build` and everything below it");
//!
//! // What has no way back is refused, whoever says yes.
//! let ruling = engine.check(&call("echo cm0gLXJmIC8= | base64 -d | sh"), &Blind);
//! assert!(matches!(ruling.decision, Decision::Deny(_)));
//! # Ok::<(), herm::path::NotAbsolute>(())
//! ```
//!
//! # The way of a call
//!
//! 1. A door makes a [`Call`]: who asks, where, and the [`Action`]: a command, code, or a file to read or write.
//! 2. [`Engine::check`] refuses what is malformed, then gathers [`Facts`]. The crate opens nothing itself: scripts,
//!    links and variables come through a [`World`](herm_shell::world::World). [`Blind`](herm_shell::world::Blind) shows
//!    nothing, so that the answer depends on the text alone.
//! 3. Every [rule](rules::RULES) looks at the facts, never at the text, and leaves [`Finding`]s. The strictest decides.
//! 4. The [`Policy`] has the last word: the user's own rules, the allow-list, the [`Preset`]. It can lift a question; it
//!    can never lift a refusal.
//!
//! # Configuration
//!
//! [`Config::read`] reads one YAML file, [`Policy::compile`] joins several. Errors name file, line and column.
//!
//! ```
//! use herm::policy::{Config, Policy, Source, Surroundings};
//!
//! let file = "approvals:\n  deny: ['sudo *', 'effect:delete path:/srv/**']\n";
//! let config = Config::read(Source::User, "config.yaml", file)?;
//! let policy = Policy::compile(vec![config], &Surroundings::default())?;
//! assert_eq!(policy.deny.len(), 2);
//!
//! let mistake = Config::read(Source::User, "config.yaml", "approvals:\n  denny: []\n").unwrap_err();
//! assert_eq!(mistake.to_string(), "config.yaml:2:3: unknown key `denny` in `approvals`");
//! assert_eq!(mistake.hint().as_deref(), Some("did you mean `deny`?"));
//! # Ok::<(), herm::policy::Error>(())
//! ```

#![forbid(unsafe_code)]

mod aliases;
pub mod approval;
pub mod call;
pub mod decision;
pub mod edit;
pub mod enforcement;
pub mod engine;
pub mod environment;
pub mod facts;
pub mod fetch;
pub mod finding;
mod gather;
pub mod git;
pub mod host;
pub mod layers;
pub mod limits;
mod one_file;
mod opened;
mod own;
pub mod pace;
pub mod path;
mod patterns;
pub mod permit;
pub mod policy;
mod regenerable;
pub mod rules;
mod scratch;
pub mod spelling;
mod staged;
pub mod trial;
pub mod url;

pub use call::{Action, Call};
pub use decision::{Decision, Ruling};
pub use engine::Engine;
pub use facts::Facts;
pub use finding::{Finding, Stance};
pub use path::AbsPath;
pub use permit::Permit;
pub use policy::{Config, Policy, Preset};
