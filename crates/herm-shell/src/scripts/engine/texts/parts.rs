//! Parts of texts, by numbers that count from either end.

/// The characters from one place up to another, in a text of ASCII.
pub(super) fn between(text: &str, from: i64, to: i64) -> String {
    let index = |at: i64| usize::try_from(at.max(0)).unwrap_or(usize::MAX).min(text.len());
    let (from, to) = (index(from), index(to));
    text.get(from..to.max(from)).unwrap_or_default().to_owned()
}

pub(super) fn length(text: &str) -> i64 {
    i64::try_from(text.len()).unwrap_or(i64::MAX)
}

/// Start and length, both of which may count from the end; a start outside of the text is none.
pub(super) fn by_length(text: &str, start: i64, most: Option<i64>) -> Option<String> {
    let all = length(text);
    let from = if start < 0 { all.checked_add(start)? } else { start };
    if !(0..=all).contains(&from) {
        return None;
    }
    let to = match most {
        None => all,
        Some(most) if most < 0 => all.saturating_add(most),
        Some(most) => from.saturating_add(most),
    };
    Some(between(text, from, to))
}

/// The parts between separators; those that are empty at the end do not count.
pub(super) fn without_empty_ends(text: &str, separator: &str) -> Vec<String> {
    let mut parts: Vec<String> = text.split(separator).map(str::to_owned).collect();
    while parts.last().is_some_and(String::is_empty) {
        parts.pop();
    }
    parts
}

/// The parts between blanks.
pub(super) fn words(text: &str) -> Vec<String> {
    text.split_whitespace().map(str::to_owned).collect()
}
