//! `herm completions`

use clap::ArgMatches;
use clap_complete::Shell;

use super::{answer, fail};
use crate::arguments;
use crate::exit::Exit;

/// Prints completions for a shell.
pub(super) fn run(matches: &ArgMatches) -> Exit {
    let name = matches.get_one::<String>("shell").map(String::as_str).unwrap_or_default();
    let Ok(shell) = name.parse::<Shell>() else { return fail(&format!("no completions for `{name}`")) };
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut arguments::command(), "herm", &mut script);
    answer(&String::from_utf8_lossy(&script), Exit::Allow)
}
