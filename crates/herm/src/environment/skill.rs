//! What a skill says that it needs.

use crate::policy::error::{Position, Problem};
use crate::policy::yaml::{self, Content, Node};

/// What a skill says that it needs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Requirements {
    /// Variables, by `required_environment_variables`.
    pub variables: Vec<String>,
    /// Files with credentials, by `required_credential_files`.
    pub files: Vec<String>,
}

impl Requirements {
    /// Reads them from a skill's text: YAML between two lines of three dashes, at the very beginning. Without such lines
    /// nothing is needed.
    ///
    /// An entry is a name, or a mapping that holds it: `name` of a variable, `path` of a file.
    ///
    /// # Errors
    /// When it is not YAML, or an entry is something else. Half of what a skill needs would be no use to it.
    pub fn read(text: &str) -> Result<Self, (Position, Problem)> {
        let Some(front) = front_matter(text) else { return Ok(Self::default()) };
        let root = yaml::read(front).map_err(below_the_dashes)?;
        let of =
            |key: &'static str, field: &'static str| entries(&root, key, field).map_err(below_the_dashes);
        Ok(Self {
            variables: of("required_environment_variables", "name")?,
            files: of("required_credential_files", "path")?,
        })
    }
}

/// What stands between the first line and the next one of dashes.
fn front_matter(text: &str) -> Option<&str> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let (first, rest) = text.split_once('\n')?;
    if first.trim_end() != DASHES {
        return None;
    }
    let mut at = 0;
    for line in rest.split_inclusive('\n') {
        if line.trim_end() == DASHES {
            return rest.get(..at);
        }
        at += line.len();
    }
    None
}

const DASHES: &str = "---";

/// The first line is not part of what is read.
fn below_the_dashes((at, problem): (Position, Problem)) -> (Position, Problem) {
    (Position { line: at.line + 1, ..at }, problem)
}

fn entries(root: &Node, key: &'static str, field: &'static str) -> Result<Vec<String>, (Position, Problem)> {
    let Some(node) = child(root, key) else { return Ok(Vec::new()) };
    match &node.content {
        Content::Null => Ok(Vec::new()),
        Content::List(items) => items.iter().map(|item| entry(item, key, field)).collect(),
        Content::Alias | Content::Map(_) | Content::Text(_) => Err(wrong(node, key, "a list")),
    }
}

fn entry(item: &Node, key: &'static str, field: &'static str) -> Result<String, (Position, Problem)> {
    let named = match &item.content {
        Content::Map(_) => child(item, field).ok_or((item.at, Problem::Missing(field)))?,
        Content::Alias | Content::List(_) | Content::Null | Content::Text(_) => item,
    };
    match &named.content {
        Content::Text(text) if text.is_empty() => Err((named.at, Problem::EmptyEntry)),
        Content::Text(text) => Ok(text.clone()),
        Content::Alias | Content::List(_) | Content::Map(_) | Content::Null => {
            Err(wrong(named, key, "a list of names"))
        }
    }
}

fn child<'a>(node: &'a Node, key: &str) -> Option<&'a Node> {
    let Content::Map(pairs) = &node.content else { return None };
    let wanted = Content::Text(key.to_owned());
    pairs.iter().find(|(name, _)| name.content == wanted).map(|(_, value)| value)
}

fn wrong(node: &Node, key: &str, expected: &str) -> (Position, Problem) {
    (node.at, Problem::WrongKind { key: key.to_owned(), expected: expected.to_owned() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_mappings_are_read() {
        let text = "---\nname: gif\nrequired_environment_variables:\n  - name: TENOR_API_KEY\n    prompt: a key\n  - OTHER_KEY\n\
                    required_credential_files:\n  - path: google_token.json\n    description: a token\n  - plain.json\n\
                    ---\n# Skill\nrequired_environment_variables: [NOT_THIS]\n";
        let found = Requirements::read(text).unwrap();
        assert_eq!(found.variables, ["TENOR_API_KEY", "OTHER_KEY"]);
        assert_eq!(found.files, ["google_token.json", "plain.json"]);
    }

    #[test]
    fn without_front_matter_nothing_is_needed() {
        let listed = "required_environment_variables: [A]\n";
        for text in ["", "# Skill\n", listed, &format!("---\n{listed}"), &format!("\n---\n{listed}---\n")] {
            assert_eq!(Requirements::read(text), Ok(Requirements::default()), "{text:?}");
        }
        assert_eq!(
            Requirements::read("---\nname: x\nrequired_environment_variables:\n---\n"),
            Ok(Requirements::default())
        );
    }

    #[test]
    fn windows_line_ends_do_not_matter() {
        let text = "\u{feff}---\r\nrequired_environment_variables:\r\n  - A\r\n---\r\nText\r\n";
        assert_eq!(Requirements::read(text).unwrap().variables, ["A"]);
    }

    #[test]
    fn mistakes_are_told_with_their_place() {
        let read = |text: &str| Requirements::read(text).unwrap_err();
        let (at, problem) = read("---\nname: x\nrequired_environment_variables: A\n---\n");
        assert_eq!((at.line, at.column), (3, 33));
        assert!(matches!(problem, Problem::WrongKind { .. }));
        let (at, problem) = read("---\nrequired_credential_files:\n  - name: x\n---\n");
        assert_eq!((at.line, problem), (3, Problem::Missing("path")));
        assert!(matches!(read("---\na: [\n---\n").1, Problem::Syntax(_)));
        assert_eq!(read("---\nrequired_environment_variables: ['']\n---\n").1, Problem::EmptyEntry);
        assert!(matches!(
            read("---\nrequired_environment_variables: [[A]]\n---\n").1,
            Problem::WrongKind { .. }
        ));
    }
}
