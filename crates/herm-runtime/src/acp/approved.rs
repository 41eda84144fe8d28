//! Changes that a person said yes to when the agent asked, and that the agent then has made by the editor.

use std::collections::VecDeque;

use herm_adapters::acp::Diff;

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

    /// Whether exactly this content was seen, as a whole or as what becomes of what is there now. A yes counts once.
    pub(super) fn take_edit(&mut self, session: &str, path: &str, content: &str, now: Option<&str>) -> bool {
        let is_it = |(whose, diff): &(String, Diff)| {
            whose == session && diff.path == path && (diff.new == content || becomes(diff, now, content))
        };
        let found = self.edits.iter().position(is_it);
        found.and_then(|at| self.edits.remove(at)).is_some()
    }
}

/// Whether a change to a part of a file makes this of it. A part that stands there twice is not told apart.
fn becomes(diff: &Diff, now: Option<&str>, content: &str) -> bool {
    match (diff.old.as_deref().filter(|old| !old.is_empty()), now) {
        (Some(old), Some(now)) => now.matches(old).count() == 1 && now.replacen(old, &diff.new, 1) == content,
        (Some(_), None) | (None, _) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn diff(old: Option<&str>, new: &str) -> Diff {
        Diff { path: "/a".to_owned(), old: old.map(str::to_owned), new: new.to_owned() }
    }

    #[test]
    fn a_change_that_was_seen_is_let_through_once() {
        let mut approved = Approved::default();
        approved.edits("s", vec![diff(None, "x")]);
        assert!(!approved.take_edit("t", "/a", "x", None) && !approved.take_edit("s", "/b", "x", None));
        assert!(!approved.take_edit("s", "/a", "y", None));
        assert!(approved.take_edit("s", "/a", "x", None));
        assert!(!approved.take_edit("s", "/a", "x", None));
    }

    #[test]
    fn a_part_that_was_seen_is_what_becomes_of_the_whole() {
        let mut approved = Approved::default();
        approved.edits("s", vec![diff(Some("b"), "B")]);
        assert!(!approved.take_edit("s", "/a", "aBc!", Some("abc")));
        assert!(!approved.take_edit("s", "/a", "Bb", Some("bb")));
        assert!(approved.take_edit("s", "/a", "aBc", Some("abc")));
    }

    #[test]
    fn only_so_much_is_remembered() {
        let mut approved = Approved::default();
        for number in 0..200 {
            approved.edits("s", vec![diff(None, &number.to_string())]);
        }
        assert!(!approved.take_edit("s", "/a", "0", None) && approved.take_edit("s", "/a", "199", None));
    }
}
