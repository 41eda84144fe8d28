//! How the lines of a makefile are laid out: where they end, and which signs divide them.

use super::text::ANY;

/// What stands before and after a sign that is in no brackets.
pub(super) fn outside_brackets(text: &str, sign: char) -> (&str, Option<&str>) {
    let mut depth = 0_u32;
    for (at, letter) in text.char_indices() {
        match letter {
            '(' | '{' => depth += 1,
            ')' | '}' => depth = depth.saturating_sub(1),
            _ if letter == sign && depth == 0 => {
                let rest = text.get(at + letter.len_utf8()..);
                return (text.get(..at).unwrap_or_default(), rest);
            }
            _ => {}
        }
    }
    (text, None)
}

/// A line without the comment at its end. What a mark stands for cannot begin one.
pub(super) fn without_comment(line: &str) -> &str {
    let mut before = ANY;
    for (at, letter) in line.char_indices() {
        if letter == '#' && before != '\\' {
            return line.get(..at).unwrap_or_default();
        }
        before = letter;
    }
    line
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LineKind {
    Assignment(usize, usize),
    Expression,
    Rule(usize),
}

/// What a line is: the first `=` or `:` outside of references decides.
pub(super) fn kind(line: &str) -> LineKind {
    let bytes = line.as_bytes();
    let is = |at: usize, byte: u8| bytes.get(at) == Some(&byte);
    for at in outside_references(line) {
        match bytes.get(at) {
            Some(b'=') => return LineKind::Assignment(at, 1),
            Some(b':') if is(at + 1, b':') => {
                let colons = bytes.iter().skip(at).take_while(|byte| **byte == b':').count();
                return match bytes.get(at + colons) {
                    Some(b'=') => LineKind::Assignment(at, colons + 1),
                    Some(_) | None => LineKind::Rule(at),
                };
            }
            Some(b':' | b'+' | b'?' | b'!') if is(at + 1, b'=') => return LineKind::Assignment(at, 2),
            Some(b':') => return LineKind::Rule(at),
            Some(b'&') if is(at + 1, b':') => return LineKind::Rule(at),
            _ => {}
        }
    }
    LineKind::Expression
}

/// Where the bytes stand that are in no reference and that no backslash takes its meaning from.
fn outside_references(text: &str) -> Vec<usize> {
    let mut places = Vec::new();
    let mut at = 0;
    while let Some(byte) = text.as_bytes().get(at) {
        match byte {
            b'$' => {
                let after = text.get(at + 1..).unwrap_or_default();
                let (_, rest) = super::expand::reference(after);
                at = text.len() - rest.len();
                continue;
            }
            b'\\' => at += 1,
            _ => places.push(at),
        }
        at += 1;
    }
    places
}

/// What stands before and after a sign that is in no reference.
pub(super) fn split_outside(text: &str, sign: u8) -> (&str, Option<&str>) {
    let at = outside_references(text).into_iter().find(|at| text.as_bytes().get(*at) == Some(&sign));
    match at {
        Some(at) => (text.get(..at).unwrap_or_default(), text.get(at + 1..)),
        None => (text, None),
    }
}

/// Whether this is the name of one variable, perhaps after words that say how it is set.
pub(super) fn is_name(text: &str) -> bool {
    let modifiers = ["override", "export", "private", "unexport"];
    if text.contains('$') {
        return true;
    }
    text.split_whitespace().filter(|word| !modifiers.contains(word)).count() <= 1
}

/// Whether a line goes on as a definition after `override` or `export`.
pub(super) fn is_modified(rest: &str) -> bool {
    let word = rest.split([' ', '\t']).next().unwrap_or_default();
    matches!(word, "define" | "undefine" | "override" | "export" | "private") && word.len() < rest.len()
}

/// Variables that decide which programs run, whatever is called.
const HIJACKS: &[&str] =
    &["PATH", "BASH_ENV", "ENV", "LD_PRELOAD", "LD_LIBRARY_PATH", "MAKEFLAGS", "GNUMAKEFLAGS", "MAKEFILES"];

/// Variables that every environment has: `?=` does not change them.
pub(super) const INHERITED: &[&str] =
    &["HOME", "LANG", "LOGNAME", "OLDPWD", "PATH", "PWD", "SHLVL", "TERM", "USER", "_"];

/// Whether a value changes what runs without being named; the everyday options of make do not.
pub(super) fn is_hijack(name: &str, value: &str) -> bool {
    match name {
        "MAKEFLAGS" | "GNUMAKEFLAGS" => !is_harmless_flags(value),
        _ => HIJACKS.contains(&name),
    }
}

/// Whether these are everyday options of make: none that brings code or another makefile.
pub(crate) fn is_harmless_flags(value: &str) -> bool {
    let long = ["--no-", "--silent", "--quiet", "--warn-", "--output-sync", "--jobs", "--keep-going"];
    let harmless = |word: &str| {
        !word.contains('$')
            && (long.iter().any(|start| word.starts_with(start))
                || word.chars().all(|letter| "-rRsjkwBbdipqStO0123456789".contains(letter)))
    };
    value.split_whitespace().all(harmless)
}

/// Lines, each with those that a backslash at its end joins to it.
pub(super) fn logical_lines(text: &str) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let mut open = false;
    for line in text.lines() {
        match lines.last_mut().filter(|_| open) {
            Some(last) => {
                last.push('\n');
                last.push_str(line);
            }
            None => lines.push(line.to_owned()),
        }
        open = continues(line);
    }
    lines
}

/// Whether a backslash at the end joins the next line.
pub(super) fn continues(line: &str) -> bool {
    (line.len() - line.trim_end_matches('\\').len()) % 2 == 1
}

/// A line that goes on, as one.
pub(super) fn joined(line: &str) -> String {
    let mut parts = line.split("\\\n");
    let mut whole = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        whole.truncate(whole.trim_end_matches([' ', '\t']).len());
        whole.push(' ');
        whole.push_str(part.trim_start());
    }
    whole
}
