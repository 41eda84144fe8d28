//! Variables that may be one thing or another, and going through each of the ways.

use std::collections::HashMap;

use super::Make;
use super::text::ANY;
use crate::gap::{Position, Reason};
use crate::lang::Lang;

/// How many values of a variable are told apart; one with more could be anything.
const VALUES_MOST: usize = 8;
/// How many ways are gone through for one text.
const WAYS_MOST: usize = 24;

/// Variables by their names.
pub(super) type Variables = HashMap<String, Variable>;

/// A variable.
#[derive(Clone, Debug)]
pub(super) struct Variable {
    pub(super) first: Way,
    /// What else it may be.
    pub(super) others: Vec<Way>,
    /// Whether what runs make may have given it another value.
    pub(super) unsure: bool,
}

/// What a variable may be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Way {
    /// What it becomes in a recipe.
    pub(super) recipe: String,
    /// What it becomes in a list of names, where that is known already.
    pub(super) list: Option<String>,
    /// Whether the makefile does not set it.
    pub(super) unset: bool,
}

impl Way {
    pub(super) fn new(recipe: &str, list: Option<String>) -> Self {
        Self { recipe: recipe.to_owned(), list, unset: false }
    }

    /// One after the other.
    pub(super) fn and(&self, more: &Self) -> Self {
        let list = self.list.as_ref().zip(more.list.as_ref()).map(|(one, other)| format!("{one} {other}"));
        Self { recipe: format!("{} {}", self.recipe, more.recipe), list, unset: false }
    }

    /// Whether it only holds options of compilers: they change what is compiled, not what happens.
    fn is_options(&self) -> bool {
        let starts = ["-D", "-I", "-L", "-l", "-W", "-f", "-m", "-O", "-g", "-std=", "-pthread", "-pedantic"];
        let plain = |letter: char| letter.is_ascii_alphanumeric() || "-_=./+,".contains(letter);
        let option = |word: &str| {
            let is_one = starts.iter().any(|start| word.starts_with(start));
            is_one && word.chars().all(plain) && !word.contains("plugin")
        };
        !self.unset && self.recipe.split_whitespace().all(option)
    }
}

impl Variable {
    pub(super) fn new(recipe: &str, list: Option<String>) -> Self {
        Self { first: Way::new(recipe, list), others: Vec::new(), unsure: false }
    }

    /// A variable that may be each of these.
    pub(super) fn of(ways: Vec<Way>) -> Self {
        let mut different: Vec<Way> = Vec::new();
        for way in ways {
            if !different.contains(&way) {
                different.push(way);
            }
        }
        if different.len() > 1 && different.iter().all(Way::is_options) {
            let all =
                different.iter().skip(1).fold(different.first().cloned(), |all, way| Some(all?.and(way)));
            return Self {
                unsure: true,
                ..all.map_or_else(Self::anything, |all| Self::new(&all.recipe, all.list))
            };
        }
        if different.len() > VALUES_MOST || different.is_empty() {
            return Self::anything();
        }
        let first = different.remove(0);
        Self { first, others: different, unsure: false }
    }

    fn anything() -> Self {
        Self::new(&ANY.to_string(), Some(ANY.to_string()))
    }

    pub(super) fn ways(&self) -> impl Iterator<Item = &Way> {
        std::iter::once(&self.first).chain(&self.others)
    }
}

/// Variables that may be what they are in each of these.
pub(super) fn merged(all: &[Variables]) -> Variables {
    let unset = Way { unset: true, ..Way::new("", None) };
    let mut whole = Variables::new();
    for name in all.iter().flat_map(Variables::keys) {
        if whole.contains_key(name) {
            continue;
        }
        let own = || all.iter().filter_map(|variables| variables.get(name));
        let mut ways: Vec<Way> = own().flat_map(Variable::ways).cloned().collect();
        if own().count() < all.len() {
            ways.push(unset.clone());
        }
        let unsure = own().any(|variable| variable.unsure);
        let variable = Variable::of(ways);
        whole.insert(name.clone(), Variable { unsure: unsure || variable.unsure, ..variable });
    }
    whole
}

/// What was chosen on one way: by name, which, and of how many.
pub(super) type Chosen = Vec<(String, usize, usize)>;

impl Make<'_> {
    /// Does something once for each way that what is not known may come out in it.
    pub(super) fn each_way(&mut self, mut inner: impl FnMut(&mut Self)) {
        if self.chosen.is_some() {
            return inner(self);
        }
        self.chosen = Some(Vec::new());
        for _ in 0..WAYS_MOST {
            inner(self);
            if !self.next_way() || self.spent {
                self.chosen = None;
                return;
            }
        }
        self.chosen = None;
        self.sink.gap(Position::Code, Reason::Fuel, Lang::Make.name());
    }

    /// Chooses the next way; `false` after the last.
    fn next_way(&mut self) -> bool {
        let Some(chosen) = self.chosen.as_mut() else { return false };
        while let Some((name, which, of)) = chosen.pop() {
            if which + 1 < of {
                chosen.push((name, which + 1, of));
                return true;
            }
        }
        false
    }

    /// Which of some possibilities it is on this way; `None` where no way is gone.
    pub(super) fn pick(&mut self, name: &str, of: usize) -> Option<usize> {
        let chosen = self.chosen.as_mut()?;
        if let Some((_, which, _)) = chosen.iter().find(|(own, _, size)| own == name && *size == of) {
            return Some(*which);
        }
        chosen.push((name.to_owned(), 0, of));
        Some(0)
    }
}
