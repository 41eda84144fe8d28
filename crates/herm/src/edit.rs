//! Files that are changed together.

/// Files that are changed together: all of them, or none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    changes: Vec<Change>,
    text: String,
}

/// What becomes of one file: it may stay as it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// The file, relative to the working directory.
    pub path: String,
    /// What is in it; nothing where there is no such file.
    pub before: Option<Vec<u8>>,
    /// What will be in it; nothing where it will be gone.
    pub after: Option<Vec<u8>>,
}

impl Change {
    /// Whether anything is different afterwards.
    #[must_use]
    pub fn is_one(&self) -> bool {
        self.before != self.after
    }
}

impl Edit {
    /// These changes, and what a person is shown of them.
    #[must_use]
    pub fn new(changes: Vec<Change>, text: String) -> Self {
        Self { changes, text }
    }

    /// The changes.
    #[must_use]
    pub fn changes(&self) -> &[Change] {
        &self.changes
    }

    /// What a person is shown of them.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }
}
