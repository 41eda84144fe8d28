//! Stands between an editor and an agent, and moves what they say.
//!
//! What is to be done about each message says [`Proxy`](herm_adapters::acp::Proxy); here it is done. One thread, the pump, reads, decides nothing and waits for
//! nobody. Whatever must be decided about is decided on a thread of its own, so that a person who thinks about one thing holds up
//! nothing else. It all takes the one way through: [`Runtime::release`](crate::Runtime::release) for what the agent or the editor
//! does, [`Runtime::handle`](crate::Runtime::handle) for commands, which run here and not in the editor.

mod approved;
mod calls;
mod desk;
mod editor;
mod file;
mod lead;
mod matter;
mod now;
mod permit;
mod pump;
mod seen;
mod terminal;
mod wish;

use std::ffi::OsString;
use std::fmt;
use std::io;
use std::os::fd::OwnedFd;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use herm_adapters::Agent;
use herm_sandbox::process::{Cancel, Input, Spec};
use herm_shell::Effect;

use crate::companion::{Companion, Speaker, lines};
use crate::people::People;
use crate::reply::Reply;
use crate::setup::{Setup, Wishes};
use crate::{ancestry, environment};

use desk::Desk;
use pump::Pump;

pub use editor::Editor;
pub use matter::Matter;

/// How it is told and who answers.
pub trait Face: fmt::Debug + Send + Sync {
    /// Whoever may answer, the editor's person among them.
    fn people<'a>(&self, setup: &Setup, cancel: &'a Cancel, editor: Editor) -> Box<dyn People + 'a>;

    /// What would come of something, in a few words.
    fn effect(&self, effect: &Effect) -> String;

    /// What would be done, in a line.
    fn title(&self, matter: &Matter) -> String;

    /// What would be done, where, and why it is asked; harmless to look at.
    fn text(&self, matter: &Matter) -> String;

    /// Why something does not happen.
    fn refusal(&self, reply: &Reply) -> String;

    /// What the person should know.
    fn note(&self, words: &str);

    /// What the agent says besides, a line of it.
    fn aside(&self, line: &[u8]);
}

/// An agent, and how it is dealt with.
#[derive(Clone, Debug)]
pub struct Terms {
    /// What holds.
    pub wishes: Wishes,
    /// The agent, if its tools are known.
    pub agent: Option<Agent>,
    /// What it is called.
    pub name: String,
    /// What starts it: a program and its arguments.
    pub command: Vec<OsString>,
    /// Where.
    pub cwd: PathBuf,
    /// Whether what no rule minds is answered in the place of the person.
    pub allow_unasked: bool,
    /// Whether things are asked even where the policy says that nothing is.
    pub ask_in_any_case: bool,
}

/// Stands between an editor, which is read from and written to, and an agent, until one of them has gone. Says how the agent
/// ended, if it did.
///
/// # Errors
/// When there are too many open files or threads.
pub fn serve(
    terms: Terms,
    face: Arc<dyn Face>,
    (input, output): (impl io::Read + Send + 'static, OwnedFd),
    cancel: &Cancel,
) -> io::Result<Ended> {
    // What the agent runs must not answer for its person.
    ancestry::become_door();
    let aside = Arc::clone(&face);
    let companion = Companion::start(spec(&terms), move |line| aside.aside(line))?;
    let desk = Arc::new(Desk::new(terms, face));
    Pump::new(desk, Speaker::new(output)?, companion)?.run(lines(input)?, cancel)
}

/// How it came to an end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ended {
    /// The agent ended, with this code.
    Agent(i32),
    /// The editor has gone, or herm was asked to stop.
    Editor,
    /// It cannot go on, and why.
    Failed(String),
}

fn spec(terms: &Terms) -> Spec {
    let mut words = terms.command.iter().cloned();
    Spec {
        program: words.next().unwrap_or_default(),
        arguments: words.collect(),
        cwd: terms.cwd.clone(),
        // It is started as the editor would start it, with the keys that it needs.
        environment: environment::own(),
        time: EVER,
        grace: GRACE,
        input: Input::Empty,
        confinement: None,
    }
}

/// Longer than anything runs.
const EVER: Duration = Duration::from_hours(24 * 365 * 10);

/// How long an agent has to end by itself.
const GRACE: Duration = Duration::from_secs(2);
