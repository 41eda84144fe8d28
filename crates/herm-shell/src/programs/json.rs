//! As much of JSON as it takes to find a string by its name, read as the programs do that obey it.
//!
//! Of a name that stands twice the last one counts. Comments and commas at the end are passed over, since some programs
//! accept them. There is no recursion: what is not looked for is skipped by counting brackets.

use std::collections::HashMap;
use std::iter::Peekable;
use std::str::Chars;

/// The strings that `object` has under each of its names: one, or a list of them. What is not JSON has none.
pub(super) fn strings(text: &str, object: &str) -> HashMap<String, Vec<String>> {
    let mut reader = Reader { letters: text.trim_start_matches('\u{feff}').chars().peekable() };
    let mut found = HashMap::new();
    if !reader.takes('{') {
        return found;
    }
    while let Some(key) = reader.key() {
        if key == object {
            found = reader.members();
        } else {
            reader.skip();
        }
    }
    found
}

struct Reader<'t> {
    letters: Peekable<Chars<'t>>,
}

impl Reader<'_> {
    /// The strings that the object that comes next has under each of its names.
    fn members(&mut self) -> HashMap<String, Vec<String>> {
        let mut found = HashMap::new();
        if !self.takes('{') {
            self.skip();
            return found;
        }
        while let Some(key) = self.key() {
            found.insert(key, self.value());
        }
        found
    }

    /// The next name of an object, or `None` at its end.
    fn key(&mut self) -> Option<String> {
        while self.takes(',') {}
        if self.takes('}') {
            return None;
        }
        let key = self.string()?;
        self.takes(':').then_some(key)
    }

    /// A string, or those of a list.
    fn value(&mut self) -> Vec<String> {
        if !self.takes('[') {
            let one = self.string();
            if one.is_none() {
                self.skip();
            }
            return one.into_iter().collect();
        }
        let mut all = Vec::new();
        loop {
            while self.takes(',') {}
            if self.takes(']') || matches!(self.peek(), None | Some('}')) {
                return all;
            }
            match self.string() {
                Some(text) => all.push(text),
                None => self.skip(),
            }
        }
    }

    /// Passes over a value, whatever it is.
    fn skip(&mut self) {
        let mut depth = 0_u32;
        while let Some(letter) = self.peek() {
            match letter {
                '"' => drop(self.string()),
                '{' | '[' => {
                    depth = depth.saturating_add(1);
                    self.letters.next();
                }
                '}' | ']' | ',' if depth == 0 => return,
                '}' | ']' => {
                    depth -= 1;
                    self.letters.next();
                }
                _ => drop(self.letters.next()),
            }
            if depth == 0 && matches!(letter, '"' | '}' | ']') {
                return;
            }
        }
    }

    fn takes(&mut self, mark: char) -> bool {
        self.peek();
        self.letters.next_if_eq(&mark).is_some()
    }

    /// What comes next besides blanks and comments.
    fn peek(&mut self) -> Option<char> {
        loop {
            match *self.letters.peek()? {
                letter if letter.is_whitespace() => drop(self.letters.next()),
                '/' => self.comment(),
                letter => return Some(letter),
            }
        }
    }

    /// Passes over a comment, or over a stray `/`.
    fn comment(&mut self) {
        self.letters.next();
        if self.letters.next_if_eq(&'/').is_some() {
            while self.letters.next_if(|letter| *letter != '\n').is_some() {}
        } else if self.letters.next_if_eq(&'*').is_some() {
            let mut star = false;
            for letter in self.letters.by_ref() {
                if star && letter == '/' {
                    break;
                }
                star = letter == '*';
            }
        }
    }

    /// A string with its escapes resolved.
    fn string(&mut self) -> Option<String> {
        if !self.takes('"') {
            return None;
        }
        let mut text = String::new();
        loop {
            match self.letters.next()? {
                '"' => return Some(text),
                '\\' => text.push(self.escape()?),
                letter => text.push(letter),
            }
        }
    }

    fn escape(&mut self) -> Option<char> {
        Some(match self.letters.next()? {
            'b' => '\u{8}',
            'f' => '\u{c}',
            'n' => '\n',
            'r' => '\r',
            't' => '\t',
            'u' => self.code_point()?,
            other => other,
        })
    }

    /// Four digits, or twice four for what lies beyond them.
    fn code_point(&mut self) -> Option<char> {
        let first = self.unit()?;
        if !(0xd800..0xdc00).contains(&first) {
            return Some(char::from_u32(first).unwrap_or(char::REPLACEMENT_CHARACTER));
        }
        let mut ahead = self.letters.clone();
        if ahead.next() != Some('\\') || ahead.next() != Some('u') {
            return Some(char::REPLACEMENT_CHARACTER);
        }
        self.letters = ahead;
        let second = self.unit()?;
        let joined = 0x1_0000 + ((first - 0xd800) << 10) + (second.wrapping_sub(0xdc00) & 0x3ff);
        Some(char::from_u32(joined).unwrap_or(char::REPLACEMENT_CHARACTER))
    }

    fn unit(&mut self) -> Option<u32> {
        let mut unit = 0;
        for _ in 0..4 {
            unit = unit * 16 + self.letters.next()?.to_digit(16)?;
        }
        Some(unit)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scripts(text: &str, name: &str) -> Vec<String> {
        strings(text, "scripts").remove(name).unwrap_or_default()
    }

    #[test]
    fn strings_are_found_and_unescaped() {
        let text = r#"{"name": "x", "scripts": {"build": "tsc", "x": "rm -rf \"$HOME\"", "u": "\u0072\u006d \ud83d\ude00"}}"#;
        assert_eq!(scripts(text, "x"), ["rm -rf \"$HOME\""]);
        assert_eq!(scripts(text, "build"), ["tsc"]);
        assert_eq!(scripts(text, "u"), ["rm \u{1f600}"]);
        assert!(scripts(text, "test").is_empty());
    }

    #[test]
    fn lists_give_every_string() {
        let text = r#"{"scripts":{"x":["one","two",],"y":"three"}}"#;
        assert_eq!(scripts(text, "x"), ["one", "two"]);
        assert_eq!(scripts(text, "y"), ["three"]);
    }

    #[test]
    fn of_what_stands_twice_the_last_counts() {
        assert_eq!(scripts(r#"{"scripts":{"x":"a","x":"b"}}"#, "x"), ["b"]);
        assert_eq!(scripts(r#"{"scripts":{"x":"a"},"scripts":{"x":"b"}}"#, "x"), ["b"]);
        assert_eq!(scripts(r#"{"scripts":{"\u0078":"b"}}"#, "x"), ["b"]);
    }

    #[test]
    fn nothing_else_is_taken_for_what_is_looked_for() {
        let text = r#"{"keywords":["scripts"],"config":{"x":"a","scripts":{"x":"b"}},"n":-1.5e3,"t":true,"scripts":{"x":"c"}}"#;
        assert_eq!(scripts(text, "x"), ["c"]);
    }

    #[test]
    fn comments_are_passed_over() {
        let text = "\u{feff}{ // {\"scripts\"\n /* \"x\": */ \"scripts\": {\"x\": \"c\",},}";
        assert_eq!(scripts(text, "x"), ["c"]);
    }

    #[test]
    fn what_is_no_json_ends() {
        for text in [
            "not json",
            "",
            "{",
            r#"{"scripts": {"x": "unfinished"#,
            r#"{"scripts":{"x":[1"#,
            r#"{"a"]"#,
            r#"{"a":"#,
            r#"{"scripts":{"x":[}}"#,
        ] {
            assert!(scripts(text, "x").is_empty(), "{text}");
        }
        let deep = format!("{{\"a\":{}", "[".repeat(100_000));
        assert!(scripts(&deep, "x").is_empty());
    }
}
