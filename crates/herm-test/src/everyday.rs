//! Commands as people and agents run them all day.

/// One command a line.
const COMMANDS: &str = include_str!("everyday.txt");

/// Commands as people and agents run them all day.
pub fn commands() -> impl Iterator<Item = &'static str> {
    COMMANDS.lines().filter(|line| !line.is_empty())
}
