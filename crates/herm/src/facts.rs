//! What is known about a call.

use herm_shell::{Analysis, Effect, PathTarget, Realm, Target, Verb};

use crate::fetch::Fetch;

/// What is known about a call. Carries no opinion.
#[derive(Clone, Debug, Default)]
pub struct Facts {
    /// What the command or code would do.
    pub shell: Analysis,
    /// What stands in the text.
    pub text: Vec<herm_scan::Detection>,
    /// The paths among the arguments of programs that no table describes.
    pub operands: Vec<Operand>,
    /// The connection that is asked for, where it is one.
    pub fetch: Option<Fetch>,
}

/// A path that is handed to a program of which nothing is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Operand {
    /// The invocation it belongs to.
    pub invocation: usize,
    /// The path.
    pub path: PathTarget,
}

impl Facts {
    /// Whether anything may be another way afterwards. What programs do that nobody knows, nobody can say.
    #[must_use]
    pub fn may_change_something(&self) -> bool {
        let unknown = !self.shell.gaps.is_empty() || self.shell.invocations.iter().any(|run| !run.described);
        let known = |effect: &Effect| !matches!(effect.verb, Verb::Connect | Verb::Execute | Verb::Read);
        unknown || self.shell.effects.iter().any(known)
    }

    /// The effects that matter here: what stays inside a closed container is left out.
    pub fn effects(&self) -> impl Iterator<Item = &Effect> {
        self.shell.effects.iter().filter(|effect| !closed(&effect.realm) || reaches_out(effect))
    }
}

/// Whether it is done to something that is nowhere in a container, and is only reached from there.
fn reaches_out(effect: &Effect) -> bool {
    let Target::Named(kind, _) = &effect.target else { return false };
    matches!(effect.verb, Verb::Destroy | Verb::Publish) && ELSEWHERE.contains(kind)
}

/// Kinds of things that servers hold for their clients.
const ELSEWHERE: &[&str] = &[
    "bucket",
    "cloud resource",
    "cluster",
    "cluster resource",
    "database",
    "deployment",
    "infrastructure",
    "key space",
    "namespace",
    "queue",
    "registry package",
    "repository",
    "rows",
    "table",
];

pub(crate) fn closed(realm: &Realm) -> bool {
    matches!(realm, Realm::Container { open: false, .. })
}
