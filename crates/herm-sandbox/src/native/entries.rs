//! What files of settings of git say, read as git reads them.

/// One setting: its section without what that is about, its key, both in small letters, and its value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    pub(super) section: String,
    pub(super) key: String,
    pub(super) value: Vec<u8>,
}

/// All settings of a file. Git reads no further than to what it does not understand, and neither does this.
pub(super) fn entries(text: &[u8]) -> Vec<Entry> {
    let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text);
    let mut reader = Reader { rest: text, section: String::new() };
    let mut found = Vec::new();
    while reader.step(&mut found).is_some() {}
    found
}

struct Reader<'a> {
    rest: &'a [u8],
    section: String,
}

impl Reader<'_> {
    /// The next character. Lines may end as they do elsewhere.
    fn next(&mut self) -> Option<u8> {
        let rest = match self.rest {
            [b'\r', rest @ ..] if rest.first() == Some(&b'\n') => rest,
            rest => rest,
        };
        let (first, rest) = rest.split_first()?;
        self.rest = rest;
        Some(*first)
    }

    fn peek(&self) -> Option<u8> {
        self.rest.first().copied()
    }

    /// Reads a section, a setting, or what means nothing. Nothing at the end, or where it cannot be understood.
    fn step(&mut self, found: &mut Vec<Entry>) -> Option<()> {
        match self.next()? {
            b'#' | b';' => self.comment(),
            b'[' => self.section()?,
            letter if letter.is_ascii_alphabetic() => found.push(self.setting(letter)?),
            space if space.is_ascii_whitespace() => {}
            _ => return None,
        }
        Some(())
    }

    fn comment(&mut self) {
        while self.next().is_some_and(|letter| letter != b'\n') {}
    }

    /// A section ends with a bracket, which may stand in quotation marks before.
    fn section(&mut self) -> Option<()> {
        let mut is_quoted = false;
        let name = self.rest.iter().take_while(|letter| letter.is_ascii_alphanumeric() || **letter == b'-');
        self.section = name.map(|letter| char::from(letter.to_ascii_lowercase())).collect();
        loop {
            match self.next()? {
                b'\n' => return None,
                b'\\' if is_quoted => drop(self.next()?),
                b'"' => is_quoted = !is_quoted,
                b']' if !is_quoted => return Some(()),
                _ => {}
            }
        }
    }

    fn setting(&mut self, first: u8) -> Option<Entry> {
        let mut key = String::from(char::from(first));
        while let Some(letter) =
            self.peek().filter(|letter| letter.is_ascii_alphanumeric() || *letter == b'-')
        {
            key.push(char::from(letter));
            self.next()?;
        }
        key.make_ascii_lowercase();
        while matches!(self.peek(), Some(b' ' | b'\t')) {
            self.next()?;
        }
        let section = self.section.clone();
        match self.next() {
            // It is said without a value, as things are that are so or not.
            None | Some(b'\n') => Some(Entry { section, key, value: Vec::new() }),
            Some(b'=') => Some(Entry { section, key, value: self.value()? }),
            Some(_) => None,
        }
    }

    fn value(&mut self) -> Option<Vec<u8>> {
        let (mut value, mut is_quoted) = (Vec::new(), false);
        // What is written with spaces at its end has none.
        let mut kept = 0;
        loop {
            match self.next().unwrap_or(b'\n') {
                b'\n' if is_quoted => return None,
                b'\n' => break,
                b'#' | b';' if !is_quoted => {
                    self.comment();
                    break;
                }
                b'"' => is_quoted = !is_quoted,
                b'\\' => {
                    value.extend_from_slice(escaped(self.next().unwrap_or(b'\n'))?);
                    kept = value.len();
                    continue;
                }
                space if space.is_ascii_whitespace() && !is_quoted => {
                    if !value.is_empty() {
                        value.push(space);
                    }
                    continue;
                }
                letter => value.push(letter),
            }
            kept = value.len();
        }
        value.truncate(kept);
        Some(value)
    }
}

/// What a backslash makes of a letter: at the end of a line, nothing.
fn escaped(letter: u8) -> Option<&'static [u8]> {
    match letter {
        b'\n' => Some(b""),
        b't' => Some(b"\t"),
        b'n' => Some(b"\n"),
        b'b' => Some(b"\x08"),
        b'\\' => Some(b"\\"),
        b'"' => Some(b"\""),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Vec<(String, String)> {
        let said = |entry: Entry| (entry.key, String::from_utf8(entry.value).unwrap());
        entries(text.as_bytes()).into_iter().map(said).collect()
    }

    #[test]
    fn values_are_read_as_git_reads_them() {
        for (text, value) in [
            ("[core]\n\thooksPath = .husky/_\n", ".husky/_"),
            ("[core] HOOKSPATH=.githooks ; team\n", ".githooks"),
            ("[core]\nhooksPath = .githooks# team\n", ".githooks"),
            ("[core]\nhooksPath = \".git;hooks\" # team", ".git;hooks"),
            ("[core]\nhooksPath = .git\"hooks\"  \n", ".githooks"),
            ("[core]\nhooksPath = \"a\\\\b\\\"c\"\n", "a\\b\"c"),
            ("[core]\r\nhooksPath = .git\\\r\nhooks\r\n", ".githooks"),
            ("\u{feff}[a \"b]\\\"c\"] # x\n ; y\n[core]hooksPath=a b \t\n", "a b"),
        ] {
            assert_eq!(read(text), [("hookspath".to_owned(), value.to_owned())], "{text}");
        }
        let both = read("[a]\n\tb\n\tpath = x\n");
        assert_eq!(both, [("b".into(), String::new()), ("path".into(), "x".into())]);
    }

    #[test]
    fn sections_are_told_without_what_they_are_about() {
        let text = "[core]\na\n[includeIf \"gitdir:x\"]\nb\n[Include.x]\nc\n";
        let sections: Vec<String> = entries(text.as_bytes()).into_iter().map(|entry| entry.section).collect();
        assert_eq!(sections, ["core", "includeif", "include"]);
    }

    #[test]
    fn what_stands_before_an_error_counts() {
        assert_eq!(read("[a]\npath = x\npath = \"y\npath = z\n"), [("path".into(), "x".into())]);
    }
}
