//! `herm rules`

use clap::ArgMatches;
use herm::rules::{RULES, Rule};

use super::answer;
use crate::exit::Exit;
use crate::render::json;

/// Lists the rules.
pub(super) fn run(matches: &ArgMatches) -> Exit {
    let text = if matches.get_flag("json") { format!("{:#}\n", json::rules()) } else { table() };
    answer(&text, Exit::Allow)
}

fn table() -> String {
    let widest = RULES.iter().map(|rule| rule.name.len()).max().unwrap_or_default();
    let line = |rule: &&Rule| format!("{:widest$}  {:4}  {}\n", rule.name, rule.stance.word(), rule.title);
    RULES.iter().map(line).collect()
}
