//! Characters that mislead whoever reads the text.

use std::collections::BTreeMap;

use crate::characters::{
    Script, is_invisible, is_joiner, is_odd_space, is_right_to_left, is_tag, is_variation, marks_direction,
    name, script, turns_direction,
};
use crate::skeleton::{is_disguised, skeleton};
use crate::{Detection, Kind};

/// A run of blanks this long pushes what follows out of sight.
const WIDEST: usize = 80;
/// So do this many empty lines.
const TALLEST: usize = 20;

/// The most detections of one kind: more would tell nobody more, and whatever is said of each is said as often.
const MOST: usize = 64;

/// What in the text misleads its reader, in order. Text in other languages, emoji and typography do not. Past 64 of one kind,
/// the last one reaches to where the last of them ends.
#[must_use]
pub fn scan(text: &str) -> Vec<Detection> {
    let mut found = characters(text);
    found.extend(hidden_text(text));
    found.extend(words(text));
    found.sort_by_key(|detection| (detection.start, detection.end));
    bounded(found)
}

fn bounded(found: Vec<Detection>) -> Vec<Detection> {
    let mut kept: Vec<Detection> = Vec::new();
    // How many of a kind there are, and where the last of them is.
    let mut kinds: BTreeMap<Kind, (usize, usize)> = BTreeMap::new();
    for detection in found {
        let (count, at) = kinds.entry(detection.kind).or_default();
        *count += 1;
        if let Some(last) = kept.get_mut(*at).filter(|_| *count > MOST) {
            last.end = last.end.max(detection.end);
            continue;
        }
        *at = kept.len();
        kept.push(detection);
    }
    kept
}

fn characters(text: &str) -> Vec<Detection> {
    if text.bytes().all(|byte| byte == b'\t' || byte == b'\n' || (b' '..=b'~').contains(&byte)) {
        return Vec::new();
    }
    let right_to_left = text.chars().any(is_right_to_left);
    let mut found: Vec<Detection> = Vec::new();
    let mut before = None;
    let mut flag = false;
    let mut letters = text.char_indices().peekable();
    while let Some((start, letter)) = letters.next() {
        let after = letters.peek().map(|(_, letter)| *letter);
        flag = letter == '\u{1F3F4}' || flag && is_tag(letter);
        if let Some(kind) = kind(letter, &Surroundings { start, before, after, right_to_left, flag }) {
            push(&mut found, kind, start, letter);
        }
        before = Some(letter);
    }
    found
}

/// What stands around a character.
struct Surroundings {
    start: usize,
    before: Option<char>,
    after: Option<char>,
    /// Whether the text has letters that are written from right to left.
    right_to_left: bool,
    /// Whether it belongs to the emoji flag of a region.
    flag: bool,
}

fn kind(letter: char, around: &Surroundings) -> Option<Kind> {
    let foreign_before = around.before.is_some_and(|letter| u32::from(letter) >= 0x0600);
    let turns = turns_direction(letter) || marks_direction(letter) && !around.right_to_left;
    let seen = is_joiner(letter) && foreign_before
        || is_variation(letter) && is_variable(around.before)
        || is_tag(letter) && around.flag
        || letter == '\u{FEFF}' && around.start == 0
        || letter == '\u{2800}';
    match letter {
        '\u{1B}' | '\u{80}'..='\u{9F}' => Some(Kind::Escape),
        '\t' | '\n' => None,
        '\r' => (around.after.is_some_and(|next| next != '\n')).then_some(Kind::Control),
        _ if letter.is_control() => Some(Kind::Control),
        _ if turns => Some(Kind::Bidi),
        _ if is_invisible(letter) && !seen => Some(Kind::Invisible),
        _ => None,
    }
}

/// Whether a variation selector has something to choose: an emoji or symbol, a digit of a keycap, an ideograph.
fn is_variable(before: Option<char>) -> bool {
    before.is_some_and(|letter| {
        matches!(letter, '0'..='9' | '#' | '*' | '\u{A9}' | '\u{AE}')
            || !letter.is_ascii() && !is_invisible(letter)
            || is_joiner(letter)
    })
}

/// Adds a detection, or makes the last one longer if it is of the same kind and ends here.
fn push(found: &mut Vec<Detection>, kind: Kind, start: usize, letter: char) {
    let end = start + letter.len_utf8();
    match found.last_mut() {
        Some(last) if last.kind == kind && last.end == start => last.end = end,
        Some(_) | None => found.push(Detection { kind, start, end, shown: name(letter) }),
    }
}

/// Text behind a long run of blanks or of empty lines.
fn hidden_text(text: &str) -> Vec<Detection> {
    let mut found = Vec::new();
    let (mut blanks, mut lines, mut written, mut run) = (0, 0, false, 0);
    let mut table = false;
    for (at, letter) in text.char_indices() {
        if letter == '\n' {
            lines += 1;
            blanks = 0;
        } else if letter.is_whitespace() {
            blanks += 1;
        } else {
            // The cells of a table are padded, and no command begins with a bar.
            table = if lines > 0 || !written { letter == '|' } else { table };
            if let Some(shown) = distance(blanks, lines).filter(|_| written && !table) {
                found.push(Detection {
                    kind: Kind::HiddenText,
                    start: run,
                    end: at + letter.len_utf8(),
                    shown,
                });
            }
            (blanks, lines, written) = (0, 0, true);
            run = at + letter.len_utf8();
        }
    }
    found
}

/// How far away a text is, if that is out of sight.
fn distance(blanks: usize, lines: usize) -> Option<String> {
    if blanks >= WIDEST {
        return Some(format!("text after {blanks} blanks"));
    }
    (lines > TALLEST).then(|| format!("text after {} empty lines", lines - 1))
}

/// Words that are not what they look like.
fn words(text: &str) -> Vec<Detection> {
    if text.is_ascii() {
        return Vec::new();
    }
    let mut found = Vec::new();
    for (start, word) in pieces(text, |letter| letter.is_ascii_whitespace()) {
        odd_spaces(word, start, &mut found);
        for (offset, name) in pieces(word, |letter| !letter.is_alphanumeric() && !is_invisible(letter)) {
            if mixes_scripts(name) && is_disguised(name) {
                let shown = format!("`{}` is written with letters of another script", skeleton(name));
                let start = start + offset;
                found.push(Detection { kind: Kind::Homograph, start, end: start + name.len(), shown });
            }
        }
    }
    found
}

/// Spaces that are none, where the next word looks like an option, a path or an operator.
fn odd_spaces(word: &str, start: usize, found: &mut Vec<Detection>) {
    let mut letters = word.char_indices().peekable();
    let mut before = None;
    while let Some((at, letter)) = letters.next() {
        let after = letters.peek().map(|(_, letter)| *letter);
        let shell_like = after.is_some_and(|next| "-/~|;&><$".contains(next));
        if is_odd_space(letter)
            && before.is_some_and(|before: char| before.is_ascii_alphanumeric())
            && shell_like
        {
            push(found, Kind::OddSpace, start + at, letter);
        }
        before = Some(letter);
    }
}

fn mixes_scripts(word: &str) -> bool {
    let mut scripts = word.chars().filter_map(script);
    let Some(first) = scripts.next() else { return false };
    let latin = first == Script::Latin || word.chars().any(|letter| script(letter) == Some(Script::Latin));
    latin && scripts.any(|script| script != first)
}

/// The parts of a text between the characters that part it, with where they begin.
fn pieces(text: &str, parts: impl Fn(char) -> bool) -> impl Iterator<Item = (usize, &str)> {
    let mut start = 0;
    text.split(parts)
        .map(move |piece| {
            let here = start;
            let separator =
                text.get(here + piece.len()..).and_then(|rest| rest.chars().next()).map_or(0, char::len_utf8);
            start = here + piece.len() + separator;
            (here, piece)
        })
        .filter(|(_, piece)| !piece.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(text: &str) -> Vec<Kind> {
        scan(text).into_iter().map(|detection| detection.kind).collect()
    }

    #[test]
    fn misleading_characters_are_found() {
        for (text, kind) in [
            ("echo \u{202E}txt", Kind::Bidi),
            ("echo a\u{2066}b", Kind::Bidi),
            ("ls\u{200E}", Kind::Bidi),
            ("r\u{200B}m -rf /", Kind::Invisible),
            ("c\u{AD}at x", Kind::Invisible),
            ("a\u{200D}b", Kind::Invisible),
            ("hi \u{E0041}\u{E0042}", Kind::Invisible),
            ("a\u{FE0F}", Kind::Invisible),
            ("😀\u{FE0F}\u{FE01}", Kind::Invisible),
            ("ls \u{FEFF}x", Kind::Invisible),
            ("\u{1B}[31mrm\u{1B}[0m", Kind::Escape),
            ("\u{9B}31m", Kind::Escape),
            ("echo ok\rrm", Kind::Control),
            ("echo a\u{8}b", Kind::Control),
            ("echo a\0b", Kind::Control),
            ("chmod\u{A0}-R 777 /", Kind::OddSpace),
            ("rm\u{3000}/etc", Kind::OddSpace),
            ("рaypal", Kind::Homograph),
            ("ѕudo ls", Kind::Homograph),
        ] {
            assert!(kinds(text).contains(&kind), "{text:?}: {:?}", scan(text));
        }
    }

    #[test]
    fn hidden_text_is_found() {
        assert_eq!(kinds(&format!("echo hi{}; rm -rf ~", " ".repeat(100))), [Kind::HiddenText]);
        assert_eq!(kinds(&format!("echo hi{}rm -rf ~", "\n".repeat(30))), [Kind::HiddenText]);
        assert_eq!(kinds(&format!("echo hi{}", "\n".repeat(300))), []);
        assert_eq!(kinds(&format!("{}echo hi", " ".repeat(300))), []);
        assert_eq!(kinds(&format!("echo hi{}there", " ".repeat(40))), []);
        assert_eq!(kinds(&format!("a\n| b{}|\n| c{}|", " ".repeat(100), " ".repeat(100))), []);
        assert_eq!(kinds(&format!("echo a{}| sh", " ".repeat(100))), [Kind::HiddenText]);
    }

    #[test]
    fn honest_text_is_left_alone() {
        for text in [
            "git commit -m 'исправить ошибку в тесте'",
            "git commit -m '修复：构建脚本（Windows）　更新'",
            "echo “smart” – quotes… é à ü ß",
            "echo 👨\u{200D}👩\u{200D}👧 ✔\u{FE0F} 1\u{FE0F}\u{20E3} 🏴\u{E0067}\u{E0062}\u{E007F}",
            "echo 'می\u{200C}خواهم'",
            "echo 'שלום\u{200F}'",
            "echo 'prix\u{A0}: 10\u{A0}€'",
            "echo Δx μs kΩ",
            "a\r\nb\r\n",
            "\u{FEFF}echo hi",
            "printf '\\033[31m'",
        ] {
            assert_eq!(scan(text), [], "{text:?}");
        }
    }

    #[test]
    fn many_of_a_kind_are_bounded_and_reach_to_the_last() {
        let text = "\u{1B}[31m \u{200B} ".repeat(1_000);
        let found = scan(&text);
        assert_eq!(found.len(), 2 * MOST);
        let ends = found.iter().filter(|detection| detection.kind == Kind::Invisible).map(|one| one.end);
        assert_eq!(ends.max(), Some(text.len() - 1));
    }

    #[test]
    fn runs_are_one_detection_and_say_what_they_are() {
        let found = scan("a\u{200B}\u{200B}b");
        assert_eq!(found.len(), 1);
        assert_eq!((found[0].start, found[0].end), (1, 7));
        assert_eq!(found[0].shown, "U+200B (zero-width space)");
    }
}
