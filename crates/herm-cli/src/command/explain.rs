//! `herm explain`

use clap::ArgMatches;
use herm::rules::{RULES, Rule, find};
use herm::spelling::distance;

use super::{answer, fail};
use crate::exit::Exit;
use crate::reference;
use crate::render::{either, json};

/// Explains a rule.
pub(super) fn run(matches: &ArgMatches) -> Exit {
    let name = matches.get_one::<String>("rule").map(String::as_str).unwrap_or_default();
    match find(name).or_else(|| titled(name)) {
        Some(rule) if matches.get_flag("json") => answer(&format!("{:#}\n", json::rule(rule)), Exit::Allow),
        Some(rule) => answer(&reference::page(rule), Exit::Allow),
        None => fail(&unknown(name)),
    }
}

fn titled(title: &str) -> Option<&'static Rule> {
    RULES.iter().copied().find(|rule| rule.title.eq_ignore_ascii_case(title))
}

fn unknown(name: &str) -> String {
    let hint = match near(name).as_slice() {
        [] => "`herm rules` lists them".to_owned(),
        rules => format!("did you mean {}?", either(rules)),
    };
    format!("there is no rule `{name}`; {hint}")
}

/// The rules that sound alike, the likeliest first.
fn near(name: &str) -> Vec<&'static str> {
    let mut near: Vec<_> = RULES.iter().map(|rule| (distance(name, rule.name), rule.name)).collect();
    near.sort_unstable();
    let shares = |rule: &str| name.split('-').any(|word| word.len() > 3 && rule.contains(word));
    near.retain(|(far, rule)| *far <= name.len() / 3 || shares(rule));
    near.into_iter().map(|(_, rule)| rule).take(3).collect()
}
