//! What a try has changed, in colour.

use super::colour::{Colour, paint_always};

/// The marks and the lines of diffs in colour, where that is wanted.
pub(crate) fn painted(told: &str, colour: bool) -> String {
    if !colour {
        return told.to_owned();
    }
    told.lines().map(|line| line_in_colour(line) + "\n").collect()
}

fn line_in_colour(line: &str) -> String {
    if let Some(diff) = line.strip_prefix("    ") {
        return match shade(diff) {
            Some(shade) if shade != Colour::Yellow => format!("    {}", paint_always(diff, shade)),
            Some(_) | None => line.to_owned(),
        };
    }
    let marked = line.strip_prefix("  ").and_then(|rest| rest.split_once(' '));
    match marked
        .and_then(|(mark, rest)| (mark.len() == 1).then(|| shade(mark).map(|shade| (mark, rest, shade)))?)
    {
        Some((mark, rest, shade)) => format!("  {} {rest}", paint_always(mark, shade)),
        None => line.to_owned(),
    }
}

/// The colour of what begins like this.
fn shade(text: &str) -> Option<Colour> {
    match text.chars().next()? {
        '+' => Some(Colour::Green),
        '-' => Some(Colour::Red),
        '>' | '~' => Some(Colour::Yellow),
        _ => None,
    }
}
