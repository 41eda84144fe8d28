//! `herm run --ticket`: runs what the hook of an agent has released.
//!
//! The agent started it as one of its commands. So the environment says nothing that counts, and nobody answers at the terminal that it was given.

use std::path::Path;

use clap::ArgMatches;
use herm_runtime::perform::{Cancel, Input, Mode, Stage};
use herm_runtime::ticket::{self, Ticket, Void};
use herm_runtime::{Runtime, Setup, ancestry};

use super::run::{Failure, Told, audience, exit, failed, refused, report};
use crate::exit::Exit;
use crate::people::AtHand;
use crate::render::run::Whereabouts;

pub(super) fn run(matches: &ArgMatches, secret: &str) -> Exit {
    let home = matches.get_one::<String>("herm-home").map(Path::new);
    prepare(home, secret)
        .and_then(|(ticket, setup)| go(&ticket, setup))
        .unwrap_or_else(|failure| failure.tell(Told::Live))
}

/// Takes the ticket before anything else: whatever fails from here on, it is used.
fn prepare(home: Option<&Path>, secret: &str) -> Result<(Ticket, Setup), Failure> {
    if ancestry::is_guarded() {
        return Err(refused("refused: what herm runs redeems no tickets"));
    }
    let (ticket, guard) = ticket::redeem(home, secret)?.map_err(|void| told(&void))?;
    let mut setup = Setup::new(ticket.wishes(guard))?;
    if setup.policy.broker.is_some() {
        return Err(refused("refused: where a guard keeps the books, a ticket is nobody's yes"));
    }
    match ticket.confine(&mut setup) {
        Ok(Ok(())) => {}
        Ok(Err(why)) => return Err(unconfined(&why)),
        Err(problem) => return Err(unconfined(&problem.to_string())),
    }
    setup.take_time(ticket::TIME);
    Ok((ticket, setup))
}

/// What was released for a run behind the boundary is not run without one.
fn unconfined(why: &str) -> Failure {
    refused(&format!("refused: it was released to run in the sandbox, and there can be none: {why}"))
}

fn told(void: &Void) -> Failure {
    let failure = match void {
        Void::Store(_) => failed(void),
        Void::Expired | Void::Foreign | Void::Unknown | Void::Unreadable | Void::Used => {
            refused(&void.to_string())
        }
    };
    match void.hint() {
        Some(hint) => failure.advised(&hint),
        None => failure,
    }
}

fn go(ticket: &Ticket, setup: Setup) -> Result<Exit, Failure> {
    let call = ticket.call(&setup);
    let cancel =
        Cancel::on_signals().map_err(|error| failed(&format!("cannot listen for signals: {error}")))?;
    let mut people = AtHand::elsewhere(&setup, &cancel);
    let whereabouts = Whereabouts::of(&setup);
    let mut runtime = Runtime::new(setup, &mut people)?.redeeming(ticket);
    let mut audience = audience(Told::Live, &cancel);
    let (input, mode) = (Input::Empty, Mode::Captured);
    let reply = runtime.handle(&call, &mut Stage { input, mode, cancel: &cancel, audience: &mut *audience });
    let undelivered = report(&reply, &whereabouts, Told::Live);
    Ok(exit(&reply, undelivered.as_ref()))
}
