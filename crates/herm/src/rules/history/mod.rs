//! What loses work or history that version control would have kept.

pub mod delete_branch;
pub mod delete_tag;
pub mod discard_changes;
pub mod force_push;
pub mod git_clean;
pub mod lasting_hook;
pub mod reflog_expire;
pub mod reset_hard;
pub mod rewrite_history;
pub mod stash_drop;

use herm_shell::Effect;

use crate::facts::Facts;

/// Whether `git reset` does this, rather than a checkout.
fn by_reset(facts: &Facts, effect: &Effect) -> bool {
    facts
        .shell
        .invocations
        .get(effect.invocation)
        .is_some_and(|run| run.subcommands.first() == Some(&"reset"))
}
