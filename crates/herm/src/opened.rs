//! Keys that are typed into a session of tmux which an earlier call of the same session opened.
//!
//! It is one when all of this holds:
//!
//! - the world says so of the session with that name, at the usual server;
//! - the text calls tmux itself, here and with its own rights, and says nothing of another server;
//! - it is found by its whole name: what tmux would complete to another name is not one.

use std::collections::BTreeMap;

use herm_shell::analysis::Invocation;
use herm_shell::world::World;
use herm_shell::{Analysis, Effect, Flags, Realm, Target, Verb};

use crate::call::Exec;

/// Says of every effect on such a session that it is one.
pub(crate) fn mark(shell: &mut Analysis, exec: &Exec, world: &dyn World) {
    if exec.text.contains("TMUX") {
        return;
    }
    let Analysis { effects, invocations, .. } = shell;
    let mut known: BTreeMap<String, bool> = BTreeMap::new();
    for effect in effects {
        let run = invocations.get(effect.invocation).filter(|run| is_plain(run));
        let Some(session) = run.and_then(|_| session(effect)).map(str::to_owned) else { continue };
        if !known.contains_key(&session) && known.len() == MOST {
            return;
        }
        if *known.entry(session).or_insert_with_key(|session| world.has_opened(session)) {
            effect.flags |= Flags::FRESH;
        }
    }
}

/// More sessions than anybody types into at once.
const MOST: usize = 8;

/// The session of the usual server that keys are typed into.
fn session(effect: &Effect) -> Option<&str> {
    let Target::Named("terminal", name) = &effect.target else { return None };
    // Behind a blank there would be a name at a server that has one.
    let session = name.strip_prefix("tmux ").filter(|session| !session.contains(' '));
    session.filter(|_| effect.verb == Verb::Send)
}

/// Whether the text itself calls the tmux of this machine, as whoever runs it would.
fn is_plain(run: &Invocation) -> bool {
    let is_usual = ["tmux", "/usr/bin/tmux", "/bin/tmux"].contains(&&*run.called);
    is_usual && run.within.is_none() && run.realm == Realm::Here && !run.privileged
}
