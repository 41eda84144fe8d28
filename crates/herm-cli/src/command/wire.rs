//! What `herm init` and `herm uninit` have in common.

use std::path::Path;

use clap::ArgMatches;
use herm_runtime::ancestry;
use herm_runtime::wiring::{Agent, Change, Places, Problem, Scope};
use serde_json::{Value, json};

use super::{answer, complain, refuse_to};
use crate::arguments;
use crate::exit::Exit;
use crate::prompt::Terminal;
use crate::render::diff::unified;

/// Where everything is. What herm runs must not change who asks herm.
pub(super) fn places(matches: &ArgMatches, forbidden: &str) -> Result<Places, Exit> {
    if ancestry::is_guarded() {
        complain("herm", &format!("a command that herm runs cannot {forbidden}"));
        return Err(Exit::Deny);
    }
    Places::new(&arguments::all_wishes(matches)).map_err(|problem| refuse_to(&problem, matches))
}

pub(super) fn scope(matches: &ArgMatches) -> Scope {
    if matches.get_flag("system") { Scope::System } else { Scope::User }
}

/// The agents that were named.
pub(super) fn named(matches: &ArgMatches) -> Vec<Agent> {
    let mut agents: Vec<Agent> = Vec::new();
    for agent in matches.get_many::<String>("agent").into_iter().flatten().filter_map(|word| Agent::of(word))
    {
        if !agents.contains(&agent) {
            agents.push(agent);
        }
    }
    agents
}

/// What is said and asked on the way.
pub(super) struct Voice<'a> {
    matches: &'a ArgMatches,
    terminal: Option<Terminal>,
    was_mute: bool,
}

impl<'a> Voice<'a> {
    pub(super) fn new(matches: &'a ArgMatches) -> Self {
        let is_settled = ["yes", "dry-run", "json"].iter().any(|flag| matches.get_flag(flag));
        let terminal = if is_settled { None } else { Terminal::open() };
        Self { matches, terminal, was_mute: false }
    }

    /// Says something to people. Programs hear everything in the end.
    pub(super) fn say(&self, text: &str) {
        if !self.matches.get_flag("json") {
            // A reader that has gone away has no use for the rest.
            let _ = answer(text, Exit::Allow);
        }
    }

    pub(super) fn complain(&self, what: &str, hint: Option<&str>) {
        if self.matches.get_flag("json") {
            return;
        }
        complain("herm", what);
        if let Some(hint) = hint {
            complain("hint", hint);
        }
    }

    /// Whether something is wanted: somebody said so beforehand, or says so now.
    pub(super) fn wants(&mut self, question: &str) -> bool {
        self.matches.get_flag("yes") || self.asks(question)
    }

    /// Whether the person at the terminal says yes.
    pub(super) fn asks(&mut self, question: &str) -> bool {
        if let Some(terminal) = &mut self.terminal {
            return terminal.confirm(question);
        }
        self.was_mute = true;
        false
    }

    /// What to do where nobody could be asked.
    pub(super) fn advise(&self, is_well: bool) {
        if self.was_mute && !is_well && !self.matches.get_flag("dry-run") {
            complain("herm", "nothing was written, since there is nobody to ask");
            complain("hint", "say `--yes` if this is what you want");
        }
    }
}

/// What happens to a file, for programs.
pub(super) fn told(file: &Path, change: &Result<Change, Problem>, written: bool) -> Value {
    match change {
        Err(problem) => json!({
            "file": file,
            "state": "refused",
            "error": problem.to_string(),
            "hint": problem.hint(),
            "written": false,
        }),
        Ok(change) => {
            let state = match (&change.before, &change.after) {
                _ if change.is_none() => "current",
                (None, _) => "created",
                (Some(_), None) => "removed",
                (Some(_), Some(_)) => "changed",
            };
            let diff = unified(file, change.before.as_deref(), change.after.as_deref());
            let diff = if change.is_none() { None } else { Some(diff) };
            json!({ "file": file, "state": state, "diff": diff, "written": written })
        }
    }
}
