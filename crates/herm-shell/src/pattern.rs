//! Patterns as in `case`, `${x#p}` and `${x/p/r}`: `*`, `?`, `[…]` and extended globs.
//!
//! A pattern is matched by following all places that it could have reached at once, so that no pattern makes it go
//! back over the text again and again. What still costs too much, as negations in negations do, is given up and
//! counts as no match.

mod class;
mod parse;
mod places;

use std::ops::Range;

use class::Class;
use places::{Budget, Places};

use crate::ast::ReplaceKind;

/// A pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Pattern {
    nodes: Vec<Node>,
    /// The same for texts that are read from their end.
    reversed: Vec<Node>,
}

/// A piece of a pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Node {
    /// `?`.
    Any,
    /// `[…]`.
    Class(Class),
    /// `@(…|…)` and its kin.
    Group(Repeat, Vec<Vec<Node>>),
    /// A character that stands for itself.
    Literal(char),
    /// `*`.
    Star,
}

/// How often the alternatives of an extended glob may stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Repeat {
    /// `*( )`.
    Any,
    /// `+( )`.
    AtLeastOnce,
    /// `?( )`.
    AtMostOnce,
    /// `!( )`: something that none of them is.
    Not,
    /// `@( )`.
    Once,
}

/// What matches are replaced with: texts with the match between each two of them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Replacement {
    text: String,
    /// Where in the text the match stands.
    matches: Vec<usize>,
}

impl Replacement {
    /// Adds text in which `&` stands for the match, and `\\&` for itself.
    pub(crate) fn push(&mut self, text: &str) {
        let mut letters = text.chars().peekable();
        while let Some(letter) = letters.next() {
            match letter {
                '&' => self.matches.push(self.text.len()),
                '\\' if letters.peek() == Some(&'&') => self.text.extend(letters.next()),
                _ => self.text.push(letter),
            }
        }
    }

    /// Adds text as it is.
    pub(crate) fn push_quoted(&mut self, text: &str) {
        self.text.push_str(text);
    }

    /// How much is written for a match of one byte.
    pub(crate) fn size(&self) -> usize {
        self.text.len() + self.matches.len()
    }

    fn write(&self, found: &str, out: &mut String) {
        let mut from = 0;
        for &at in &self.matches {
            out.push_str(self.text.get(from..at).unwrap_or_default());
            out.push_str(found);
            from = at;
        }
        out.push_str(self.text.get(from..).unwrap_or_default());
    }
}

impl Pattern {
    /// Reads a pattern. A backslash makes the next character stand for itself.
    pub(crate) fn new(text: &str) -> Self {
        let nodes = parse::parse(text);
        let reversed = parse::reverse(&nodes);
        Self { nodes, reversed }
    }

    /// `text` as a pattern that matches it alone.
    pub(crate) fn quote(text: &str) -> String {
        let special = |character: &char| "\\*?[]()|!+@^-".contains(*character);
        text.chars()
            .flat_map(|character| [Some('\\').filter(|_| special(&character)), Some(character)])
            .flatten()
            .collect()
    }

    /// Whether the whole of `text` matches.
    pub(crate) fn matches(&self, text: &str) -> bool {
        let text = Text::new(text);
        text.ends(&self.nodes, 0).and_then(|ends| ends.last()) == Some(text.characters.len())
    }

    /// How many bytes the longest beginning of `text` has that matches.
    pub(crate) fn longest_prefix(&self, text: &str) -> Option<usize> {
        let text = Text::new(text);
        Some(text.offset(text.ends(&self.nodes, 0)?.last()?))
    }

    /// How many bytes the shortest beginning of `text` has that matches.
    pub(crate) fn shortest_prefix(&self, text: &str) -> Option<usize> {
        let text = Text::new(text);
        Some(text.offset(text.ends(&self.nodes, 0)?.first()?))
    }

    /// Where the longest end of `text` begins that matches.
    pub(crate) fn longest_suffix(&self, text: &str) -> Option<usize> {
        let (reversed, length) = (Text::reversed(text), text.len());
        Some(length - reversed.offset(reversed.ends(&self.reversed, 0)?.last()?))
    }

    /// Where the shortest end of `text` begins that matches.
    pub(crate) fn shortest_suffix(&self, text: &str) -> Option<usize> {
        let (reversed, length) = (Text::reversed(text), text.len());
        Some(length - reversed.offset(reversed.ends(&self.reversed, 0)?.first()?))
    }

    /// `text` with what matches replaced. An empty pattern matches only at the ends, where it is asked for there.
    pub(crate) fn replace(&self, text: &str, kind: ReplaceKind, replacement: &Replacement) -> String {
        let found = match kind {
            ReplaceKind::Prefix => self.longest_prefix(text).map(|end| 0..end).into_iter().collect(),
            ReplaceKind::Suffix => {
                self.longest_suffix(text).map(|start| start..text.len()).into_iter().collect()
            }
            ReplaceKind::All => self.find_all(text, usize::MAX),
            ReplaceKind::First => self.find_all(text, 1),
        };
        let mut out = String::new();
        let mut rest = 0;
        for range in found {
            out += text.get(rest..range.start).unwrap_or_default();
            replacement.write(text.get(range.start..range.end).unwrap_or_default(), &mut out);
            rest = range.end;
        }
        out + text.get(rest..).unwrap_or_default()
    }

    /// At most `limit` matches from the left, none of them empty.
    fn find_all(&self, text: &str, limit: usize) -> Vec<Range<usize>> {
        let (forward, backward) = (Text::new(text), Text::reversed(text));
        let count = forward.characters.len();
        // Read from the end, every place that a match can reach is one that a match begins at.
        let Some(starts) = backward.ends_from_everywhere(&self.reversed) else { return Vec::new() };
        let mut found: Vec<Range<usize>> = Vec::new();
        let mut free = 0;
        for start in starts.iter().rev().map(|back| count - back) {
            if found.len() >= limit || start < free {
                continue;
            }
            let Some(end) = forward.ends(&self.nodes, start).and_then(|ends| ends.last()) else { continue };
            if end > start {
                found.push(forward.offset(start)..forward.offset(end));
                free = end;
            }
        }
        found
    }
}

/// A text in characters, forwards or backwards.
struct Text {
    characters: Vec<char>,
    /// How many bytes stand before each character, and in all.
    offsets: Vec<usize>,
    budget: Budget,
}

impl Text {
    fn new(text: &str) -> Self {
        Self::from_characters(text.chars().collect())
    }

    fn reversed(text: &str) -> Self {
        Self::from_characters(text.chars().rev().collect())
    }

    fn from_characters(characters: Vec<char>) -> Self {
        let before = characters.iter().scan(0, |total, character| {
            let offset = *total;
            *total += character.len_utf8();
            Some(offset)
        });
        let mut offsets: Vec<usize> = before.collect();
        offsets.push(characters.iter().map(|character| character.len_utf8()).sum());
        Self { characters, offsets, budget: Budget::default() }
    }

    fn offset(&self, place: usize) -> usize {
        self.offsets.get(place).copied().unwrap_or(0)
    }

    /// Where matches that begin at `start` end.
    fn ends(&self, nodes: &[Node], start: usize) -> Option<Places> {
        self.follow(nodes, Places::one(start))
    }

    /// Where matches end that begin anywhere.
    fn ends_from_everywhere(&self, nodes: &[Node]) -> Option<Places> {
        self.follow(nodes, Places::range(0, self.characters.len()))
    }
}

#[cfg(test)]
mod tests;
