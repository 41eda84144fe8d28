//! `herm replay`

use std::path::PathBuf;

use clap::ArgMatches;
use herm_runtime::adapters::{Agent, Transcript};
use herm_runtime::replay::{Sight, Wanted, replay};
use herm_runtime::setup::{self, Problem};
use herm_runtime::store::Timestamp;
use herm_runtime::wiring::Places;
use herm_runtime::{Setup, Wishes};
use herm_scan::Redactor;

use super::{answer, refuse_to};
use crate::arguments;
use crate::exit::Exit;
use crate::render::replay::{Shown, human, json};

/// Judges what agents did before.
pub(super) fn run(matches: &ArgMatches) -> Exit {
    told(matches).unwrap_or_else(|problem| refuse_to(&problem, matches))
}

fn told(matches: &ArgMatches) -> Result<Exit, Problem> {
    let wishes = arguments::all_wishes(matches);
    let (places, setup) = (Places::new(&wishes)?, judging(wishes)?);
    let tally = replay(&setup, &places, &wanted(matches));
    let secrets = setup::secrets(matches.get_one::<String>("home").map(String::as_str))?.unwrap_or_default();
    let redact = |text: &str| Redactor::holding(&secrets).redact(text);
    let shown = Shown {
        tally: &tally,
        suggests: matches.get_flag("suggest"),
        is_verbose: matches.get_flag("verbose"),
        redact: &redact,
    };
    let text = if matches.get_flag("json") { format!("{:#}\n", json(&shown)) } else { human(&shown) };
    Ok(answer(&text, Exit::Allow))
}

/// What would hold at a hook.
fn judging(wishes: Wishes) -> Result<Setup, Problem> {
    Setup::new(wishes)
}

fn wanted(matches: &ArgMatches) -> Wanted {
    let agent = matches.get_one::<String>("agent").and_then(|word| Agent::of(word));
    Wanted {
        agents: agent.map_or_else(|| Transcript::AGENTS.to_vec(), |agent| vec![agent]),
        paths: matches.get_many::<String>("path").into_iter().flatten().map(PathBuf::from).collect(),
        since: matches.get_one::<Timestamp>("since").copied(),
        sight: if matches.get_flag("no-files") { Sight::Blind } else { Sight::Seeing },
    }
}
