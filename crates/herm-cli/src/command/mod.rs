//! The sub-commands, one file each.

mod acp;
mod approvals;
mod audit;
mod batch;
mod broker;
mod check;
mod completions;
mod config;
mod doctor;
mod explain;
mod fetch;
mod grants;
mod hook;
mod hooks;
mod import;
mod init;
mod man;
mod mcp;
mod observe;
mod packed;
mod redact;
mod replay;
mod rules;
mod run;
mod scanner;
mod shell;
mod ticket;
mod undo;
mod uninit;
mod url;
mod wire;

pub(crate) use hook::misused as misused_hook;
pub(crate) use run::misused;
pub(crate) use scanner::misused as misused_scanner;

use std::fmt::Display;
use std::io::{self, Write};

use clap::ArgMatches;
use serde_json::json;

use crate::arguments;
use crate::exit::Exit;
use crate::render::escape::escape;
use herm_runtime::setup::Problem;
use herm_runtime::store::{Error, Store};
use herm_runtime::{Setup, ancestry};

/// Runs a sub-command.
pub(crate) fn run(matches: &ArgMatches) -> Exit {
    match matches.subcommand() {
        Some(("acp", matches)) => acp::run(matches),
        Some(("approvals", matches)) => approvals::run(matches),
        Some(("audit", matches)) => audit::run(matches),
        Some(("broker", matches)) => broker::run(matches),
        Some(("check", matches)) => check::run(matches),
        Some(("completions", matches)) => completions::run(matches),
        Some(("config", matches)) => config::run(matches),
        Some(("doctor", matches)) => doctor::run(matches),
        Some(("explain", matches)) => explain::run(matches),
        Some(("fetch", matches)) => fetch::run(matches),
        Some(("grants", matches)) => grants::run(matches),
        Some(("hook", matches)) => hook::run(matches),
        Some(("hooks", matches)) => hooks::run(matches),
        Some(("import", matches)) => import::run(matches),
        Some(("init", matches)) => init::run(matches),
        Some(("man", _)) => man::run(),
        Some(("mcp", matches)) => mcp::run(matches),
        Some(("observe", matches)) => observe::run(matches),
        Some(("redact", matches)) => redact::run(matches),
        Some(("replay", matches)) => replay::run(matches),
        Some(("rules", matches)) => rules::run(matches),
        Some(("run", matches)) => run::run(matches),
        Some(("shell", matches)) => shell::run(matches),
        Some(("try", matches)) => run::attempt(matches),
        Some(("undo", matches)) => undo::run(matches),
        Some(("uninit", matches)) => uninit::run(matches),
        Some(("url", matches)) => url::run(matches),
        Some(_) | None => Exit::Usage,
    }
}

/// Where a sub-command over what herm keeps works.
struct Kept {
    setup: Setup,
    store: Store,
}

/// Runs a sub-command over what herm keeps. What herm runs may list it; `forbidden` says what else it cannot do.
fn over_kept(
    matches: &ArgMatches,
    forbidden: &str,
    work: impl FnOnce(&Kept, &str, &ArgMatches) -> Result<Exit, Error>,
) -> Exit {
    let Some((name, matches)) = matches.subcommand() else { return Exit::Usage };
    let setup = match arguments::setup(matches) {
        Ok(setup) => setup,
        Err(problem) => return refuse_to(&problem, matches),
    };
    if name != "list" && ancestry::is_guarded() {
        complain("herm", &format!("a command that herm runs cannot {forbidden}"));
        return Exit::Deny;
    }
    let done = Store::open(&setup.guard).and_then(|store| work(&Kept { setup, store }, name, matches));
    done.unwrap_or_else(|error| fail_to(&error, error.hint().as_deref(), matches))
}

/// Prints an answer. A reader that has gone away has no use for the rest.
fn answer(text: &str, exit: Exit) -> Exit {
    let mut out = io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Ok(()) => exit,
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => exit,
        Err(error) => fail(&format!("cannot write the answer: {error}")),
    }
}

/// Says what went wrong.
fn fail(problem: &impl Display) -> Exit {
    complain("herm", &problem.to_string());
    Exit::Usage
}

/// Says what stands in the way of judging at all, and what to do about it.
fn refuse(problem: &Problem) -> Exit {
    let exit = fail(problem);
    if let Some(hint) = problem.hint() {
        complain("hint", &hint);
    }
    exit
}

/// The same, to programs as well where they want JSON.
fn refuse_to(problem: &Problem, matches: &ArgMatches) -> Exit {
    fail_to(problem, problem.hint().as_deref(), matches)
}

/// Says what went wrong and what to do about it, to programs as well where they want JSON.
fn fail_to(problem: &impl Display, hint: Option<&str>, matches: &ArgMatches) -> Exit {
    let exit = fail(problem);
    if let Some(hint) = hint {
        complain("hint", hint);
    }
    // Not every sub-command can answer in JSON.
    if !matches!(matches.try_get_one::<bool>("json"), Ok(Some(true))) {
        return exit;
    }
    answer(&format!("{}\n", json!({ "error": problem.to_string(), "hint": hint })), exit)
}

/// What is said to a command that herm runs and that wants to choose what holds for it.
fn loosening(matches: &ArgMatches) -> Option<String> {
    let is_given = |name: &&str| matches.try_contains_id(name).unwrap_or_default();
    let name = ["config", "home", "herm-home", "preset"].into_iter().find(is_given)?;
    Some(format!("`--{name}` is for people: a command that herm runs cannot choose what holds for it"))
}

fn complain(who: &str, what: &str) {
    // Nothing is left to be done when standard error is closed as well.
    let _ = writeln!(io::stderr(), "{who}: {}", escape(what));
}
