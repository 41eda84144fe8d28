//! What an editor's person is asked about.

use herm_runtime::acp::Matter;

use super::escape::escape;

/// How many characters a title has.
const LONGEST_TITLE: usize = 200;

/// How many effects are told, each in a line.
const MOST_EFFECTS: usize = 12;

/// What would be done, in a line: the very text, and never what the agent calls it.
pub(crate) fn title(asked: &Matter) -> String {
    let first = asked.deeds.first();
    let text = match first {
        _ if !asked.is_clear => "⚠ herm: it is not known what this would do".to_owned(),
        None => format!("herm: {}", escape(asked.title.as_deref().unwrap_or_default())),
        Some((word, text)) => format!("herm: {word} {}", escape(text)),
    };
    let more = asked.deeds.len().saturating_sub(1);
    let rest = if more > 0 && asked.is_clear { format!(" … and {more} more") } else { String::new() };
    match text.char_indices().nth(LONGEST_TITLE) {
        Some((end, _)) => format!("{} …{rest}", text.get(..end).unwrap_or_default()),
        None => text + &rest,
    }
}

/// What would be done, where, and why it is asked.
pub(crate) fn text(asked: &Matter) -> String {
    let mut lines: Vec<String> = Vec::new();
    if asked.deeds.is_empty() {
        lines.push("herm: this is said to do nothing outside the agent, and is not judged".to_owned());
    }
    if !asked.is_clear {
        lines.push("herm: the agent does not say what it would do.".to_owned());
        lines.push("  What it calls it need not be true: a yes is a yes to anything.".to_owned());
    } else if !asked.deeds.is_empty() {
        lines.push(format!("in {}", escape(&asked.cwd)));
    }
    for (word, text) in &asked.deeds {
        let mut rows = text.split('\n').map(escape);
        lines.push(format!("{word}: {}", rows.next().unwrap_or_default()));
        lines.extend(rows.map(|row| format!("     {row}")));
    }
    if !asked.reasons.is_empty() {
        lines.push("it is asked because it".to_owned());
        lines.extend(asked.reasons.iter().map(|(rule, reason)| format!("  {} [{rule}]", escape(reason))));
    }
    if !asked.effects.is_empty() {
        lines.push("it would".to_owned());
        let left = asked.effects.len().saturating_sub(MOST_EFFECTS);
        lines.extend(asked.effects.iter().take(MOST_EFFECTS).map(|effect| format!("  {}", escape(effect))));
        lines.extend((left > 0).then(|| format!("  … and {left} more")));
    }
    if let Some(title) = asked.title.as_ref().filter(|title| !title.is_empty()) {
        lines.push(format!("the agent calls it: {}", escape(title)));
    }
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matter() -> Matter {
        Matter {
            deeds: vec![("run", "rm -rf x\n\u{1b}[2Jecho".to_owned())],
            cwd: "/srv".to_owned(),
            title: Some("Say\nhello".to_owned()),
            reasons: vec![("recursive-delete".to_owned(), "deletes `x`".to_owned())],
            is_clear: true,
            ..Matter::default()
        }
    }

    #[test]
    fn what_would_be_done_is_shown_and_not_what_it_is_called() {
        assert_eq!(title(&matter()), "herm: run rm -rf x\\n\\u{1b}[2Jecho");
        assert_eq!(
            text(&matter()),
            "in /srv\nrun: rm -rf x\n     \\u{1b}[2Jecho\nit is asked because it\n  deletes `x` [recursive-delete]\nthe agent calls it: Say\\nhello"
        );
    }

    #[test]
    fn what_is_not_known_is_said_to_be() {
        let unclear = Matter { is_clear: false, deeds: vec![("tool", "ls {}".to_owned())], ..matter() };
        assert!(title(&unclear).contains("not known"), "{}", title(&unclear));
        assert!(text(&unclear).starts_with("herm: the agent does not say what it would do."));
    }

    #[test]
    fn a_title_stays_short() {
        let long = Matter { deeds: vec![("run", "x".repeat(10_000)), ("run", "y".to_owned())], ..matter() };
        assert!(title(&long).chars().count() < 230 && title(&long).ends_with("… and 1 more"));
    }
}
