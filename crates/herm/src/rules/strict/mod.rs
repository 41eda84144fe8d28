//! What the strict preset minds on top of everything else.
//!
//! Windows' own spellings count too, since agents use them in any shell.

mod allow_list;
mod strict_compound;
mod strict_destruction;
mod strict_encoded_shell;
mod strict_eval;
mod strict_force_kill;
mod strict_login;
mod strict_pipe_to_shell;
mod strict_power;
mod strict_privilege;
mod strict_publish;
mod strict_python;
mod strict_secret_dump;
mod strict_unlisted;

pub use strict_compound::STRICT_COMPOUND;
pub use strict_destruction::STRICT_DESTRUCTION;
pub use strict_encoded_shell::STRICT_ENCODED_SHELL;
pub use strict_eval::STRICT_EVAL;
pub use strict_force_kill::STRICT_FORCE_KILL;
pub use strict_login::STRICT_LOGIN;
pub use strict_pipe_to_shell::STRICT_PIPE_TO_SHELL;
pub use strict_power::STRICT_POWER;
pub use strict_privilege::STRICT_PRIVILEGE;
pub use strict_publish::STRICT_PUBLISH;
pub use strict_python::STRICT_PYTHON;
pub use strict_secret_dump::STRICT_SECRET_DUMP;
pub use strict_unlisted::STRICT_UNLISTED;

use herm_shell::analysis::Invocation;

use crate::facts::Facts;
use crate::policy::glob;

/// The invocations whose program and words are in a table. A word of the table may be a glob; all of a row's words
/// must be there. Names and words are compared without case.
fn words(
    facts: &Facts,
    table: &'static [(&'static str, &'static [&'static str])],
) -> impl Iterator<Item = usize> {
    let runs = facts.shell.invocations.iter().enumerate();
    runs.filter(|(_, run)| table.iter().any(|row| fits(run, row))).map(|(at, _)| at)
}

fn fits(run: &Invocation, (program, words): &(&str, &[&str])) -> bool {
    glob::matches(program, &plain(run)) && words.iter().all(|word| has(run, word))
}

/// An option may stand anywhere; a plain word is a sub-command, so it must be the first operand.
fn has(run: &Invocation, word: &str) -> bool {
    let mut arguments = run.arguments.iter().map(|argument| argument.shown().to_ascii_lowercase());
    if word.starts_with(|first: char| first.is_ascii_lowercase()) && !word.contains('=') {
        let first = arguments.find(|argument| !argument.starts_with('-'));
        return run.subcommands.contains(&word) || first.as_deref() == Some(word);
    }
    arguments.any(|argument| glob::matches(word, &argument))
}

/// The program's name as the tables write it: lower case, without Windows' suffixes.
fn plain(run: &Invocation) -> String {
    let name = run.program.to_ascii_lowercase();
    let cut = [".exe", ".cmd", ".bat"].into_iter().find_map(|suffix| name.strip_suffix(suffix));
    cut.unwrap_or(&name).to_owned()
}
