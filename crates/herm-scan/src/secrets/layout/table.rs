//! Tables whose heading says which column is secret.

use super::super::Found;
use super::super::bytes::{BLANK, DASH, LETTER, QUOTE, between, byte, contains, from, is, run, run_back};
use super::super::chosen::{Manner, is_chosen, is_marked};
use super::super::clue;
use super::super::name::{Strength, strength};
use super::pair::{is_one_of, plausible};

/// The table that goes by, if one does.
#[derive(Debug, Default)]
pub(super) struct Table {
    columns: Option<Columns>,
}

/// The columns of a table.
#[derive(Debug)]
struct Columns {
    separator: Separator,
    /// Which of them are secret, and where they begin.
    secret: Vec<(usize, usize, Strength)>,
    count: usize,
    /// Which has names, and which has their values.
    given: Option<((usize, usize), (usize, usize))>,
    /// A line has been drawn below their names: it is no row itself.
    is_ruled: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Separator {
    Bar,
    Blanks,
    Comma,
    Semicolon,
    Tab,
    /// Rows of SQL: `(1, 'ann', '…'),`.
    Tuple,
}

/// The longest header of a table.
const HEADER: usize = 400;

/// The most rows of SQL in a line that are looked at.
const TUPLES: usize = 256;

impl Table {
    /// Whether rows are awaited.
    pub(super) fn is_open(&self) -> bool {
        self.columns.is_some()
    }

    /// Adds what stands in the secret columns of a line, or reads it as a header.
    pub(super) fn read(&mut self, line: &[u8], at: usize, found: &mut Vec<Found>) {
        if let Some(columns) = &mut self.columns {
            let is_rule =
                line.iter().all(|byte| is(*byte, BLANK) || matches!(byte, b'-' | b'+' | b'|' | b'=' | b':'));
            columns.is_ruled |= is_rule && !line.is_empty();
            if is_rule && !line.is_empty() || columns.row(line, at, found) {
                return;
            }
        }
        self.columns = header(line).or_else(|| inserted(line));
        if let Some(columns) = self.columns.as_ref().filter(|columns| columns.separator == Separator::Tuple) {
            columns.row(line, at, found);
        }
    }
}

impl Columns {
    /// Adds what is secret in a row; false if the line is none.
    fn row(&self, line: &[u8], at: usize, found: &mut Vec<Found>) -> bool {
        if self.separator == Separator::Tuple {
            return self.tuples(line, at, found);
        }
        let cells = cells(line, self.separator);
        let fits = self.separator == Separator::Blanks || cells.len() == self.count;
        if !fits || line.is_empty() || cells.len() < 2 {
            return false;
        }
        self.add(line, at, &cells, found);
        true
    }

    /// Adds what is secret in the rows of SQL on a line.
    fn tuples(&self, line: &[u8], at: usize, found: &mut Vec<Found>) -> bool {
        let values = line.windows(6).position(|word| word.eq_ignore_ascii_case(b"values"));
        let mut start = values.map_or(0, |values| values + 6);
        let mut count = 0;
        while let Some(open) =
            from(line, start).iter().position(|byte| *byte == b'(').map(|open| start + open + 1)
            && count < TUPLES
        {
            let (cells, end) = tuple(line, open);
            if cells.len() == self.count {
                self.add(line, at, &cells, found);
            }
            start = end;
            count += 1;
        }
        count > 0 || values.is_some()
    }

    fn add(&self, line: &[u8], at: usize, cells: &[(usize, usize)], found: &mut Vec<Found>) {
        let named = self.given.and_then(|(name, value)| {
            let (start, end) = self.cell(cells, name)?;
            let name = between(line, *start, *end).rsplit(|byte| *byte == b'/').next()?;
            strength(name).map(|strength| (value.0, value.1, strength))
        });
        for (number, column, strength) in self.secret.iter().chain(&named) {
            let Some((start, end)) = self.cell(cells, (*number, *column)) else { continue };
            if self.is_secret(line, (*start, *end), *strength) {
                found.push(Found { start: at + start, end: at + end, kind: "secret" });
            }
        }
    }

    /// Whether a cell is what its heading says. What a file has in quotes because of a comma is no word of a program.
    fn is_secret(&self, line: &[u8], (start, end): (usize, usize), strength: Strength) -> bool {
        let cell = between(line, start, end);
        let is_quoted = matches!(self.separator, Separator::Comma | Separator::Semicolon | Separator::Tuple)
            && is(super::super::before(line, start), QUOTE);
        let is_list = is_quoted && strength == Strength::Password && cell.contains(&b',') && cell.len() >= 6;
        let manner =
            if is_quoted || self.separator == Separator::Comma { Manner::Quoted } else { Manner::Word };
        // A cell of a table that is drawn may have words in it.
        let manner =
            if self.separator == Separator::Bar && self.is_ruled && (cell.contains(&b' ') || is_marked(cell))
            {
                Manner::Quoted
            } else {
                manner
            };
        is_list || plausible(cell, strength) || is_chosen(cell, strength, manner)
    }

    /// The cell of a line that stands in a column.
    fn cell<'a>(&self, cells: &'a [(usize, usize)], column: (usize, usize)) -> Option<&'a (usize, usize)> {
        match self.separator {
            Separator::Blanks => {
                let below = cells.iter().find(|cell| cell.0 == column.1);
                below.or_else(|| cells.get(column.0).filter(|_| cells.len() == self.count))
            }
            Separator::Bar | Separator::Comma | Separator::Semicolon | Separator::Tab | Separator::Tuple => {
                cells.get(column.0)
            }
        }
    }
}

/// The header of a table with a secret column.
fn header(line: &[u8]) -> Option<Columns> {
    if line.len() > HEADER || line.len() < 8 {
        return None;
    }
    let is_plain = |byte: &u8| {
        is(*byte, LETTER | BLANK | DASH)
            || *byte >= 0x80
            || matches!(byte, b'_' | b'|' | b',' | b';' | b'(' | b')' | b'#' | b'"')
    };
    // Lists of a program have blanks between the strings, or one string a line.
    let is_list = line.contains(&b'"') && !line.windows(3).any(|three| matches!(three, b"\",\"" | b"\";\""));
    if is_list || !line.iter().all(is_plain) || matches!(line.last(), Some(b',' | b';')) {
        return None;
    }
    let separators = [
        (Separator::Bar, b"|".as_slice()),
        (Separator::Tab, b"\t"),
        (Separator::Comma, b","),
        (Separator::Semicolon, b";"),
        (Separator::Blanks, b"  "),
    ];
    let (separator, _) =
        separators.into_iter().find(|(_, sign)| line.windows(sign.len()).any(|two| two == *sign))?;
    let mut cells = cells(line, separator);
    // A wiki draws two bars where its rows have one.
    if separator == Separator::Bar && line.starts_with(b"||") {
        let (first, last) = (cells.first().copied(), cells.last().copied());
        cells.retain(|(start, end)| end > start);
        cells.splice(0..0, first);
        cells.extend(last);
    }
    columns(line, &cells, separator)
}

/// What the columns say whose names these are.
fn columns(line: &[u8], cells: &[(usize, usize)], separator: Separator) -> Option<Columns> {
    let said = |cell: &(usize, usize)| {
        let cell = between(line, cell.0, cell.1);
        let words = cell.split(|byte| is(*byte, BLANK)).count();
        let joined: Vec<u8> = cell.iter().map(|byte| if is(*byte, BLANK) { b'_' } else { *byte }).collect();
        // Headings are in the languages of those who read them.
        let foreign = || clue::all(cell).filter(|_| !cell.is_ascii()).filter_map(|clue| clue.strength).max();
        // What opens a device stands beside the password of its user.
        let enables = || {
            (cell.eq_ignore_ascii_case(b"enable") && contains(line, b"password"))
                .then_some(Strength::Password)
        };
        strength(&joined)
            .or_else(foreign)
            .or_else(enables)
            .filter(|said| words <= 4 && *said >= Strength::Secret)
    };
    let secret: Vec<_> = cells
        .iter()
        .enumerate()
        .filter_map(|(number, cell)| said(cell).map(|strength| (number, cell.0, strength)))
        .collect();
    let column = |names: &[&[u8]]| {
        let number = cells.iter().position(|cell| is_one_of(between(line, cell.0, cell.1), names))?;
        cells.get(number).map(|cell| (number, cell.0))
    };
    let given = column(GIVEN).zip(column(&[b"value"]));
    let is_one = cells.len() >= 2 && (!secret.is_empty() || given.is_some());
    is_one.then_some(Columns {
        separator,
        secret,
        count: cells.len(),
        given,
        is_ruled: line.starts_with(b"||"),
    })
}

/// The columns that SQL names before the rows: `INSERT INTO users (name, password) VALUES …`, `COPY users (…) FROM stdin;`.
fn inserted(line: &[u8]) -> Option<Columns> {
    let open = line.iter().position(|byte| *byte == b'(')? + 1;
    let head = between(line, 0, open);
    let (is_insert, is_copy) = (contains(head, b"insert into "), contains(head, b"copy "));
    if !is_insert && !is_copy {
        return None;
    }
    let (names, end) = tuple(line, open);
    let rest = between(line, end, line.len());
    let separator = match (is_insert, contains(rest, b"values"), contains(rest, b"from stdin")) {
        (true, true, _) => Separator::Tuple,
        (_, _, true) => Separator::Tab,
        _ => return None,
    };
    columns(line, &names, separator)
}

/// What the names are called in a table of names and values.
const GIVEN: &[&[u8]] =
    &[b"name", b"key", b"variable", b"parameter", b"setting", b"option", b"field", b"setting name"];

/// Where the cells of a line begin and end.
fn cells(line: &[u8], separator: Separator) -> Vec<(usize, usize)> {
    let mut cells = Vec::new();
    let mut at = 0;
    loop {
        if separator == Separator::Blanks {
            at = run(line, at, BLANK);
        }
        let end = cell_end(line, at, separator);
        let stop = end.unwrap_or(line.len());
        cells.push(trimmed(line, at, stop));
        match end {
            Some(end) => at = end + 1,
            None => return cells,
        }
    }
}

/// Where the cell ends that begins at a position: no separator counts between quotes.
fn cell_end(line: &[u8], at: usize, separator: Separator) -> Option<usize> {
    let rest = from(line, at);
    let sign = match separator {
        Separator::Blanks => return rest.windows(2).position(|two| two == b"  ").map(|length| at + length),
        Separator::Bar => b'|',
        Separator::Comma | Separator::Tuple => b',',
        Separator::Semicolon => b';',
        Separator::Tab => b'\t',
    };
    let quote = matches!(separator, Separator::Comma | Separator::Semicolon) && byte(line, at) == b'"';
    let past = if quote { closing(rest).map_or(0, |close| close + 1) } else { 0 };
    rest.iter().skip(past).position(|byte| *byte == sign).map(|length| at + past + length)
}

/// Where the quote stands that closes the one at the beginning: two in a row are one of the text.
fn closing(text: &[u8]) -> Option<usize> {
    let mut at = 1;
    while at < text.len() {
        match (byte(text, at), byte(text, at + 1)) {
            (b'"', b'"') => at += 2,
            (b'"', _) => return Some(at),
            _ => at += 1,
        }
    }
    None
}

/// The cells of the row of SQL that begins at a position, behind its bracket; and where it ends.
fn tuple(line: &[u8], open: usize) -> (Vec<(usize, usize)>, usize) {
    let (mut cells, mut start, mut at, mut quote) = (Vec::new(), open, open, None);
    while at < line.len() {
        let here = byte(line, at);
        match quote {
            Some(_) if here == b'\\' => at += 1,
            Some(open) if here == open => quote = None,
            None if matches!(here, b'\'' | b'"' | b'`') => quote = Some(here),
            None if here == b',' || here == b')' => {
                cells.push(trimmed(line, start, at));
                start = at + 1;
                if here == b')' {
                    return (cells, at + 1);
                }
            }
            Some(_) | None => {}
        }
        at += 1;
    }
    (cells, line.len())
}

/// A cell without the blanks and quotes around it.
fn trimmed(line: &[u8], start: usize, end: usize) -> (usize, usize) {
    let start = run(line, start, BLANK | QUOTE).min(end);
    (start, run_back(line, end, BLANK | QUOTE, line.len()).max(start))
}
