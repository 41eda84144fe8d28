//! All places that a pattern could have reached.

use std::cell::Cell;

use super::{Node, Repeat, Text};

/// How many places may be visited in one match.
const STEPS: u32 = 4_000_000;

/// What is left of the steps of one match.
pub(super) struct Budget(Cell<u32>);

impl Default for Budget {
    fn default() -> Self {
        Self(Cell::new(STEPS))
    }
}

impl Budget {
    fn spend(&self, steps: usize) -> Option<()> {
        let left = self.0.get().checked_sub(u32::try_from(steps).ok()?.saturating_add(1))?;
        self.0.set(left);
        Some(())
    }
}

/// Places in a text, in order.
#[derive(Clone, Default)]
pub(super) struct Places(Vec<usize>);

impl Places {
    pub(super) fn one(place: usize) -> Self {
        Self(vec![place])
    }

    pub(super) fn range(first: usize, last: usize) -> Self {
        Self((first..=last).collect())
    }

    pub(super) fn first(&self) -> Option<usize> {
        self.0.first().copied()
    }

    pub(super) fn last(&self) -> Option<usize> {
        self.0.last().copied()
    }

    pub(super) fn iter(&self) -> impl DoubleEndedIterator<Item = usize> {
        self.0.iter().copied()
    }

    fn union(mut self, other: Self) -> Self {
        if self.0.is_empty() {
            return other;
        }
        self.0.extend(other.0);
        self.0.sort_unstable();
        self.0.dedup();
        self
    }

    fn without(self, other: &Self) -> Self {
        let is_new = |place: &usize| other.0.binary_search(place).is_err();
        Self(self.0.into_iter().filter(is_new).collect())
    }
}

impl Text {
    /// Where `nodes` lead from `places`; `None` when that takes too long.
    pub(super) fn follow(&self, nodes: &[Node], mut places: Places) -> Option<Places> {
        for node in nodes {
            if places.0.is_empty() {
                break;
            }
            self.budget.spend(places.0.len())?;
            places = self.pass(node, places)?;
        }
        Some(places)
    }

    fn pass(&self, node: &Node, places: Places) -> Option<Places> {
        Some(match node {
            Node::Any => self.take(&places, |_| true),
            Node::Class(class) => self.take(&places, |character| class.contains(character)),
            Node::Group(repeat, alternatives) => self.group(*repeat, alternatives, places)?,
            Node::Literal(expected) => self.take(&places, |character| character == *expected),
            Node::Star => places.first().map_or_else(Places::default, |first| self.all_from(first)),
        })
    }

    fn take(&self, places: &Places, fits: impl Fn(char) -> bool) -> Places {
        let fitting =
            places.iter().filter(|place| self.characters.get(*place).is_some_and(|next| fits(*next)));
        Places(fitting.map(|place| place + 1).collect())
    }

    fn all_from(&self, first: usize) -> Places {
        Places::range(first, self.characters.len())
    }

    fn group(&self, repeat: Repeat, alternatives: &[Vec<Node>], places: Places) -> Option<Places> {
        match repeat {
            Repeat::Any => self.repeat(alternatives, places),
            Repeat::AtLeastOnce => self.repeat(alternatives, self.once(alternatives, &places)?),
            Repeat::AtMostOnce => Some(self.once(alternatives, &places)?.union(places)),
            Repeat::Not => self.not(alternatives, &places),
            Repeat::Once => self.once(alternatives, &places),
        }
    }

    fn once(&self, alternatives: &[Vec<Node>], places: &Places) -> Option<Places> {
        let mut reached = Places::default();
        for nodes in alternatives {
            self.budget.spend(places.0.len())?;
            reached = reached.union(self.follow(nodes, places.clone())?);
        }
        Some(reached)
    }

    /// `places` and everything that the alternatives lead to from there, any number of times.
    fn repeat(&self, alternatives: &[Vec<Node>], places: Places) -> Option<Places> {
        let mut reached = places.clone();
        let mut fresh = places;
        while !fresh.0.is_empty() {
            fresh = self.once(alternatives, &fresh)?.without(&reached);
            self.budget.spend(reached.0.len())?;
            reached = reached.union(fresh.clone());
        }
        Some(reached)
    }

    /// Everything from each place on but what the alternatives lead to.
    fn not(&self, alternatives: &[Vec<Node>], places: &Places) -> Option<Places> {
        let mut reached = Places::default();
        for place in places.iter() {
            let all = self.all_from(place);
            self.budget.spend(all.0.len())?;
            let matched = self.once(alternatives, &Places::one(place))?;
            reached = reached.union(all.without(&matched));
        }
        Some(reached)
    }
}
