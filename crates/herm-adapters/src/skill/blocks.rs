//! The commands that stand in a text.
//!
//! Agents look for them from the front, so that one can swallow the next. Here every beginning counts.

/// Those between `` !` `` and the next `` ` ``, where nothing or a blank stands before them.
pub(super) fn spaced(text: &str) -> Vec<String> {
    let is_apart = |before: &str| before.chars().next_back().is_none_or(is_blank);
    ticked(text).filter(|(before, _)| is_apart(before)).filter_map(|(_, inside)| command(inside)).collect()
}

/// Those between `` !` `` and the next `` ` ``, in one line.
pub(super) fn anywhere(text: &str) -> Vec<String> {
    ticked(text)
        .filter(|(_, inside)| !inside.contains('\n'))
        .filter_map(|(_, inside)| command(inside))
        .collect()
}

/// Those between a fence with `!` and the next fence.
pub(super) fn fenced(text: &str) -> Vec<String> {
    between(text, "```!", "```").filter_map(|(_, inside)| command(inside)).collect()
}

fn ticked(text: &str) -> impl Iterator<Item = (&str, &str)> {
    between(text, "!`", "`")
}

/// What stands before each beginning, and between it and the next end.
fn between<'a>(text: &'a str, begin: &'a str, end: &'a str) -> impl Iterator<Item = (&'a str, &'a str)> {
    text.match_indices(begin).filter_map(move |(at, _)| {
        let (before, rest) = text.split_at_checked(at)?;
        let (inside, _) = rest.strip_prefix(begin)?.split_once(end)?;
        Some((before, inside))
    })
}

/// The text of a command, if there is one.
fn command(inside: &str) -> Option<String> {
    let text = inside.trim_matches(is_blank).replace("\r\n", "\n");
    (!text.is_empty()).then_some(text)
}

/// What agents written in JavaScript take for a blank.
fn is_blank(c: char) -> bool {
    c.is_whitespace() || c == '\u{feff}'
}
