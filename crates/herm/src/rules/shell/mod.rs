//! Shells that someone can type into.

pub mod bind_shell;
pub mod escape_to_shell;
pub mod privileged_shell;
pub mod reverse_shell;

use herm_shell::{Effect, Flags, Realm, Verb};

use crate::facts::Facts;

/// Shells driven from the other end of a connection.
fn remotely_driven(facts: &Facts) -> impl Iterator<Item = &Effect> {
    facts.effects().filter(|effect| effect.verb == Verb::Execute && effect.flags.has(Flags::REMOTE_CONTROL))
}

/// Whether anything here waits for connections.
fn listens(facts: &Facts) -> bool {
    facts.effects().any(|effect| effect.verb == Verb::Listen)
}

/// Whether a shell opens on this machine for someone to type into.
fn opens_shell(effect: &Effect) -> bool {
    let here = !matches!(effect.realm, Realm::Remote(_));
    effect.verb == Verb::Execute
        && here
        && effect.flags.has(Flags::INTERACTIVE)
        && !effect.flags.has(Flags::REMOTE_CONTROL)
}
