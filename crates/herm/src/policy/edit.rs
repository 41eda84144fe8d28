//! Changes the allow-list in a configuration file and leaves every other byte as it is.
//!
//! The file is a person's: comments, order and quoting stay. What was meant is checked afterwards by reading the
//! result; a file in which that cannot be had is left alone.

use super::config::{Config, Source};
use super::error::Position;
use super::yaml::{self, Content, Node};

const LIST: &str = "command_allowlist";

/// The text with one more entry at the end of `command_allowlist`; nothing when it cannot be added safely.
#[must_use]
pub fn allow(text: &str, entry: &str) -> Option<String> {
    let before = allowed(text)?;
    if before.iter().any(|known| known == entry) {
        return Some(text.to_owned());
    }
    let changed = added(text, entry)?;
    let expected: Vec<_> = before.into_iter().chain([entry.to_owned()]).collect();
    (allowed(&changed)? == expected && same_elsewhere(text, &changed)).then_some(changed)
}

/// The text without an entry of `command_allowlist`; nothing when it is not there or cannot be taken out safely.
#[must_use]
pub fn disallow(text: &str, entry: &str) -> Option<String> {
    let before = allowed(text)?;
    let at = before.iter().position(|known| known == entry)?;
    let changed = removed(text, at)?;
    let expected: Vec<_> =
        before.into_iter().enumerate().filter(|(other, _)| *other != at).map(|(_, known)| known).collect();
    (allowed(&changed)? == expected && same_elsewhere(text, &changed)).then_some(changed)
}

/// The entries of `command_allowlist`, as they are written.
#[must_use]
pub fn allowed(text: &str) -> Option<Vec<String>> {
    let config = Config::read(Source::User, "", text).ok()?;
    Some(config.allow.iter().map(|entry| entry.written().to_owned()).collect())
}

/// Whether two texts say the same but for the allow-list.
fn same_elsewhere(one: &str, other: &str) -> bool {
    let rest = |text: &str| -> Option<Vec<(Content, Content)>> {
        let Content::Map(pairs) = yaml::read(text).ok()?.content else { return Some(Vec::new()) };
        let others = pairs.into_iter().filter(|(key, _)| key.content != Content::Text(LIST.to_owned()));
        Some(others.map(|(key, value)| (bare(key), bare(value))).collect())
    };
    rest(one).is_some_and(|rest_of_one| rest(other) == Some(rest_of_one))
}

/// A value without its places.
fn bare(node: Node) -> Content {
    let nowhere = |content| Node { at: Position::default(), content };
    match node.content {
        Content::List(items) => Content::List(items.into_iter().map(|item| nowhere(bare(item))).collect()),
        Content::Map(pairs) => {
            let bared = pairs.into_iter().map(|(key, value)| (nowhere(bare(key)), nowhere(bare(value))));
            Content::Map(bared.collect())
        }
        other @ (Content::Alias | Content::Null | Content::Text(_)) => other,
    }
}

fn added(text: &str, entry: &str) -> Option<String> {
    let quoted = format!("'{}'", entry.replace('\'', "''"));
    let Some((key, value)) = list(text).ok()? else {
        let gap = if text.is_empty() || text.ends_with('\n') { "" } else { "\n" };
        return Some(format!("{text}{gap}{LIST}:\n  - {quoted}\n"));
    };
    match &value.content {
        Content::List(items) if is_flow(text, value.at)? => {
            let close = closing(text, offset(text, value.at)?)?;
            let separator = if items.is_empty() { "" } else { ", " };
            let inside = text.get(..close)?.trim_end();
            Some(format!("{inside}{separator}{quoted}{}", text.get(close..)?))
        }
        Content::List(items) => {
            let (line, indent) = dash(text, items.last()?.at)?;
            Some(with_line(
                text,
                end_of_item(text, line, indent),
                &format!("{}- {quoted}", " ".repeat(indent)),
            ))
        }
        Content::Null => {
            let at = offset(text, key.at)? + LIST.len();
            let line_end = text.get(at..)?.find('\n').map_or(text.len(), |end| at + end);
            let comment = text
                .get(at..line_end)?
                .find(" #")
                .map_or("", |from| text.get(at + from..line_end).unwrap_or(""));
            Some(format!("{}:{comment}\n  - {quoted}{}", text.get(..at)?, text.get(line_end..)?))
        }
        Content::Alias | Content::Map(_) | Content::Text(_) => None,
    }
}

fn removed(text: &str, number: usize) -> Option<String> {
    let (_, value) = list(text).ok()??;
    let Content::List(items) = &value.content else { return None };
    let item = items.get(number)?;
    if is_flow(text, value.at)? {
        let from = offset(text, item.at)?;
        let to = match items.get(number + 1) {
            Some(next) => offset(text, next.at)?,
            None => closing(text, offset(text, value.at)?)?,
        };
        // The comma before the last item goes with it.
        let kept = text.get(..from)?;
        let kept = if number + 1 == items.len() { kept.trim_end().trim_end_matches(',') } else { kept };
        return Some(format!("{kept}{}", text.get(to..)?));
    }
    let (first, indent) = dash(text, item.at)?;
    let end = end_of_item(text, first, indent);
    let lines = text.split_inclusive('\n').enumerate();
    let kept: String = lines.filter(|(at, _)| *at + 1 < first || *at >= end).map(|(_, line)| line).collect();
    // A list that has lost its only item says nothing, which is what is meant.
    Some(kept)
}

/// The key and the value of the allow-list, if the file has one; an error when it is no mapping.
fn list(text: &str) -> Result<Option<(Node, Node)>, ()> {
    match yaml::read(text).map_err(drop)?.content {
        Content::Map(pairs) => {
            Ok(pairs.into_iter().find(|(key, _)| key.content == Content::Text(LIST.to_owned())))
        }
        Content::Null => Ok(None),
        Content::Alias | Content::List(_) | Content::Text(_) => Err(()),
    }
}

/// Whether a list is written in brackets.
fn is_flow(text: &str, at: Position) -> Option<bool> {
    Some(text.get(offset(text, at)?..)?.starts_with('['))
}

/// The line of the dash before an item, and its column counted from zero. A text in several lines begins below it.
fn dash(text: &str, item: Position) -> Option<(usize, usize)> {
    let lines: Vec<_> = text.split('\n').take(item.line).collect();
    lines.iter().enumerate().rev().find_map(|(at, line)| {
        let indent = line.len() - line.trim_start_matches(' ').len();
        line.get(indent..)?.starts_with("- ").then_some((at + 1, indent))
    })
}

/// The number of the line after an item: everything that is indented more than its dash belongs to it.
fn end_of_item(text: &str, line: usize, indent: usize) -> usize {
    let deeper = |line: &&str| {
        let blanks = line.len() - line.trim_start_matches(' ').len();
        !line.trim().is_empty() && blanks > indent
    };
    line + text.split('\n').skip(line).take_while(deeper).count()
}

/// The text with a line more after the first so many.
fn with_line(text: &str, after: usize, line: &str) -> String {
    let mut lines: Vec<&str> = text.split_inclusive('\n').collect();
    let gap =
        if lines.get(after.saturating_sub(1)).is_some_and(|last| last.ends_with('\n')) { "" } else { "\n" };
    let added = format!("{gap}{line}\n");
    lines.insert(after.min(lines.len()), &added);
    lines.concat()
}

/// The byte at a position.
fn offset(text: &str, at: Position) -> Option<usize> {
    let before: usize = text.split_inclusive('\n').take(at.line - 1).map(str::len).sum();
    let line = text.get(before..)?;
    let within: usize = line.chars().take(at.column - 1).map(char::len_utf8).sum();
    Some(before + within)
}

/// The byte of the bracket that closes the list opened at `open`.
fn closing(text: &str, open: usize) -> Option<usize> {
    let mut quote = None;
    let mut comment = false;
    for (at, character) in text.get(open + 1..)?.char_indices() {
        match (quote, character) {
            (_, '\n') => comment = false,
            _ if comment => {}
            (Some(mark), _) if mark == character => quote = None,
            (None, '\'' | '"') => quote = Some(character),
            (None, '#') => comment = true,
            (None, '[') => return None,
            (None, ']') => return Some(open + 1 + at),
            (Some(_) | None, _) => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    const ENTRY: &str = "rule:recursive-delete path:/srv/it's/**";
    const QUOTED: &str = "'rule:recursive-delete path:/srv/it''s/**'";

    #[test]
    fn everything_else_stays_as_it_is() {
        for (before, after) in [
            ("", "command_allowlist:\n  - Q\n"),
            ("# mine\n", "# mine\ncommand_allowlist:\n  - Q\n"),
            (
                "approvals:\n  mode: smart # quick",
                "approvals:\n  mode: smart # quick\ncommand_allowlist:\n  - Q\n",
            ),
            (
                "command_allowlist: # none yet\napprovals: {}\n",
                "command_allowlist: # none yet\n  - Q\napprovals: {}\n",
            ),
            ("command_allowlist: null\n", "command_allowlist:\n  - Q\n"),
            ("command_allowlist: []\nmodel: x\n", "command_allowlist: [Q]\nmodel: x\n"),
            ("command_allowlist: [ls, 'a]b' ] # few\n", "command_allowlist: [ls, 'a]b', Q] # few\n"),
            (
                "command_allowlist:\n- ls # look\n# between\n- pwd\n\n# next\nmodel: x\n",
                "command_allowlist:\n- ls # look\n# between\n- pwd\n- Q\n\n# next\nmodel: x\n",
            ),
            ("command_allowlist:\n    - ls\n    - pwd", "command_allowlist:\n    - ls\n    - pwd\n    - Q\n"),
            (
                "command_allowlist:\n  - >\n    ls\n    -l\nmodel: é\n",
                "command_allowlist:\n  - >\n    ls\n    -l\n  - Q\nmodel: é\n",
            ),
        ] {
            assert_eq!(
                allow(before, ENTRY).as_deref(),
                Some(after.replace('Q', QUOTED).as_str()),
                "{before:?}"
            );
        }
    }

    #[test]
    fn what_is_there_is_not_added_again() {
        let text = format!("command_allowlist: [{QUOTED}]\n");
        assert_eq!(allow(&text, ENTRY), Some(text));
    }

    #[test]
    fn what_cannot_be_understood_is_left_alone() {
        for broken in [
            "command_allowlist: {a: b}\n",
            "a: [\n",
            "- a\n",
            "command_allowlist: [[a]]\n",
            "a: 1\n---\nb: 2\n",
        ] {
            assert_eq!(allow(broken, ENTRY), None, "{broken:?}");
        }
    }

    #[test]
    fn what_was_added_can_be_taken_back() {
        for text in [
            "command_allowlist:\n  - ls # look\nmodel: x\n",
            "command_allowlist: [ls, pwd]\n",
            "command_allowlist:\n- ls\n- pwd\n\n# next\nmodel: x\n",
        ] {
            let added = allow(text, ENTRY).unwrap();
            assert_eq!(disallow(&added, ENTRY).as_deref(), Some(text));
        }
        assert_eq!(
            disallow("command_allowlist: [ls, pwd, id]\n", "ls").as_deref(),
            Some("command_allowlist: [pwd, id]\n")
        );
        assert_eq!(disallow("command_allowlist:\n  - ls\n", "ls").as_deref(), Some("command_allowlist:\n"));
        assert_eq!(disallow("command_allowlist: [ls]\n", "pwd"), None);
    }
}
