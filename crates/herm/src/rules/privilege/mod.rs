//! Gaining rights that were not given.

pub mod askpass_program;
pub mod attach_debugger;
pub mod attack_tool;
pub mod authorize_key;
pub mod control_socket;
pub mod enter_host;
pub mod password_on_stdin;
pub mod type_for_somebody;

use herm_shell::{Effect, Flags, Verb};

use crate::facts::Facts;

/// Changes of rights done in a certain way.
fn escalations(facts: &Facts, how: Flags) -> impl Iterator<Item = &Effect> {
    facts.effects().filter(move |effect| effect.verb == Verb::Escalate && effect.flags.has(how))
}
