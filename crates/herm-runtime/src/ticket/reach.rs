//! Whether a command finds behind the boundary all that it is known to want.
//!
//! What it leaves in a temporary directory there is gone when it ends, and what lies in the home is not to be seen. Whoever lets an agent run its
//! commands by turns on both sides would look for files that never were. What a command is known to want beyond the workspace was judged;
//! what nobody knows of is what the boundary is for.

use herm::policy::Isolation;
use herm::{AbsPath, Facts};
use herm_shell::{Effect, PathTarget, Places, Realm, Target, Verb};

/// Whether all that a command is known to do can be done behind the boundary, to the same things.
pub(super) fn stays(facts: &Facts, isolation: &Isolation, home: &AbsPath) -> bool {
    let view = View { isolation, home };
    let here = facts.effects().filter(|effect| effect.realm == Realm::Here);
    here.into_iter().all(|effect| view.has(effect)) && facts.operands.iter().all(|one| view.shows(&one.path))
}

struct View<'a> {
    isolation: &'a Isolation,
    home: &'a AbsPath,
}

impl View<'_> {
    fn has(&self, effect: &Effect) -> bool {
        let is_of_the_machine = matches!(
            effect.verb,
            Verb::Account
                | Verb::Kill
                | Verb::Listen
                | Verb::Load
                | Verb::Mount
                | Verb::Power
                | Verb::Service
        );
        match &effect.target {
            _ if is_of_the_machine => false,
            Target::Path(path) if matches!(effect.verb, Verb::Execute | Verb::Read) => self.shows(path),
            Target::Path(path) => self.shares(path) || path.path.starts_with("/dev/"),
            Target::Process(_) => false,
            Target::Code(..) | Target::Environment | Target::Host(_) | Target::Named(..) | Target::None => {
                true
            }
        }
    }

    /// Whether a path is the same on both sides.
    fn shows(&self, path: &PathTarget) -> bool {
        let is_apart = path.places.has(Places::TEMPORARY) || self.home.holds(&path.path);
        self.shares(path) || !is_apart
    }

    /// Whether a path is the same on both sides, and can be changed.
    fn shares(&self, path: &PathTarget) -> bool {
        self.isolation.shared.iter().any(|root| root.meets(path))
    }
}
