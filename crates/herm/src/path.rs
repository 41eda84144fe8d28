//! Absolute paths.

use std::fmt;

use herm_shell::PathTarget;
use herm_shell::place::Extent;

/// An absolute path without `.`, `..`, doubled or trailing slashes. Links are not followed.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct AbsPath(String);

/// Why a text is not an absolute path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotAbsolute {
    /// It holds a NUL character.
    Nul,
    /// It does not begin with a slash.
    Relative,
}

impl AbsPath {
    /// Reads an absolute path.
    ///
    /// # Errors
    /// When the text is relative, empty or holds a NUL character.
    pub fn new(text: &str) -> Result<Self, NotAbsolute> {
        if text.contains('\0') {
            return Err(NotAbsolute::Nul);
        }
        if !text.starts_with('/') {
            return Err(NotAbsolute::Relative);
        }
        let mut parts = Vec::new();
        for part in text.split('/') {
            match part {
                "" | "." => {}
                ".." => drop(parts.pop()),
                name => parts.push(name),
            }
        }
        Ok(Self(format!("/{}", parts.join("/"))))
    }

    /// The root directory.
    #[must_use]
    pub fn root() -> Self {
        Self("/".to_owned())
    }

    /// The path as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether what a command names lies in this directory, holds it, or may do either.
    #[must_use]
    pub fn meets(&self, target: &PathTarget) -> bool {
        let is_inside = self.holds(target.path.trim_end_matches('/'));
        is_inside
            || match target.extent {
                Extent::Children | Extent::Exact => {
                    Self::new(&target.path).is_ok_and(|path| path.holds(self.as_str()))
                }
                // The rest of the name could be anything.
                Extent::Pattern | Extent::Prefix => self.as_str().starts_with(&target.path),
                Extent::Unknown => true,
            }
    }

    /// Whether `path`, absolute and normal, is this path or lies below it.
    #[must_use]
    pub fn holds(&self, path: &str) -> bool {
        self.0 == "/"
            || path.strip_prefix(self.as_str()).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    }
}

impl fmt::Display for AbsPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Display for NotAbsolute {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Nul => "a path cannot hold a NUL character",
            Self::Relative => "the path is not absolute",
        })
    }
}

impl std::error::Error for NotAbsolute {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dots_and_slashes_are_folded() {
        assert_eq!(AbsPath::new("//srv/./a/../b/").unwrap().as_str(), "/srv/b");
        assert_eq!(AbsPath::new("/../..").unwrap().as_str(), "/");
    }

    #[test]
    fn relative_paths_and_nul_are_refused() {
        assert_eq!(AbsPath::new("srv"), Err(NotAbsolute::Relative));
        assert_eq!(AbsPath::new(""), Err(NotAbsolute::Relative));
        assert_eq!(AbsPath::new("/a\0b"), Err(NotAbsolute::Nul));
    }

    #[test]
    fn a_directory_holds_itself_and_what_is_below_but_not_its_namesakes() {
        let root = AbsPath::new("/srv").unwrap();
        assert!(root.holds("/srv") && root.holds("/srv/a"));
        assert!(!root.holds("/srv2") && !root.holds("/"));
        assert!(AbsPath::root().holds("/anything"));
    }
}
