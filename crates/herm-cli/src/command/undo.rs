//! `herm undo`

use std::path::Path;

use clap::ArgMatches;
use herm_runtime::changes::{Error, safe};
use herm_runtime::{Setup, ancestry, trial};
use serde_json::json;

use super::{answer, complain, fail, refuse};
use crate::arguments;
use crate::exit::Exit;

/// Takes back what a try has kept.
pub(super) fn run(matches: &ArgMatches) -> Exit {
    if ancestry::is_guarded() {
        complain(
            "herm",
            "`herm undo` is for people: a command that herm runs cannot take back what was kept",
        );
        return Exit::Refused;
    }
    match arguments::setup(matches) {
        Ok(setup) => undo(matches, &setup),
        Err(problem) => refuse(&problem),
    }
}

fn undo(matches: &ArgMatches, setup: &Setup) -> Exit {
    let named = matches.get_one::<String>("receipt").map(String::as_str);
    let workspace = match setup.workspace_around() {
        Ok(workspace) => workspace,
        Err(problem) => return refuse(&problem),
    };
    match trial::undo(&setup.guard, &workspace.root, named) {
        Ok(Some((id, undone))) => {
            // The workspace itself has no name in it.
            let inside = undone.paths.iter().filter(|path| !path.as_os_str().is_empty());
            let paths: Vec<String> = inside.map(|path| safe(path)).collect();
            if matches.get_flag("json") {
                let told = json!({ "undone": id, "workspace": safe(&undone.workspace), "paths": paths });
                return answer(&format!("{told}\n"), Exit::Allow);
            }
            let lines = paths.join("\n  ");
            answer(
                &format!("{id} is taken back; these are as they were before it:\n  {lines}\n"),
                Exit::Allow,
            )
        }
        Ok(None) => {
            complain("herm", "nothing was kept in this workspace that could be taken back");
            Exit::Deny
        }
        Err(error) => explain(&error),
    }
}

fn explain(error: &Error) -> Exit {
    let exit = fail(error);
    for path in error.paths() {
        complain("herm", &format!("  {}", safe(Path::new(path))));
    }
    complain("hint", error.hint());
    exit
}
