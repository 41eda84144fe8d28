//! What the reader may ask about the machine.
//!
//! The reader itself opens nothing. Whoever wants script files judged hands in a [`World`]; every answer that was
//! used is kept as an [`Observation`], so that a decision can be replayed and an approval can be bound to it.

use std::fmt;

/// The machine, as far as the reader may look at it.
pub trait World: fmt::Debug {
    /// The text of a file that the command would run.
    fn script(&self, path: &str) -> Script;

    /// Where a symbolic link leads in the end, absolute; `None` when the path is not a link or does not exist.
    fn resolve(&self, path: &str) -> Option<String>;

    /// Whether two paths are names of one file that has several (hard links).
    fn same_file(&self, path: &str, other: &str) -> bool {
        let _ = (path, other);
        false
    }

    /// Whether a path is one of several names of a file (hard links).
    fn has_other_names(&self, path: &str) -> bool {
        let _ = path;
        false
    }

    /// What stands at a path, a link as the link that it is; `None` where nobody can say.
    fn standing(&self, path: &str) -> Option<Standing> {
        let _ = path;
        None
    }

    /// What a directory holds, by name; nothing where there is none.
    fn names(&self, directory: &str) -> Names {
        let _ = directory;
        Names::Unknown
    }

    /// Where something is mounted: at a path, or below it. `None` where nobody can say.
    fn mounts(&self, path: &str) -> Option<Vec<String>> {
        let _ = path;
        None
    }

    /// What a file holds that is no text, such as an index of git; `None` where nobody can say, or where it is too large.
    fn bytes(&self, path: &str) -> Option<Vec<u8>> {
        let _ = path;
        None
    }

    /// How long a regular file is, and when it was last written; `None` where nobody can say.
    fn written(&self, path: &str) -> Option<Written> {
        let _ = path;
        None
    }

    /// Where the program lies that judges, absolute.
    fn guard(&self) -> Option<&str> {
        None
    }

    /// What the shell runs before the text, which defines things: what earlier texts have left in it.
    fn before(&self) -> Option<&str> {
        None
    }

    /// Whether an earlier call of the same session made what stands at a path, and all that lies there came later.
    fn has_made(&self, path: &str) -> bool {
        let _ = path;
        false
    }

    /// Whether an earlier call of the same session opened the session of tmux that has this name.
    fn has_opened(&self, session: &str) -> bool {
        let _ = session;
        false
    }

    /// Whether a path leads to the program that judges: under another name, or as a copy of it.
    fn is_guard(&self, path: &str) -> bool {
        self.guard().is_some_and(|guard| guard == path || self.same_file(path, guard))
    }

    /// The value of an environment variable that the command would see.
    fn variable(&self, name: &str) -> Option<String>;
}

/// What is known about a script file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Script {
    /// It is not there.
    Absent,
    /// It is a program, not text.
    Binary,
    /// It may not be looked at, or is too large.
    Hidden,
    /// Its text.
    Text(String),
}

/// What is known of the names in a directory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Names {
    /// It may not be looked at, or holds too many.
    Hidden,
    /// These, of which there may be none.
    Known(Vec<String>),
    /// Nobody can say.
    Unknown,
}

/// What stands at a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// Nothing.
    Absent,
    /// A directory.
    Directory,
    /// A regular file.
    File,
    /// A symbolic link.
    Link,
    /// A device, a pipe or a socket.
    Other,
}

/// How long a file is, and when it was last written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Written {
    /// In bytes.
    pub length: u64,
    /// Since the beginning of 1970.
    pub seconds: i64,
    /// Besides.
    pub nanos: i64,
}

/// A world in which nothing can be seen.
#[derive(Clone, Copy, Debug, Default)]
pub struct Blind;

impl World for Blind {
    fn script(&self, _path: &str) -> Script {
        Script::Absent
    }

    fn resolve(&self, _path: &str) -> Option<String> {
        None
    }

    fn variable(&self, _name: &str) -> Option<String> {
        None
    }
}

/// Something that was looked at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Observation {
    /// The path.
    pub path: String,
    /// What was seen.
    pub seen: Script,
}
