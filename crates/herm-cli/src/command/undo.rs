//! `herm undo`

use std::io::{self, Write};
use std::path::Path;

use clap::ArgMatches;
use herm_runtime::changes::{Error, Listed, Undone, safe};
use herm_runtime::store::Timestamp;
use herm_runtime::trial::recovered::{left, left_json, to_json, told};
use herm_runtime::trial::{self, Loss, Taken, Undoing};
use herm_runtime::{Setup, ancestry};
use serde_json::{Value, json};

use super::{answer, complain, fail, refuse};
use crate::arguments;
use crate::exit::Exit;
use crate::render::{changes, colour};

/// Takes back what a try has kept.
pub(super) fn run(matches: &ArgMatches) -> Exit {
    if ancestry::is_guarded() {
        complain(
            "herm",
            "`herm undo` is for people: a command that herm runs cannot take back what was kept",
        );
        return Exit::Refused;
    }
    let setup = match arguments::setup(matches) {
        Ok(setup) => setup,
        Err(problem) => return refuse(&problem),
    };
    if matches.get_flag("list") {
        return list(matches, &setup);
    }
    match matches.get_one::<String>("give-up") {
        Some(id) => give_up(matches, &setup, id),
        None => undo(matches, &setup),
    }
}

fn undo(matches: &ArgMatches, setup: &Setup) -> Exit {
    let named = matches.get_one::<String>("receipt").map(String::as_str);
    let workspace = match setup.workspace_around() {
        Ok(workspace) => workspace,
        Err(problem) => return refuse(&problem),
    };
    let Undoing { recovered, taken, loss } = match trial::undo(&setup.guard, &workspace.root, named) {
        Ok(undoing) => undoing,
        Err(error) => return explain(matches, &error, None, &json!([])),
    };
    for line in told(&recovered) {
        complain("herm", &line);
    }
    let recovered = to_json(&recovered);
    match taken {
        Ok(Taken::Back(id, undone)) => taken_back(matches, &id, &undone, &recovered),
        Ok(Taken::Settled) => {
            say(matches, "", &json!({ "undone": null, "recovered": recovered }), Exit::Allow)
        }
        Ok(Taken::Nothing) => {
            complain("herm", NOTHING);
            complain("hint", "`herm undo --list` shows what was kept elsewhere");
            say(matches, "", &json!({ "undone": null, "error": NOTHING, "recovered": recovered }), Exit::Deny)
        }
        Err(error) => explain(matches, &error, loss.as_ref(), &recovered),
    }
}

const NOTHING: &str = "nothing was kept in this workspace that could be taken back";

fn taken_back(matches: &ArgMatches, id: &str, undone: &Undone, recovered: &Value) -> Exit {
    // The workspace itself has no name in it.
    let inside = undone.paths.iter().filter(|path| !path.as_os_str().is_empty());
    let paths: Vec<String> = inside.map(|path| safe(path)).collect();
    for line in left(&undone.left) {
        complain("herm", &line);
    }
    let lines = paths.join("\n  ");
    let text = format!("{id} is taken back; these are as they were before it:\n  {lines}\n");
    let told = json!({
        "undone": id, "workspace": safe(&undone.workspace), "paths": paths, "left": left_json(&undone.left),
        "recovered": recovered,
    });
    say(matches, &text, &told, Exit::Allow)
}

/// Says which tries there are, wherever they were made.
fn list(matches: &ArgMatches, setup: &Setup) -> Exit {
    let tries = match trial::list(&setup.guard) {
        Ok(tries) => tries,
        Err(error) => return explain(matches, &error, None, &json!([])),
    };
    let begun = |listed: &Listed| Timestamp::from_millis(listed.begun.saturating_mul(1000)).to_string();
    let line = |listed: &Listed| {
        let (status, workspace) = (listed.status.as_str(), safe(&listed.workspace));
        format!("{}  {}  {status}  {workspace}\n", listed.id, begun(listed))
    };
    let one = |listed: &Listed| {
        json!({
            "receipt": listed.id, "begun": begun(listed), "status": listed.status.as_str(),
            "workspace": safe(&listed.workspace), "bytes": listed.bytes,
        })
    };
    let text = if tries.is_empty() { "no tries\n".to_owned() } else { tries.iter().map(line).collect() };
    say(matches, &text, &json!({ "tries": tries.iter().map(one).collect::<Vec<_>>() }), Exit::Allow)
}

/// Forgets a try that cannot be put right.
fn give_up(matches: &ArgMatches, setup: &Setup, id: &str) -> Exit {
    let saved = match trial::give_up(&setup.guard, id) {
        Ok(saved) => saved.as_deref().map(safe),
        Err(error) => return explain(matches, &error, None, &json!([])),
    };
    let place = saved.as_ref().map(|place| format!("; what only it still had is in {place}"));
    let text = format!("{id} is given up, and the workspace is as it was{}\n", place.unwrap_or_default());
    say(matches, &text, &json!({ "given_up": id, "saved": saved }), Exit::Allow)
}

/// Answers people, or programs where they want JSON.
fn say(matches: &ArgMatches, text: &str, told: &Value, exit: Exit) -> Exit {
    if matches.get_flag("json") { answer(&format!("{told}\n"), exit) } else { answer(text, exit) }
}

fn explain(matches: &ArgMatches, error: &Error, loss: Option<&Loss>, recovered: &Value) -> Exit {
    let exit = fail(error);
    let paths: Vec<String> = error.paths().iter().map(|path| safe(Path::new(path))).collect();
    match loss {
        Some(loss) => show(loss),
        None => paths.iter().for_each(|path| complain("herm", &format!("  {path}"))),
    }
    complain("hint", error.hint());
    let told = json!({
        "undone": null, "error": error.to_string(), "hint": error.hint(), "paths": paths,
        "edits": loss.map(|loss| &loss.edits), "recovered": recovered,
    });
    say(matches, "", &told, exit)
}

/// Shows what would be lost. What came from files was made harmless where the differences were made.
fn show(loss: &Loss) {
    complain("herm", "taking it back would lose this:");
    let _ = write!(io::stderr(), "{}", changes::painted(&loss.told, colour::wanted()));
}
