//! `herm uninit`

use clap::ArgMatches;
use herm_runtime::wiring::{Agent, Places, Restoration, tidy};
use serde_json::{Value, json};

use super::answer;
use super::wire::{self, Voice, told};
use crate::exit::Exit;
use crate::render::diff::unified;

/// Has agents no longer ask herm.
pub(super) fn run(matches: &ArgMatches) -> Exit {
    let places = match wire::places(matches, "unwire agents") {
        Ok(places) => places,
        Err(exit) => return exit,
    };
    let named = wire::named(matches);
    let agents = if named.is_empty() { Agent::ALL } else { &named };
    let (restorations, damaged) = Restoration::all(&places, agents, wire::scope(matches));
    let mut voice = Voice::new(matches);
    for problem in &damaged {
        voice.complain(&problem.to_string(), problem.hint());
    }
    if restorations.is_empty() && damaged.is_empty() {
        voice.say("nothing of herm's was found\n");
    }
    let results: Vec<(bool, Value)> =
        restorations.iter().map(|one| restore(one, matches, &places, &mut voice)).collect();
    if !matches.get_flag("dry-run") && results.iter().all(|(is_well, _)| *is_well) {
        tidy(&restorations);
    }
    let is_well = damaged.is_empty() && results.iter().all(|(is_well, _)| *is_well);
    let exit = if is_well { Exit::Allow } else { Exit::Deny };
    if matches.get_flag("json") {
        let files: Vec<_> = results.into_iter().map(|(_, file)| file).collect();
        return answer(&format!("{:#}\n", json!({ "ok": is_well, "files": files })), exit);
    }
    voice.advise(is_well);
    exit
}

fn restore(one: &Restoration, matches: &ArgMatches, places: &Places, voice: &mut Voice<'_>) -> (bool, Value) {
    let done = attempt(one, matches, places, voice);
    let written = matches!(done, Ok(true));
    let mut value = told(&one.file, &one.change, written);
    if let Some(map) = value.as_object_mut() {
        map.insert("agent".to_owned(), one.agent.word().into());
        map.insert("scope".to_owned(), one.scope.word().into());
        if let Err(why) = &done {
            map.insert("error".to_owned(), why.clone().into());
        }
    }
    (done.is_ok_and(|written| written || matches.get_flag("dry-run")), value)
}

/// Shows the change, and makes it if that is wanted.
fn attempt(
    one: &Restoration,
    matches: &ArgMatches,
    places: &Places,
    voice: &mut Voice<'_>,
) -> Result<bool, String> {
    let failed = |problem: &herm_runtime::wiring::Problem, voice: &Voice<'_>| {
        voice.complain(&problem.to_string(), problem.hint());
        problem.to_string()
    };
    let change = one.change.as_ref().map_err(|problem| failed(problem, voice))?;
    voice.say(&format!("{} ({})\n", one.agent.word(), one.scope.word()));
    if !change.is_none() {
        voice.say(&unified(&one.file, change.before.as_deref(), change.after.as_deref()));
    }
    if matches.get_flag("dry-run") || !(change.is_none() || voice.wants("Write this?")) {
        return Ok(false);
    }
    let aside = one.carry_out(places).map_err(|problem| failed(&problem, voice))?;
    match aside {
        Some(copy) => {
            voice.say(&format!("  removed; it had been edited, and a copy is at {}\n", copy.display()));
        }
        None => voice.say("  restored\n"),
    }
    Ok(true)
}
