//! Hides known values in what goes by, without changing its length.
//!
//! Each letter of a value may be spelled in its own way, so that there is no list of what to look for: `ab+c/d` has hundreds of spellings,
//! and every library that writes JSON or addresses has its own idea of which letters need one. The bytes are read letter by letter
//! instead, and every way to read them is followed at once. At each byte a value may begin, and each that has begun goes on with the byte as it stands, with
//! the letter that is spelled from there on, or not at all. Two ways that got equally far in a value are one from there on, so that the work for a byte
//! is bounded by the length of the values, whatever the bytes are.

use std::sync::Arc;

use super::forms::Form;
use super::spelling::{self, LONGEST, MARKS, Spelling};

/// Hides known values in bytes that come in pieces.
#[derive(Clone)]
pub(crate) struct Veil {
    values: Arc<Values>,
    /// What came and was not passed on: as it came, and as it is passed on.
    held: Vec<u8>,
    shown: Vec<u8>,
    /// How many bytes were passed on, and how many were read. Places in what goes by are counted from its beginning.
    passed: usize,
    read: usize,
    /// The values that have begun, by the place at which they go on, which is never further away than the longest spelling.
    begun: Vec<Vec<Begun>>,
    /// The last place at which one goes on.
    last: usize,
}

/// How many places are told apart.
const PLACES: usize = (LONGEST + 1).next_power_of_two();

/// A value that may have begun.
#[derive(Clone, Copy)]
struct Begun {
    /// The step that comes next.
    step: usize,
    /// Where it began.
    start: usize,
}

/// Whether anything may follow.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Rest {
    MayCome,
    None,
}

impl Veil {
    pub(crate) fn new(forms: Vec<Form>) -> Self {
        Self::of(Arc::new(Values::new(forms)))
    }

    fn of(values: Arc<Values>) -> Self {
        let begun = vec![Vec::new(); PLACES];
        Self { values, held: Vec::new(), shown: Vec::new(), passed: 0, read: 0, begun, last: 0 }
    }

    /// What can be passed on after a piece. What may be the beginning of a value whose rest has not come yet is held back, and
    /// nothing else: somebody may wait for it.
    pub(crate) fn hide(&mut self, piece: &[u8]) -> Vec<u8> {
        self.held.extend_from_slice(piece);
        self.shown.extend_from_slice(piece);
        self.read_on(Rest::MayCome);
        let begun = self.begun.iter().flatten().map(|begun| begun.start).min();
        let settled = begun.unwrap_or(self.read).min(self.read) - self.passed;
        self.passed += settled;
        self.held.drain(..settled);
        let rest = self.shown.split_off(settled);
        std::mem::replace(&mut self.shown, rest)
    }

    /// What is left at the end.
    pub(crate) fn rest(&mut self) -> Vec<u8> {
        self.read_on(Rest::None);
        let shown = std::mem::take(&mut self.shown);
        *self = Self::of(Arc::clone(&self.values));
        shown
    }

    /// Hides values in bytes that are whole.
    pub(crate) fn hide_all(&self, bytes: &[u8]) -> Vec<u8> {
        let mut veil = Self::of(Arc::clone(&self.values));
        let mut hidden = veil.hide(bytes);
        hidden.extend(veil.rest());
        hidden
    }

    /// Reads as far as it is clear what is spelled.
    fn read_on(&mut self, rest: Rest) {
        loop {
            self.skip();
            let unread = self.held.get(self.read - self.passed..).unwrap_or_default();
            let Some(byte) = unread.first().copied() else { return };
            let spelled = match spelling::read(unread) {
                Spelling::Letter { letter, length } => Some((letter, length)),
                Spelling::Unclear if rest == Rest::MayCome => return,
                Spelling::Nothing | Spelling::Unclear => None,
            };
            self.follow(byte, spelled);
            self.read += 1;
        }
    }

    /// Passes over what no value begins with, where none has begun.
    fn skip(&mut self) {
        if self.last > self.read || self.begun.get(self.read % PLACES).is_some_and(|ways| !ways.is_empty()) {
            return;
        }
        let unread = self.held.get(self.read - self.passed..).unwrap_or_default();
        let idle = unread.iter().position(|byte| self.values.may_begin(*byte));
        self.read += idle.unwrap_or(unread.len());
    }

    /// Goes on with every value that has got here, and with those that begin here: with the byte as it stands, and as what is spelled.
    fn follow(&mut self, byte: u8, spelled: Option<(u8, usize)>) {
        let here = self.read;
        let mut ways = self.begun.get_mut(here % PLACES).map(std::mem::take).unwrap_or_default();
        for way in &ways {
            self.go_on(*way, byte, spelled);
        }
        for value in 0..self.values.starts.len() {
            let Some(step) = self.values.starts.get(value).copied() else { break };
            self.go_on(Begun { step, start: here }, byte, spelled);
        }
        // Its room is used again.
        ways.clear();
        if let Some(slot) = self.begun.get_mut(here % PLACES) {
            *slot = ways;
        }
    }

    fn go_on(&mut self, way: Begun, byte: u8, spelled: Option<(u8, usize)>) {
        for (letter, length) in [Some((byte, 1)), spelled].into_iter().flatten() {
            match self.values.after(way.step, letter) {
                Some(Next::Step(step)) => self.arrive(Begun { step, ..way }, self.read + length),
                Some(Next::End) => self.cover(way.start, self.read + length),
                None => {}
            }
        }
    }

    /// Of two that got equally far, the one that began first covers the other.
    fn arrive(&mut self, way: Begun, place: usize) {
        self.last = self.last.max(place);
        let Some(ways) = self.begun.get_mut(place % PLACES) else { return };
        // They come in order, except for those that were spelled in more bytes.
        if ways.last().is_none_or(|last| last.step < way.step) {
            return ways.push(way);
        }
        match ways.binary_search_by_key(&way.step, |other| other.step) {
            Ok(found) => {
                if let Some(other) = ways.get_mut(found) {
                    other.start = other.start.min(way.start);
                }
            }
            Err(free) => ways.insert(free, way),
        }
    }

    fn cover(&mut self, start: usize, end: usize) {
        let length = end.saturating_sub(start);
        self.shown.iter_mut().skip(start - self.passed).take(length).for_each(|byte| *byte = b'*');
    }
}

/// The values, one after the other, as steps from letter to letter.
struct Values {
    steps: Vec<Step>,
    /// The first step of each.
    starts: Vec<usize>,
    /// The bytes that one may begin with.
    first: [bool; 256],
}

/// A letter of a value.
struct Step {
    letters: [u8; 2],
    is_last: bool,
}

/// What comes after a letter.
enum Next {
    End,
    Step(usize),
}

impl Values {
    fn new(forms: Vec<Form>) -> Self {
        let mut values = Self { steps: Vec::new(), starts: Vec::new(), first: [false; 256] };
        for form in forms {
            values.add(&form);
        }
        values
    }

    fn add(&mut self, form: &Form) {
        let Some(first) = form.first() else { return };
        for byte in first.iter().chain(MARKS) {
            if let Some(may) = self.first.get_mut(usize::from(*byte)) {
                *may = true;
            }
        }
        self.starts.push(self.steps.len());
        let last = form.len() - 1;
        self.steps.extend(
            form.iter()
                .enumerate()
                .map(|(place, letters)| Step { letters: *letters, is_last: place == last }),
        );
    }

    fn may_begin(&self, byte: u8) -> bool {
        self.first.get(usize::from(byte)).copied().unwrap_or(true)
    }

    /// What comes after a step, if that is its letter.
    fn after(&self, step: usize, letter: u8) -> Option<Next> {
        let Step { letters, is_last } = self.steps.get(step)?;
        let next = if *is_last { Next::End } else { Next::Step(step + 1) };
        letters.contains(&letter).then_some(next)
    }
}

#[cfg(test)]
mod tests;
