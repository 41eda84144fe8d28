//! What loses data in databases, key stores and queues.

pub mod drop_database;
pub mod flush_keys;
pub mod reset_schema;
pub mod sql_delete_all;
pub mod sql_drop;
pub mod sql_truncate;

use herm_shell::{Effect, Flags};

/// Whether the table stays and its rows go.
fn is_emptying(effect: &Effect) -> bool {
    effect.flags.has(Flags::TRUNCATE) || effect.flags.has(Flags::ALL.and(Flags::NO_WHERE))
}

/// Whether every table goes, to be made anew.
fn is_reset(effect: &Effect) -> bool {
    effect.flags.has(Flags::ALL)
}
