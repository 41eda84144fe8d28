//! The files that the text itself writes, so that running or reading them later is understood.

use std::collections::{BTreeMap, BTreeSet};

use crate::value::{Piece, Value};

/// How many files of a directory are looked at.
const FILES: usize = 16;

/// Where process substitutions are found.
pub(crate) const SUBSTITUTIONS: &str = "/dev/fd/";

/// What the text did to files so far.
#[derive(Clone, Debug, Default)]
pub(crate) struct Files {
    entries: BTreeMap<String, Entry>,
    has_links: bool,
    /// Files of which it is not known which of several contents they have.
    unsettled: BTreeSet<String>,
    substitutions: u32,
    changes: u32,
}

/// How the links are taken that the text made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Made {
    /// As if the text had not made them: it may not come to it.
    Not,
    /// As what they seem to be.
    Seemingly,
    /// As the other kind: symbolic or hard.
    Otherwise,
}

/// What is known of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Entry {
    /// Its content.
    Content(Value),
    /// A named pipe.
    Fifo,
    /// A link.
    Link(Link),
}

/// Where a link leads. What a symbolic link says is seen from its own directory, what a hard link is made of from the working
/// directory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Link {
    pub(crate) seemingly: String,
    pub(crate) otherwise: String,
}

/// Where programs are.
const PROGRAMS: &[&str] = &["/bin", "/sbin", "/usr/bin", "/usr/sbin", "/usr/local/bin", "/usr/local/sbin"];

/// A program under another name still does what it does: as a script that calls it by its own. A file that was read
/// and is not known is a hole that is shown by its path.
fn stand_in(content: &Value) -> Option<Value> {
    let [Piece::Hole(hole)] = content.pieces.as_slice() else { return None };
    let path = hole.shown.as_str();
    let (directory, name) = path.rsplit_once('/')?;
    let plain = name.chars().all(|letter| letter.is_ascii_alphanumeric() || "._+-".contains(letter));
    (PROGRAMS.contains(&directory) && plain)
        .then(|| Value::literal(format!("#!/bin/sh\nexec {path} \"$@\"\n")))
}

impl Files {
    pub(crate) fn write(&mut self, path: &str, content: Value) {
        let content = stand_in(&content).unwrap_or(content);
        self.unsettled.remove(path);
        self.enter(path, Entry::Content(content));
    }

    /// How often anything became of a file that it was not before.
    pub(crate) fn changes(&self) -> u32 {
        self.changes
    }

    fn enter(&mut self, path: &str, entry: Entry) {
        let before = self.entries.get(path);
        self.changes += u32::from(before != Some(&entry));
        self.entries.insert(path.to_owned(), entry);
    }

    /// Writes a file that may not be written: what it held may still be there. Whoever runs it runs the one or the other.
    pub(crate) fn perhaps_write(&mut self, path: &str, content: &Value) {
        let before = self.content(path).cloned().unwrap_or_default();
        let either = Value::either(before, content.clone());
        if either.ways() > 1 {
            return self.write(path, either);
        }
        let mut lines = Value::literal("\n");
        lines.push(content);
        self.append(path, &lines);
        self.changes += 1;
        self.unsettled.insert(path.to_owned());
    }

    /// Adds to a file to which it may not be added.
    pub(crate) fn perhaps_append(&mut self, path: &str, content: &Value) {
        let before = self.content(path).cloned().unwrap_or_default();
        let mut after = before.clone();
        after.push(content);
        let either = Value::either(before, after);
        if either.ways() > 1 {
            return self.write(path, either);
        }
        self.append(path, content);
        self.changes += 1;
        self.unsettled.insert(path.to_owned());
    }

    /// Whether it is not known which of several contents a file has.
    pub(crate) fn is_unsettled(&self, path: &str) -> bool {
        self.unsettled.contains(self.follow(path))
    }

    /// How many bytes it takes to copy.
    pub(crate) fn size(&self) -> usize {
        let size = |entry: &Entry| match entry {
            Entry::Content(content) => content.size(),
            Entry::Fifo => 0,
            Entry::Link(to) => to.seemingly.len() + to.otherwise.len(),
        };
        self.entries.iter().map(|(path, entry)| path.len() + size(entry)).sum()
    }

    pub(crate) fn append(&mut self, path: &str, content: &Value) {
        match self.entries.get_mut(path) {
            Some(Entry::Content(existing)) if !existing.pieces.is_empty() => {
                existing.push(content);
                self.changes += 1;
            }
            Some(_) | None => self.write(path, content.clone()),
        }
    }

    pub(crate) fn link(&mut self, path: &str, link: Link) {
        self.has_links = true;
        self.enter(path, Entry::Link(link));
    }

    /// The links that the text made.
    pub(crate) fn links(&self) -> impl Iterator<Item = (&str, &Link)> {
        let entries = self.entries.iter().filter(|_| self.has_links);
        entries.filter_map(|(path, entry)| match entry {
            Entry::Link(link) => Some((path.as_str(), link)),
            Entry::Content(_) | Entry::Fifo => None,
        })
    }

    /// Whether the text made links.
    pub(crate) fn has_links(&self) -> bool {
        self.has_links
    }

    pub(crate) fn fifo(&mut self, path: &str) {
        self.enter(path, Entry::Fifo);
    }

    pub(crate) fn is_fifo(&self, path: &str) -> bool {
        matches!(self.entries.get(path), Some(Entry::Fifo))
    }

    /// Where the path leads through links made in this text.
    fn follow<'a>(&'a self, path: &'a str) -> &'a str {
        let mut here = path;
        for _ in 0..8 {
            match self.entries.get(here) {
                Some(Entry::Link(link)) => here = &link.seemingly,
                Some(Entry::Content(_) | Entry::Fifo) | None => break,
            }
        }
        here
    }

    /// Where the path leads if it, or a directory on its way, is a link made in this text.
    pub(crate) fn led(&self, path: &str, made: Made) -> Option<String> {
        if !self.has_links {
            return None;
        }
        let ends = path.match_indices('/').map(|(at, _)| at).skip(1).chain([path.len()]);
        ends.filter_map(|end| path.split_at_checked(end)).find_map(|(above, rest)| {
            let Some(Entry::Link(link)) = self.entries.get(above) else { return None };
            let to = match made {
                Made::Not => return None,
                Made::Seemingly => &link.seemingly,
                Made::Otherwise => &link.otherwise,
            };
            let led = format!("{}{rest}", to.trim_end_matches('/'));
            Some(if led.is_empty() { "/".to_owned() } else { led })
        })
    }

    /// Whether the text wrote something at this path itself.
    pub(crate) fn wrote(&self, path: &str) -> bool {
        matches!(self.entries.get(path), Some(Entry::Content(_) | Entry::Fifo))
    }

    pub(crate) fn content(&self, path: &str) -> Option<&Value> {
        match self.entries.get(self.follow(path)) {
            Some(Entry::Content(value)) => Some(value),
            Some(Entry::Fifo | Entry::Link(_)) | None => None,
        }
    }

    /// The files that the text wrote, with what they hold.
    pub(crate) fn contents(&self) -> impl Iterator<Item = (&str, &Value)> {
        self.entries.iter().filter_map(|(path, entry)| match entry {
            Entry::Content(content) => Some((path.as_str(), content)),
            Entry::Fifo | Entry::Link(_) => None,
        })
    }

    /// The files at or below a path that the text wrote.
    pub(crate) fn at_or_below(&self, path: &str) -> Vec<String> {
        let start = format!("{}/", path.trim_end_matches('/'));
        let below = self.entries.range(start.clone()..).take_while(|(path, _)| path.starts_with(&start));
        let itself = self.entries.get_key_value(path);
        let written = itself.into_iter().chain(below).filter(|(_, entry)| !matches!(entry, Entry::Fifo));
        written.map(|(path, _)| path.clone()).take(FILES).collect()
    }

    /// A file below a directory that the text wrote and whose content is of this kind.
    pub(crate) fn below(&self, directory: &str, is: impl Fn(&Value) -> bool) -> Option<String> {
        let start = format!("{}/", directory.trim_end_matches('/'));
        let mut inside = self.entries.range(start.clone()..).take_while(|(path, _)| path.starts_with(&start));
        inside.find_map(|(path, entry)| match entry {
            Entry::Content(content) if is(content) => Some(path.clone()),
            Entry::Content(_) | Entry::Fifo | Entry::Link(_) => None,
        })
    }

    /// A path under which what a process substitution prints can be read.
    pub(crate) fn substitution(&mut self, content: Value) -> String {
        self.substitutions += 1;
        let path = format!("{SUBSTITUTIONS}{}", 1000 + self.substitutions);
        self.write(&path, content);
        path
    }
}
