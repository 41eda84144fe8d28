//! The file in which keys live: `.env` in the guard's directory.

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};

use super::secret::Secret;
use crate::files::{self, Seen};

/// The keys of a `.env`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Dotenv {
    values: BTreeMap<String, Secret>,
    /// Lines that are not `NAME=value`; they count from one.
    pub broken: Vec<usize>,
    /// Whether others than its owner may read or change the file. Its mode should be 0600.
    pub is_open_to_others: bool,
}

/// A `.env` is there but cannot be read, or is not text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unreadable(pub PathBuf);

impl fmt::Display for Unreadable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "cannot read `{}`", self.0.display())
    }
}

impl std::error::Error for Unreadable {}

impl Dotenv {
    /// Reads a file. One that is not there holds nothing.
    ///
    /// # Errors
    /// When it is there but cannot be read, or is not text.
    pub fn load(path: &Path) -> Result<Self, Unreadable> {
        let unreadable = || Unreadable(path.to_owned());
        match files::read(path) {
            Seen::Absent => Ok(Self::default()),
            Seen::Hidden => Err(unreadable()),
            Seen::Bytes(bytes) => {
                let text = String::from_utf8(bytes).map_err(|_| unreadable())?;
                let is_open_to_others = files::regular(path).is_none_or(files::Regular::is_open_to_others);
                Ok(Self { is_open_to_others, ..Self::read(&text) })
            }
        }
    }

    /// Reads its text. The last of several lines for one name counts.
    #[must_use]
    pub fn read(text: &str) -> Self {
        let mut dotenv = Self::default();
        for (at, line) in text.trim_start_matches('\u{feff}').lines().enumerate() {
            let line = line.trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            match pair(line) {
                Some((name, value)) => drop(dotenv.values.insert(name, Secret::new(value))),
                None => dotenv.broken.push(at + 1),
            }
        }
        dotenv
    }

    /// The value of a name, when it is set to something.
    #[must_use]
    pub fn value(&self, name: &str) -> Option<&Secret> {
        self.values.get(name).filter(|value| !value.reveal().is_empty())
    }
}

fn pair(line: &str) -> Option<(String, String)> {
    let line = line.strip_prefix("export ").map_or(line, str::trim_start);
    let (name, value) = line.split_once('=')?;
    let name = name.trim();
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let is_name =
        !name.is_empty() && name.chars().all(plain) && !name.starts_with(|c: char| c.is_ascii_digit());
    Some((name.to_owned(), value_of(value.trim())?)).filter(|_| is_name)
}

/// Nothing is expanded: a key that holds a dollar is that key.
fn value_of(written: &str) -> Option<String> {
    if let Some(rest) = written.strip_prefix('\'') {
        let (value, after) = rest.split_once('\'')?;
        return ends(after).then(|| value.to_owned());
    }
    if let Some(rest) = written.strip_prefix('"') {
        return double_quoted(rest);
    }
    if written.starts_with('#') {
        return Some(String::new());
    }
    let end = written.match_indices('#').find(|(at, _)| written.get(..*at).is_some_and(ends_blank));
    let value = end.map_or(Some(written), |(at, _)| written.get(..at))?;
    Some(value.trim_end().to_owned())
}

fn ends_blank(text: &str) -> bool {
    text.ends_with([' ', '\t'])
}

/// Whether nothing but a comment follows a closing quote.
fn ends(after: &str) -> bool {
    let after = after.trim();
    after.is_empty() || after.starts_with('#')
}

fn double_quoted(rest: &str) -> Option<String> {
    let mut value = String::new();
    let mut letters = rest.chars();
    loop {
        match letters.next()? {
            '"' => return ends(letters.as_str()).then_some(value),
            '\\' => match letters.next()? {
                'n' => value.push('\n'),
                letter @ ('"' | '\\' | '$') => value.push(letter),
                letter => value.extend(['\\', letter]),
            },
            letter => value.push(letter),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(line: &str) -> Option<String> {
        let dotenv = Dotenv::read(line);
        dotenv.value("A").map(|value| value.reveal().to_owned())
    }

    #[test]
    fn values_are_read_as_they_are_meant() {
        for (line, expected) in [
            ("A=b", "b"),
            ("A = b ", "b"),
            ("export A=b", "b"),
            ("  A=b # c", "b"),
            ("A=b#c", "b#c"),
            ("A='b # c' # d", "b # c"),
            ("A=\"b \\\"c\\\" \\n\\$d\\x\"", "b \"c\" \n$d\\x"),
            ("A=sk-$HOME=x==", "sk-$HOME=x=="),
            ("A=one\nA=two", "two"),
            ("\u{feff}A=b\r\n", "b"),
        ] {
            assert_eq!(value(line).as_deref(), Some(expected), "{line}");
        }
    }

    #[test]
    fn what_is_empty_is_not_set() {
        for line in ["", "A=", "A=''", "A= # nothing", "# A=b", "B=c"] {
            assert_eq!(value(line), None, "{line}");
        }
    }

    #[test]
    fn broken_lines_are_named_and_nothing_else_is_lost() {
        let dotenv = Dotenv::read("A=1\nnonsense\nB='open\n2C=x\n D E=f\n=x\nF=\"a\"b\nG=2\n");
        assert_eq!(dotenv.broken, [2, 3, 4, 5, 6, 7]);
        assert!(dotenv.value("A").is_some() && dotenv.value("G").is_some());
    }

    #[test]
    fn values_do_not_show_in_debug_output() {
        let shown = format!("{:?}", Dotenv::read("A=hunter2"));
        assert!(!shown.contains("hunter2") && shown.contains("Secret(…)"), "{shown}");
    }
}
