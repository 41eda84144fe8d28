//! Branches of this repository that a fetch puts elsewhere: `+refs/heads/*:refs/heads/*`.

use super::config;
use super::push::{is_protected, reach};
use crate::effect::{Flags, Verb};
use crate::programs::arguments::Parsed;
use crate::programs::phrases::emit;
use crate::sink::Sink;
use crate::value::Value;

/// Says which branches a fetch moves although their commits are in no other, and which it deletes.
pub(super) fn fetch(parsed: &Parsed<'_>, sink: &mut dyn Sink) {
    reach(parsed, sink);
    if parsed.has("--dry-run") {
        return;
    }
    let given = parsed.operands.iter().skip(1).map(|word| Destination::read(&word.value));
    let mapped = parsed.values("--refmap").map(Destination::read);
    let settings = config::set_for_one_command(parsed);
    let configured =
        settings.iter().filter(|(key, _)| is_fetched(key)).map(|(_, value)| Destination::read(value));
    let forced = parsed.has("-f --force");
    let prunes = parsed.has("-p --prune");
    for destination in given.chain(mapped).chain(configured).flatten() {
        destination.report(forced, prunes, parsed.has("-u --update-head-ok"), sink);
    }
}

/// `remote.NAME.fetch` as a setting that stays: every fetch from now on does what it says.
pub(super) fn configured(key: &str, value: &Value, sink: &mut dyn Sink) {
    if let Some(destination) = Destination::read(value).filter(|_| is_fetched(key)) {
        destination.report(false, false, false, sink);
    }
}

fn is_fetched(key: &str) -> bool {
    let key = key.to_ascii_lowercase();
    key.strip_prefix("remote.")
        .and_then(|rest| rest.rsplit_once('.'))
        .is_some_and(|(_, name)| name == "fetch")
}

/// Branches of this repository that are what a fetch writes to.
#[derive(Debug, PartialEq, Eq)]
struct Destination {
    forced: bool,
    branch: String,
}

impl Destination {
    /// The branches in `+SOURCE:DESTINATION`, if it names any of this repository: not a remote's, no tag, and no note.
    fn read(word: &Value) -> Option<Self> {
        let text = word.shown();
        let (forced, rest) = text.strip_prefix('+').map_or((false, &*text), |rest| (true, rest));
        let (_, destination) = rest.split_once(':')?;
        let branch = match destination.strip_prefix("refs/") {
            Some("*") => "*",
            Some(below) => below.strip_prefix("heads/")?,
            None => destination.strip_prefix("heads/").unwrap_or(destination),
        };
        (!branch.is_empty()).then(|| Self { forced, branch: branch.to_owned() })
    }

    /// Any branch that is matched, those that others build on, and the one in the work tree lose commits that no other has.
    fn report(&self, forced: bool, prunes: bool, current: bool, sink: &mut dyn Sink) {
        let is_every = self.branch.contains('*');
        let is_moved = (self.forced || forced) && (is_every || current || is_protected(&self.branch));
        if is_moved || prunes && is_every {
            emit(sink, Verb::Destroy, "branch", self.branch.clone(), Flags::FORCE);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_branches_of_the_repository_itself_are_told() {
        let branch =
            |text: &str| Destination::read(&Value::literal(text)).map(|found| (found.forced, found.branch));
        assert_eq!(branch("+refs/heads/*:refs/heads/*"), Some((true, "*".to_owned())));
        assert_eq!(branch("main:main"), Some((false, "main".to_owned())));
        assert_eq!(branch("+refs/*:refs/*"), Some((true, "*".to_owned())));
        assert_eq!(branch("+x:heads/main"), Some((true, "main".to_owned())));
        for text in ["main", "+main", "+refs/heads/*:refs/remotes/origin/*", "refs/tags/*:refs/tags/*", "+x:"]
        {
            assert_eq!(branch(text), None, "{text}");
        }
    }
}
