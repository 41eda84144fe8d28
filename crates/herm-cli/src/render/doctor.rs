//! What `herm doctor` found, in lines that fit a terminal.

use herm_runtime::doctor::{Group, Row, State};

use super::colour::{Colour, paint};
use super::escape::escape;
use super::width::width;

/// No line is wider, unless a single word is.
const COLUMNS: usize = 80;

/// Two blanks, the longest state, two blanks.
const STATE: usize = 2 + 7 + 2;

/// All rows under their headings, and what they come to.
pub(crate) fn rows(rows: &[Row]) -> String {
    let groups = [Group::Machine, Group::Sandbox, Group::Guard, Group::Agents, Group::Probe];
    let mut text: String = groups.iter().map(|group| block(*group, rows)).collect();
    text.push_str(&verdict(rows));
    text
}

fn block(group: Group, rows: &[Row]) -> String {
    let rows: Vec<&Row> = rows.iter().filter(|row| row.group == group).collect();
    let Some(longest) = rows.iter().map(|row| row.name.chars().count()).max() else { return String::new() };
    let lines: String = rows.iter().map(|row| line(row, longest + 2)).collect();
    format!("{}\n{lines}\n", group.word())
}

fn line(row: &Row, names: usize) -> String {
    let state = format!("{:<width$}", row.state.word(), width = STATE - 4);
    let state = colour(row.state).map_or_else(|| state.clone(), |colour| paint(&state, colour));
    let name = format!("{:<width$}", escape(&row.name), width = names);
    let detail = folded(&escape(&plain(&row.detail)), STATE + names);
    let advice = row.advice.as_ref().map(|advice| {
        let arrow = "→ ";
        let text = folded(&escape(advice), STATE + names + 2);
        format!("{:indent$}{arrow}{text}\n", "", indent = STATE + names)
    });
    format!("  {state}  {name}{detail}\n{}", advice.unwrap_or_default())
}

const fn colour(state: State) -> Option<Colour> {
    match state {
        State::Absent => None,
        State::Holds => Some(Colour::Green),
        State::Missing => Some(Colour::Red),
        State::Weaker => Some(Colour::Yellow),
    }
}

/// What the kernel said, without the number of it: that is for programs.
fn plain(detail: &str) -> String {
    match detail.split_once(" (os error ") {
        Some((before, after)) => format!("{before}{}", after.split_once(')').map_or("", |(_, rest)| rest)),
        None => detail.to_owned(),
    }
}

/// Text that is broken at blanks, so that it fits beside an indent; the first line is indented already.
fn folded(text: &str, indent: usize) -> String {
    let columns = |word: &str| word.chars().map(width).sum::<usize>();
    let mut lines = String::new();
    let mut at = indent;
    for (number, word) in text.split(' ').enumerate() {
        let length = columns(word);
        if number > 0 && at + 1 + length > COLUMNS {
            lines.push('\n');
            lines.extend(std::iter::repeat_n(' ', indent));
            at = indent;
        } else if number > 0 {
            lines.push(' ');
            at += 1;
        }
        lines.push_str(word);
        at += length;
    }
    lines
}

fn verdict(rows: &[Row]) -> String {
    let number = |state: State| rows.iter().filter(|row| row.state == state).count();
    match (number(State::Missing), number(State::Weaker)) {
        (0, 0) => "Everything that is needed holds.\n".to_owned(),
        (0, 1) => "Everything that is needed holds; 1 thing is weaker than it could be.\n".to_owned(),
        (0, weaker) => {
            format!("Everything that is needed holds; {weaker} things are weaker than they could be.\n")
        }
        (1, _) => "1 thing is missing that is needed.\n".to_owned(),
        (missing, _) => format!("{missing} things are missing that are needed.\n"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_texts_are_broken_at_blanks() {
        let text = folded(&"word ".repeat(30), 35);
        assert!(text.lines().skip(1).all(|line| line.len() <= COLUMNS && line.starts_with(&" ".repeat(35))));
        assert!(text.lines().next().is_some_and(|line| line.len() <= COLUMNS - 35));
        assert_eq!(folded(&"x".repeat(100), 35), "x".repeat(100), "a path stays whole");
    }

    #[test]
    fn numbers_of_errors_are_left_out() {
        assert_eq!(plain("a: No such file (os error 2)"), "a: No such file");
        assert_eq!(plain("a: no (os error 2), b"), "a: no, b");
        assert_eq!(plain("fine"), "fine");
    }

    #[test]
    fn the_verdict_counts() {
        let row = |state| Row {
            group: Group::Guard,
            name: String::new(),
            state,
            detail: String::new(),
            advice: None,
        };
        assert_eq!(verdict(&[row(State::Holds), row(State::Absent)]), "Everything that is needed holds.\n");
        assert_eq!(
            verdict(&[row(State::Weaker)]),
            "Everything that is needed holds; 1 thing is weaker than it could be.\n"
        );
        assert_eq!(
            verdict(&[row(State::Missing), row(State::Missing), row(State::Weaker)]),
            "2 things are missing that are needed.\n"
        );
    }
}
