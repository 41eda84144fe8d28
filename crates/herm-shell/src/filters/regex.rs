//! Basic and extended regular expressions, as sed and grep use them.
//!
//! A backtracking matcher with a budget: a pattern that takes more steps than the budget has is not computed.

use std::cell::Cell;

/// The steps that one program may take in all.
const BUDGET: u32 = 200_000;
/// How deep groups may repeat.
const DEEPEST: u32 = 200;
/// The most nodes in a pattern.
const LARGEST: usize = 256;

/// Which of the two languages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Dialect {
    Basic,
    Extended,
}

/// A compiled expression.
#[derive(Debug)]
pub(super) struct Regex {
    branches: Vec<Vec<Node>>,
    ignore_case: bool,
    steps: Cell<u32>,
}

/// Where an expression matched: the whole, then each group.
pub(super) type Groups = Vec<Option<(usize, usize)>>;

#[derive(Debug)]
struct Node {
    what: What,
    least: u32,
    most: u32,
}

#[derive(Debug)]
enum What {
    Any,
    Back(usize),
    Begin,
    Class { negated: bool, ranges: Vec<(char, char)> },
    End,
    Group(usize, Vec<Vec<Node>>),
    Letter(char),
    WordEdge,
}

impl Regex {
    /// `None` if the expression uses what is not known here.
    pub(super) fn new(text: &str, dialect: Dialect, ignore_case: bool) -> Option<Self> {
        let letters: Vec<char> = text.chars().collect();
        let mut parser = Parser { rest: &letters, dialect, groups: 0, depth: 0, nodes: 0 };
        let branches = parser.branches()?;
        parser.rest.is_empty().then(|| Self { branches, ignore_case, steps: Cell::new(BUDGET) })
    }

    /// The first match at or after `from`. `Err` when the budget ran out.
    pub(super) fn find(&self, text: &[char], from: usize) -> Result<Option<Groups>, ()> {
        for start in from..=text.len() {
            let mut groups: Groups = vec![None; 10];
            let matcher = Matcher { regex: self, text };
            let end = matcher.branches(&self.branches, start, &mut groups, 0, &|at, _| Some(at));
            if self.steps.get() == 0 {
                return Err(());
            }
            if let Some((end, mut groups)) = end.map(|end| (end, groups)) {
                if let Some(whole) = groups.first_mut() {
                    *whole = Some((start, end));
                }
                return Ok(Some(groups));
            }
        }
        Ok(None)
    }
}

struct Matcher<'a> {
    regex: &'a Regex,
    text: &'a [char],
}

type Next<'n> = &'n dyn Fn(usize, &mut Groups) -> Option<usize>;

impl Matcher<'_> {
    fn spend(&self) -> Option<()> {
        let left = self.regex.steps.get().checked_sub(1)?;
        self.regex.steps.set(left);
        (left > 0).then_some(())
    }

    /// Spends a step; too deep a nesting spends all of them.
    fn descend(&self, depth: u32) -> Option<()> {
        if depth > DEEPEST {
            self.regex.steps.set(0);
        }
        self.spend()
    }

    fn branches(
        &self,
        branches: &[Vec<Node>],
        at: usize,
        groups: &mut Groups,
        depth: u32,
        next: Next<'_>,
    ) -> Option<usize> {
        branches.iter().find_map(|branch| {
            let mut own = groups.clone();
            let end = self.nodes(branch, at, &mut own, depth, next)?;
            *groups = own;
            Some(end)
        })
    }

    fn nodes(
        &self,
        nodes: &[Node],
        at: usize,
        groups: &mut Groups,
        depth: u32,
        next: Next<'_>,
    ) -> Option<usize> {
        self.descend(depth)?;
        let Some((node, rest)) = nodes.split_first() else { return next(at, groups) };
        if let What::Group(number, inner) = &node.what {
            return self.group(Repeat { node, number: *number, inner, rest }, 0, at, groups, depth + 1, next);
        }
        let mut ends = vec![at];
        while ends.len() <= usize::try_from(node.most).unwrap_or(usize::MAX) {
            self.spend()?;
            let here = ends.last().copied().unwrap_or(at);
            match self.step(&node.what, here, groups) {
                Some(end) if end > here || ends.len() <= usize::try_from(node.least).unwrap_or(0) => {
                    ends.push(end);
                }
                Some(_) | None => break,
            }
        }
        let least = usize::try_from(node.least).unwrap_or(usize::MAX);
        ends.iter().skip(least).rev().find_map(|end| {
            let mut own = groups.clone();
            let done = self.nodes(rest, *end, &mut own, depth + 1, next)?;
            *groups = own;
            Some(done)
        })
    }

    fn group(
        &self,
        repeat: Repeat<'_>,
        done: u32,
        at: usize,
        groups: &mut Groups,
        depth: u32,
        next: Next<'_>,
    ) -> Option<usize> {
        self.descend(depth)?;
        if done < repeat.node.most {
            let again = |end: usize, groups: &mut Groups| {
                if end == at && done >= repeat.node.least {
                    return None;
                }
                if let Some(slot) = groups.get_mut(repeat.number) {
                    *slot = Some((at, end));
                }
                self.group(repeat, done + 1, end, groups, depth + 1, next)
            };
            let mut own = groups.clone();
            if let Some(end) = self.branches(repeat.inner, at, &mut own, depth + 1, &again) {
                *groups = own;
                return Some(end);
            }
        }
        (done >= repeat.node.least).then(|| self.nodes(repeat.rest, at, groups, depth + 1, next)).flatten()
    }

    fn step(&self, what: &What, at: usize, groups: &Groups) -> Option<usize> {
        let letter = self.text.get(at).copied();
        match what {
            What::Any => letter.map(|_| at + 1),
            What::Begin => (at == 0).then_some(at),
            What::End => (at == self.text.len()).then_some(at),
            What::Letter(own) => letter.filter(|letter| self.same(*own, *letter)).map(|_| at + 1),
            What::Class { negated, ranges } => {
                let has =
                    |letter: char| ranges.iter().any(|(first, last)| (*first..=*last).contains(&letter));
                let fold = |letter: char| {
                    self.regex.ignore_case
                        && (has(letter.to_ascii_lowercase()) || has(letter.to_ascii_uppercase()))
                };
                letter.filter(|letter| (has(*letter) || fold(*letter)) != *negated).map(|_| at + 1)
            }
            What::WordEdge => {
                let word = |at: Option<usize>| {
                    at.and_then(|at| self.text.get(at))
                        .is_some_and(|letter| letter.is_alphanumeric() || *letter == '_')
                };
                (word(at.checked_sub(1)) != word(Some(at))).then_some(at)
            }
            What::Back(number) => {
                let (start, end) = groups.get(*number).copied().flatten()?;
                let earlier = self.text.get(start..end)?;
                self.text
                    .get(at..at + earlier.len())
                    .filter(|here| *here == earlier)
                    .map(|_| at + earlier.len())
            }
            What::Group(..) => None,
        }
    }

    fn same(&self, one: char, other: char) -> bool {
        one == other || self.regex.ignore_case && one.eq_ignore_ascii_case(&other)
    }
}

#[derive(Clone, Copy)]
struct Repeat<'a> {
    node: &'a Node,
    number: usize,
    inner: &'a [Vec<Node>],
    rest: &'a [Node],
}

struct Parser<'a> {
    rest: &'a [char],
    dialect: Dialect,
    groups: usize,
    depth: u32,
    nodes: usize,
}

impl Parser<'_> {
    fn branches(&mut self) -> Option<Vec<Vec<Node>>> {
        let mut branches = vec![self.sequence()?];
        while self.eats_operator('|') {
            branches.push(self.sequence()?);
        }
        Some(branches)
    }

    fn sequence(&mut self) -> Option<Vec<Node>> {
        let mut nodes: Vec<Node> = Vec::new();
        while !self.rest.is_empty() && !self.sees_operator('|') && !self.sees_operator(')') {
            self.nodes += 1;
            if self.nodes > LARGEST {
                return None;
            }
            let what = self.one(nodes.is_empty())?;
            let (least, most) = self.repetition()?;
            nodes.push(Node { what, least, most });
        }
        Some(nodes)
    }

    fn one(&mut self, first: bool) -> Option<What> {
        if self.eats_operator('(') {
            return self.group();
        }
        let (letter, after) = self.rest.split_first()?;
        self.rest = after;
        match letter {
            '.' => Some(What::Any),
            '^' if first || self.dialect == Dialect::Extended => Some(What::Begin),
            '$' if after.is_empty() || self.sees_operator(')') || self.sees_operator('|') => Some(What::End),
            '[' => self.class(),
            '*' if first => Some(What::Letter('*')),
            '\\' => self.escaped(),
            '*' | '+' | '?' | '{' if self.dialect == Dialect::Extended => None,
            other => Some(What::Letter(*other)),
        }
    }

    fn group(&mut self) -> Option<What> {
        self.depth += 1;
        self.groups += 1;
        let number = self.groups;
        if self.depth > 16 || number > 9 {
            return None;
        }
        let branches = self.branches()?;
        self.depth -= 1;
        self.eats_operator(')').then_some(What::Group(number, branches))
    }

    fn escaped(&mut self) -> Option<What> {
        let (letter, after) = self.rest.split_first()?;
        self.rest = after;
        let class = |negated, ranges: &[(char, char)]| Some(What::Class { negated, ranges: ranges.to_vec() });
        let word = [('a', 'z'), ('A', 'Z'), ('0', '9'), ('_', '_')];
        let space = [('\t', '\r'), (' ', ' ')];
        match letter {
            'n' => Some(What::Letter('\n')),
            't' => Some(What::Letter('\t')),
            'w' => class(false, &word),
            'W' => class(true, &word),
            's' => class(false, &space),
            'S' => class(true, &space),
            'b' | '<' | '>' => Some(What::WordEdge),
            '1'..='9' => letter.to_digit(10).and_then(|digit| usize::try_from(digit).ok()).map(What::Back),
            other if other.is_alphanumeric() => None,
            other => Some(What::Letter(*other)),
        }
    }

    fn class(&mut self) -> Option<What> {
        let negated = self.eats('^');
        let mut ranges = Vec::new();
        let mut first = true;
        loop {
            let (letter, after) = self.rest.split_first()?;
            if *letter == ']' && !first {
                self.rest = after;
                return Some(What::Class { negated, ranges });
            }
            first = false;
            self.rest = match self.rest {
                ['[', ':', ..] => {
                    let close = self.rest.iter().position(|letter| *letter == ']')?;
                    let name: String = self.rest.get(2..close.checked_sub(1)?)?.iter().collect();
                    ranges.extend_from_slice(named(&name)?);
                    self.rest.get(close + 1..)?
                }
                [low, '-', high, tail @ ..] if *high != ']' => {
                    ranges.push((*low, *high));
                    tail
                }
                _ => {
                    ranges.push((*letter, *letter));
                    after
                }
            };
        }
    }

    fn repetition(&mut self) -> Option<(u32, u32)> {
        let extended = self.dialect == Dialect::Extended;
        let times = if self.eats('*') {
            (0, u32::MAX)
        } else if extended && self.eats('+') || !extended && self.eats_escaped('+') {
            (1, u32::MAX)
        } else if extended && self.eats('?') || !extended && self.eats_escaped('?') {
            (0, 1)
        } else if self.eats_operator('{') {
            self.bounds()?
        } else {
            (1, 1)
        };
        let again =
            self.rest.first() == Some(&'*') || extended && matches!(self.rest.first(), Some('+' | '?'));
        (!again || times == (1, 1)).then_some(times)
    }

    fn bounds(&mut self) -> Option<(u32, u32)> {
        let close = self.rest.iter().position(|letter| *letter == '}')?;
        let text: String = self.rest.get(..close)?.iter().collect();
        self.rest = self.rest.get(close + 1..)?;
        let text = if self.dialect == Dialect::Basic { text.strip_suffix('\\')? } else { &text };
        let (least, most) = text.split_once(',').unwrap_or((text, text));
        let least = if least.is_empty() { 0 } else { least.parse().ok()? };
        let most = if most.is_empty() { u32::MAX } else { most.parse().ok()? };
        (least <= 1000).then_some((least, most))
    }

    fn eats(&mut self, letter: char) -> bool {
        let eats = self.rest.first() == Some(&letter);
        if eats {
            self.rest = self.rest.get(1..).unwrap_or_default();
        }
        eats
    }

    fn eats_escaped(&mut self, letter: char) -> bool {
        let eats = self.rest.starts_with(&['\\', letter]);
        if eats {
            self.rest = self.rest.get(2..).unwrap_or_default();
        }
        eats
    }

    /// `(`, `)`, `|`, `{`: bare in one dialect, behind a backslash in the other.
    fn sees_operator(&self, letter: char) -> bool {
        match self.dialect {
            Dialect::Basic => self.rest.starts_with(&['\\', letter]),
            Dialect::Extended => self.rest.first() == Some(&letter),
        }
    }

    fn eats_operator(&mut self, letter: char) -> bool {
        match self.dialect {
            Dialect::Basic => self.eats_escaped(letter),
            Dialect::Extended => self.eats(letter),
        }
    }
}

fn named(name: &str) -> Option<&'static [(char, char)]> {
    Some(match name {
        "alpha" => &[('a', 'z'), ('A', 'Z')],
        "digit" => &[('0', '9')],
        "alnum" => &[('a', 'z'), ('A', 'Z'), ('0', '9')],
        "upper" => &[('A', 'Z')],
        "lower" => &[('a', 'z')],
        "space" => &[('\t', '\r'), (' ', ' ')],
        "blank" => &[('\t', '\t'), (' ', ' ')],
        "punct" => &[('!', '/'), (':', '@'), ('[', '`'), ('{', '~')],
        "xdigit" => &[('0', '9'), ('a', 'f'), ('A', 'F')],
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(pattern: &str, dialect: Dialect, text: &str) -> Option<String> {
        let letters: Vec<char> = text.chars().collect();
        let groups = Regex::new(pattern, dialect, false)?.find(&letters, 0).ok()??;
        let (start, end) = groups[0]?;
        Some(letters[start..end].iter().collect())
    }

    #[test]
    fn both_dialects_match() {
        assert_eq!(found("b*", Dialect::Basic, "abb").as_deref(), Some(""));
        assert_eq!(found("bb*", Dialect::Basic, "abb").as_deref(), Some("bb"));
        assert_eq!(found("b+", Dialect::Extended, "abb").as_deref(), Some("bb"));
        assert_eq!(found("b\\+", Dialect::Basic, "abb").as_deref(), Some("bb"));
        assert_eq!(found("b+", Dialect::Basic, "ab+").as_deref(), Some("b+"));
        assert_eq!(found("(ab|c)+$", Dialect::Extended, "xabcab").as_deref(), Some("abcab"));
        assert_eq!(found("\\(a\\)\\1", Dialect::Basic, "baa").as_deref(), Some("aa"));
        assert_eq!(found("[^[:digit:]]{2}", Dialect::Extended, "12ab").as_deref(), Some("ab"));
        assert_eq!(found("^b", Dialect::Extended, "ab"), None);
    }

    #[test]
    fn hostile_patterns_run_out_of_budget() {
        let letters = vec!['a'; 5000];
        for pattern in ["(a*)*b", "(a|a)*b", "a*a*a*a*b", "((a*)*)*c"] {
            let regex = Regex::new(pattern, Dialect::Extended, false).unwrap();
            assert_eq!(regex.find(&letters, 0), Err(()), "{pattern}");
        }
    }

    #[test]
    fn what_is_not_known_is_refused() {
        for pattern in ["(", "a{x}", "[a", "\\y", "a**"] {
            assert!(Regex::new(pattern, Dialect::Extended, false).is_none(), "{pattern}");
        }
    }
}
