//! Basic and extended regular expressions, as sed and grep use them.
//!
//! The longest of the matches that begin first counts, as POSIX says. A backtracking matcher tries all ways, with a
//! budget: a pattern that takes more steps than the budget has is not computed. What a group holds is known only
//! where one way leads to the longest match, or where the order of the ways is beyond doubt.

use std::cell::{Cell, RefCell};
use std::collections::HashSet;

/// The steps that one program may take in all.
const BUDGET: u32 = 200_000;
/// How deep groups may repeat.
const DEEPEST: u32 = 200;
/// The most nodes in a pattern.
const LARGEST: usize = 256;

/// Which of the two languages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Dialect {
    Basic,
    Extended,
}

/// A compiled expression.
#[derive(Debug)]
pub(super) struct Regex {
    branches: Vec<Vec<Node>>,
    ignore_case: bool,
    steps: Cell<u32>,
    shape: Shape,
    groups: usize,
    reads_groups: bool,
}

/// What of an expression makes it hard to say which way counts.
#[derive(Clone, Copy, Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "they hold together in any way")]
struct Shape {
    /// It refers back to a group.
    back: bool,
    /// Something in it matches letters that it does not name, so that the locale says what a letter is.
    open: bool,
    /// There are groups in a group that is repeated.
    nested: bool,
    /// A group has branches or is repeated.
    ways: bool,
}

/// The best way that was found from one beginning.
#[derive(Default)]
struct Best {
    found: Option<(usize, Groups)>,
    doubtful: bool,
}

/// What an extended pattern matches in a text, and what each of its groups does; nothing of what does not match. `None` where that is
/// not certain.
pub(crate) fn groups(text: &str, pattern: &str) -> Option<Vec<String>> {
    let regex = Regex::new(pattern, Dialect::Extended, false)?;
    let letters: Vec<char> = text.chars().collect();
    let found = regex.find(&letters, 0).ok()?.unwrap_or_default();
    let of = |range: Option<(usize, usize)>| {
        let (start, end) = range?;
        Some(letters.get(start..end)?.iter().collect())
    };
    Some(found.into_iter().map(|group| of(group).unwrap_or_default()).collect())
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
    WordEdge(Edge),
}

#[derive(Clone, Copy, Debug)]
enum Edge {
    Begin,
    Either,
    End,
}

impl Regex {
    /// `None` if the expression uses what is not known here.
    pub(super) fn new(text: &str, dialect: Dialect, ignore_case: bool) -> Option<Self> {
        let letters: Vec<char> = text.chars().collect();
        let mut parser = Parser {
            rest: &letters,
            dialect,
            groups: 0,
            depth: 0,
            nodes: 0,
            shape: Shape::default(),
            closed: Vec::new(),
        };
        let branches = parser.branches()?;
        let mut shape = parser.shape;
        shape.ways |= branches.len() > 1;
        let closed = parser.rest.is_empty() && text.is_ascii();
        let groups = parser.groups;
        closed.then(|| Self {
            branches,
            ignore_case,
            groups,
            steps: Cell::new(BUDGET),
            shape,
            reads_groups: true,
        })
    }

    /// How many groups it has.
    pub(super) fn groups(&self) -> usize {
        self.groups
    }

    /// The same where nobody asks what the groups hold.
    pub(super) fn without_groups(self) -> Self {
        Self { reads_groups: self.shape.back, ..self }
    }

    /// The first match at or after `from`, and the longest there. `Err` when the budget ran out, or when it is not
    /// certain which way counts.
    pub(super) fn find(&self, text: &[char], from: usize) -> Result<Option<Groups>, ()> {
        if (self.shape.open || self.ignore_case) && !text.iter().all(char::is_ascii) {
            return Err(());
        }
        for start in from..=text.len() {
            let best = self.longest(text, start);
            if self.steps.get() == 0 || best.doubtful {
                return Err(());
            }
            if let Some((end, mut groups)) = best.found {
                if let Some(whole) = groups.first_mut() {
                    *whole = Some((start, end));
                }
                return Ok(Some(groups));
            }
        }
        Ok(None)
    }

    /// The longest way from one beginning; the first of those that are as long.
    fn longest(&self, text: &[char], start: usize) -> Best {
        let decides = self.reads_groups && (self.shape.ways || self.shape.back);
        let best = RefCell::new(Best::default());
        let arrive = |end: usize, groups: &mut Groups| {
            let mut best = best.try_borrow_mut().ok()?;
            match &best.found {
                Some((longest, _)) if *longest > end => {}
                Some((longest, first)) if *longest == end => best.doubtful |= decides && first != groups,
                Some(_) | None => {
                    *best =
                        Best { found: Some((end, groups.clone())), doubtful: decides && self.shape.nested }
                }
            }
            (end == text.len() && !decides).then_some(end)
        };
        let seen = (!decides).then(|| RefCell::new(HashSet::new()));
        let matcher = Matcher { regex: self, text, seen };
        let mut groups: Groups = vec![None; 10];
        let _ = matcher.branches(&self.branches, start, &mut groups, 0, &arrive);
        drop(matcher);
        best.into_inner()
    }
}

struct Matcher<'a> {
    regex: &'a Regex,
    text: &'a [char],
    /// What of the outermost sequence was tried at which place; kept where coming there again can change nothing.
    seen: Option<RefCell<HashSet<(*const Node, usize)>>>,
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
        if self.has_seen(nodes, at) {
            return None;
        }
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

    /// Whether this part of the outermost sequence was tried at this place before.
    fn has_seen(&self, nodes: &[Node], at: usize) -> bool {
        let outermost = |branch: &Vec<Node>| branch.as_ptr_range().contains(&nodes.as_ptr());
        let Some(seen) = &self.seen else { return false };
        self.regex.branches.iter().any(outermost)
            && seen.try_borrow_mut().is_ok_and(|mut seen| !seen.insert((nodes.as_ptr(), at)))
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
            What::WordEdge(edge) => {
                let word = |at: Option<usize>| {
                    at.and_then(|at| self.text.get(at))
                        .is_some_and(|letter| letter.is_alphanumeric() || *letter == '_')
                };
                let (before, after) = (word(at.checked_sub(1)), word(Some(at)));
                let there = match edge {
                    Edge::Begin => !before && after,
                    Edge::End => before && !after,
                    Edge::Either => before != after,
                };
                there.then_some(at)
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
    shape: Shape,
    /// The groups that have ended, which can be referred back to.
    closed: Vec<usize>,
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
            let groups = self.groups;
            let what = self.one(nodes.is_empty())?;
            let (least, most) = self.repetition()?;
            if (least, most) != (1, 1) {
                match &what {
                    // What repeats a place, or nothing, differs between the matchers.
                    What::Begin | What::End | What::WordEdge(_) | What::Back(_) => return None,
                    What::Group(number, _) => {
                        self.shape.ways = true;
                        self.shape.nested |= self.groups > *number && self.groups > groups;
                    }
                    What::Any | What::Class { .. } | What::Letter(_) => {}
                }
            }
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
            '.' => {
                self.shape.open = true;
                Some(What::Any)
            }
            '^' if first || self.dialect == Dialect::Extended => Some(What::Begin),
            '$' if self.dialect == Dialect::Extended => Some(What::End),
            '$' if after.is_empty() || self.sees_operator(')') || self.sees_operator('|') => Some(What::End),
            '[' => self.class(),
            '\\' => self.escaped(),
            // Repetitions of nothing are read in different ways.
            '*' => None,
            '+' | '?' | '{' if self.dialect == Dialect::Extended => None,
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
        self.shape.ways |= branches.len() > 1;
        self.closed.push(number);
        self.eats_operator(')').then_some(What::Group(number, branches))
    }

    fn escaped(&mut self) -> Option<What> {
        let (letter, after) = self.rest.split_first()?;
        self.rest = after;
        let class = |negated, ranges: &[(char, char)]| Some(What::Class { negated, ranges: ranges.to_vec() });
        let word = [('a', 'z'), ('A', 'Z'), ('0', '9'), ('_', '_')];
        let space = [('\t', '\r'), (' ', ' ')];
        self.shape.open |= "wWsSb<>".contains(*letter);
        match letter {
            'n' => Some(What::Letter('\n')),
            't' => Some(What::Letter('\t')),
            'w' => class(false, &word),
            'W' => class(true, &word),
            's' => class(false, &space),
            'S' => class(true, &space),
            'b' => Some(What::WordEdge(Edge::Either)),
            '<' => Some(What::WordEdge(Edge::Begin)),
            '>' => Some(What::WordEdge(Edge::End)),
            '1'..='9' => {
                self.shape.back = true;
                let number = letter.to_digit(10).and_then(|digit| usize::try_from(digit).ok())?;
                self.closed.contains(&number).then_some(What::Back(number))
            }
            '.' | '*' | '[' | ']' | '^' | '$' | '/' | '\\' | '-' | '"' | ',' | ':' | '#' | '@' | '%'
            | '&' | ';' | '=' | '!' | '~' | ' ' => Some(What::Letter(*letter)),
            '+' | '?' | '{' | '}' | '(' | ')' | '|' if self.dialect == Dialect::Extended => {
                Some(What::Letter(*letter))
            }
            _ => None,
        }
    }

    fn class(&mut self) -> Option<What> {
        let negated = self.eats('^');
        self.shape.open |= negated;
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
                    self.shape.open = true;
                    ranges.extend_from_slice(named(&name)?);
                    self.rest.get(close + 1..)?
                }
                ['[', '.' | '=', ..] => return None,
                // sed knows escapes here, grep does not.
                ['\\', next, ..] if next.is_ascii_alphanumeric() => return None,
                [low, '-', high, tail @ ..] if *high != ']' => {
                    if low > high || *high == '[' || *high == '\\' {
                        return None;
                    }
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
        let again = self.rest.first() == Some(&'*')
            || extended && matches!(self.rest.first(), Some('+' | '?' | '{'))
            || !extended && matches!(self.rest, ['\\', '+' | '?' | '{', ..]);
        (!again && times.0 <= times.1).then_some(times)
    }

    fn bounds(&mut self) -> Option<(u32, u32)> {
        let close = self.rest.iter().position(|letter| *letter == '}')?;
        let text: String = self.rest.get(..close)?.iter().collect();
        self.rest = self.rest.get(close + 1..)?;
        let text = if self.dialect == Dialect::Basic { text.strip_suffix('\\')? } else { &text };
        let (least, most) = text.split_once(',').unwrap_or((text, text));
        let least = if least.is_empty() { 0 } else { least.parse().ok()? };
        let most = if most.is_empty() { u32::MAX } else { most.parse().ok()? };
        (!text.is_empty() && text != "," && least <= 1000).then_some((least, most))
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
    fn the_longest_match_counts() {
        assert_eq!(found("a|ab", Dialect::Extended, "ab").as_deref(), Some("ab"));
        assert_eq!(found("x|x;rm.*", Dialect::Extended, "x;rm -rf /").as_deref(), Some("x;rm -rf /"));
        assert_eq!(found("a?(ab)?", Dialect::Extended, "ab").as_deref(), Some("ab"));
        assert_eq!(found("a\\|ab", Dialect::Basic, "ab").as_deref(), Some("ab"));
    }

    #[test]
    fn groups_of_several_longest_ways_are_not_known() {
        let letters: Vec<char> = "abc".chars().collect();
        let regex = Regex::new("(a|ab)(c|bc)", Dialect::Extended, false).unwrap();
        assert_eq!(regex.find(&letters, 0), Err(()));
        let found = regex.without_groups().find(&letters, 0).unwrap().unwrap();
        assert_eq!(found[0], Some((0, 3)));
    }

    #[test]
    fn hostile_patterns_run_out_of_budget() {
        let letters = vec!['a'; 5000];
        for pattern in ["(a*)*b", "(a|a)*b", "((a*)*)*c"] {
            let regex = Regex::new(pattern, Dialect::Extended, false).unwrap();
            assert_eq!(regex.find(&letters, 0), Err(()), "{pattern}");
        }
    }

    #[test]
    fn what_is_not_known_is_refused() {
        for pattern in ["(", "a{x}", "[a", "\\y", "a**", "*a", "^*", "a|*b", "[[.a.]]", "\\x61"] {
            assert!(Regex::new(pattern, Dialect::Extended, false).is_none(), "{pattern}");
        }
    }
}
