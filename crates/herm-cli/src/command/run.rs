//! `herm run`

use std::ffi::OsString;
use std::fmt;
use std::io::{self, IsTerminal, Write};
use std::time::Duration;

use clap::ArgMatches;
use herm::Action;
use herm::call::{Exec, SessionId};
use herm::enforcement::Backend;
use herm::policy::Mode as Answering;
use herm_runtime::environment::Variable;
use herm_runtime::perform::{Audience, Cancel, Input, Mode, Stage, Undelivered};
use herm_runtime::setup::Problem;
use herm_runtime::trial::Keeping;
use herm_runtime::{Outcome, Reply, Runtime, Setup, ancestry};
use herm_shell::Input as Fed;

use super::{check::language, complain, loosening};
use crate::arguments;
use crate::exit::Exit;
use crate::people::AtHand;
use crate::render::run::Whereabouts;
use crate::render::{changes, colour, run};
use crate::screen::{self, Screen};

/// Decides, asks, runs and records.
pub(super) fn run(matches: &ArgMatches) -> Exit {
    if let Some(secret) = matches.get_one::<String>("ticket") {
        return super::ticket::run(matches, secret);
    }
    finish(matches, prepare(matches).and_then(|setup| on_backend(matches, setup)))
}

/// The same, on something that stands in for the workspace.
pub(super) fn attempt(matches: &ArgMatches) -> Exit {
    finish(matches, prepare(matches).and_then(|setup| on_trial(matches, setup)))
}

fn finish(matches: &ArgMatches, setup: Result<Setup, Failure>) -> Exit {
    match setup.and_then(|setup| go(matches, setup)) {
        Ok(exit) => exit,
        Err(failure) => failure.tell(told(matches)),
    }
}

pub(super) fn on_backend(matches: &ArgMatches, setup: Setup) -> Result<Setup, Failure> {
    let named = matches.get_one::<String>("backend").cloned();
    on_named(named.as_deref(), setup)
}

/// Where it runs, if anybody has said.
fn on_named(named: Option<&str>, mut setup: Setup) -> Result<Setup, Failure> {
    match backend(named, &setup)? {
        Some(backend) => setup.run_on(backend)?,
        None => setup.confine_if_possible()?,
    }
    if let Some(words) = Whereabouts::of(&setup).unconfined {
        complain("herm", &words);
    }
    Ok(setup)
}

fn on_trial(matches: &ArgMatches, mut setup: Setup) -> Result<Setup, Failure> {
    let keeping = match matches.get_one::<String>("keep-if") {
        Some(_) => Keeping::KeptIfSuccessful,
        None if matches.get_flag("keep") => Keeping::Kept,
        None if matches.get_flag("discard") => Keeping::Discarded,
        None => Keeping::Asked,
    };
    setup.try_out(keeping)?;
    Ok(setup)
}

/// Wrong arguments. Whatever keeps herm itself from working is 125 here: 3 could be the command's own.
pub(crate) fn misused(error: &clap::Error, arguments: &[OsString]) -> Exit {
    let asked =
        arguments.iter().take_while(|argument| *argument != "--").any(|argument| argument == "--json");
    if asked {
        let text = error.render().to_string();
        let line = text.lines().next().unwrap_or_default();
        let message = line.strip_prefix("error: ").unwrap_or(line);
        // The message stands on standard error in any case.
        let _ = screen::print(&format!("{}\n", run::failure(Exit::Failed, message, None)));
    }
    Exit::Failed
}

/// How a run is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Told {
    /// In one object, when it is over.
    Json,
    /// As it goes.
    Live,
}

pub(super) fn told(matches: &ArgMatches) -> Told {
    if matches.get_flag("json") { Told::Json } else { Told::Live }
}

/// Why nothing was judged.
#[derive(Debug)]
pub(super) struct Failure {
    exit: Exit,
    message: String,
    hint: Option<String>,
}

pub(super) fn failed(message: &impl fmt::Display) -> Failure {
    Failure { exit: Exit::Failed, message: message.to_string(), hint: None }
}

pub(super) fn refused(message: &str) -> Failure {
    Failure { exit: Exit::Refused, message: message.to_owned(), hint: None }
}

impl From<Problem> for Failure {
    fn from(problem: Problem) -> Self {
        Self { hint: problem.hint(), ..failed(&problem) }
    }
}

impl Failure {
    pub(super) fn advised(self, hint: &str) -> Self {
        Self { hint: Some(hint.to_owned()), ..self }
    }

    /// What went wrong and what to do about it, for whoever is not at this terminal.
    pub(super) fn words(&self) -> String {
        let hint = self.hint.iter().map(|hint| format!("\nhint: {hint}"));
        format!("herm: {}{}", self.message, hint.collect::<String>())
    }

    pub(super) fn tell(self, told: Told) -> Exit {
        complain("herm", &self.message);
        if let Some(hint) = &self.hint {
            complain("hint", hint);
        }
        if told == Told::Json {
            // Nothing ran, and the exit status says so, whoever reads the rest.
            let _ =
                screen::print(&format!("{}\n", run::failure(self.exit, &self.message, self.hint.as_deref())));
        }
        self.exit
    }
}

pub(super) fn prepare(matches: &ArgMatches) -> Result<Setup, Failure> {
    if let Some(why) = loosening(matches).filter(|_| ancestry::is_guarded()) {
        return Err(refused(&why));
    }
    let mut setup = Setup::new(arguments::wishes(matches))?;
    setup.locate(matches.get_one::<String>("cwd").map(String::as_str))?;
    for note in &setup.passing.notes {
        complain("herm", note);
    }
    if ancestry::is_guarded() {
        if setup.policy.mode == Answering::Off {
            complain(
                "herm",
                "`approvals.mode: off` does not hold for a command that herm runs: it is asked about",
            );
        }
        setup.ask_in_any_case();
    }
    if wants_yolo(matches) {
        if ancestry::is_guarded() {
            return Err(refused("`--yolo` is for people: a command that herm runs cannot switch it on"));
        }
        setup.ask_nothing();
    }
    Ok(setup)
}

/// Where it runs, if anybody has said. Who wants a container must not get this machine in its place.
fn backend(named: Option<&str>, setup: &Setup) -> Result<Option<Backend>, Failure> {
    let Some(word) = named.or(setup.policy.terminal.backend.as_deref()) else { return Ok(None) };
    Backend::of(word).map(Some).ok_or_else(|| {
        let hint = "`--backend local` runs it on this machine, with your own rights".to_owned();
        let failure = failed(&format!("`terminal.backend` is `{word}`, which there is not yet"));
        Failure { hint: Some(hint), ..failure }
    })
}

/// Asked for on the command line or by a variable. A command that herm runs does not inherit the variable.
fn wants_yolo(matches: &ArgMatches) -> bool {
    let set = Variable::HermesYoloMode
        .value()
        .is_some_and(|value| ["1", "true", "yes", "on"].contains(&value.to_lowercase().as_str()));
    matches.get_flag("yolo") || set && !ancestry::is_guarded()
}

fn go(matches: &ArgMatches, setup: Setup) -> Result<Exit, Failure> {
    let mut call = setup.call(Action::Exec(exec(matches).reading(fed(matches))));
    call.session = session(matches);
    let told = told(matches);
    let mode = mode(matches, told);
    let cancel =
        Cancel::on_signals().map_err(|error| failed(&format!("cannot listen for signals: {error}")))?;
    let mut people = AtHand::new(&setup, &cancel);
    let whereabouts = Whereabouts::of(&setup);
    let mut runtime = Runtime::new(setup, &mut people)?;
    let mut audience = audience(told, &cancel);
    let input =
        if mode == Mode::Interactive || matches.get_flag("stdin") { Input::Inherited } else { Input::Empty };
    let reply = runtime.handle(&call, &mut Stage { input, mode, cancel: &cancel, audience: &mut *audience });
    let undelivered = report(&reply, &whereabouts, told);
    Ok(exit(&reply, undelivered.as_ref()))
}

pub(super) fn audience<'a>(told: Told, cancel: &'a Cancel) -> Box<dyn Audience + 'a> {
    match told {
        Told::Json => Box::new(Silence),
        Told::Live => Box::new(Screen::new(cancel)),
    }
}

/// The session that calls belong to.
pub(super) fn session(matches: &ArgMatches) -> SessionId {
    SessionId(matches.get_one::<String>("session").cloned().unwrap_or_else(ancestry::session))
}

/// What it will read. Only a person at a terminal types; everything else was handed in, and could be code.
fn fed(matches: &ArgMatches) -> Fed {
    let typed = io::stdin().is_terminal() && !ancestry::is_guarded();
    let passed = matches.get_flag("stdin") || matches.get_flag("interactive");
    if passed && !typed { Fed::Unknown } else { Fed::Typed }
}

fn exec(matches: &ArgMatches) -> Exec {
    let time = matches.get_one::<u32>("timeout").map(|seconds| Duration::from_secs(u64::from(*seconds)));
    let words = matches.get_many::<String>("program").into_iter().flatten().cloned().collect::<Vec<_>>();
    let exec = match matches.get_one::<String>("script") {
        Some(script) => Exec::new(script, language(matches)),
        None => Exec::program(words),
    };
    exec.within(time)
}

/// A terminal of its own, where a person sits at ours.
fn mode(matches: &ArgMatches, told: Told) -> Mode {
    let terminal = io::stdin().is_terminal() && io::stdout().is_terminal() && !ancestry::is_guarded();
    let wanted = terminal || matches.get_flag("interactive");
    if told == Told::Live && !matches.get_flag("captured") && wanted {
        Mode::Interactive
    } else {
        Mode::Captured
    }
}

/// Says what came of it, and whether all of it was heard.
pub(super) fn report(reply: &Reply, whereabouts: &Whereabouts, told: Told) -> Option<Undelivered> {
    let undelivered = match (told, &reply.outcome) {
        (Told::Json, _) => screen::print(&format!("{}\n", run::json(reply, whereabouts))),
        (Told::Live, Outcome::Done(done)) => done.undelivered.clone(),
        (Told::Live, Outcome::Failed(_) | Outcome::Refused(_)) => None,
    };
    if let Outcome::Done(done) = &reply.outcome
        && let Some(trial) = &done.trial
        && told == Told::Live
        && trial.by.is_none()
    {
        let _ = write!(io::stderr(), "{}", changes::painted(&trial.told, colour::wanted()));
    }
    for (who, what) in run::words(reply) {
        complain(who, &what);
    }
    if let (Told::Json, Some(Undelivered::Failed(why))) = (told, &undelivered) {
        complain("herm", &format!("the answer could not be written: {why}"));
    }
    undelivered
}

/// The command's own code. Success is not claimed where its output did not arrive: a pipe without a reader ends whoever
/// writes to it, and so it is said of herm.
pub(super) fn exit(reply: &Reply, undelivered: Option<&Undelivered>) -> Exit {
    match (&reply.outcome, undelivered) {
        // Whatever the command says, what it was run for did not happen.
        (Outcome::Done(done), _) if done.keep_failed.is_some() => Exit::Failed,
        (Outcome::Done(done), Some(why)) if done.exit_code() == 0 => match why {
            Undelivered::Failed(_) => Exit::Failed,
            Undelivered::Gone => Exit::Command(BROKEN_PIPE),
        },
        (Outcome::Done(done), _) => Exit::Command(u8::try_from(done.exit_code()).unwrap_or(u8::MAX)),
        (Outcome::Failed(_), _) => Exit::Failed,
        (Outcome::Refused(_), _) => Exit::Refused,
    }
}

/// 128 and the signal of a pipe that nobody reads.
const BROKEN_PIPE: u8 = 128 + 13;

/// Shows nothing as it comes: it is told at the end.
#[derive(Debug)]
struct Silence;

impl Audience for Silence {
    fn stdout(&mut self, _: &[u8]) {}

    fn stderr(&mut self, _: &[u8]) {}
}
