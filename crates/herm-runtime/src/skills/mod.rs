//! The sheets of instructions that an agent would show its model, and what it would run on the way.
//!
//! An agent runs commands that stand in a skill without telling a hook of them: it tells the name alone. So the files that the name can mean are
//! looked for here, and what stands in them is judged as if the model had asked for it. A name that leads to no file that can be read is
//! something that nobody knows.

mod claude_code;
mod hermes;
mod search;

use herm::AbsPath;
use herm_adapters::{Agent, Use};

use crate::setup::Setup;

/// The same uses, with what is run on the way in the place of the sheets that are shown.
pub(crate) fn opened(setup: &Setup, agent: Option<Agent>, here: &AbsPath, uses: &[Use]) -> Vec<Use> {
    let mut opened: Vec<Use> = Vec::new();
    for one in uses.iter().flat_map(|one| of(setup, agent, here, one)) {
        if !opened.contains(&one) {
            opened.push(one);
        }
    }
    opened
}

fn of(setup: &Setup, agent: Option<Agent>, here: &AbsPath, one: &Use) -> Vec<Use> {
    match (one, agent) {
        (Use::Skill { name, given }, Some(Agent::ClaudeCode)) => {
            claude_code::shown(setup, here, name, given.as_deref())
        }
        (Use::Delegate(name), Some(Agent::ClaudeCode)) => claude_code::started(setup, here, name),
        (Use::Skill { name, .. }, Some(Agent::Hermes)) => hermes::shown(setup, name),
        // Nothing is known of what other agents would run.
        (Use::Skill { .. }, _) => vec![Use::Unknown],
        // What sub-agents do comes here by itself.
        (Use::Delegate(_), _) => Vec::new(),
        (
            Use::Command { .. }
            | Use::Fetch(_)
            | Use::Mcp { .. }
            | Use::Program { .. }
            | Use::Read(_)
            | Use::Unknown
            | Use::Write(_),
            _,
        ) => vec![one.clone()],
    }
}

/// The last part of a name, which says what the file or its directory is called.
fn leaf(name: &str) -> &str {
    let name = name.trim();
    name.rsplit([':', '/']).next().unwrap_or(name)
}
