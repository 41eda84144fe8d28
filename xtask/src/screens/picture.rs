//! A terminal as a picture.

use std::fmt::Write as _;

/// How wide a character is, and how high a line, in the units of the picture.
const WIDTH: f64 = 7.8;
const HEIGHT: f64 = 17.0;
const MARGIN: f64 = 14.0;

/// Paints what a terminal was sent.
pub(super) fn paint(sent: &str) -> String {
    let lines: Vec<Vec<Run>> = read(sent.trim_end_matches('\n'));
    let columns = lines.iter().map(|line| line.iter().map(Run::length).sum::<usize>()).max().unwrap_or(0);
    let (width, height) = (at(columns.max(60)) + MARGIN, below(lines.len()) - HEIGHT + MARGIN);
    let mut picture = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{height:.0}\" viewBox=\"0 0 {width:.0} {height:.0}\">\n\
         <rect width=\"100%\" height=\"100%\" rx=\"6\" fill=\"#1b1d23\"/>\n\
         <g font-family=\"ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace\" font-size=\"13\" fill=\"#d7dae0\" xml:space=\"preserve\">\n"
    );
    for (number, line) in lines.iter().enumerate() {
        let mut column = 0;
        for run in line {
            let _ = writeln!(
                picture,
                "<text x=\"{:.1}\" y=\"{:.1}\"{}>{}</text>",
                at(column),
                below(number),
                run.style.attributes(),
                escaped(&run.text)
            );
            column += run.length();
        }
    }
    picture.push_str("</g>\n</svg>\n");
    picture
}

fn at(column: usize) -> f64 {
    MARGIN + number(column) * WIDTH
}

fn below(line: usize) -> f64 {
    MARGIN + (number(line) + 0.75) * HEIGHT
}

fn number(count: usize) -> f64 {
    u32::try_from(count).map_or(f64::MAX, f64::from)
}

/// A piece of a line in one style.
struct Run {
    text: String,
    style: Style,
}

impl Run {
    fn length(&self) -> usize {
        self.text.chars().count()
    }
}

#[derive(Clone, Copy, Default, PartialEq, Eq)]
struct Style {
    bold: bool,
    faint: bool,
    colour: Option<&'static str>,
}

impl Style {
    /// What one number of an escape makes of it.
    fn with(self, code: &str) -> Self {
        match code {
            "" | "0" => Self::default(),
            "1" => Self { bold: true, ..self },
            "2" => Self { faint: true, ..self },
            "22" => Self { bold: false, faint: false, ..self },
            "31" => Self { colour: Some("#f07178"), ..self },
            "32" => Self { colour: Some("#a5d76e"), ..self },
            "33" => Self { colour: Some("#ffcb6b"), ..self },
            "36" => Self { colour: Some("#7fd5ea"), ..self },
            "39" => Self { colour: None, ..self },
            _ => self,
        }
    }

    fn attributes(self) -> String {
        let bold = if self.bold { " font-weight=\"bold\"" } else { "" };
        let faint = if self.faint { " opacity=\"0.6\"" } else { "" };
        let colour = self.colour.map(|colour| format!(" fill=\"{colour}\"")).unwrap_or_default();
        format!("{bold}{faint}{colour}")
    }
}

/// Takes what a terminal was sent apart into lines, and those into pieces.
fn read(sent: &str) -> Vec<Vec<Run>> {
    let mut style = Style::default();
    sent.lines().map(|line| read_line(line, &mut style)).collect()
}

fn read_line(line: &str, style: &mut Style) -> Vec<Run> {
    let mut runs = Vec::new();
    let mut pieces = line.split("\x1b[");
    let mut add = |text: &str, style: Style| {
        if !text.is_empty() {
            runs.push(Run { text: text.to_owned(), style });
        }
    };
    add(pieces.next().unwrap_or_default(), *style);
    for piece in pieces {
        let (codes, text) = piece.split_once('m').unwrap_or((piece, ""));
        *style = codes.split(';').fold(*style, Style::with);
        add(text, *style);
    }
    runs
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_are_painted_and_words_kept() {
        let picture = paint("plain \x1b[1;31mred <b>\x1b[0m again\nnext\n");
        assert!(picture.contains("font-weight=\"bold\" fill=\"#f07178\">red &lt;b&gt;</text>"), "{picture}");
        assert!(picture.contains("> again</text>") && picture.contains(">next</text>"), "{picture}");
        assert!(!picture.contains('\x1b'));
    }
}
