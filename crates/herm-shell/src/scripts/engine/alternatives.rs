//! Values that may be one of several, because the way forked before.

use super::recursion::is_same;
use super::{Reader, Val};
use crate::value::Provenance;

/// How many values are kept side by side. What comes after them is a hole.
const ALTERNATIVES_MOST: usize = 8;
/// How many combinations of arguments are gone through.
const WAYS_MOST: usize = 16;
/// How deeply lists within lists are looked through for alternatives.
const NESTED_MOST: usize = 3;
/// What one combination costs.
const WAY_COST: usize = 2;

impl Val {
    /// One of two values.
    pub(super) fn either(self, other: &Self) -> Self {
        if is_same(&self, other) {
            return self;
        }
        let mut all = self.alternatives();
        for value in other.alternatives() {
            if !all.iter().any(|known| is_same(known, &value)) {
                all.push(value);
            }
        }
        if all.len() > ALTERNATIVES_MOST {
            let rest = all.split_off(ALTERNATIVES_MOST - 1);
            let origin = rest.iter().fold(Provenance::NONE, |origin, value| origin | value.provenance());
            all.push(Self::unknown("one of many", origin));
        }
        match all.pop() {
            Some(only) if all.is_empty() => only,
            Some(last) => {
                all.push(last);
                Self::OneOf(all.into())
            }
            None => Self::list(Vec::new()),
        }
    }

    /// All that it may be.
    pub(super) fn alternatives(&self) -> Vec<Self> {
        if let Self::OneOf(all) = self { all.to_vec() } else { vec![self.clone()] }
    }

    /// Goes through the forks in a value, and puts what `pick` says in their place.
    fn picked(&self, depth: usize, pick: &mut impl FnMut(&[Self]) -> Self) -> Self {
        match self {
            Self::OneOf(all) => pick(all),
            Self::List(items) if depth > 0 && self.forks(depth) => {
                Self::list(items.iter().map(|item| item.picked(depth - 1, pick)).collect())
            }
            Self::Pair(pair) if depth > 0 && self.forks(depth) => {
                Self::Pair(std::rc::Rc::new((pair.0.clone(), pair.1.picked(depth - 1, pick))))
            }
            Self::Function(_)
            | Self::Handle(_)
            | Self::List(_)
            | Self::Name(..)
            | Self::Number(_)
            | Self::Pair(_)
            | Self::Text(_) => self.clone(),
        }
    }

    /// Whether it is not certain which value it is, or one inside of it.
    fn forks(&self, depth: usize) -> bool {
        match self {
            Self::OneOf(_) => true,
            Self::List(items) => depth > 0 && items.iter().any(|item| item.forks(depth - 1)),
            Self::Pair(pair) => depth > 0 && pair.1.forks(depth - 1),
            Self::Function(_) | Self::Handle(_) | Self::Name(..) | Self::Number(_) | Self::Text(_) => false,
        }
    }
}

impl Reader<'_> {
    /// One of two values.
    #[expect(clippy::unused_self, reason = "languages know values by what a reader makes of them")]
    pub(in crate::scripts) fn either(&self, one: &Val, other: &Val) -> Val {
        one.clone().either(other)
    }

    /// Does something with every combination of what `values` may be. Where there are too many, the last stands for all
    /// of those that were not gone through: its values are holes.
    pub(in crate::scripts) fn each_way(
        &mut self,
        values: &[Val],
        inner: impl FnMut(&mut Self, &[Val]) -> Val,
    ) -> Val {
        self.each_way_below(values, NESTED_MOST, inner)
    }

    /// The same where only the values themselves fork, not what stands inside of them.
    pub(super) fn each_top_way(
        &mut self,
        values: &[Val],
        inner: impl FnMut(&mut Self, &[Val]) -> Val,
    ) -> Val {
        self.each_way_below(values, 0, inner)
    }

    fn each_way_below(
        &mut self,
        values: &[Val],
        depth: usize,
        mut inner: impl FnMut(&mut Self, &[Val]) -> Val,
    ) -> Val {
        if !values.iter().any(|value| value.forks(depth)) {
            return inner(self, values);
        }
        let mut ways = 1_usize;
        for value in values {
            value.picked(depth, &mut |all| {
                ways = ways.saturating_mul(all.len());
                Val::Number(0)
            });
        }
        let mut result: Option<Val> = None;
        let mut run = |reader: &mut Self, chosen: &[Val]| {
            let value = inner(reader, chosen);
            result = Some(match result.take() {
                Some(earlier) => earlier.either(&value),
                None => value,
            });
        };
        let is_all = ways <= WAYS_MOST;
        for way in 0..if is_all { ways } else { ALTERNATIVES_MOST } {
            if !self.spend(WAY_COST) {
                break;
            }
            let mut left = way;
            let mut pick = |all: &[Val]| {
                let at = if is_all { left % all.len().max(1) } else { way.min(all.len().saturating_sub(1)) };
                left /= all.len().max(1);
                all.get(at).cloned().unwrap_or(Val::Number(0))
            };
            let chosen: Vec<Val> = values.iter().map(|value| value.picked(depth, &mut pick)).collect();
            run(self, &chosen);
        }
        if !is_all {
            let mut pick = |all: &[Val]| {
                let origin = all.iter().fold(Provenance::NONE, |origin, value| origin | value.provenance());
                Val::unknown("one of several", origin)
            };
            let chosen: Vec<Val> = values.iter().map(|value| value.picked(depth, &mut pick)).collect();
            run(self, &chosen);
        }
        result.unwrap_or_else(|| Val::list(Vec::new()))
    }
}
