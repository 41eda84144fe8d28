//! `herm mcp serve`

mod terminal;
mod tools;
mod words;

use std::io;
use std::os::fd::AsFd;
use std::sync::Arc;
use std::sync::mpsc::{Sender, channel};
use std::thread;

use clap::ArgMatches;
use herm::Action;
use herm::call::{Call, CallId, Door, SessionId};
use herm_runtime::adapters::mcp::serve::{Level, Misused, Outcome, Tool};
use herm_runtime::companion::{Speaker, lines};
use herm_runtime::mcp;
use herm_runtime::mcp::serve::{Errand, Hands, serve};
use herm_runtime::perform::Cancel;
use herm_runtime::{Setup, ancestry};

use crate::client::AtClient;
use crate::command::hook;
use crate::exit::Exit;
use crate::people::AtHand;
use terminal::Turn;

/// Offers tools to a client until it has gone.
pub(crate) fn run(matches: &ArgMatches) -> Exit {
    match go(matches) {
        Ok(()) => Exit::Command(0),
        Err(why) => {
            crate::command::complain("herm", &why);
            Exit::Failed
        }
    }
}

fn go(matches: &ArgMatches) -> Result<(), String> {
    // What cannot hold is said before anybody calls anything.
    drop(setup(matches)?);
    let failed = |what: &'static str| move |error: io::Error| format!("cannot {what}: {error}");
    let stop = Cancel::on_signals().map_err(failed("listen for signals"))?;
    let out = io::stdout().as_fd().try_clone_to_owned().map_err(failed("speak to the client"))?;
    let speaker = Speaker::new(out).map_err(failed("speak to the client"))?;
    let heard = lines(io::stdin()).map_err(failed("listen to the client"))?;
    let (turns, queue) = channel();
    let counter = Counter { matches, session: session(matches)?, turns };
    thread::scope(|scope| {
        let keeper = thread::Builder::new().name("terminal".to_owned());
        keeper
            .spawn_scoped(scope, move || terminal::keep(matches, &queue))
            .map_err(failed("keep a shell"))?;
        let served = serve(env!("CARGO_PKG_VERSION"), &heard, &speaker, &stop, &counter);
        // Nobody takes a turn any more, so the shell ends.
        drop(counter);
        served.map_err(failed("serve"))
    })
}

/// What holds for clients, behind a door as below a `herm run`: a server is started by whoever asks.
fn setup(matches: &ArgMatches) -> Result<Setup, String> {
    hook::setup_as(matches, ancestry::is_guarded())
}

/// A session of its own for every client, unless it is named. What a client answers for the session must hold for nobody else, so that only one
/// that is not asked can name another's.
fn session(matches: &ArgMatches) -> Result<SessionId, String> {
    match matches.get_one::<String>("session") {
        None => Ok(mcp::session()),
        Some(name) if !asks_client(matches) => Ok(SessionId(name.clone())),
        Some(_) => {
            Err("`--session` needs `--ask herm`: what a client answers holds for its own session alone"
                .to_owned())
        }
    }
}

fn asks_client(matches: &ArgMatches) -> bool {
    matches.get_one::<String>("ask").is_none_or(|whom| whom == "client")
}

/// Where calls are handed in.
#[derive(Debug)]
struct Counter<'a> {
    matches: &'a ArgMatches,
    session: SessionId,
    /// Who wants to use the shell that goes on.
    turns: Sender<Turn>,
}

impl Hands for Counter<'_> {
    fn work(&self, errand: &Arc<Errand>) -> Outcome {
        let tool = match errand.tool() {
            Ok(tool) => tool,
            Err(Misused { why, approves: true }) => return Outcome::Forbidden(format!("herm: {why}")),
            Err(Misused { why, approves: false }) => return Outcome::Misused(why.clone()),
        };
        let outcome = self.serve(tool, errand).unwrap_or_else(|why| words::failed(&why));
        let outcome = if tool.approves() { words::forbidden(outcome) } else { outcome };
        if let Outcome::Failed(text, _) | Outcome::Forbidden(text) = &outcome {
            errand.remark(Level::Warning, text);
        }
        outcome
    }
}

impl Counter<'_> {
    /// Why nothing could even be judged, where that is so.
    fn serve(&self, tool: &Tool, errand: &Arc<Errand>) -> Result<Outcome, String> {
        match tool {
            Tool::Approve { tool, input, id } => self.approve(errand, tool, input, id.as_deref()),
            Tool::Code { code, seconds } => self.code(errand, code, *seconds),
            Tool::Fetch { url, bytes, seconds } => self.fetch(errand, url, (*bytes, *seconds)),
            Tool::Patch { patch } => self.patch(errand, patch),
            Tool::Read { path, first, most } => self.read(errand, path, (*first, *most)),
            Tool::Terminal { command, cwd: Some(cwd), seconds } => {
                self.command(errand, command, cwd, *seconds)
            }
            Tool::Terminal { command, cwd: None, seconds } => self.take_turn(errand, command, *seconds),
            Tool::Write { path, content } => self.write(errand, path, content),
        }
    }

    /// What holds now, whatever the environment says.
    fn setup(&self) -> Result<Setup, String> {
        setup(self.matches)
    }

    fn call(&self, setup: &Setup, errand: &Errand, action: Action) -> Call {
        let id = CallId(errand.name());
        Call { id, door: Door::Mcp, session: self.session.clone(), ..setup.call(action) }
    }

    fn people<'a>(&self, setup: &Setup, errand: &'a Arc<Errand>) -> AtClient<'a> {
        people(self.matches, setup, errand)
    }
}

/// Whoever is asked for a call. Nobody but a guard's approvers answers where there is a guard; and what herm runs cannot be its own client.
fn people<'a>(matches: &ArgMatches, setup: &Setup, errand: &'a Arc<Errand>) -> AtClient<'a> {
    let asks =
        asks_client(matches) && errand.can_ask() && setup.policy.broker.is_none() && !ancestry::is_guarded();
    AtClient::new(AtHand::new(setup, errand.cancel()), errand, asks)
}
