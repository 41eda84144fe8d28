//! What a request in GraphQL changes: the fields that its mutations begin with.

/// The fields that the mutations of a document begin with, none where it only looks; `None` where that cannot be said.
pub(super) fn mutations(document: &str) -> Option<Vec<String>> {
    let mut names = Vec::new();
    let mut operation = None;
    let (mut braces, mut brackets) = (0_u32, 0_u32);
    let mut tokens = Tokens { rest: document }.peekable();
    while let Some(token) = tokens.next() {
        match token {
            Token::Mark('{') => {
                operation.get_or_insert("query");
                braces += 1;
            }
            Token::Mark('}') => {
                braces = braces.checked_sub(1)?;
                if braces == 0 {
                    operation = None;
                }
            }
            Token::Mark('(') => brackets += 1,
            Token::Mark(')') => brackets = brackets.checked_sub(1)?,
            Token::Name(word) if braces == 0 && brackets == 0 && operation.is_none() => {
                operation = Some(OPERATIONS.iter().find(|known| **known == word).copied()?);
            }
            Token::Name(word) if braces == 1 && brackets == 0 && operation == Some("mutation") => {
                // `alias: field` is called by the field.
                if tokens.peek() != Some(&Token::Mark(':')) {
                    names.push(word.to_owned());
                }
            }
            // Only a name can stand where an operation begins: anything else came from outside.
            Token::Mark(_) if braces == 0 && operation.is_none() => return None,
            Token::Mark(_) | Token::Name(_) => {}
        }
    }
    let is_whole = braces == 0 && brackets == 0 && !document.trim().is_empty();
    is_whole.then_some(names)
}

const OPERATIONS: &[&str] = &["fragment", "mutation", "query", "subscription"];

/// Whether a mutation only leaves words and marks, as people do in reviews.
pub(super) fn is_talk(name: &str) -> bool {
    let begins = |starts: &[&str]| starts.iter().any(|start| name.starts_with(start));
    let is_about_rights = ["Enterprise", "Organization", "Key", "Protection", "Ruleset", "Verifiable"]
        .iter()
        .any(|part| name.contains(part));
    !is_about_rights
        && (begins(&["add", "minimize", "reopen", "request", "resolve", "unminimize", "unresolve"])
            || begins(&["close", "create", "mark", "remove", "submit", "update"])
                && [
                    "Comment",
                    "Discussion",
                    "Draft",
                    "Issue",
                    "Label",
                    "ProjectV2",
                    "PullRequest",
                    "Reaction",
                ]
                .iter()
                .any(|part| name.contains(part)))
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Token<'d> {
    Mark(char),
    Name(&'d str),
}

/// The names and marks of a document, without strings and remarks.
struct Tokens<'d> {
    rest: &'d str,
}

impl<'d> Iterator for Tokens<'d> {
    type Item = Token<'d>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let text = self.rest.trim_start_matches(|letter: char| letter.is_whitespace() || letter == ',');
            let first = text.chars().next()?;
            let behind = text.get(first.len_utf8()..).unwrap_or_default();
            match first {
                '#' => self.rest = behind.split_once('\n').map_or("", |(_, rest)| rest),
                '"' => self.rest = after_string(text),
                _ if is_part(first) => {
                    let end = text.find(|letter| !is_part(letter)).unwrap_or(text.len());
                    let (name, rest) = text.split_at_checked(end)?;
                    self.rest = rest;
                    return Some(Token::Name(name));
                }
                _ => {
                    self.rest = behind;
                    return Some(Token::Mark(first));
                }
            }
        }
    }
}

fn is_part(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_'
}

/// What follows the string that begins here, `"…"` or `"""…"""`.
fn after_string(text: &str) -> &str {
    if let Some(block) = text.strip_prefix("\"\"\"") {
        return block.split_once("\"\"\"").map_or("", |(_, rest)| rest);
    }
    let mut escaped = false;
    let inside = text.get(1..).unwrap_or_default();
    let end = inside.find(|letter| {
        let ends = letter == '"' && !escaped;
        escaped = letter == '\\' && !escaped;
        ends
    });
    end.and_then(|end| inside.get(end + 1..)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(document: &str) -> Option<Vec<String>> {
        mutations(document)
    }

    #[test]
    fn queries_change_nothing() {
        for document in [
            "{ viewer { login } }",
            "query($o: String!) { repository(owner: $o, name: \"mutation { x }\") { id } }",
            "# mutation { deleteRef }\nquery { viewer { deleteRef: login } }",
            "fragment F on User { login } query { viewer { ...F } }",
        ] {
            assert_eq!(names(document), Some(Vec::new()), "{document}");
        }
    }

    #[test]
    fn fields_of_mutations_are_named_whatever_they_are_called() {
        let found = names(
            "query A { x } mutation B($i: ID!) { ok: deleteRef(input: {refId: $i}) { id } addComment { id } }",
        );
        assert_eq!(found.unwrap_or_default(), ["deleteRef", "addComment"]);
        assert_eq!(
            names("mutation { ...F } fragment F on Mutation { deleteRef }").unwrap_or_default(),
            ["F"]
        );
    }

    #[test]
    fn what_is_not_a_document_is_not_known() {
        for document in ["", "$QUERY", "$(cat q)", "mutation {", "query { x } }", "@q.graphql"] {
            assert_eq!(names(document), None, "{document}");
        }
    }

    #[test]
    fn talk_is_told_from_rights() {
        assert!(is_talk("addComment") && is_talk("resolveReviewThread") && is_talk("updatePullRequest"));
        for name in ["mergePullRequest", "updateRef", "addEnterpriseAdmin", "createBranchProtectionRule", "F"]
        {
            assert!(!is_talk(name), "{name}");
        }
    }
}
