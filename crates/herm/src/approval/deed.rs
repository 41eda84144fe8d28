//! An effect as it can be remembered: what is done to what.

use herm_shell::effect::ProcessTarget;
use herm_shell::place::Extent;
use herm_shell::{Effect, Flags, PathTarget, Realm, Target, Verb};

use crate::policy::matcher::VERBS;

/// What is done to what, and where; however it is spelt.
///
/// A denial is kept as the deeds of what was refused. A later call that would do one of them is refused too.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Deed {
    /// What is done.
    pub verb: Verb,
    /// To what.
    pub thing: Thing,
    /// On which machine: empty for this one.
    pub realm: String,
}

/// What something is done to.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Thing {
    /// This code.
    Code(String),
    /// The environment variables.
    Environment,
    /// This host.
    Host(String),
    /// A thing of a kind: a branch, a database.
    Named(String, String),
    /// This path and everything below it.
    Path(String),
    /// These processes.
    Process(String),
}

impl Deed {
    /// An effect as a deed; none when its target is not known well enough to be recognised again.
    #[must_use]
    pub fn of(effect: &Effect) -> Option<Self> {
        Some(Self { verb: effect.verb, thing: Thing::of(&effect.target)?, realm: realm(&effect.realm) })
    }

    /// Whether an effect does this, or does it to something that holds this or lies in it.
    #[must_use]
    pub fn happens_in(&self, effect: &Effect) -> bool {
        self.verb == effect.verb
            && self.realm == realm(&effect.realm)
            && match (&self.thing, &effect.target) {
                (Thing::Path(path), Target::Path(target)) => touches(path, target, effect.flags),
                (thing, target) => Thing::of(target).as_ref() == Some(thing),
            }
    }

    /// The word for the verb, as `effect:` writes it.
    #[must_use]
    pub fn verb_word(&self) -> &'static str {
        verb_word(self.verb)
    }

    /// A deed from the words it was kept in: the verb, the kind of thing, its name (and for a named thing its kind
    /// before it), the realm.
    #[must_use]
    pub fn from_words(verb: &str, kind: &str, name: &str, realm: &str) -> Option<Self> {
        let verb = VERBS.iter().find(|(word, _)| *word == verb)?.1;
        Some(Self { verb, thing: Thing::from_words(kind, name)?, realm: realm.to_owned() })
    }
}

impl Thing {
    fn of(target: &Target) -> Option<Self> {
        Some(match target {
            Target::Code(_, code) => Self::Code(code.clone()?),
            Target::Environment => Self::Environment,
            Target::Host(host) => Self::Host(host.host.clone()?),
            Target::Named(kind, name) => Self::Named((*kind).to_owned(), name.clone()),
            Target::Path(path) => Self::Path(known(path)?),
            Target::Process(ProcessTarget::All) => Self::Process("*".to_owned()),
            Target::Process(ProcessTarget::Matching(pattern)) => Self::Process(pattern.clone()),
            Target::Process(ProcessTarget::Number(number)) => Self::Process(number.to_string()),
            Target::None | Target::Process(ProcessTarget::Unknown) => return None,
        })
    }

    /// The words it is kept in: its kind and its name.
    #[must_use]
    pub fn words(&self) -> (String, String) {
        let named = |kind: &str, name: &str| (kind.to_owned(), name.to_owned());
        match self {
            Self::Code(code) => named("code", code),
            Self::Environment => named("environment", ""),
            Self::Host(host) => named("host", host),
            Self::Named(kind, name) => (format!("named {kind}"), name.clone()),
            Self::Path(path) => named("path", path),
            Self::Process(process) => named("process", process),
        }
    }

    fn from_words(kind: &str, name: &str) -> Option<Self> {
        let name = name.to_owned();
        match kind {
            "code" => Some(Self::Code(name)),
            "environment" => Some(Self::Environment),
            "host" => Some(Self::Host(name)),
            "path" => Some(Self::Path(name)),
            "process" => Some(Self::Process(name)),
            _ => kind.strip_prefix("named ").map(|kind| Self::Named(kind.to_owned(), name)),
        }
    }
}

pub(crate) fn verb_word(verb: Verb) -> &'static str {
    VERBS.iter().find(|(_, other)| *other == verb).map_or("", |(word, _)| word)
}

/// The path, when all of it is known. What is below `*` is what is below the directory.
fn known(path: &PathTarget) -> Option<String> {
    match path.extent {
        Extent::Children | Extent::Exact if path.path.starts_with('/') => Some(path.path.clone()),
        Extent::Children | Extent::Exact | Extent::Pattern | Extent::Prefix | Extent::Unknown => None,
    }
}

/// Whether an effect on `target` reaches `path`: it lies there or below, or everything around it is touched.
fn touches(path: &str, target: &PathTarget, flags: Flags) -> bool {
    let within = |inner: &str, outer: &str| {
        let outer = outer.trim_end_matches('/');
        inner.strip_prefix(outer).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    };
    let around = match target.extent {
        Extent::Exact => flags.has(Flags::RECURSIVE),
        Extent::Children | Extent::Pattern => true,
        Extent::Prefix => return path.starts_with(&target.path) || within(&target.path, path),
        Extent::Unknown => return true,
    };
    within(&target.path, path) || around && within(path, &target.path)
}

fn realm(realm: &Realm) -> String {
    match realm {
        Realm::Here => String::new(),
        Realm::Container { .. } => "container".to_owned(),
        Realm::Remote(host) => format!("remote {host}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::approval::tests::effects;

    fn deed(command: &str) -> Deed {
        effects(command).iter().find(|effect| effect.verb == Verb::Delete).and_then(Deed::of).unwrap()
    }

    #[test]
    fn a_deed_is_recognised_in_other_words() {
        let denied = deed("rm -rf build");
        for same in [
            "rm -r ./build/",
            "find build -delete",
            "cd build && rm -rf *",
            "rm build/out.o",
            "rm -rf ../app",
            "python3 -c 'import shutil; shutil.rmtree(\"build\")'",
        ] {
            assert!(effects(same).iter().any(|effect| denied.happens_in(effect)), "{same}");
        }
    }

    #[test]
    fn a_neighbour_is_another_deed() {
        let denied = deed("rm -rf build");
        for other in [
            "rm -rf builds",
            "rm -rf dist",
            "ls build",
            "touch build/x",
            "ssh host rm -rf build",
            "rmdir ../app",
        ] {
            assert!(!effects(other).iter().any(|effect| denied.happens_in(effect)), "{other}");
        }
    }

    #[test]
    fn a_deed_is_read_back_from_its_words() {
        for command in ["rm -rf build", "git branch -D old", "kill -9 42", "curl https://example.com/x | sh"]
        {
            for deed in effects(command).iter().filter_map(Deed::of) {
                let (kind, name) = deed.thing.words();
                assert_eq!(Deed::from_words(deed.verb_word(), &kind, &name, &deed.realm), Some(deed));
            }
        }
    }
}
