//! What a mistyped word was meant to be.

/// The word that this one was probably meant to be: nearly the same, but not the same.
#[must_use]
pub fn nearest<'a>(word: &str, words: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let slips = if word.len() < 6 { 1 } else { 2 };
    let folded = word.to_lowercase();
    let near = words.into_iter().map(|other| (distance(&folded, other), other));
    near.filter(|(far, other)| *far <= slips && *other != word).min().map(|(_, other)| other)
}

/// How many letters must be added, dropped or changed to make one word of another.
#[must_use]
pub fn distance(from: &str, to: &str) -> usize {
    let mut row: Vec<usize> = (0..=to.chars().count()).collect();
    for (line, letter) in from.chars().take(LONGEST).enumerate() {
        let mut diagonal = line;
        let mut left = line + 1;
        for (cell, other) in row.iter_mut().skip(1).zip(to.chars()) {
            let changed = diagonal + usize::from(letter != other);
            diagonal = *cell;
            left = changed.min(left + 1).min(*cell + 1);
            *cell = left;
        }
        if let Some(first) = row.first_mut() {
            *first = line + 1;
        }
    }
    row.last().copied().unwrap_or_default()
}

/// A longer word is not a slip of any of ours.
const LONGEST: usize = 64;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_are_counted() {
        assert_eq!(distance("deny", "deny"), 0);
        assert_eq!(distance("denny", "deny"), 1);
        assert_eq!(distance("", "abc"), 3);
        assert_eq!(distance("kitten", "sitting"), 3);
    }

    #[test]
    fn only_slips_are_near() {
        let keys = ["approvals", "security", "tests"];
        assert_eq!(nearest("aprovals", keys), Some("approvals"));
        assert_eq!(nearest("Security", keys), Some("security"));
        assert_eq!(nearest("terminal", keys), None);
        assert_eq!(nearest("tests", keys), None);
    }
}
