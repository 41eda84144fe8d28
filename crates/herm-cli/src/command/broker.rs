//! `herm broker`

use std::io::{self, Write};
use std::path::PathBuf;
use std::thread;
use std::time::Duration;

use clap::ArgMatches;
use herm_runtime::Setup;
use herm_runtime::broker::{Approvers, Broker};
use herm_runtime::perform::Cancel;

use super::{complain, fail, refuse};
use crate::arguments;
use crate::exit::Exit;
use crate::render::escape::escape;

/// How often it is looked whether it should stop.
const PULSE: Duration = Duration::from_millis(50);

/// Takes questions and answers until it is stopped.
pub(super) fn run(matches: &ArgMatches) -> Exit {
    let setup = match arguments::setup(matches) {
        Ok(setup) => setup,
        Err(problem) => return refuse(&problem),
    };
    match broker(&setup, matches) {
        Ok(broker) => attend(&broker),
        Err(exit) => exit,
    }
}

/// Others reach a guard at a socket outside of its home, which is closed to them; nobody else needs one there.
fn broker(setup: &Setup, matches: &ArgMatches) -> Result<Broker, Exit> {
    let mut users = setup.policy.approvers.clone();
    users.extend(matches.get_many::<String>("approver").into_iter().flatten().cloned());
    let approvers = Approvers::named(&users).map_err(|unknown| fail(&unknown))?;
    let named = matches.get_one::<String>("socket").map(PathBuf::from);
    let socket = named.or_else(|| setup.policy.broker.as_ref().map(|path| PathBuf::from(path.as_str())));
    match socket {
        Some(socket) if approvers.guard() => Ok(Broker { guard: setup.guard.clone(), socket, approvers }),
        None if !approvers.guard() => Ok(Broker::of(&setup.guard)),
        Some(_) => Err(wrong("nobody could answer", "name approvers with `--approver`, or no socket")),
        None => {
            Err(wrong("approvers could not reach it", "name a socket outside of its home with `--socket`"))
        }
    }
}

fn wrong(what: &str, hint: &str) -> Exit {
    let exit = fail(&what);
    complain("hint", hint);
    exit
}

fn attend(broker: &Broker) -> Exit {
    let cancel = match Cancel::on_signals() {
        Ok(cancel) => cancel,
        Err(error) => return fail(&format!("cannot listen for signals: {error}")),
    };
    make_room();
    let _running = match broker.start() {
        Ok(Some(running)) => running,
        Ok(None) => return fail(&format!("another broker serves `{}`", broker.guard.display())),
        Err(error) => return fail(&format!("cannot listen on `{}`: {error}", broker.socket.display())),
    };
    // Whoever started it may have no use for the news.
    let _ = writeln!(io::stdout(), "listening on {}", escape(&broker.socket.display().to_string()));
    while !cancel.is_cancelled() {
        thread::sleep(PULSE);
    }
    Exit::Allow
}

/// Everyone who waits holds a connection, and there may be thousands.
fn make_room() {
    use rustix::process::{Resource, getrlimit, setrlimit};
    let mut limit = getrlimit(Resource::Nofile);
    limit.current = limit.maximum;
    // Otherwise fewer can wait, and those for whom there is no room are refused.
    let _ = setrlimit(Resource::Nofile, limit);
}
