//! What would change in a file, line by line, as `diff -u` shows it.

use std::path::Path;

use super::colour::{Colour, paint};
use super::escape::escape;

/// How many lines are shown around what changes.
const AROUND: usize = 3;

/// A line of a file, and what becomes of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Line<'a> {
    Added(&'a str),
    Kept(&'a str),
    Removed(&'a str),
}

/// The change from one text to another. One of them may be missing: the file is made, or goes away.
pub(crate) fn unified(file: &Path, before: Option<&str>, after: Option<&str>) -> String {
    let name =
        |text: Option<&str>| text.map_or_else(|| "/dev/null".to_owned(), |_| file.display().to_string());
    let lines = compared(before.unwrap_or_default(), after.unwrap_or_default());
    let hunks: String = hunks(&lines).into_iter().map(|(from, to)| hunk(&lines, from, to)).collect();
    format!("--- {}\n+++ {}\n{hunks}", escape(&name(before)), escape(&name(after)))
}

/// Every line of both texts, in order.
fn compared<'a>(before: &'a str, after: &'a str) -> Vec<Line<'a>> {
    let old: Vec<&str> = before.split_inclusive('\n').collect();
    let new: Vec<&str> = after.split_inclusive('\n').collect();
    let top = old.iter().zip(&new).take_while(|(old, new)| old == new).count();
    let room = old.len().min(new.len()) - top;
    let bottom =
        old.iter().rev().zip(new.iter().rev()).take(room).take_while(|(old, new)| old == new).count();
    let middle = |lines: &[&'a str]| -> Vec<&'a str> {
        lines.iter().skip(top).take(lines.len() - top - bottom).copied().collect()
    };
    let kept = |lines: &[&'a str], from: usize, number: usize| -> Vec<Line<'a>> {
        lines.iter().skip(from).take(number).map(|line| Line::Kept(line)).collect()
    };
    let mut all = kept(&old, 0, top);
    all.extend(aligned(&middle(&old), &middle(&new)));
    all.extend(kept(&old, old.len() - bottom, bottom));
    all
}

/// The most lines on either side that are compared with each other.
const MOST: usize = 2000;

/// Lines of which as many as possible are kept.
fn aligned<'a>(old: &[&'a str], new: &[&'a str]) -> Vec<Line<'a>> {
    if old.len() > MOST || new.len() > MOST {
        let removed = old.iter().map(|line| Line::Removed(line));
        return removed.chain(new.iter().map(|line| Line::Added(line))).collect();
    }
    let common = common(old, new);
    let length = |at: usize, to: usize| common.get(at).and_then(|row| row.get(to)).copied().unwrap_or(0);
    let (mut at, mut to) = (0, 0);
    let mut lines = Vec::new();
    loop {
        match (old.get(at), new.get(to)) {
            (Some(one), Some(two)) if one == two => {
                lines.push(Line::Kept(one));
                (at, to) = (at + 1, to + 1);
            }
            (Some(one), two) if two.is_none() || length(at + 1, to) >= length(at, to + 1) => {
                lines.push(Line::Removed(one));
                at += 1;
            }
            (_, Some(two)) => {
                lines.push(Line::Added(two));
                to += 1;
            }
            (_, None) => return lines,
        }
    }
}

/// How many lines the rests of both have in common, from every place on.
fn common(old: &[&str], new: &[&str]) -> Vec<Vec<u32>> {
    let mut rows = vec![vec![0; new.len() + 1]];
    for line in old.iter().rev() {
        let below = rows.last().cloned().unwrap_or_default();
        let mut row = vec![0; new.len() + 1];
        let mut right = 0;
        for (to, other) in new.iter().enumerate().rev() {
            let diagonal = below.get(to + 1).copied().unwrap_or(0);
            let down = below.get(to).copied().unwrap_or(0);
            right = if line == other { diagonal + 1 } else { right.max(down) };
            if let Some(cell) = row.get_mut(to) {
                *cell = right;
            }
        }
        rows.push(row);
    }
    rows.reverse();
    rows
}

/// The parts in which something changes, with what stands around it.
fn hunks(lines: &[Line<'_>]) -> Vec<(usize, usize)> {
    let changed = lines.iter().enumerate().filter(|(_, line)| !matches!(line, Line::Kept(_)));
    let mut hunks: Vec<(usize, usize)> = Vec::new();
    for (at, _) in changed {
        let (from, to) = (at.saturating_sub(AROUND), (at + AROUND + 1).min(lines.len()));
        match hunks.last_mut() {
            Some((_, end)) if from <= *end => *end = to,
            Some(_) | None => hunks.push((from, to)),
        }
    }
    hunks
}

fn hunk(lines: &[Line<'_>], from: usize, to: usize) -> String {
    let count = |lines: &[Line<'_>], is: fn(&Line<'_>) -> bool| lines.iter().filter(|line| is(line)).count();
    let in_old: fn(&Line<'_>) -> bool = |line| !matches!(line, Line::Added(_));
    let in_new: fn(&Line<'_>) -> bool = |line| !matches!(line, Line::Removed(_));
    let (above, shown) = (lines.get(..from).unwrap_or_default(), lines.get(from..to).unwrap_or_default());
    let range = |is: fn(&Line<'_>) -> bool| match count(shown, is) {
        0 => format!("{},0", count(above, is)),
        number => format!("{},{number}", count(above, is) + 1),
    };
    let body: String = shown.iter().map(line).collect();
    format!("@@ -{} +{} @@\n{body}", range(in_old), range(in_new))
}

fn line(line: &Line<'_>) -> String {
    let (sign, text, colour) = match line {
        Line::Added(text) => ('+', text, Some(Colour::Green)),
        Line::Kept(text) => (' ', text, None),
        Line::Removed(text) => ('-', text, Some(Colour::Red)),
    };
    let (bare, end) = match text.strip_suffix('\n') {
        Some(bare) => (bare, "\n"),
        None => (*text, "\n\\ No newline at end of file\n"),
    };
    // Tabs are how files are indented, and do no harm.
    let shown: Vec<_> = bare.split('\t').map(escape).collect();
    let shown = format!("{sign}{}", shown.join("\t"));
    let shown = colour.map_or_else(|| shown.clone(), |colour| paint(&shown, colour));
    format!("{shown}{end}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_that_stay_are_shown_around_those_that_change() {
        let before = "a\nb\nc\nd\ne\nf\n";
        let after = "a\nb\nc\nd\nx\ne\nf";
        assert_eq!(
            unified(Path::new("/f"), Some(before), Some(after)),
            "--- /f\n+++ /f\n@@ -2,5 +2,6 @@\n b\n c\n d\n+x\n e\n-f\n+f\n\\ No newline at end of file\n"
        );
    }

    #[test]
    fn what_is_far_apart_is_shown_apart() {
        let before: String = (0..30).map(|line| line.to_string() + "\n").collect();
        let after = before.replace("3\n4\n", "3\nx\n4\n").replace("28\n", "y\n");
        let shown = unified(Path::new("/f"), Some(&before), Some(&after));
        assert_eq!(shown.matches("@@ -").count(), 2, "{shown}");
        assert!(shown.contains("@@ -2,6 +2,7 @@") && shown.contains("-28\n+y\n 29\n"), "{shown}");
    }

    #[test]
    fn a_file_is_made_or_goes_away() {
        assert_eq!(
            unified(Path::new("/f"), None, Some("a\n")),
            "--- /dev/null\n+++ /f\n@@ -0,0 +1,1 @@\n+a\n"
        );
        assert_eq!(
            unified(Path::new("/f"), Some("a\n"), None),
            "--- /f\n+++ /dev/null\n@@ -1,1 +0,0 @@\n-a\n"
        );
    }

    #[test]
    fn what_drives_a_terminal_is_written_out() {
        let shown = unified(Path::new("/f"), None, Some("\ta\x1b[2J\n"));
        assert!(shown.ends_with("+\ta\\u{1b}[2J\n"), "{shown}");
    }
}
