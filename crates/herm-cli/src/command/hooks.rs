//! `herm hooks`

use std::iter;
use std::path::PathBuf;

use clap::ArgMatches;
use herm::approval::Answer;
use herm::policy::hooks::Failure;
use herm_runtime::consult::Place;
use herm_runtime::consult::hooks::{Candidate, Hooks, Standing, State};
use herm_runtime::hooks::Decided;
use herm_runtime::store::Error;
use serde_json::{Value, json};

use super::{Kept, answer, complain, over_kept};
use crate::exit::Exit;
use crate::render::escape::escape;

/// Lists hooks, and says which of them may run.
pub(super) fn run(matches: &ArgMatches) -> Exit {
    over_kept(matches, "decide which hooks may run", |kept, name, matches| match name {
        "allow" => decide(kept, matches, Answer::Always),
        "deny" => decide(kept, matches, Answer::Deny),
        _ => Ok(list(kept, matches.get_flag("json"))),
    })
}

fn list(kept: &Kept, json: bool) -> Exit {
    let (place, decided) = (Place::new(&kept.setup), Decided(&kept.store));
    let standing = Hooks::new(&kept.setup.policy.hooks, &place, &decided).standing();
    let numbered = standing.iter().zip(1..);
    let text = if json {
        let hooks: Vec<_> = numbered.map(|(standing, number)| fields(standing, number)).collect();
        format!("{}\n", json!({ "hooks": hooks }))
    } else {
        numbered.map(|(standing, number)| lines(standing, number)).collect()
    };
    answer(if text.is_empty() { "there are no hooks\n" } else { &text }, Exit::Allow)
}

fn fields(standing: &Standing<'_>, number: usize) -> Value {
    let Standing { hook, state } = standing;
    json!({
        "number": number,
        "event": hook.event.name(),
        "tools": hook.tools.as_str(),
        "command": hook.command,
        "timeout": hook.timeout,
        "fail_open": hook.failure == Failure::Passes,
        "state": word(state),
        "problem": match state {
            State::Broken(broken) => Some(broken.to_string()),
            State::Allowed(_) | State::New(_) | State::Refused(_) => None,
        },
        "files": files(state),
        "digest": candidate(state).map(|candidate| &candidate.digest),
    })
}

/// A line for the hook, and one for each file that it runs.
fn lines(standing: &Standing<'_>, number: usize) -> String {
    let Standing { hook, state } = standing;
    let line = format!(
        "{number}  {:7}  {}  {}  {}\n",
        word(state),
        hook.event.name(),
        escape(hook.tools.as_str()),
        escape(&hook.command)
    );
    let details = match state {
        State::Broken(broken) => vec![broken.to_string()],
        State::Allowed(_) | State::New(_) | State::Refused(_) => {
            files(state).iter().map(|file| file.display().to_string()).collect()
        }
    };
    let details = details.iter().map(|detail| format!("            {}\n", escape(detail)));
    iter::once(line).chain(details).collect()
}

const fn word(state: &State) -> &'static str {
    match state {
        State::Allowed(_) => "allowed",
        State::Broken(_) => "broken",
        State::New(_) => "new",
        State::Refused(_) => "denied",
    }
}

const fn candidate(state: &State) -> Option<&Candidate> {
    match state {
        State::Allowed(candidate) | State::New(candidate) | State::Refused(candidate) => Some(candidate),
        State::Broken(_) => None,
    }
}

fn files(state: &State) -> &[PathBuf] {
    candidate(state).map_or(&[], |candidate| &candidate.files)
}

/// Remembers what a person says about a hook as it is now.
fn decide(kept: &Kept, matches: &ArgMatches, said: Answer) -> Result<Exit, Error> {
    let named = matches.get_one::<String>("hook").map_or("", String::as_str);
    let (place, decided) = (Place::new(&kept.setup), Decided(&kept.store));
    let standing = Hooks::new(&kept.setup.policy.hooks, &place, &decided).standing();
    let Some(Standing { hook, state }) = find(&standing, named) else {
        complain("herm", &format!("there is no hook `{named}`"));
        complain("hint", "`herm hooks list` shows those that there are");
        return Ok(Exit::Deny);
    };
    match state {
        State::Allowed(candidate) | State::New(candidate) | State::Refused(candidate) => {
            decided.decide(candidate, said)?;
            let word = if said.is_yes() { "allowed" } else { "denied" };
            Ok(answer(&format!("{word}: {}\n", escape(&hook.command)), Exit::Allow))
        }
        State::Broken(broken) => {
            complain("herm", &format!("`{}` cannot run: {broken}", hook.command));
            Ok(Exit::Deny)
        }
    }
}

/// By its number or its command. What is a command is not taken for a number.
fn find<'a>(standing: &'a [Standing<'a>], named: &str) -> Option<&'a Standing<'a>> {
    let by_command = standing.iter().find(|standing| standing.hook.command == named);
    let by_number = || standing.get(named.parse::<usize>().ok()?.checked_sub(1)?);
    by_command.or_else(by_number)
}
