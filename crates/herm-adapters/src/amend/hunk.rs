//! A part of a file that changes, and where it is.

use std::fmt;

/// A part of a file that changes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Hunk {
    /// Lines to be found first, one after the other: it comes after them.
    pub after: Vec<String>,
    /// The number of its first line, if that is said.
    pub at: Option<usize>,
    /// Its lines.
    pub lines: Vec<(Sign, String)>,
    /// Whether it is the end of the file.
    pub is_last: bool,
    /// Whether the file ends with the end of a line afterwards; as before, if nothing is said.
    pub ends_line: Option<bool>,
}

/// What becomes of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sign {
    /// It stays.
    Both,
    /// It comes.
    Came,
    /// It goes.
    Went,
}

/// Why a part does not fit. It says nothing of what is in the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Misfit {
    /// It fits in several places.
    Ambiguous(usize),
    /// It fits nowhere.
    Nowhere(usize),
}

impl fmt::Display for Misfit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Ambiguous(number) => {
                write!(
                    f,
                    "part {number} of the change fits in several places; more of the lines around it would tell which"
                )
            }
            Self::Nowhere(number) => {
                write!(
                    f,
                    "part {number} of the change does not fit: its lines are not in the file as they stand there"
                )
            }
        }
    }
}

impl std::error::Error for Misfit {}

impl Hunk {
    fn before(&self) -> impl Iterator<Item = &str> {
        self.lines.iter().filter(|(sign, _)| *sign != Sign::Came).map(|(_, line)| line.as_str())
    }

    fn after(&self) -> impl Iterator<Item = (Sign, &str)> {
        self.lines.iter().filter(|(sign, _)| *sign != Sign::Went).map(|(sign, line)| (*sign, line.as_str()))
    }
}

/// What a text becomes.
pub(super) fn apply(before: &str, hunks: &[Hunk]) -> Result<String, Misfit> {
    let mut old: Vec<&str> = before.split('\n').collect();
    // What follows the last end is no line.
    let mut ends_line = old.last().is_some_and(|last| last.is_empty());
    if ends_line {
        old.pop();
    }
    let is_dos = old.first().is_some_and(|line| line.ends_with('\r'));
    let (mut new, mut from): (Vec<String>, usize) = (Vec::new(), 0);
    for (number, hunk) in hunks.iter().enumerate() {
        let at = locate(&old, from, hunk, number + 1)?;
        new.extend(old.iter().take(at).skip(from).map(|&line| line.to_owned()));
        let mut kept = old.iter().skip(at);
        let mut old_of_hunk = hunk.lines.iter();
        for (sign, line) in hunk.after() {
            new.push(match sign {
                // What stays is left as it is, down to its end.
                Sign::Both => stays(&mut kept, &mut old_of_hunk).unwrap_or(line).to_owned(),
                Sign::Came | Sign::Went if is_dos && !line.ends_with('\r') => format!("{line}\r"),
                Sign::Came | Sign::Went => line.to_owned(),
            });
        }
        from = at + hunk.before().count();
        ends_line = hunk.ends_line.unwrap_or(ends_line || old.is_empty());
    }
    new.extend(old.iter().skip(from).map(|&line| line.to_owned()));
    let mut text = new.join("\n");
    if ends_line && !new.is_empty() {
        text.push('\n');
    }
    Ok(text)
}

/// The line of the file that the next line that stays is.
fn stays<'a, 'b>(
    kept: &mut impl Iterator<Item = &'b &'a str>,
    lines: &mut impl Iterator<Item = &'b (Sign, String)>,
) -> Option<&'a str>
where
    'a: 'b,
{
    loop {
        match lines.next()?.0 {
            Sign::Both => return kept.next().copied(),
            Sign::Went => drop(kept.next()),
            Sign::Came => {}
        }
    }
}

/// Where a part of a file is: where it says, or in the only place where it fits.
fn locate(old: &[&str], from: usize, hunk: &Hunk, number: usize) -> Result<usize, Misfit> {
    let mut from = from;
    for line in &hunk.after {
        let found = old.iter().skip(from).position(|old| same(old, line));
        from += found.ok_or(Misfit::Nowhere(number))? + 1;
    }
    let wanted: Vec<_> = hunk.before().collect();
    let fits = |at: usize| {
        let here = old.get(at..at + wanted.len());
        let is_end = !hunk.is_last || at + wanted.len() == old.len();
        at >= from
            && is_end
            && here.is_some_and(|here| here.iter().zip(&wanted).all(|(old, line)| same(old, line)))
    };
    if let Some(at) = hunk.at.filter(|at| fits(*at)) {
        return Ok(at);
    }
    // What has nothing to be found by is added where it says, or at the end.
    if wanted.is_empty() {
        return match (hunk.at, hunk.after.is_empty()) {
            (Some(_), _) => Err(Misfit::Nowhere(number)),
            (None, true) => Ok(old.len()),
            (None, false) => Ok(from),
        };
    }
    let mut places = (from..=old.len()).filter(|at| fits(*at));
    match (places.next(), places.next(), hunk.after.is_empty()) {
        (None, _, _) => Err(Misfit::Nowhere(number)),
        // The first one after the lines that were named is meant.
        (Some(at), None, _) | (Some(at), Some(_), false) => Ok(at),
        (Some(_), Some(_), true) => Err(Misfit::Ambiguous(number)),
    }
}

/// Whether two lines are the same, however they end.
fn same(old: &str, line: &str) -> bool {
    old.strip_suffix('\r').unwrap_or(old) == line.strip_suffix('\r').unwrap_or(line)
}
