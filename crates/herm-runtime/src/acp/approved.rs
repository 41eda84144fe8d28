//! Changes that a person said yes to when the agent asked, and that the agent then has made by the editor.

use std::collections::VecDeque;

use herm_adapters::acp::Diff;

use super::now::Now;

/// Changes that were said yes to and are still to come.
#[derive(Debug, Default)]
pub(super) struct Approved {
    edits: VecDeque<(String, Diff)>,
}

/// How much is remembered.
const MOST: usize = 64;

/// How many bytes of a change are remembered.
const LONGEST: usize = 1 << 20;

impl Approved {
    /// Somebody has seen these changes, and said yes.
    pub(super) fn edits(&mut self, session: &str, diffs: Vec<Diff>) {
        let small = |diff: &Diff| diff.new.len() + diff.old.as_ref().map_or(0, String::len) <= LONGEST;
        for diff in diffs.into_iter().filter(small) {
            self.edits.truncate(MOST - 1);
            self.edits.push_front((session.to_owned(), diff));
        }
    }

    /// Whether exactly this is what becomes of what is there now by a change that was seen. A yes counts once.
    pub(super) fn take_edit(&mut self, session: &str, path: &str, content: &str, now: &Now) -> bool {
        let is_it = |(whose, diff): &(String, Diff)| {
            whose == session && diff.path == path && becomes(diff, now).as_deref() == Some(content)
        };
        let found = self.edits.iter().position(is_it);
        found.and_then(|at| self.edits.remove(at)).is_some()
    }
}

/// What a change makes of a file, where that is certain. The new text alone is all of it only where nothing else is there, and a
/// part that stands there twice is not told apart.
fn becomes(diff: &Diff, now: &Now) -> Option<String> {
    match (diff.old.as_deref().filter(|old| !old.is_empty()), now) {
        (None, Now::Absent) => Some(diff.new.clone()),
        (None, Now::Text(now)) => now.is_empty().then(|| diff.new.clone()),
        (Some(old), Now::Text(now)) => {
            let is_once = now.find(old) == now.rfind(old);
            (is_once && now.contains(old)).then(|| now.replacen(old, &diff.new, 1))
        }
        (Some(_), Now::Absent) | (_, Now::Hidden) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn diff(old: Option<&str>, new: &str) -> Diff {
        Diff { path: "/a".to_owned(), old: old.map(str::to_owned), new: new.to_owned() }
    }

    fn text(now: &str) -> Now {
        Now::Text(now.to_owned())
    }

    #[test]
    fn a_change_that_was_seen_is_let_through_once() {
        let mut approved = Approved::default();
        approved.edits("s", vec![diff(None, "x")]);
        let absent = &Now::Absent;
        assert!(!approved.take_edit("t", "/a", "x", absent) && !approved.take_edit("s", "/b", "x", absent));
        assert!(!approved.take_edit("s", "/a", "y", absent));
        assert!(approved.take_edit("s", "/a", "x", absent));
        assert!(!approved.take_edit("s", "/a", "x", absent));
    }

    #[test]
    fn a_part_that_was_seen_is_what_becomes_of_the_whole() {
        let mut approved = Approved::default();
        approved.edits("s", vec![diff(Some("b"), "B")]);
        assert!(!approved.take_edit("s", "/a", "aBc!", &text("abc")));
        assert!(!approved.take_edit("s", "/a", "Bb", &text("bb")));
        assert!(approved.take_edit("s", "/a", "aBc", &text("abc")));
        approved.edits("s", vec![diff(Some("aa"), "b")]);
        assert!(!approved.take_edit("s", "/a", "ba", &text("aaa")), "it stands there twice");
        assert!(approved.take_edit("s", "/a", "b", &text("aa")));
    }

    #[test]
    fn a_yes_to_a_part_is_none_to_the_loss_of_the_rest() {
        let mut approved = Approved::default();
        approved.edits("s", vec![diff(Some("b"), "B"), diff(None, "N"), diff(Some(""), "E")]);
        for now in [text("abc"), text("x"), Now::Hidden] {
            for content in ["B", "N", "E"] {
                assert!(!approved.take_edit("s", "/a", content, &now), "{content} {now:?}");
            }
        }
        assert!(!approved.take_edit("s", "/a", "B", &Now::Absent));
        assert!(
            approved.take_edit("s", "/a", "N", &text("")) && approved.take_edit("s", "/a", "E", &Now::Absent)
        );
    }

    #[test]
    fn only_so_much_is_remembered() {
        let mut approved = Approved::default();
        for number in 0..200 {
            approved.edits("s", vec![diff(None, &number.to_string())]);
        }
        let absent = &Now::Absent;
        assert!(!approved.take_edit("s", "/a", "0", absent) && approved.take_edit("s", "/a", "199", absent));
    }
}
