//! `herm import`

use std::path::PathBuf;

use clap::ArgMatches;
use herm_runtime::import::{Fate, Import, Line, Problem, Reach};
use herm_runtime::{Setup, ancestry, setup};
use serde_json::{Value, json};

use super::wire::Voice;
use super::{answer, complain, fail_to, refuse_to};
use crate::arguments;
use crate::exit::Exit;
use crate::render::count;
use crate::render::diff::unified;
use crate::render::escape::escape;

/// Takes over what Hermes was told.
pub(super) fn run(matches: &ArgMatches) -> Exit {
    let Some(("hermes", matches)) = matches.subcommand() else { return Exit::Usage };
    if ancestry::is_guarded() {
        complain("herm", "a command that herm runs cannot change what holds for it");
        return Exit::Deny;
    }
    let (from, guard) = match places(matches) {
        Ok(places) => places,
        Err(problem) => return refuse_to(&problem, matches),
    };
    let failed = |problem: Problem| fail_to(&problem, problem.hint().as_deref(), matches);
    match Import::of(&from, &guard) {
        Ok(import) => take_over(&import, matches).unwrap_or_else(failed),
        Err(problem) => failed(problem),
    }
}

/// The home of Hermes, and that of herm.
fn places(matches: &ArgMatches) -> Result<(PathBuf, PathBuf), setup::Problem> {
    let setup = Setup::new(arguments::all_wishes(matches))?;
    let named = matches.get_one::<String>("from").map(PathBuf::from);
    // Of another's home the environment says nothing.
    let told = || setup::home_of_hermes().filter(|_| !matches.contains_id("home"));
    let usual = || PathBuf::from(setup.home.as_str()).join(".hermes");
    Ok((named.or_else(told).unwrap_or_else(usual), setup.guard))
}

fn take_over(import: &Import, matches: &ArgMatches) -> Result<Exit, Problem> {
    let mut voice = Voice::new(matches);
    voice.say(&report(import));
    let wider = import.lines.iter().filter(|line| matches!(line.fate, Fate::Wider { .. })).count();
    let question = format!("Take over {} as well, although it loosens more?", count(wider, "setting"));
    let reach = if wider > 0 && voice.wants(&question) { Reach::Wide } else { Reach::Narrow };
    let (before, after) = import.change(reach)?;
    let (is_dry, is_other) = (matches.get_flag("dry-run"), before != after);
    if is_other {
        voice.say(&unified(&import.to, Some(&before), Some(&after)));
    }
    if is_other && !is_dry {
        import.write(reach)?;
    }
    let is_left = |line: &Line| match line.fate {
        Fate::Left(_) => true,
        Fate::Wider { .. } => reach == Reach::Narrow,
        Fate::Already | Fate::Taken | Fate::Translated(_) => false,
    };
    let exit = if import.lines.iter().any(is_left) { Exit::Deny } else { Exit::Allow };
    if matches.get_flag("json") {
        let lines: Vec<_> = import.lines.iter().map(|line| told(line, reach)).collect();
        let whole =
            json!({ "from": import.from, "to": import.to, "lines": lines, "written": is_other && !is_dry });
        return Ok(answer(&format!("{whole:#}\n"), exit));
    }
    if wider > 0 && reach == Reach::Narrow && !is_dry {
        complain("herm", &format!("{} that would loosen more: left out", count(wider, "setting")));
        complain("hint", "say `--yes` if you want that, too");
    }
    Ok(exit)
}

fn report(import: &Import) -> String {
    if import.lines.is_empty() {
        return format!("{}: nothing that matters here\n", escape(&import.from.display().to_string()));
    }
    let lines: Vec<_> = import.lines.iter().map(shown).collect();
    lines.concat()
}

fn shown(line: &Line) -> String {
    let (key, written) = (escape(line.key), escape(&line.written));
    let ticked = |words: &[String]| {
        words.iter().map(|word| format!("`{}`", escape(word))).collect::<Vec<_>>().join(", ")
    };
    let (word, rest) = match &line.fate {
        Fate::Already => ("already there", String::new()),
        Fate::Left(why) => ("not taken", format!("\n    {}", escape(why))),
        Fate::Taken => ("taken over", String::new()),
        Fate::Translated(becomes) => ("translated", format!("\n    as {}", ticked(becomes))),
        Fate::Wider { becomes, why } => ("wider", format!("\n    as {}: {}", ticked(becomes), escape(why))),
    };
    format!("{word:<13}  {key}: {written}{rest}\n")
}

fn told(line: &Line, reach: Reach) -> Value {
    let (fate, why) = match &line.fate {
        Fate::Already => ("already", None),
        Fate::Left(why) => ("left", Some(why)),
        Fate::Taken => ("taken", None),
        Fate::Translated(_) => ("translated", None),
        Fate::Wider { why, .. } => ("wider", Some(why)),
    };
    let would = line.becomes(Reach::Wide);
    let is_taken = !line.becomes(reach).is_empty();
    json!({ "key": line.key, "written": line.written, "fate": fate, "becomes": would, "why": why, "taken": is_taken })
}
