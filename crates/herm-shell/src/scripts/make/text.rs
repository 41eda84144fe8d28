//! Texts with marks for what is not known.

/// Any text, of any length.
pub(super) const ANY: char = '\u{1}';
/// The name of a file that is there, or a part of one: no slash, no blank.
pub(super) const SOME: char = '\u{2}';

/// How what is not known reads to a shell: as what some command prints.
const PRINTED: &str = "$(make-says)";

/// The text as a shell is to read it.
pub(super) fn as_shell(text: &str) -> String {
    if !has_mark(text) {
        return text.to_owned();
    }
    text.replace(ANY, PRINTED).replace(SOME, "*")
}

pub(super) fn has_mark(text: &str) -> bool {
    text.contains([ANY, SOME])
}

/// Whether a text with marks may be this one, or with `%` one that fits.
pub(super) fn may_be(marked: &str, pattern: &str) -> bool {
    let (start, end) = (before_marks(marked), after_marks(marked));
    if let Some((first, last)) = pattern.split_once('%') {
        return (first.starts_with(start) || start.starts_with(first))
            && (last.ends_with(end) || end.ends_with(last));
    }
    let rest = pattern.strip_prefix(start).and_then(|rest| rest.strip_suffix(end));
    rest.is_some_and(|rest| marked.contains(ANY) || !rest.contains('/'))
}

fn before_marks(text: &str) -> &str {
    text.split([ANY, SOME]).next().unwrap_or_default()
}

fn after_marks(text: &str) -> &str {
    text.rsplit([ANY, SOME]).next().unwrap_or_default()
}

/// `a/*.c b.c` as names with marks.
pub(super) fn globbed(words: &str) -> String {
    let is_wild = |letter: char| matches!(letter, '*' | '?' | '[' | ']');
    let one = |word: &str| {
        let start = word.split(is_wild).next().unwrap_or_default();
        let end = word.rsplit(is_wild).next().unwrap_or_default();
        if start.len() == word.len() {
            return word.to_owned();
        }
        let middle = word.get(start.len()..word.len() - end.len()).unwrap_or_default();
        let mark = if middle.contains('/') { ANY } else { SOME };
        format!("{start}{mark}{end}")
    };
    words.split_whitespace().map(one).collect::<Vec<_>>().join(" ")
}

/// What the output of `find src -name '*.c'` looks like.
pub(super) fn files_of(command: &str) -> Option<String> {
    let plain = |letter: char| letter.is_ascii_alphanumeric() || " ./_-*'\"\\".contains(letter);
    let words: Vec<&str> = command.split_whitespace().map(|word| word.trim_matches(['\'', '"'])).collect();
    let ["find", place, rest @ ..] = words.as_slice() else { return None };
    let (["-name", name] | ["-type", "f", "-name", name] | ["-name", name, "-type", "f"]) = rest else {
        return None;
    };
    let end = name.trim_start_matches('\\').strip_prefix('*').filter(|end| !end.contains(['*', '\\']))?;
    let is_plain = command.chars().all(plain) && !place.starts_with('-') && !place.contains('*');
    is_plain.then(|| format!("{}/{ANY}{end}", place.trim_end_matches('/')))
}
