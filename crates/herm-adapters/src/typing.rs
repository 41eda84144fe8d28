//! What is typed into a program that already runs, as the line that it reads in the end.

/// What is left of keys that were pressed.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Typed {
    /// The lines that can be known, apart from one another where a key came between them that nobody can follow.
    pub(crate) texts: Vec<String>,
    /// Whether that is all of it: no key fetches another line, moves within this one, or completes it.
    pub(crate) is_whole: bool,
}

/// Whether words in braces are keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Named {
    /// `{enter}` is the key.
    Keys,
    /// `{enter}` is seven letters and braces.
    Letters,
}

/// What a terminal makes of a text that is typed into it.
pub(crate) fn typed(text: &str, named: Named) -> Typed {
    let mut line = Line::default();
    let mut rest = text;
    while let Some(letter) = rest.chars().next() {
        let key = if named == Named::Keys { key(rest) } else { None };
        // A variable's name in braces is none of a key, unless it is the name of one.
        let key = key.filter(|name| KEYS.contains(&name.as_str()) || !line.text.ends_with('$'));
        let length = match &key {
            Some(name) => name.len() + 2,
            None => letter.len_utf8(),
        };
        match key.as_deref() {
            Some("enter") => line.press('\n'),
            Some("backspace") => line.press('\u{8}'),
            Some(_) => line.lose(),
            None => line.press(letter),
        }
        rest = rest.get(length..).unwrap_or_default();
    }
    line.keep();
    Typed { texts: line.kept, is_whole: !line.lost }
}

const KEYS: &[&str] = &["backspace", "down", "enter", "left", "right", "up"];

/// The word in braces that a text begins with, in lower case.
fn key(text: &str) -> Option<String> {
    let (name, _) = text.strip_prefix('{')?.split_once('}')?;
    let is_name = name.starts_with(|c: char| c.is_ascii_alphabetic())
        && name.len() <= LONGEST
        && name.chars().all(|c| c.is_ascii_alphanumeric() || "+-_ ".contains(c));
    is_name.then(|| name.to_ascii_lowercase())
}

/// Names of keys are short.
const LONGEST: usize = 24;

#[derive(Debug, Default)]
struct Line {
    text: String,
    kept: Vec<String>,
    lost: bool,
}

impl Line {
    fn press(&mut self, key: char) {
        match key {
            '\r' => self.text.push('\n'),
            // Backspace takes back what stands in the line, and nothing that was sent.
            '\u{8}' | '\u{7f}' => match self.text.pop() {
                Some('\n') => self.text.push('\n'),
                Some(_) => {}
                None => self.lose(),
            },
            // Interrupts, ends of input: what stands there is done with, one way or another.
            '\u{3}' | '\u{4}' | '\u{1a}' | '\u{1c}' => self.keep(),
            // At the beginning of a line it is a blank; elsewhere it may complete a word.
            '\t' if self.is_begun() => self.lose(),
            '\t' | '\n' => self.text.push(key),
            other if other.is_control() => self.lose(),
            other => self.text.push(other),
        }
    }

    fn is_begun(&self) -> bool {
        self.text.rsplit('\n').next().is_some_and(|line| !line.trim().is_empty())
    }

    /// A key that nobody can follow.
    fn lose(&mut self) {
        self.lost = true;
        self.keep();
    }

    fn keep(&mut self) {
        let text = std::mem::take(&mut self.text);
        if !text.trim().is_empty() {
            self.kept.push(text);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keys(text: &str) -> (Vec<String>, bool) {
        let typed = typed(text, Named::Keys);
        (typed.texts, typed.is_whole)
    }

    #[test]
    fn named_keys_are_what_they_do() {
        assert_eq!(keys("reboot{enter}"), (vec!["reboot\n".to_owned()], true));
        assert_eq!(keys("ls{enter}rm -rf /{ENTER}"), (vec!["ls\nrm -rf /\n".to_owned()], true));
        assert_eq!(keys("rebx{backspace}oot{enter}"), (vec!["reboot\n".to_owned()], true));
        assert_eq!(keys("ls{enter}{backspace}reboot"), (vec!["ls\nreboot".to_owned()], true));
        assert_eq!(keys("${enter}"), (vec!["$\n".to_owned()], true));
        assert_eq!(keys("{enter}"), (Vec::new(), true));
    }

    #[test]
    fn what_nobody_can_follow_is_known_to_be_so() {
        assert_eq!(keys("{up}{enter}"), (Vec::new(), false));
        assert_eq!(keys("rm -rf /{enter}{up}"), (vec!["rm -rf /\n".to_owned()], false));
        for text in
            ["boot{left}re", "{tab}", "{ctrl-r}x", "{F5}", "reb\t", "\u{1b}[A\r", "\u{10}\n", "{backspace}"]
        {
            assert!(!keys(text).1, "{text:?}");
        }
    }

    #[test]
    fn other_braces_are_letters() {
        for text in
            ["echo {a,b}", "echo ${HOME}", "awk '{print $1}'", "{ ls; }", "f() {}", "if x:\n\tprint(1)\n"]
        {
            assert_eq!(keys(text), (vec![text.to_owned()], true), "{text:?}");
        }
        assert_eq!(typed("{up}", Named::Letters).texts, ["{up}"]);
        assert_eq!(typed("reboot\r", Named::Letters).texts, ["reboot\n"]);
        assert_eq!(
            typed("\u{3}ls\n", Named::Letters),
            Typed { texts: vec!["ls\n".to_owned()], is_whole: true }
        );
    }
}
