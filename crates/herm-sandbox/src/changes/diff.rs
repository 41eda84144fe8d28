//! Differences between two texts, line by line, as everybody reads them.
//!
//! Our own, and small: what is compared is hostile, so the work is bounded and everything shown is made harmless, which takes
//! more lines than the comparison itself (Myers' greedy one).

use std::fmt;

use super::name::safe_line;

/// What became of a file's bytes.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Diff {
    /// It is no text, on one side at least.
    Binary,
    /// It is too long to be compared.
    Long,
    /// The lines that differ, with those around them.
    Text(Vec<Hunk>),
}

/// Lines that differ, close together.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Hunk {
    /// The number of the first line before, and how many there are.
    pub before: (usize, usize),
    /// The number of the first line after, and how many there are.
    pub after: (usize, usize),
    /// The lines.
    pub lines: Vec<Line>,
}

/// A line of a hunk, with nothing in it that a terminal obeys.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Line {
    /// It is on both sides.
    Both(String),
    /// It came.
    Came(String),
    /// It went.
    Went(String),
}

impl fmt::Display for Hunk {
    /// As `diff -u` writes it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Where there are no lines, the number is that of the line before.
        let first = |(line, count): (usize, usize)| if count == 0 { line.saturating_sub(1) } else { line };
        let (old, new) = (first(self.before), first(self.after));
        writeln!(f, "@@ -{old},{} +{new},{} @@", self.before.1, self.after.1)?;
        self.lines.iter().try_for_each(|line| writeln!(f, "{line}"))
    }
}

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Both(line) => write!(f, " {line}"),
            Self::Came(line) => write!(f, "+{line}"),
            Self::Went(line) => write!(f, "-{line}"),
        }
    }
}

/// Longer files are not compared line by line.
pub(crate) const LONGEST: u64 = 1 << 20;

/// How many lines may differ before all that is between the first and the last is shown as replaced.
const DIFFERENT: usize = 1_000;

/// How many lines around a difference are shown.
const AROUND: usize = 3;

/// Longer lines are cut.
const WIDEST: usize = 1_000;

/// More lines are not shown.
const MOST: usize = 2_000;

/// Compares two files.
#[must_use]
pub fn diff(before: &[u8], after: &[u8]) -> Diff {
    if before.len() as u64 > LONGEST || after.len() as u64 > LONGEST {
        return Diff::Long;
    }
    match (text(before), text(after)) {
        (Some(before), Some(after)) => Diff::Text(hunks(&lines(before), &lines(after))),
        _ => Diff::Binary,
    }
}

fn text(bytes: &[u8]) -> Option<&str> {
    std::str::from_utf8(bytes).ok().filter(|text| !text.contains('\0'))
}

/// Lines with their ends, so that a last line without one differs from one with.
fn lines(text: &str) -> Vec<&str> {
    text.split_inclusive('\n').collect()
}

#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Edit {
    Both,
    Came,
    Went,
}

fn hunks(before: &[&str], after: &[&str]) -> Vec<Hunk> {
    let edits = edits(before, after);
    let near = near(&edits);
    let (mut hunks, mut current): (Vec<Hunk>, Option<Hunk>) = (Vec::new(), None);
    let (mut old, mut new) = (before.iter(), after.iter());
    let (mut at, mut shown) = ((1, 1), 0);
    for (edit, is_near) in edits.iter().zip(near) {
        let line = match edit {
            Edit::Both => {
                new.next();
                Line::Both(clean(old.next()))
            }
            Edit::Came => Line::Came(clean(new.next())),
            Edit::Went => Line::Went(clean(old.next())),
        };
        if is_near && shown < MOST {
            shown += 1;
            let hunk = current.get_or_insert_with(|| Hunk {
                before: (at.0, 0),
                after: (at.1, 0),
                lines: Vec::new(),
            });
            hunk.before.1 += usize::from(*edit != Edit::Came);
            hunk.after.1 += usize::from(*edit != Edit::Went);
            hunk.lines.push(line);
        } else {
            hunks.extend(current.take());
        }
        at.0 += usize::from(*edit != Edit::Came);
        at.1 += usize::from(*edit != Edit::Went);
    }
    hunks.extend(current);
    hunks
}

/// Which lines stand close enough to a difference to be shown.
fn near(edits: &[Edit]) -> Vec<bool> {
    let mut near = vec![false; edits.len()];
    for (place, _) in edits.iter().enumerate().filter(|(_, edit)| **edit != Edit::Both) {
        let around = place.saturating_sub(AROUND)..(place + AROUND + 1).min(edits.len());
        near.get_mut(around).unwrap_or_default().fill(true);
    }
    near
}

fn clean(line: Option<&&str>) -> String {
    let line = line.copied().unwrap_or_default();
    let shown = match line.strip_suffix('\n') {
        Some(line) => safe_line(line),
        None => format!("{} (no newline at the end)", safe_line(line)),
    };
    match shown.char_indices().nth(WIDEST) {
        Some((cut, _)) => format!("{}…", shown.get(..cut).unwrap_or_default()),
        None => shown,
    }
}

/// The shortest way from one text to the other, or a plain one if there is none that is short.
fn edits(before: &[&str], after: &[&str]) -> Vec<Edit> {
    let start = before.iter().zip(after).take_while(|(a, b)| a == b).count();
    let (old, new) = (before.get(start..).unwrap_or_default(), after.get(start..).unwrap_or_default());
    let end = old.iter().rev().zip(new.iter().rev()).take_while(|(a, b)| a == b).count();
    let (old, new) =
        (old.get(..old.len() - end).unwrap_or_default(), new.get(..new.len() - end).unwrap_or_default());
    let mut edits = vec![Edit::Both; start];
    edits.extend(shortest(old, new).unwrap_or_else(|| replaced(old.len(), new.len())));
    edits.extend(std::iter::repeat_n(Edit::Both, end));
    edits
}

fn replaced(old: usize, new: usize) -> Vec<Edit> {
    std::iter::repeat_n(Edit::Went, old).chain(std::iter::repeat_n(Edit::Came, new)).collect()
}

/// Myers: for every number of differences, the furthest point reached on every diagonal. A diagonal is kept as its
/// place in a row that has room for all of them.
fn shortest(old: &[&str], new: &[&str]) -> Option<Vec<Edit>> {
    let limit = (old.len() + new.len()).min(DIFFERENT);
    let middle = limit + 1;
    let mut furthest = vec![0_usize; 2 * limit + 3];
    let mut trace = Vec::new();
    for steps in 0..=limit {
        trace.push(furthest.get(middle - steps..=middle + steps)?.to_vec());
        for diagonal in (middle - steps..=middle + steps).step_by(2) {
            let comes = comes(&furthest, diagonal, middle, steps)?;
            let from = *furthest.get(if comes { diagonal + 1 } else { diagonal - 1 })?;
            let mut x = if steps == 0 || comes { from } else { from + 1 };
            // y = x - (diagonal - middle)
            let mut y = (x + middle).checked_sub(diagonal)?;
            while x < old.len() && y < new.len() && old.get(x) == new.get(y) {
                x += 1;
                y += 1;
            }
            *furthest.get_mut(diagonal)? = x;
            if x >= old.len() && y >= new.len() {
                return walk_back(&trace, old.len(), new.len(), middle);
            }
        }
    }
    None
}

/// Whether the best way to a diagonal is that a line came, and not that one went.
fn comes(furthest: &[usize], diagonal: usize, middle: usize, steps: usize) -> Option<bool> {
    let is_lowest = diagonal == middle - steps;
    let is_highest = diagonal == middle + steps;
    Some(is_lowest || (!is_highest && furthest.get(diagonal - 1)? < furthest.get(diagonal + 1)?))
}

fn walk_back(trace: &[Vec<usize>], old: usize, new: usize, middle: usize) -> Option<Vec<Edit>> {
    let (mut x, mut y) = (old, new);
    let mut edits = Vec::new();
    for (steps, row) in trace.iter().enumerate().rev() {
        let diagonal = (x + middle).checked_sub(y)?;
        // The row begins at the lowest diagonal that these steps could reach.
        let at = |diagonal: usize| row.get((diagonal + steps).checked_sub(middle)?).copied();
        let (from_x, from_y) = if steps == 0 {
            (0, 0)
        } else {
            let is_lowest = diagonal == middle - steps;
            let is_highest = diagonal == middle + steps;
            let comes = is_lowest || (!is_highest && at(diagonal - 1)? < at(diagonal + 1)?);
            let from = if comes { diagonal + 1 } else { diagonal - 1 };
            let x = at(from)?;
            (x, (x + middle).checked_sub(from)?)
        };
        while x > from_x && y > from_y {
            edits.push(Edit::Both);
            x -= 1;
            y -= 1;
        }
        if steps > 0 {
            edits.push(if x == from_x { Edit::Came } else { Edit::Went });
        }
        (x, y) = (from_x, from_y);
    }
    edits.reverse();
    Some(edits)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(before: &str, after: &str) -> String {
        let Diff::Text(hunks) = diff(before.as_bytes(), after.as_bytes()) else { panic!("no text") };
        hunks.iter().map(ToString::to_string).collect()
    }

    fn numbers(count: usize, mark: &str) -> String {
        let lines: Vec<String> = (1..=count).map(|n| format!("{mark}{n}\n")).collect();
        lines.concat()
    }

    #[test]
    fn lines_that_differ_are_shown_with_those_around_them() {
        let before: String = numbers(20, "");
        let after = before.replace("\n5\n", "\nfive\n").replace("\n18\n", "\n");
        assert_eq!(
            shown(&before, &after),
            "@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n@@ -15,6 +15,5 @@\n 15\n 16\n 17\n-18\n 19\n 20\n"
        );
        assert_eq!(shown("a\n", "a\n"), "");
        assert_eq!(shown("", "a\nb\n"), "@@ -0,0 +1,2 @@\n+a\n+b\n");
        assert_eq!(shown("a\n", "a"), "@@ -1,1 +1,1 @@\n-a\n+a (no newline at the end)\n");
    }

    #[test]
    fn edits_lead_from_the_one_to_the_other_by_the_shortest_way() {
        let mut seed = 1_u64;
        let mut random = |below: u64| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (seed >> 33) % below
        };
        for _ in 0..500 {
            let words = ["a", "b", "c"];
            let mut text = |length| -> Vec<&str> {
                (0..random(length)).map(|_| words[usize::try_from(random(3)).unwrap()]).collect()
            };
            let (before, after) = (text(12), text(12));
            let edits = edits(&before, &after);
            let (mut old, mut new, mut made) = (before.iter(), after.iter(), Vec::new());
            for edit in &edits {
                match edit {
                    Edit::Both => {
                        new.next();
                        made.push(*old.next().unwrap());
                    }
                    Edit::Came => made.push(*new.next().unwrap()),
                    Edit::Went => drop(old.next().unwrap()),
                }
            }
            assert_eq!(made, after);
            assert!(old.next().is_none());
            let differences = edits.iter().filter(|edit| **edit != Edit::Both).count();
            assert_eq!(differences, before.len() + after.len() - 2 * common(&before, &after));
        }
    }

    /// The length of the longest common subsequence, the slow way.
    fn common(before: &[&str], after: &[&str]) -> usize {
        let mut row = vec![0; after.len() + 1];
        for a in before {
            let mut diagonal = 0;
            for (place, b) in after.iter().enumerate() {
                let best = if a == b { diagonal + 1 } else { row[place].max(row[place + 1]) };
                diagonal = row[place + 1];
                row[place + 1] = best;
            }
        }
        row[after.len()]
    }

    #[test]
    fn what_is_no_text_or_too_long_is_not_shown() {
        assert_eq!(diff(b"a\0", b"a"), Diff::Binary);
        assert_eq!(diff(b"a", b"\xff"), Diff::Binary);
        assert_eq!(diff(b"a", &vec![b'a'; 1 + (1 << 20)]), Diff::Long);
    }

    #[test]
    fn hostile_texts_are_bounded_and_harmless() {
        let before: String = numbers(50_000, "");
        let after: String = numbers(50_000, "x");
        let Diff::Text(hunks) = diff(before.as_bytes(), after.as_bytes()) else { panic!("no text") };
        assert_eq!(hunks.iter().map(|hunk| hunk.lines.len()).sum::<usize>(), MOST);
        assert_eq!(shown("", "\x1b[2J\u{202e}x\n"), "@@ -0,0 +1,1 @@\n+\\u{1b}[2J\\u{202e}x\n");
        let wide = "w".repeat(5000);
        let Diff::Text(hunks) = diff(b"", wide.as_bytes()) else { panic!("no text") };
        assert_eq!(hunks[0].lines, [Line::Came(format!("{}…", "w".repeat(WIDEST)))]);
    }
}
