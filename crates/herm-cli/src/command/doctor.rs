//! `herm doctor`

use clap::ArgMatches;
use herm_runtime::Setup;
use herm_runtime::doctor::{self, Row, State};
use serde_json::{Value, json};

use super::{answer, fail, refuse_to};
use crate::arguments;
use crate::exit::Exit;
use crate::render::doctor as render;

/// Says what is protected here, what is not, and how to change that.
pub(super) fn run(matches: &ArgMatches) -> Exit {
    if let Some(told) = matches.get_one::<String>("inside") {
        return within(told);
    }
    let wishes = arguments::all_wishes(matches);
    let mut rows = match doctor::examine(&wishes) {
        Ok(rows) => rows,
        Err(problem) => return refuse_to(&problem, matches),
    };
    // What is wrong with a configuration stands among the rows already.
    if matches.get_flag("probe")
        && let Ok(setup) = Setup::new(wishes)
    {
        rows.extend(doctor::probe(&setup));
    }
    let is_well = !rows.iter().any(|row| row.state == State::Missing);
    let text = if matches.get_flag("json") { json(&rows, is_well) } else { render::rows(&rows) };
    answer(&text, if is_well { Exit::Allow } else { Exit::Deny })
}

/// This is what runs inside the sandbox when it is probed.
fn within(told: &str) -> Exit {
    match doctor::answer_within(told) {
        Some(text) => answer(&text, Exit::Allow),
        None => fail(&"`--inside` is for `herm doctor --probe` itself"),
    }
}

fn json(rows: &[Row], is_well: bool) -> String {
    let row = |row: &Row| -> Value {
        json!({
            "group": row.group.word(),
            "name": row.name,
            "state": row.state.word(),
            "detail": row.detail,
            "advice": row.advice,
        })
    };
    format!("{:#}\n", json!({ "ok": is_well, "rows": rows.iter().map(row).collect::<Vec<_>>() }))
}
