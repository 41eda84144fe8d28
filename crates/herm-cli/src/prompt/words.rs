//! The words of a question, fitted to the terminal.

use herm::approval::Answer;
use herm_runtime::asked::{Asked, Mention};
use herm_shell::Span;

use super::choice::Choice;
use super::reach::Reach;
use crate::render::changes;
use crate::render::colour::{Colour, paint_always};
use crate::render::escape::escape;
use crate::render::underline::underline_within;
use crate::render::width::width;

/// How a question is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Look {
    /// How many columns there are.
    pub(crate) columns: usize,
    /// Whether there is colour.
    pub(crate) colour: bool,
}

/// The question: what it is about, the command with the parts that matter marked, why, a safer way.
pub(crate) fn question(asked: &Asked, look: Look) -> String {
    if let Some(changes) = asked.changes() {
        return tried(asked, changes, look);
    }
    let mut lines = wrapped(&format!("⚠️  DANGEROUS COMMAND: {}", escape(&asked.title())), "", look);
    if let Some(first) = lines.first_mut().filter(|_| look.colour) {
        *first = paint_always(first, Colour::Yellow);
    }
    lines.push(String::new());
    lines.extend(command(asked, look));
    lines.push(String::new());
    let mut said: Vec<&str> = Vec::new();
    for mention in &asked.mentions {
        lines.extend(reason(mention, look).into_iter().filter(|_| !said.contains(&mention.reason.as_str())));
        said.push(&mention.reason);
    }
    let mut ways: Vec<&str> =
        asked.mentions.iter().filter_map(|mention| mention.instead.as_deref()).collect();
    ways.dedup();
    for way in ways {
        lines.extend(wrapped(&format!("safer: {}", escape(way)), "  ", look));
    }
    lines.extend(wrapped(&format!("in: {}", escape(&asked.cwd)), "  ", look));
    lines.push(String::new());
    lines.join("\n") + "\n"
}

/// What a try has changed.
fn tried(asked: &Asked, changes: &str, look: Look) -> String {
    // Whoever asked has written this.
    let safe: String =
        changes.lines().map(|line| escape(&line.replace('\t', "    ")).into_owned() + "\n").collect();
    let mut lines = command(asked, look);
    lines.extend(wrapped(&format!("in: {}", escape(&asked.cwd)), "  ", look));
    lines.push(String::new());
    lines.push("What it changed:".to_owned());
    lines.join("\n") + "\n" + &changes::painted(&safe, look.colour) + "\n"
}

/// Every line of the command, those that matter marked.
fn command(asked: &Asked, look: Look) -> Vec<String> {
    let spans: Vec<_> = asked
        .mentions
        .iter()
        .filter_map(|mention| mention.span)
        .map(|(from, to)| Span::new(from, to))
        .collect();
    let columns = look.columns.saturating_sub(4).max(10);
    underline_within(&asked.command, &spans, columns).into_iter().map(|line| format!("  {line}")).collect()
}

fn reason(mention: &Mention, look: Look) -> Vec<String> {
    wrapped(&format!("{} [{}]", escape(&mention.reason), escape(&mention.rule)), "  ", look)
}

/// What the answers that are remembered would cover.
pub(crate) fn reach(asked: &Asked, look: Look) -> String {
    if asked.is_about_keeping() {
        return String::new();
    }
    let Reach { session, always, entries } = Reach::of(asked);
    let mut lines = wrapped(&format!("session: {session}"), "  ", look);
    lines.extend(always.into_iter().flat_map(|always| wrapped(&format!("always: {always}"), "  ", look)));
    lines.extend(entries.iter().flat_map(|entry| wrapped(&escape(entry), "    ", look)));
    lines.join("\n") + "\n\n"
}

/// `[o]nce | [s]ession | [a]lways | [d]eny`, on as many lines as it takes.
pub(super) fn answers(choice: &Choice<'_>, look: Look) -> String {
    let marked = choice.answers().iter().map(|answer| {
        let (first, rest) = choice.word(*answer).split_at(1);
        format!("[{first}]{rest}")
    });
    wrapped(&marked.collect::<Vec<_>>().join(" | "), "  ", look).join("\n") + "\n"
}

/// `Choice [o/s/a/D]: once`
pub(super) fn line(choice: &Choice<'_>) -> String {
    let letters: Vec<_> = choice.answers().iter().map(|answer| letter(choice, *answer)).collect();
    let usual = if choice.is_muddled() { "(one letter)" } else { "" };
    let picked = choice.picked().map_or(usual, |answer| choice.word(answer));
    format!("Choice [{}]: {picked}", letters.join("/"))
}

/// The usual answer is a capital.
fn letter(choice: &Choice<'_>, answer: Answer) -> String {
    let first: String = choice.word(answer).chars().take(1).collect();
    if answer == Answer::Deny { first.to_uppercase() } else { first }
}

/// What was made of an answer.
pub(crate) fn settled(asked: &Asked, answer: Answer) -> &'static str {
    match answer {
        Answer::Deny if asked.is_about_keeping() => "✗ Discarded",
        Answer::Once if asked.is_about_keeping() => "✓ Kept",
        Answer::Always => "✓ Added to permanent allowlist",
        Answer::Deny => "✗ Denied",
        Answer::Once => "✓ Allowed once",
        Answer::Session => "✓ Allowed for this session",
        Answer::Try => "✓ Tried: nothing in the workspace counts before it is kept",
    }
}

/// A text in lines that fit, broken between words where it can be.
fn wrapped(text: &str, indent: &str, look: Look) -> Vec<String> {
    let room = look.columns.saturating_sub(indent.len()).max(10);
    let mut lines = vec![String::new()];
    for word in text.split(' ') {
        for piece in pieces(word, room) {
            let used = lines.last().map_or(0, |line| columns(line));
            let fits = used == 0 || used + 1 + columns(&piece) <= room;
            match lines.last_mut() {
                Some(line) if fits => {
                    if used > 0 {
                        line.push(' ');
                    }
                    line.push_str(&piece);
                }
                Some(_) | None => lines.push(piece),
            }
        }
    }
    lines.into_iter().map(|line| format!("{indent}{line}")).collect()
}

/// A word in pieces that fit on a line.
fn pieces(word: &str, room: usize) -> Vec<String> {
    let mut pieces = vec![String::new()];
    for character in word.chars() {
        let full = pieces.last().is_some_and(|piece| columns(piece) + width(character) > room);
        match pieces.last_mut() {
            Some(piece) if !full => piece.push(character),
            Some(_) | None => pieces.push(character.to_string()),
        }
    }
    pieces
}

fn columns(text: &str) -> usize {
    text.chars().map(width).sum()
}

#[cfg(test)]
pub(super) mod tests {
    use super::super::choice::Occasion;
    use super::*;
    use herm_runtime::asked::Trying;
    use serde_json::{Value, json};

    const ENTRY: &str = "rule:recursive-delete effect:delete realm:here rights:own path:/srv/app/build flag:recursive program:rm";

    /// A question from which something follows.
    pub(in crate::prompt) fn following(follows: &Value) -> Asked {
        let mut told = asked("rm -rf build").to_json();
        told["follows"] = follows.clone();
        Asked::from_json(&told).unwrap()
    }

    fn asked(command: &str) -> Asked {
        Asked {
            id: "q".to_owned(),
            session: "s".to_owned(),
            command: command.to_owned(),
            cwd: "/srv/app".to_owned(),
            digest: String::new(),
            mentions: vec![Mention {
                rule: "recursive-delete".to_owned(),
                title: "recursive delete".to_owned(),
                reason: "deletes `build` and everything below it".to_owned(),
                instead: Some("Look first: `ls build`.".to_owned()),
                span: Some((0, 12)),
            }],
            always: true,
            follows: herm_runtime::Follows::default(),
            trying: Trying::Impossible,
        }
    }

    #[test]
    fn a_question_shows_the_command_the_reason_and_a_safer_way() {
        let shown = question(&asked("rm -rf build; ls"), Look { columns: 80, colour: false });
        assert_eq!(
            shown,
            "⚠️  DANGEROUS COMMAND: recursive delete\n\n  rm -rf build; ls\n  ^^^^^^^^^^^^\n\n  deletes `build` and everything \
             below it [recursive-delete]\n  safer: Look first: `ls build`.\n  in: /srv/app\n\n"
        );
    }

    #[test]
    fn nothing_is_wider_than_forty_columns_and_nothing_is_lost() {
        let command = format!("rm -rf build {}", "x".repeat(200));
        let shown = question(&asked(&command), Look { columns: 40, colour: false });
        assert!(shown.lines().all(|line| columns(line) <= 40), "{shown}");
        assert_eq!(shown.matches('x').count(), 200, "{shown}");
        assert!(
            answers(&Choice::of(&asked("rm"), Occasion::Before), Look { columns: 40, colour: false })
                .lines()
                .all(|line| columns(line) <= 40)
        );
    }

    #[test]
    fn what_always_would_write_is_shown_word_for_word() {
        let asked = following(&json!({ "session": [{ "entry": "x" }], "always": [ENTRY, ENTRY] }));
        assert_eq!(
            reach(&asked, Look { columns: 80, colour: false }),
            "  session: the same finding again, in any spelling, until the session ends\n  always: what this entry allows, \
             until `herm grants revoke` takes it back\n    rule:recursive-delete effect:delete realm:here rights:own\n    \
             path:/srv/app/build flag:recursive program:rm\n\n"
        );
    }

    #[test]
    fn an_entry_fits_into_forty_columns_and_nothing_is_lost() {
        let long = format!("rule:recursive-delete path:/srv/{}/**\u{1b}[2J", "x".repeat(100));
        let shown = reach(&following(&json!({ "always": [long] })), Look { columns: 40, colour: false });
        assert!(shown.lines().all(|line| columns(line) <= 40), "{shown}");
        assert_eq!(shown.matches('x').count(), 100, "{shown}");
        assert!(!shown.contains('\u{1b}'), "{shown}");
    }

    #[test]
    fn the_answers_are_offered_as_letters() {
        let mut asked = asked("rm");
        assert_eq!(line(&Choice::of(&asked, Occasion::Before)), "Choice [o/s/a/D]: ");
        asked.trying = Trying::Offered;
        assert_eq!(line(&Choice::of(&asked, Occasion::Before)), "Choice [o/s/a/t/D]: ");
        asked.always = false;
        assert_eq!(line(&Choice::of(&asked, Occasion::Before)), "Choice [o/s/t/D]: ");
        asked.trying = Trying::Over("  + new\n".to_owned());
        assert_eq!(line(&Choice::of(&asked, Occasion::Before)), "Choice [k/D]: ");
    }

    #[test]
    fn what_was_tried_is_shown_with_what_it_changed() {
        let mut asked = asked("rm -rf build");
        asked.trying = Trying::Over("  - build with 1 inside\n".to_owned());
        let look = Look { columns: 80, colour: false };
        let shown = question(&asked, look)
            + &reach(&asked, look)
            + &answers(&Choice::of(&asked, Occasion::Before), look);
        assert_eq!(
            shown,
            "  rm -rf build\n  ^^^^^^^^^^^^\n  in: /srv/app\n\nWhat it changed:\n  - build with 1 inside\n\n  [k]eep | [d]iscard\n"
        );
    }
}
