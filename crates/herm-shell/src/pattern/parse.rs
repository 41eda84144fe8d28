//! Text to pattern.

use super::class::Class;
use super::{Node, Repeat};

/// How deeply extended globs may be nested; deeper ones stand for themselves.
const DEPTH_LIMIT: u32 = 32;

pub(super) fn parse(text: &str) -> Vec<Node> {
    let characters: Vec<char> = text.chars().collect();
    let closings = closings(&characters);
    Parser { text: &characters, closings, unclosed: None }.sequence(0, characters.len(), 0)
}

/// The pattern that matches a text read from its end.
pub(super) fn reverse(nodes: &[Node]) -> Vec<Node> {
    let reversed = nodes.iter().rev().map(|node| match node {
        Node::Group(repeat, alternatives) => {
            Node::Group(*repeat, alternatives.iter().map(|nodes| reverse(nodes)).collect())
        }
        Node::Any | Node::Class(_) | Node::Literal(_) | Node::Star => node.clone(),
    });
    reversed.collect()
}

/// Where each opening parenthesis closes, by its place.
fn closings(text: &[char]) -> Vec<Option<usize>> {
    let mut closings = vec![None; text.len()];
    let mut open = Vec::new();
    let mut escaped = false;
    for (at, character) in text.iter().enumerate() {
        match character {
            _ if escaped => {}
            '(' => open.push(at),
            ')' => {
                if let Some(closing) = open.pop().and_then(|opening| closings.get_mut(opening)) {
                    *closing = Some(at);
                }
            }
            _ => {}
        }
        escaped = !escaped && *character == '\\';
    }
    closings
}

struct Parser<'t> {
    text: &'t [char],
    closings: Vec<Option<usize>>,
    /// Up to where a `[` was looked for a `]` in vain; then none behind it is closed up to there either.
    unclosed: Option<usize>,
}

impl Parser<'_> {
    fn sequence(&mut self, mut at: usize, end: usize, depth: u32) -> Vec<Node> {
        let mut nodes: Vec<Node> = Vec::new();
        while at < end {
            let (node, next) = self.node(at, end, depth);
            at = next;
            // Several stars in a row are one.
            if node != Node::Star || nodes.last() != Some(&Node::Star) {
                nodes.push(node);
            }
        }
        nodes
    }

    fn node(&mut self, at: usize, end: usize, depth: u32) -> (Node, usize) {
        let character = self.text.get(at).copied().unwrap_or_default();
        if let Some((repeat, close)) = self.group(at, end, depth) {
            return (Node::Group(repeat, self.alternatives(at + 2, close, depth + 1)), close + 1);
        }
        match character {
            '\\' if at + 1 < end => {
                (Node::Literal(self.text.get(at + 1).copied().unwrap_or_default()), at + 2)
            }
            '*' => (Node::Star, at + 1),
            '?' => (Node::Any, at + 1),
            '[' => match self.class(at + 1, end) {
                Some((class, length)) => (Node::Class(class), at + 1 + length),
                None => (Node::Literal('['), at + 1),
            },
            _ => (Node::Literal(character), at + 1),
        }
    }

    fn class(&mut self, at: usize, end: usize) -> Option<(Class, usize)> {
        if self.unclosed == Some(end) {
            return None;
        }
        let parsed = Class::parse(self.text.get(at..end).unwrap_or_default());
        if parsed.is_none() {
            self.unclosed = Some(end);
        }
        parsed
    }

    /// Whether an extended glob begins at `at`, and where it closes.
    fn group(&self, at: usize, end: usize, depth: u32) -> Option<(Repeat, usize)> {
        let repeat = match self.text.get(at)? {
            '*' => Repeat::Any,
            '+' => Repeat::AtLeastOnce,
            '?' => Repeat::AtMostOnce,
            '!' => Repeat::Not,
            '@' => Repeat::Once,
            _ => return None,
        };
        let close =
            (*self.text.get(at + 1)? == '(').then(|| self.closings.get(at + 1).copied().flatten())??;
        (close < end && depth < DEPTH_LIMIT).then_some((repeat, close))
    }

    /// What stands between bars that are in no inner parentheses.
    fn alternatives(&mut self, start: usize, close: usize, depth: u32) -> Vec<Vec<Node>> {
        let mut alternatives = Vec::new();
        let (mut from, mut at) = (start, start);
        while at < close {
            match self.text.get(at) {
                Some('\\') => at += 1,
                Some('(') => at = self.closings.get(at).copied().flatten().unwrap_or(at),
                Some('|') => {
                    alternatives.push(self.sequence(from, at, depth));
                    from = at + 1;
                }
                _ => {}
            }
            at += 1;
        }
        alternatives.push(self.sequence(from, close, depth));
        alternatives
    }
}
