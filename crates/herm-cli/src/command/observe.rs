//! `herm observe`

use std::time::{Duration, SystemTime};

use clap::ArgMatches;
use herm_runtime::observe::{self, LONGEST, USUAL};
use herm_runtime::setup::{self, Problem, Trust};
use herm_runtime::store::{Error, Store, Timestamp};
use herm_runtime::{Setup, Wishes, ancestry};
use herm_scan::Redactor;
use serde_json::json;

use super::{answer, complain, fail_to, refuse_to};
use crate::arguments;
use crate::exit::Exit;
use crate::prompt::Terminal;
use crate::render::replay::{Shown, human, json as in_json};

/// Switches observing on or off, or says what came of it.
pub(super) fn run(matches: &ArgMatches) -> Exit {
    let Some((name, matches)) = matches.subcommand() else { return Exit::Usage };
    let setup = match Setup::new(wishes(matches)) {
        Ok(setup) => setup,
        Err(problem) => return refuse_to(&problem, matches),
    };
    let done = match name {
        "on" => on(&setup, matches),
        "off" => off(&setup, matches),
        "report" => match report(&setup, matches) {
            Ok(done) => done,
            Err(problem) => return refuse_to(&problem, matches),
        },
        _ => Ok(status(matches)),
    };
    done.unwrap_or_else(|error| fail_to(&error, error.hint().as_deref(), matches))
}

/// Where hooks look for it, whatever the environment says: what is shown here must be what holds for them.
fn wishes(matches: &ArgMatches) -> Wishes {
    Wishes { trust: Trust::Machine, ..arguments::all_wishes(matches) }
}

/// Only a person says it: neither a flag nor a variable does, and nothing that herm runs.
fn on(setup: &Setup, matches: &ArgMatches) -> Result<Exit, Error> {
    let life = matches.get_one::<Duration>("for").copied().unwrap_or(USUAL);
    let refused = |what: &str| {
        complain("herm", what);
        Ok(Exit::Deny)
    };
    if ancestry::is_guarded() {
        return refused("a command that herm runs cannot switch off what guards it");
    }
    if observe::is_managed() {
        return refused("whoever manages this machine wants things to be stopped");
    }
    if life > LONGEST {
        return refused("it lasts 30 days at most");
    }
    let Some(mut terminal) = Terminal::open() else {
        return refused("only a person at a terminal can say this");
    };
    let end = Timestamp::from(SystemTime::now() + life);
    let question = format!(
        "Until {end}, nothing that agents do is stopped, not even what nobody may approve.\nIt is only recorded. Do you want that?"
    );
    if !terminal.confirm(&question) {
        return refused("nothing was changed");
    }
    observe::begin(&setup.guard, end, setup.user.as_deref())?;
    Ok(answer(
        &format!("observing until {end}; `herm observe report` says what would have been stopped\n"),
        Exit::Allow,
    ))
}

fn off(setup: &Setup, matches: &ArgMatches) -> Result<Exit, Error> {
    let was_on = observe::end(&setup.guard)?;
    let text = match (matches.get_flag("json"), was_on) {
        (true, _) => format!("{}\n", json!({ "observing": false, "was_on": was_on })),
        (false, true) => "things are stopped again\n".to_owned(),
        (false, false) => "nothing was being observed\n".to_owned(),
    };
    Ok(answer(&text, Exit::Allow))
}

fn status(matches: &ArgMatches) -> Exit {
    let until = observe::until(&wishes(matches)).map(|end| end.to_string());
    let text = match (matches.get_flag("json"), &until) {
        (true, _) => format!("{}\n", json!({ "observing": until.is_some(), "until": until })),
        (false, Some(end)) => format!("observing until {end}: nothing that agents do is stopped\n"),
        (false, None) => "not observing: things are stopped as ever\n".to_owned(),
    };
    answer(&text, Exit::Allow)
}

fn report(setup: &Setup, matches: &ArgMatches) -> Result<Result<Exit, Error>, Problem> {
    let secrets = setup::secrets(matches.get_one::<String>("home").map(String::as_str))?.unwrap_or_default();
    let redact = |text: &str| Redactor::holding(&secrets).redact(text);
    let since = matches.get_one::<Timestamp>("since").copied();
    let tally = match Store::open(&setup.guard).and_then(|store| observe::report(&store, since)) {
        Ok(tally) => tally,
        Err(error) => return Ok(Err(error)),
    };
    let shown =
        Shown { tally: &tally, suggests: false, is_verbose: matches.get_flag("verbose"), redact: &redact };
    let text = match (matches.get_flag("json"), tally.actions()) {
        (true, _) => format!("{:#}\n", in_json(&shown)),
        (false, 0) => "nothing was observed\n".to_owned(),
        (false, _) => human(&shown),
    };
    Ok(Ok(answer(&text, Exit::Allow)))
}
