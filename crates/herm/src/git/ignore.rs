//! Which paths a `.gitignore` leaves out, read as git reads it.
//!
//! Whoever asks wants to know what git leaves out for certain. What git could read in another way than this does is not understood: then nothing is
//! known of the file.

mod pattern;

use pattern::Pattern;

/// The rules of one file, in their order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ignore {
    rules: Vec<Rule>,
}

/// One line.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Rule {
    pattern: Pattern,
    /// It takes back what an earlier one said.
    is_negated: bool,
    /// It is about directories alone.
    is_of_directories: bool,
    /// It is about paths from the directory of the file, not about names wherever they stand.
    is_of_paths: bool,
}

/// What a path leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A directory.
    Directory,
    /// Anything else.
    File,
}

/// What a file says of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Said {
    /// It is left out.
    LeftOut,
    /// It is not, whatever other files say.
    Kept,
}

impl Ignore {
    /// Reads a file; nothing where it is not understood.
    #[must_use]
    pub fn read(text: &str) -> Option<Self> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let lines = text.split('\n').map(|line| line.strip_suffix('\r').unwrap_or(line));
        let rules = lines.filter(|line| !line.starts_with('#')).map(trimmed).map(Rule::read);
        let rules: Option<Vec<_>> = rules.collect();
        Some(Self { rules: rules?.into_iter().flatten().collect() })
    }

    /// What it says of a path below its directory. The last rule that matches counts.
    #[must_use]
    pub fn says(&self, path: &str, kind: Kind) -> Option<Said> {
        let rule = self.rules.iter().rev().find(|rule| rule.matches(path, kind))?;
        Some(if rule.is_negated { Said::Kept } else { Said::LeftOut })
    }

    /// Whether all that is in its directory is left out, itself too, as tools say of their own.
    #[must_use]
    pub fn leaves_out_everything(&self) -> bool {
        let is_all = |rule: &Rule| rule.pattern.is_everything() && !rule.is_of_directories;
        self.rules.iter().any(is_all) && !self.rules.iter().any(|rule| rule.is_negated)
    }

    /// Whether a rule may keep something with such a name: one that is like `matches` says, or nobody knows.
    #[must_use]
    pub fn may_keep(&self, matches: impl Fn(&str) -> bool) -> bool {
        let mut kept = self.rules.iter().filter(|rule| rule.is_negated);
        kept.any(|rule| rule.pattern.last_name().is_none_or(|name| matches(&name)))
    }

    /// Whether some rule says what a name must not hold: it matches most names, and not all.
    #[must_use]
    pub fn has_exceptions(&self) -> bool {
        self.rules.iter().any(|rule| rule.pattern.has_exceptions())
    }
}

impl Rule {
    /// Reads a line. The outer nothing is what is not understood, the inner one what says nothing.
    #[expect(clippy::option_option, reason = "a line may say nothing, and it may not be understood")]
    fn read(line: &str) -> Option<Option<Self>> {
        let (is_negated, line) = line.strip_prefix('!').map_or((false, line), |rest| (true, rest));
        let (is_of_directories, line) = line.strip_suffix('/').map_or((false, line), |rest| (true, rest));
        let is_of_paths = line.contains('/');
        let line = line.strip_prefix('/').unwrap_or(line);
        if line.is_empty() {
            return Some(None);
        }
        let pattern = Pattern::read(line)?;
        Some(Some(Self { pattern, is_negated, is_of_directories, is_of_paths }))
    }

    fn matches(&self, path: &str, kind: Kind) -> bool {
        let name = path.rsplit('/').next().unwrap_or(path);
        (kind == Kind::Directory || !self.is_of_directories)
            && self.pattern.matches(if self.is_of_paths { path } else { name })
    }
}

/// A line without the spaces at its end, unless a backslash stands before them.
fn trimmed(line: &str) -> &str {
    let mut end = 0;
    let mut letters = line.char_indices();
    while let Some((at, letter)) = letters.next() {
        let last = if letter == '\\' { letters.next() } else { Some((at, letter)) };
        match last {
            // Git leaves such a line as it is.
            None => return line,
            Some((_, ' ')) if letter != '\\' => {}
            Some((at, letter)) => end = at + letter.len_utf8(),
        }
    }
    line.get(..end).unwrap_or(line)
}

#[cfg(test)]
mod tests;
