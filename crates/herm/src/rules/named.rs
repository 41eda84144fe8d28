//! Effects on things that have a kind and a name: branches, containers, databases.

use herm_shell::{Effect, Target, Verb};

use crate::facts::Facts;

/// The effects of this verb on things of these kinds, with their names. An empty name is one that is not known.
pub(super) fn of_kind<'a>(
    facts: &'a Facts,
    verb: Verb,
    kinds: &'static [&'static str],
) -> impl Iterator<Item = (&'a Effect, &'a str)> {
    facts.effects().filter(move |effect| effect.verb == verb).filter_map(move |effect| match &effect.target {
        Target::Named(kind, name) if kinds.contains(kind) => Some((effect, name.as_str())),
        Target::Code(..)
        | Target::Environment
        | Target::Host(_)
        | Target::Named(..)
        | Target::None
        | Target::Path(_)
        | Target::Process(_) => None,
    })
}

/// The kind of the thing, for effects that [`of_kind`] gave.
pub(super) fn kind(effect: &Effect) -> &'static str {
    match &effect.target {
        Target::Named(kind, _) => kind,
        Target::Code(..)
        | Target::Environment
        | Target::Host(_)
        | Target::None
        | Target::Path(_)
        | Target::Process(_) => "thing",
    }
}

/// The thing in a sentence: "the branch `main`", or "a branch" when its name is not known.
pub(super) fn the(kind: &str, name: &str) -> String {
    let article = if kind.starts_with(['a', 'e', 'i', 'o', 'u']) { "an" } else { "a" };
    if name.is_empty() { format!("{article} {kind}") } else { format!("the {kind} `{name}`") }
}

#[cfg(test)]
mod tests {
    use super::the;

    #[test]
    fn things_without_a_name_are_one_of_many() {
        assert_eq!(the("branch", "main"), "the branch `main`");
        assert_eq!(the("branch", ""), "a branch");
        assert_eq!(the("image", ""), "an image");
    }
}
