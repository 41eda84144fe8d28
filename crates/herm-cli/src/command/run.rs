//! `herm run`

use std::io::{self, IsTerminal, Write};
use std::time::Duration;

use clap::ArgMatches;
use herm::Action;
use herm::call::{Exec, SessionId};
use herm::enforcement::Backend;
use herm_runtime::environment::Variable;
use herm_runtime::perform::{Audience, Cancel, Input, Mode, Stage};
use herm_runtime::{Outcome, Reply, Runtime, Setup, ancestry};
use herm_shell::Input as Fed;

use super::{check::language, complain, fail, refuse};
use crate::arguments;
use crate::exit::Exit;
use crate::people::AtHand;
use crate::render::run;

/// Decides, asks, runs and records.
pub(super) fn run(matches: &ArgMatches) -> Exit {
    match prepare(matches) {
        Ok(setup) => go(matches, setup),
        Err(exit) => exit,
    }
}

pub(super) fn prepare(matches: &ArgMatches) -> Result<Setup, Exit> {
    let loosening = ["config", "home", "preset"].into_iter().find(|name| matches.contains_id(name));
    if let Some(name) = loosening.filter(|_| ancestry::is_guarded()) {
        complain(
            "herm",
            &format!("`--{name}` is for people: a command that herm runs cannot choose what holds for it"),
        );
        return Err(Exit::Refused);
    }
    let mut setup = Setup::new(arguments::wishes(matches)).map_err(|problem| failed(refuse(&problem)))?;
    let wanted = matches.get_one::<String>("cwd").map(String::as_str);
    setup.locate(wanted).map_err(|problem| failed(refuse(&problem)))?;
    let backend = backend(matches, &setup)?;
    setup.run_on(backend).map_err(|problem| failed(refuse(&problem)))?;
    for note in &setup.passing.notes {
        complain("herm", note);
    }
    if wants_yolo(matches) {
        if ancestry::is_guarded() {
            complain("herm", "`--yolo` is for people: a command that herm runs cannot switch it on");
            return Err(Exit::Refused);
        }
        setup.ask_nothing();
    }
    Ok(setup)
}

/// Who wants a container must not get this machine in its place.
fn backend(matches: &ArgMatches, setup: &Setup) -> Result<Backend, Exit> {
    let named = matches.get_one::<String>("backend").or(setup.policy.terminal.backend.as_ref());
    let Some(word) = named else { return Ok(Backend::default()) };
    if let Some(backend) = Backend::of(word) {
        return Ok(backend);
    }
    complain("herm", &format!("`terminal.backend` is `{word}`, which there is not yet"));
    complain("hint", "`--backend local` runs it on this machine, with your own rights");
    Err(Exit::Failed)
}

/// Asked for on the command line or by a variable. A command that herm runs does not inherit the variable.
fn wants_yolo(matches: &ArgMatches) -> bool {
    let set = Variable::HermesYoloMode
        .value()
        .is_some_and(|value| ["1", "true", "yes", "on"].contains(&value.to_lowercase().as_str()));
    matches.get_flag("yolo") || set && !ancestry::is_guarded()
}

fn go(matches: &ArgMatches, setup: Setup) -> Exit {
    let call = {
        let mut call = setup.call(Action::Exec(exec(matches).reading(fed(matches))));
        call.session = session(matches);
        call
    };
    let json = matches.get_flag("json");
    let mode = mode(matches, json);
    let cancel = match Cancel::on_signals() {
        Ok(cancel) => cancel,
        Err(error) => return failed(fail(&format!("cannot listen for signals: {error}"))),
    };
    let mut people = AtHand::new(&setup, &cancel);
    let mut runtime = match Runtime::new(setup, &mut people) {
        Ok(runtime) => runtime,
        Err(problem) => return failed(refuse(&problem)),
    };
    let mut audience = if json { Screen::Silent } else { Screen::Live };
    let input =
        if mode == Mode::Interactive || matches.get_flag("stdin") { Input::Inherited } else { Input::Empty };
    let reply = runtime.handle(&call, &mut Stage { input, mode, cancel: &cancel, audience: &mut audience });
    report(&reply, json);
    exit(&reply)
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
fn mode(matches: &ArgMatches, json: bool) -> Mode {
    let terminal = io::stdin().is_terminal() && io::stdout().is_terminal() && !ancestry::is_guarded();
    if !json && !matches.get_flag("captured") && (terminal || matches.get_flag("interactive")) {
        Mode::Interactive
    } else {
        Mode::Captured
    }
}

fn report(reply: &Reply, json: bool) {
    if json {
        // Nothing is left to be done when standard output is closed.
        let _ = writeln!(io::stdout(), "{}", run::json(reply));
    }
    for (who, what) in run::words(reply) {
        complain(who, &what);
    }
}

pub(super) fn exit(reply: &Reply) -> Exit {
    match &reply.outcome {
        Outcome::Done(done) => Exit::Command(u8::try_from(done.exit_code()).unwrap_or(u8::MAX)),
        Outcome::Failed(_) => Exit::Failed,
        Outcome::Refused(_) => Exit::Refused,
    }
}

/// Whatever keeps herm itself from working is 125 here: 3 could be the command's own.
pub(super) fn failed(_: Exit) -> Exit {
    Exit::Failed
}

/// Where output goes as it comes.
#[derive(Debug)]
pub(super) enum Screen {
    /// To our own streams.
    Live,
    /// Nowhere: it is told at the end.
    Silent,
}

impl Audience for Screen {
    fn stdout(&mut self, bytes: &[u8]) {
        if matches!(self, Self::Live) {
            pass(&mut io::stdout().lock(), bytes);
        }
    }

    fn stderr(&mut self, bytes: &[u8]) {
        if matches!(self, Self::Live) {
            pass(&mut io::stderr().lock(), bytes);
        }
    }
}

/// A reader that has gone away misses the rest; the command goes on and is recorded.
fn pass(to: &mut impl Write, bytes: &[u8]) {
    let _ = to.write_all(bytes).and_then(|()| to.flush());
}
