//! Links in a text that a tool reads them out of.

/// Every link in a text, by its scheme. What follows it is cut off where no link goes on.
pub(crate) fn links(text: &str) -> Vec<String> {
    let ends = |c: char| c.is_whitespace() || c.is_control() || "\"'<>`|\\^{}".contains(c);
    let mut found = Vec::new();
    for (at, _) in text.match_indices("://") {
        let (before, after) = text.split_at(at);
        let scheme: String =
            before.chars().rev().take_while(|c| c.is_ascii_alphanumeric() || "+-.".contains(*c)).collect();
        let rest = after.split(ends).next().unwrap_or_default();
        let link = format!("{}{rest}", scheme.chars().rev().collect::<String>());
        let link = link.trim_end_matches(['.', ',', ';', ':', '!', '?', ')', ']']).to_owned();
        if !scheme.is_empty() && !found.contains(&link) {
            found.push(link);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::links;

    #[test]
    fn links_are_found_between_words() {
        let text =
            "Sum up https://example.com/a?b=c, (http://169.254.169.254/latest) and FILE:///etc/shadow.";
        assert_eq!(
            links(text),
            ["https://example.com/a?b=c", "http://169.254.169.254/latest", "FILE:///etc/shadow"]
        );
        assert!(links("no link: // here").is_empty());
    }
}
