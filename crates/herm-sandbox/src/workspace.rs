//! Where a command may work.

#![forbid(unsafe_code)]

use std::path::{Path, PathBuf};
use std::{fmt, io};

use herm::AbsPath;

/// Why a command may not work in a directory.
#[derive(Debug)]
pub enum Refused {
    /// The name holds a character that a shell could take for more than a name.
    Character(char),
    /// It cannot be entered.
    Entry(io::Error),
    /// It lies outside the workspace, or leads there.
    Outside,
    /// Where it really is cannot be written as text.
    Unreadable,
}

/// Finds the directory `wanted` in the workspace `root`, and where it really is.
///
/// `wanted` is taken from the root when it is relative. It is refused when it leaves the root in any reading: through `..` as
/// it is written, or through links as the kernel follows them. A name is literal: `~` is no home directory here.
///
/// The answer has no links in it. One that is put in place of a part later is followed by whoever enters, so enter soon, and
/// only once, as [`run`](crate::process::run) does.
///
/// # Errors
/// When it is outside, is no directory, or has a name that is not allowed.
pub fn locate(root: &AbsPath, wanted: &str) -> Result<AbsPath, Refused> {
    if let Some(strange) = wanted.chars().find(|found| !is_allowed(*found)) {
        return Err(Refused::Character(strange));
    }
    let path = Path::new(root.as_str()).join(wanted);
    let written = absolute(&path)?;
    if !root.holds(written.as_str()) {
        return Err(Refused::Outside);
    }
    let root = absolute(&real(Path::new(root.as_str()))?)?;
    let found = absolute(&real(&path)?)?;
    if root.holds(found.as_str()) { Ok(found) } else { Err(Refused::Outside) }
}

/// The characters that Hermes allows, and letters and digits of any script: none means anything to a shell, and people name
/// directories in their own language. Characters that are not seen, or turn the text around, are neither.
fn is_allowed(character: char) -> bool {
    character.is_alphanumeric()
        || matches!(character, '/' | '\\' | ':' | '_' | '-' | '.' | '~' | ' ' | '+' | '@' | '=' | ',')
}

fn absolute(path: &Path) -> Result<AbsPath, Refused> {
    let text = path.to_str().ok_or(Refused::Unreadable)?;
    AbsPath::new(text).map_err(|_| Refused::Unreadable)
}

#[expect(clippy::disallowed_methods, reason = "where a directory is, only the file system knows")]
fn real(path: &Path) -> Result<PathBuf, Refused> {
    let path = std::fs::canonicalize(path).map_err(Refused::Entry)?;
    if path.is_dir() { Ok(path) } else { Err(Refused::Entry(io::ErrorKind::NotADirectory.into())) }
}

impl Refused {
    /// What to do about it.
    #[must_use]
    pub fn hint(&self) -> &'static str {
        match self {
            Self::Character(_) => "use letters, digits, spaces and any of `/ \\ : _ - . ~ + @ = ,`",
            Self::Entry(_) => "name a directory that exists",
            Self::Outside => "name a directory inside the workspace",
            Self::Unreadable => "rename the directory",
        }
    }
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Character(found) => {
                write!(f, "the working directory holds the character `{}`", found.escape_default())
            }
            Self::Entry(cause) => write!(f, "cannot enter the working directory: {cause}"),
            Self::Outside => f.write_str("the working directory is outside the workspace"),
            Self::Unreadable => f.write_str("the working directory is not valid UTF-8"),
        }
    }
}

impl std::error::Error for Refused {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Entry(cause) => Some(cause),
            Self::Character(_) | Self::Outside | Self::Unreadable => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    /// A workspace with a directory, links and a file, next to one that is not it.
    struct Place(PathBuf);

    impl Place {
        #[expect(clippy::disallowed_methods, reason = "tests make their own files")]
        fn new(name: &str) -> Self {
            let place = std::env::temp_dir().join(format!("herm-workspace-{}-{name}", std::process::id()));
            std::fs::create_dir_all(place.join("root/src/deep")).unwrap();
            std::fs::create_dir_all(place.join("root/Projekt-Größe 字")).unwrap();
            std::fs::create_dir_all(place.join("root2")).unwrap();
            std::fs::write(place.join("root/file"), "").unwrap();
            for (link, to) in [("out", "/etc"), ("up", ".."), ("in", "src/deep"), ("beside", "../root2")] {
                symlink(to, place.join("root").join(link)).unwrap();
            }
            Self(place)
        }

        fn locate(&self, wanted: &str) -> Result<AbsPath, Refused> {
            locate(&AbsPath::new(self.0.join("root").to_str().unwrap()).unwrap(), wanted)
        }
    }

    impl Drop for Place {
        #[expect(clippy::disallowed_methods, reason = "tests remove their own files")]
        fn drop(&mut self) {
            let _ = std::fs::remove_dir_all(&self.0);
        }
    }

    #[test]
    fn directories_inside_are_found_where_they_are() {
        let place = Place::new("inside");
        let root = place.locate("").unwrap();
        let inside =
            |path: &str| place.locate(path).unwrap().as_str().strip_prefix(root.as_str()).unwrap().to_owned();
        assert_eq!(inside("."), "");
        assert_eq!(inside("src/../src/./deep/"), "/src/deep");
        assert_eq!(inside("in"), "/src/deep");
        assert_eq!(inside("in/../deep"), "/src/deep");
        assert_eq!(inside(&format!("{root}/src")), "/src");
        assert_eq!(inside("Projekt-Größe 字"), "/Projekt-Größe 字");
    }

    #[test]
    fn what_leaves_the_root_is_refused() {
        let place = Place::new("outside");
        let absolute = place.0.join("root2");
        for path in [
            "..",
            "../root2",
            "src/../../root2",
            "/",
            "/etc",
            "out",
            "up",
            "beside",
            "up/root2",
            "out/..",
            "in/../../src",
        ] {
            assert!(matches!(place.locate(path), Err(Refused::Outside)), "{path}");
        }
        assert!(matches!(place.locate(absolute.to_str().unwrap()), Err(Refused::Outside)));
    }

    #[test]
    fn what_is_no_directory_is_refused() {
        let place = Place::new("none");
        for path in ["file", "missing", "~", "file/x"] {
            assert!(matches!(place.locate(path), Err(Refused::Entry(_))), "{path}");
        }
    }

    #[test]
    fn characters_that_a_shell_knows_are_refused() {
        let place = Place::new("characters");
        for strange in "$`;|&<>()[]{}*?!\"'#%^\n\t\0\u{7f}\u{200b}\u{202e}".chars() {
            assert!(
                matches!(place.locate(&format!("src{strange}")), Err(Refused::Character(c)) if c == strange)
            );
        }
    }

    #[test]
    fn a_root_that_is_a_link_is_followed() {
        let place = Place::new("link");
        symlink("root", place.0.join("alias")).unwrap();
        let alias = AbsPath::new(place.0.join("alias").to_str().unwrap()).unwrap();
        assert_eq!(locate(&alias, "src").unwrap(), place.locate("src").unwrap());
        assert!(matches!(locate(&alias, "../root/src"), Err(Refused::Outside)));
    }
}
