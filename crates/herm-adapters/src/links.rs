//! Links in a text that a tool reads them out of.

/// Every link in a text, by its scheme: up to the next blank, and up to where people would see its end. Which of the two a tool
/// follows is its own affair.
pub(crate) fn links(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let seen = |c: char| c.is_whitespace() || c.is_control() || "\"'<>`|\\^{}".contains(c);
    for (at, _) in text.match_indices("://") {
        let (before, after) = text.split_at(at);
        let scheme: String =
            before.chars().rev().take_while(|c| c.is_ascii_alphanumeric() || "+-.".contains(*c)).collect();
        let scheme: String = scheme.chars().rev().collect();
        let whole = after.split(char::is_whitespace).next().unwrap_or_default();
        let shown = after.split(seen).next().unwrap_or_default();
        for rest in [whole, shown] {
            let link = format!("{scheme}{rest}");
            let link = link.trim_end_matches(['.', ',', ';', ':', '!', '?', ')', ']']).to_owned();
            if !scheme.is_empty() && !found.contains(&link) {
                found.push(link);
            }
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
        assert_eq!(
            links("see http://1.1.1.1|@169.254.169.254/ now"),
            ["http://1.1.1.1|@169.254.169.254/", "http://1.1.1.1"]
        );
        assert!(links("no link: // here").is_empty());
    }
}
