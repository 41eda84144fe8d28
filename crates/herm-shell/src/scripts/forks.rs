//! Variables of a script that may hold one of several values, because the way forked before.
//!
//! A statement that reads such a variable is read once for each combination of what its variables may hold. A body that may not
//! run, or not to its end, leaves every value possible that a variable had from the body's beginning on.

use std::collections::HashMap;

/// How many values are kept side by side.
const ALTERNATIVES_MOST: usize = 8;
/// How many combinations a statement is read for.
const WAYS_MOST: usize = 16;
/// How often a body is read before what still changes becomes unknown.
pub(super) const PASSES_MOST: u32 = 3;

/// What a variable of a language can hold.
pub(super) trait Held: Clone + PartialEq {
    /// Something unknown in the place of several values.
    fn unknown(name: &str, several: &[Self]) -> Self;
}

/// What all variables hold.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Variables<T> {
    held: HashMap<String, Vec<T>>,
}

impl<T> Default for Variables<T> {
    fn default() -> Self {
        Self { held: HashMap::new() }
    }
}

/// The variables, the combination that is being read, and what bodies overwrote.
#[derive(Debug)]
pub(super) struct Forks<T> {
    variables: Variables<T>,
    /// Which combination is read, as the part of it that the next variable takes.
    left: usize,
    /// How many combinations the variables of this statement have, as far as it was read.
    ways: usize,
    /// Where there are more than are gone through: variables that fork are unknown.
    is_unknown: bool,
    overwritten: Vec<(String, Vec<T>)>,
    bodies: u32,
    has_forked: bool,
}

impl<T> Default for Forks<T> {
    fn default() -> Self {
        Self {
            variables: Variables::default(),
            left: 0,
            ways: 1,
            is_unknown: false,
            overwritten: Vec::new(),
            bodies: 0,
            has_forked: false,
        }
    }
}

/// A statement that is read as often as its variables fork.
#[derive(Debug)]
pub(super) struct Statement<T> {
    before: Variables<T>,
    after: Option<Variables<T>>,
    way: usize,
    outer: (usize, usize, bool),
}

/// A body that may not run, or not to its end.
#[derive(Debug)]
pub(super) struct Body(usize);

impl<T: Held> Forks<T> {
    /// What a variable holds in this combination.
    pub(super) fn get(&mut self, name: &str) -> Option<T> {
        let held = self.variables.held.get(name)?;
        if held.len() < 2 {
            return held.first().cloned();
        }
        if self.is_unknown {
            return Some(T::unknown(name, held));
        }
        let at = self.left % held.len();
        self.left /= held.len();
        self.ways = self.ways.saturating_mul(held.len());
        held.get(at).cloned()
    }

    /// How many variables there are.
    pub(super) fn len(&self) -> usize {
        self.variables.held.len()
    }

    /// Gives a variable a value.
    pub(super) fn set(&mut self, name: &str, value: T) {
        let before = self.variables.held.insert(name.to_owned(), vec![value]);
        if self.bodies > 0
            && let Some(before) = before
        {
            self.overwritten.push((name.to_owned(), before));
        }
    }

    /// Gives a variable a value that it may have besides the ones that it has.
    pub(super) fn set_perhaps(&mut self, name: &str, value: T) {
        let held = self.variables.held.entry(name.to_owned()).or_default();
        add(name, held, vec![value]);
        self.has_forked |= held.len() > 1;
    }

    /// A statement begins.
    pub(super) fn begin(&mut self) -> Statement<T> {
        let outer = (self.left, self.ways, self.is_unknown);
        (self.left, self.ways, self.is_unknown) = (0, 1, false);
        Statement { before: Variables::default(), after: None, way: 0, outer }
    }

    /// Whether a statement that is about to be read could need its beginning back.
    pub(super) fn remember(&mut self, statement: &mut Statement<T>) -> usize {
        if !self.has_forked {
            return 0;
        }
        statement.before = self.variables.clone();
        statement.before.held.len()
    }

    /// A combination was read. Whether another one is to be read now.
    pub(super) fn next(&mut self, statement: &mut Statement<T>) -> bool {
        if self.ways < 2 && statement.way == 0 {
            (self.left, self.ways, self.is_unknown) = statement.outer;
            return false;
        }
        let now = std::mem::replace(&mut self.variables, statement.before.clone());
        statement.after = Some(match statement.after.take() {
            Some(after) => after.joined(now),
            None => now,
        });
        let was_unknown = self.is_unknown;
        statement.way += 1;
        let is_over = was_unknown || (self.ways <= WAYS_MOST && statement.way >= self.ways);
        if is_over {
            self.variables = statement.after.take().unwrap_or_default();
            (self.left, self.ways, self.is_unknown) = statement.outer;
            return false;
        }
        self.is_unknown = statement.way >= WAYS_MOST;
        self.left = statement.way;
        self.ways = 1;
        true
    }

    /// A body begins.
    pub(super) fn begin_body(&mut self) -> Body {
        self.bodies += 1;
        Body(self.overwritten.len())
    }

    /// A body ends.
    pub(super) fn end_body(&mut self, body: &Body) {
        self.bodies = self.bodies.saturating_sub(1);
        for (name, before) in self.overwritten.iter().skip(body.0) {
            let held = self.variables.held.entry(name.clone()).or_default();
            let now = std::mem::replace(held, before.clone());
            add(name, held, now);
            self.has_forked |= held.len() > 1;
        }
        if self.bodies == 0 {
            self.overwritten.clear();
        }
    }

    /// What all variables hold now.
    pub(super) fn variables(&self) -> Variables<T> {
        self.variables.clone()
    }

    /// Whether anything changed since.
    pub(super) fn changed(&self, before: &Variables<T>) -> bool {
        self.variables != *before
    }

    /// What changed since may hold anything.
    pub(super) fn forget_changes(&mut self, before: &Variables<T>) {
        for (name, held) in &mut self.variables.held {
            if before.held.get(name) != Some(held) {
                let unknown = T::unknown(name, held);
                add(name, held, vec![unknown]);
                self.has_forked = true;
            }
        }
    }
}

impl<T: Held> Variables<T> {
    fn joined(mut self, other: Self) -> Self {
        for (name, values) in other.held {
            let held = self.held.entry(name.clone()).or_default();
            add(&name, held, values);
        }
        self
    }
}

fn add<T: Held>(name: &str, held: &mut Vec<T>, values: Vec<T>) {
    for value in values {
        if !held.contains(&value) {
            held.push(value);
        }
    }
    if held.len() > ALTERNATIVES_MOST {
        let rest = held.split_off(ALTERNATIVES_MOST - 1);
        held.push(T::unknown(name, &rest));
    }
}
