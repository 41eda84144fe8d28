//! Shows a text with a part of it underlined.

use std::ops::Range;

use herm_shell::Span;

use super::escape;
use super::width::width;

/// The most lines that are shown.
const LINES: usize = 6;

/// The lines that spans touch, each followed by a line of carets. Lines of more columns than these are cut around the carets.
pub(crate) fn underline(text: &str, spans: &[Span], columns: usize) -> Vec<String> {
    let marks = Marks::new(spans);
    let mut shown = Vec::new();
    let mut from = 0;
    for line in text.split('\n') {
        let to = from + line.len();
        let is_touched = marks.touch(from, to);
        if is_touched && shown.len() >= 2 * LINES {
            shown.push("…".to_owned());
            break;
        }
        if is_touched {
            shown.extend(marked(line, columns, |at| marks.hold(from + at)));
        }
        from = to + 1;
    }
    shown
}

/// The whole text in rows of so many columns, each that a span touches followed by a row of carets.
pub(crate) fn underline_within(text: &str, spans: &[Span], columns: usize) -> Vec<String> {
    let marks = Marks::new(spans);
    let mut shown = Vec::new();
    let mut from = 0;
    for line in text.split('\n') {
        let mut cells: Vec<_> =
            line.char_indices().map(|(at, c)| cell(c, marks.contain(from + at))).collect();
        from += line.len() + 1;
        while !cells.is_empty() {
            let rest = cells.split_off(fitting(&cells, columns));
            let [text, carets] = row(cells);
            shown.push(text);
            shown.extend(Some(carets).filter(|carets| !carets.is_empty()));
            cells = rest;
        }
    }
    shown
}

/// How many cells fit into so many columns; at least one, since something must be shown.
fn fitting(cells: &[Cell], columns: usize) -> usize {
    let mut used = 0;
    let fits = |cell: &&Cell| {
        used += cell.columns;
        used <= columns
    };
    cells.iter().take_while(fits).count().max(1)
}

/// What is underlined: parts in order that do not overlap, so that a text of many findings is shown as quickly as another.
struct Marks(Vec<Range<usize>>);

impl Marks {
    fn new(spans: &[Span]) -> Self {
        let mut spans: Vec<_> = spans.iter().map(|span| offset(span.start)..offset(span.end)).collect();
        spans.sort_by_key(|span| (span.start, span.end));
        let mut parts: Vec<Range<usize>> = Vec::new();
        for span in spans {
            match parts.last_mut().filter(|last| span.start < last.end) {
                Some(last) => last.end = last.end.max(span.end),
                None => parts.push(span),
            }
        }
        Self(parts)
    }

    /// Whether one has a part in a line; an empty one has where it stands.
    fn touch(&self, from: usize, to: usize) -> bool {
        let is_before = |part: &Range<usize>| part.end < from || part.end == from && part.start < from;
        let rest = self.0.get(self.0.partition_point(is_before)..).unwrap_or_default();
        let mut near = rest.iter().take_while(|part| part.start <= to);
        near.any(|part| !(part.start == to && part.end > to))
    }

    /// Whether a position is to be underlined; an empty part stands for the character behind it.
    fn hold(&self, at: usize) -> bool {
        self.before(at).is_some_and(|part| at < part.end.max(part.start + 1))
    }

    fn contain(&self, at: usize) -> bool {
        self.before(at).is_some_and(|part| at < part.end)
    }

    /// The last one that begins there or before.
    fn before(&self, at: usize) -> Option<&Range<usize>> {
        self.0.get(self.0.partition_point(|part| part.start <= at).checked_sub(1)?)
    }
}

fn offset(offset: u32) -> usize {
    usize::try_from(offset).unwrap_or(usize::MAX)
}

/// A character as it is shown.
struct Cell {
    shown: String,
    columns: usize,
    marked: bool,
}

fn marked(line: &str, columns: usize, is_marked: impl Fn(usize) -> bool) -> [String; 2] {
    row(window(line.char_indices().map(|(at, c)| cell(c, is_marked(at))).collect(), columns))
}

/// Cells, and the carets under them.
fn row(cells: Vec<Cell>) -> [String; 2] {
    let mut text = String::new();
    let mut carets = String::new();
    for cell in cells {
        text.push_str(&cell.shown);
        carets.push_str(&if cell.marked { "^" } else { " " }.repeat(cell.columns));
    }
    [text, carets.trim_end().to_owned()]
}

fn cell(character: char, marked: bool) -> Cell {
    let shown = escape::character(character).into_owned();
    let columns = shown.chars().map(width).sum();
    Cell { shown, columns, marked }
}

/// The part of a line around its marks that fits.
fn window(cells: Vec<Cell>, columns: usize) -> Vec<Cell> {
    let total: usize = cells.iter().map(|cell| cell.columns).sum();
    if total <= columns {
        return cells;
    }
    let length = cells.len();
    let first = cells.iter().position(|cell| cell.marked).unwrap_or_default();
    let from = first.saturating_sub(columns / 4);
    // Where something is left out stands a mark, at both ends.
    let mut used = 2;
    let fits = |cell: &Cell| {
        used += cell.columns;
        used <= columns
    };
    let inside: Vec<_> = cells.into_iter().skip(from).take_while(fits).collect();
    let after = (from + inside.len() < length).then(ellipsis);
    (from > 0).then(ellipsis).into_iter().chain(inside).chain(after).collect()
}

fn ellipsis() -> Cell {
    Cell { shown: "…".to_owned(), columns: 1, marked: false }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WIDE: usize = 100;

    #[test]
    fn narrow_terminals_are_not_exceeded() {
        let text = format!("{}rm -rf /{}", "日本 ".repeat(50), " && ls".repeat(50));
        let start = u32::try_from(text.find("rm").unwrap_or_default()).unwrap_or_default();
        for columns in 12..WIDE {
            let lines = underline(&text, &[Span::new(start, start + 8)], columns);
            let used = |line: &String| line.chars().map(width).sum::<usize>();
            assert!(lines.iter().all(|line| used(line) <= columns), "{columns}: {lines:?}");
            assert!(lines[1].contains('^'), "{columns}: {lines:?}");
        }
    }

    #[test]
    fn the_span_is_underlined() {
        assert_eq!(underline("rm -rf /", &[Span::new(7, 8)], WIDE), ["rm -rf /", "       ^"]);
    }

    #[test]
    fn several_spans_share_a_line() {
        let spans = [Span::new(7, 8), Span::new(3, 6), Span::new(12, 16)];
        assert_eq!(
            underline("rm -rf a\nrm dist", &spans, WIDE),
            ["rm -rf a", "   ^^^ ^", "rm dist", "   ^^^^"]
        );
    }

    #[test]
    fn wide_and_hidden_characters_keep_the_carets_in_place() {
        assert_eq!(underline("日本 x", &[Span::new(7, 8)], WIDE), ["日本 x", "     ^"]);
        assert_eq!(underline("a\u{202e}b", &[Span::new(4, 5)], WIDE), ["a\\u{202e}b", "         ^"]);
    }

    #[test]
    fn only_the_lines_that_matter_are_shown() {
        assert_eq!(underline("one\ntwo\nthree", &[Span::new(4, 7)], WIDE), ["two", "^^^"]);
        assert_eq!(underline("one\ntwo\nthree", &[Span::new(2, 5)], WIDE), ["one", "  ^", "two", "^"]);
    }

    #[test]
    fn long_lines_are_cut_around_the_carets() {
        let text = format!("{}rm{}", "a".repeat(500), "b".repeat(500));
        let lines = underline(&text, &[Span::new(500, 502)], WIDE);
        assert!(
            lines[0].starts_with('…') && lines[0].ends_with('…') && lines[0].contains("arm"),
            "{lines:?}"
        );
        assert_eq!(lines[0].chars().position(|c| c == 'r'), lines[1].chars().position(|c| c == '^'));
    }

    #[test]
    fn many_parts_are_found_as_quickly_as_few() {
        let spans: Vec<_> = (0..100_000).map(|at| Span::new(3 * at, 3 * at + 1)).collect();
        let lines = underline(&"rm ".repeat(100_000), &spans, WIDE);
        assert!(lines[1].starts_with("^  ^  ^"), "{lines:?}");
    }

    #[test]
    fn many_lines_are_cut() {
        let text = "x\n".repeat(100);
        assert_eq!(underline(&text, &[Span::new(0, 200)], WIDE).len(), 2 * LINES + 1);
    }

    #[test]
    fn spans_outside_the_text_are_harmless() {
        assert!(underline("ls", &[Span::new(50, 60)], WIDE).is_empty());
        assert_eq!(underline("", &[Span::new(0, 0)], WIDE), ["", ""]);
    }
}
