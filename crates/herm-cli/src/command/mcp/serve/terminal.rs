//! The shell that goes on from call to call, kept by a thread of its own: what it runs ends with the thread that began it.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::time::{Duration, Instant};

use clap::ArgMatches;
use herm::Action;
use herm::call::{Call, Exec};
use herm_runtime::adapters::mcp::serve::Outcome;
use herm_runtime::mcp::serve::Errand;
use herm_runtime::perform::{Audience, Input, Mode, Stage};
use herm_runtime::shell::Session;
use herm_runtime::{Runtime, Setup};
use herm_shell::Lang;

use super::{Counter, people, words};
use crate::command::run::on_backend;
use crate::command::{complain, hook};
use crate::render::run::Whereabouts;

/// A call that wants to use the shell.
#[derive(Debug)]
pub(super) struct Turn {
    errand: Arc<Errand>,
    call: Call,
    done: SyncSender<Result<Outcome, String>>,
}

impl Counter<'_> {
    /// Runs a command in the shell that goes on, when it is its turn.
    pub(super) fn take_turn(
        &self,
        errand: &Arc<Errand>,
        command: &str,
        seconds: Option<u32>,
    ) -> Result<Outcome, String> {
        let setup = self.setup()?;
        let call = self.call(&setup, errand, Action::Exec(shell(command, seconds)));
        let (done, is_done) = sync_channel(1);
        let turn = Turn { errand: Arc::clone(errand), call, done };
        let gone = || "the shell is gone".to_owned();
        self.turns.send(turn).map_err(|_| gone())?;
        is_done.recv().map_err(|_| gone())?
    }
}

/// A command, with its own time.
pub(super) fn shell(command: &str, seconds: Option<u32>) -> Exec {
    Exec::new(command, Lang::Shell).within(seconds.map(|seconds| Duration::from_secs(seconds.into())))
}

/// Takes one turn after another.
pub(super) fn keep(matches: &ArgMatches, turns: &Receiver<Turn>) {
    let mut kept = None;
    for Turn { errand, call, done } in turns {
        let outcome = if errand.cancel().is_cancelled() {
            Err("it was called off".to_owned())
        } else {
            take(matches, &mut kept, &errand, &call)
        };
        // Whoever waited may have gone.
        let _ = done.send(outcome);
    }
    // Nobody waits for an answer any more.
    let notes = kept.into_iter().flat_map(|kept: Kept| kept.session.close());
    notes.for_each(|note| complain("herm", &note));
}

/// A shell, and what it was opened with.
struct Kept {
    session: Session,
    setup: Setup,
}

fn take(
    matches: &ArgMatches,
    kept: &mut Option<Kept>,
    errand: &Arc<Errand>,
    call: &Call,
) -> Result<Outcome, String> {
    let shell = match kept {
        Some(shell) => shell,
        None => kept.insert(open(matches)?),
    };
    // What is tightened meanwhile holds from now on.
    shell.setup.refresh().map_err(|problem| hook::told(&problem))?;
    let mut people = people(matches, &shell.setup, errand);
    let whereabouts = Whereabouts::of(&shell.setup);
    let mut runtime =
        Runtime::new(shell.setup.clone(), &mut people).map_err(|problem| hook::told(&problem))?;
    let mut audience = Watcher::of(errand);
    let mut stage =
        Stage { input: Input::Empty, mode: Mode::Captured, cancel: errand.cancel(), audience: &mut audience };
    let reply = runtime.handle_in(&mut shell.session, call, &mut stage);
    let directory = shell.session.directory().map(|path| path.display().to_string());
    Ok(words::ran(&reply, &whereabouts, directory.as_deref()))
}

fn open(matches: &ArgMatches) -> Result<Kept, String> {
    let mut setup = super::setup(matches)?;
    setup
        .locate(matches.get_one::<String>("cwd").map(String::as_str))
        .map_err(|problem| hook::told(&problem))?;
    let mut setup = on_backend(matches, setup).map_err(|failure| failure.words())?;
    setup.goes_on();
    let session = Session::open(&setup).map_err(|error| {
        let hint = error.hint().map(|hint| format!("\nhint: {hint}")).unwrap_or_default();
        format!("herm: {error}{hint}")
    })?;
    Ok(Kept { session, setup })
}

/// Tells the client what a command says last, now and then.
#[derive(Debug)]
pub(super) struct Watcher<'a> {
    errand: &'a Errand,
    told: Option<Instant>,
}

/// How often at most.
const PACE: Duration = Duration::from_millis(250);

/// How much of a line is told.
const LONGEST: usize = 200;

impl<'a> Watcher<'a> {
    pub(super) fn of(errand: &'a Errand) -> Self {
        Self { errand, told: None }
    }

    fn hear(&mut self, bytes: &[u8]) {
        let text = String::from_utf8_lossy(bytes);
        let Some(line) = text.lines().rev().find(|line| !line.trim().is_empty()) else { return };
        if self.told.is_some_and(|told| told.elapsed() < PACE) {
            return;
        }
        self.told = Some(Instant::now());
        self.errand.news(&line.chars().take(LONGEST).collect::<String>());
    }
}

impl Audience for Watcher<'_> {
    fn stdout(&mut self, bytes: &[u8]) {
        self.hear(bytes);
    }

    fn stderr(&mut self, bytes: &[u8]) {
        self.hear(bytes);
    }
}
