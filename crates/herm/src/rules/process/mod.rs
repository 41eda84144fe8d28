//! Ending processes.

mod force_kill;
mod kill_agent;
mod kill_by_pattern;
mod kill_by_search;

pub(crate) use force_kill::FORCE_KILL;
pub(crate) use kill_agent::KILL_AGENT;
pub(crate) use kill_by_pattern::KILL_BY_PATTERN;
pub(crate) use kill_by_search::KILL_BY_SEARCH;
