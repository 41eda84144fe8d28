//! `herm check --non-interactive`: what Hermes calls as tirith.
//!
//! Hermes lets a command run whose scanner takes too long or ends with any code but 1 and 2, and stops calling one that did so three
//! times. So whatever goes wrong here is a block, and the judgement is done in a child that is not waited for longer than that.

use std::io::{self, Write};
use std::path::PathBuf;
use std::time::{Duration, Instant};

use clap::ArgMatches;
use herm::call::{Call, Door, Exec, SessionId};
use herm::{Action, Decision, Engine, Ruling};
use herm_runtime::adapters::{Agent, Reply};
use herm_runtime::observe::{self, Onlooker};
use herm_runtime::perform::Cancel;
use herm_runtime::setup::{Problem, Trust};
use herm_runtime::world::{LocalWorld, Variables};
use herm_runtime::{Runtime, Setup, Wishes, ancestry};
use herm_shell::{Input, Lang};

use super::loosening;
use super::packed::{pack, unpack};
use crate::arguments;
use crate::exit::Exit;
use crate::render::escape::escape;
use crate::render::scanner::{Report, Verdict};

/// Judges a command for Hermes.
pub(super) fn run(matches: &ArgMatches) -> Exit {
    let command = matches.get_one::<String>("command").cloned().unwrap_or_default();
    if observe::until(&wishes(matches)).is_some() {
        return observed(matches, &command);
    }
    let done = herm_runtime::guarded(Instant::now() + PATIENCE, || {
        let report = judged(matches, &command).unwrap_or_else(|why| Report::failure(&why, &command));
        (pack(&reply(&report)), || ())
    });
    let report = done.ok().flatten().and_then(|packed| unpack(&packed)).and_then(report_of);
    say(&report.unwrap_or_else(|| Report::failure(UNDECIDED, &command)))
}

/// Records what would be said, and says that nothing is to be minded.
fn observed(matches: &ArgMatches, command: &str) -> Exit {
    // Whatever keeps it from being recorded stops nothing.
    let _ = herm_runtime::guarded(Instant::now() + PATIENCE, || {
        let _ = record(matches, command);
        (Vec::new(), || ())
    });
    say(&Report::allow())
}

fn record(matches: &ArgMatches, command: &str) -> Result<(), String> {
    let setup = setup(matches)?;
    let call = call(matches, &setup, command)?;
    let session = SessionId(format!("{}-tirith", Agent::Hermes.word()));
    let cancel = Cancel::on_signals().map_err(|error| error.to_string())?;
    let mut people = Onlooker;
    let mut runtime = Runtime::new(setup, &mut people).map_err(|problem| told(&problem))?;
    runtime.observe(&Call { door: Door::Hook, session, ..call }, &cancel)
}

/// Wrong arguments. Whether they are meant for a scanner is told by the one that nobody else gives.
pub(crate) fn misused(error: &clap::Error) -> Exit {
    let told = error.to_string();
    let first = told.lines().next().unwrap_or_default().trim_start_matches("error: ");
    say(&Report::failure(&format!("herm was called in a way that it does not understand: {first}"), &told))
}

/// Less than the five seconds that Hermes waits where nobody told it otherwise.
const PATIENCE: Duration = Duration::from_secs(4);

const UNDECIDED: &str = "it could not be decided in time whether this may be done";

fn judged(matches: &ArgMatches, command: &str) -> Result<Report, String> {
    let setup = setup(matches)?;
    let call = call(matches, &setup, command)?;
    let world = LocalWorld { variables: Variables::Inherited };
    let ruling = Engine::new(setup.policy).check(&call, &world);
    Ok(report(&ruling, &call))
}

/// Where the terminal of Hermes is, and what is typed into it later, nobody tells a scanner.
fn call(matches: &ArgMatches, setup: &Setup, command: &str) -> Result<Call, String> {
    let exec = Exec::new(command, language(matches)?).reading(Input::Unknown).adrift();
    Ok(setup.call(Action::Exec(exec)))
}

fn report(ruling: &Ruling, call: &Call) -> Report {
    match &ruling.decision {
        Decision::Allow(_) => Report::allow(),
        Decision::Ask(question) => Report::objection(Verdict::Warn, &question.findings, call),
        Decision::Deny(refusal) => Report::objection(Verdict::Block, &refusal.findings, call),
    }
}

fn language(matches: &ArgMatches) -> Result<Lang, String> {
    match matches.get_one::<String>("shell").map_or("posix", String::as_str) {
        "cmd" => Ok(Lang::Cmd),
        "posix" => Ok(Lang::Shell),
        "powershell" => Ok(Lang::PowerShell),
        other => Err(format!("herm does not read what is written for `{}`", escape(other))),
    }
}

/// What holds here, whatever the environment says: Hermes takes variables from files that its agent may have written.
fn setup(matches: &ArgMatches) -> Result<Setup, String> {
    let guarded = ancestry::is_guarded();
    if let Some(why) = loosening(matches).filter(|_| guarded) {
        return Err(why);
    }
    let mut setup = Setup::new(wishes(matches)).map_err(|problem| told(&problem))?;
    if guarded {
        setup.ask_in_any_case();
    }
    Ok(setup)
}

fn wishes(matches: &ArgMatches) -> Wishes {
    Wishes {
        guard: matches.get_one::<String>("herm-home").map(PathBuf::from),
        trust: Trust::Machine,
        ..arguments::all_wishes(matches)
    }
}

fn told(problem: &Problem) -> String {
    let hint = problem.hint().map(|hint| format!("; {hint}")).unwrap_or_default();
    format!("{problem}{hint}")
}

/// The verdict and what is said about it.
fn reply(report: &Report) -> Reply {
    Reply { stdout: report.text.clone(), stderr: String::new(), exit: report.verdict.code() }
}

fn report_of(reply: Reply) -> Option<Report> {
    Some(Report { verdict: Verdict::of(reply.exit)?, text: reply.stdout })
}

/// How it ends is the verdict, so it is kept even if nobody can read why.
fn say(report: &Report) -> Exit {
    let mut out = io::stdout().lock();
    let _ = out.write_all(report.text.as_bytes()).and_then(|()| out.flush());
    Exit::Command(report.verdict.code())
}
