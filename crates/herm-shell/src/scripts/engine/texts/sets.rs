//! Sets of characters, as `tr` has them: `a-z`, `abc`.

/// The characters of a set. What is written with a backslash or excluded is not read.
pub(super) fn expanded(set: &str) -> Option<Vec<char>> {
    if set.contains('\\') || !set.is_ascii() {
        return None;
    }
    let letters: Vec<char> = set.chars().collect();
    let mut all = Vec::new();
    let mut rest = letters.as_slice();
    while let [first, after @ ..] = rest {
        if let ['-', last, after @ ..] = after {
            if first > last {
                return None;
            }
            all.extend(*first..=*last);
            rest = after;
        } else {
            all.push(*first);
            rest = after;
        }
    }
    let mut seen = all.clone();
    seen.sort_unstable();
    seen.dedup();
    (seen.len() == all.len()).then_some(all)
}

/// A text whose characters of one set are made those of another; where that is shorter, its last stands for the rest.
pub(in crate::scripts::engine) fn translated(text: &str, from: &str, to: &str) -> Option<String> {
    let (from, to) = (expanded(from)?, to_expanded(to)?);
    let last = *to.last()?;
    let change = |letter: char| match from.iter().position(|own| *own == letter) {
        Some(at) => to.get(at).copied().unwrap_or(last),
        None => letter,
    };
    text.is_ascii().then(|| text.chars().map(change).collect())
}

/// What letters become may be the same twice.
fn to_expanded(set: &str) -> Option<Vec<char>> {
    match expanded(set) {
        Some(all) => Some(all),
        None if !set.contains(['-', '\\']) && set.is_ascii() => Some(set.chars().collect()),
        None => None,
    }
}

/// A text without the characters of a set.
pub(in crate::scripts::engine) fn without(text: &str, set: &str) -> Option<String> {
    let set = expanded(set)?;
    text.is_ascii().then(|| text.chars().filter(|letter| !set.contains(letter)).collect())
}
