//! Writes *always* into the user's configuration.

use std::fmt;
use std::fs::{self, File, Permissions};
use std::io::{self, Write};
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};

use herm::policy::edit;

/// The user's configuration file, as something to write to.
#[derive(Clone, Debug)]
pub struct AllowList {
    file: PathBuf,
}

/// Why an entry was not written.
#[derive(Debug)]
pub enum Problem {
    /// The file cannot be read or written.
    Io(PathBuf, io::Error),
    /// The file is written in a way in which nothing can be added or taken out safely.
    Unclear(PathBuf),
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(file, error) => write!(f, "cannot change `{}`: {error}", file.display()),
            Self::Unclear(file) => {
                write!(
                    f,
                    "cannot change `command_allowlist` in `{}` without touching the rest",
                    file.display()
                )
            }
        }
    }
}

impl std::error::Error for Problem {}

impl AllowList {
    /// The list in the configuration of this home.
    #[must_use]
    pub fn of(guard: &Path) -> Self {
        Self { file: guard.join("config.yaml") }
    }

    /// The entries.
    ///
    /// # Errors
    /// When the file cannot be read or understood.
    pub fn entries(&self) -> Result<Vec<String>, Problem> {
        edit::allowed(&self.read()?).ok_or_else(|| Problem::Unclear(self.file.clone()))
    }

    /// Adds entries. Those that are there stay where they are.
    ///
    /// # Errors
    /// When the file cannot be read or written, or not changed safely. It is then as it was.
    pub fn add(&self, entries: &[String]) -> Result<(), Problem> {
        self.change(|text| entries.iter().try_fold(text, |text, entry| edit::allow(&text, entry)))
    }

    /// Takes an entry out.
    ///
    /// # Errors
    /// When it is not there, or the file cannot be changed safely.
    pub fn remove(&self, entry: &str) -> Result<(), Problem> {
        self.change(|text| edit::disallow(&text, entry))
    }

    /// Makes another text of the whole file. Nothing when it cannot be made safely.
    ///
    /// # Errors
    /// When the file cannot be read or written, or nothing was made of it. It is then as it was.
    pub fn rewrite(&self, change: impl FnOnce(String) -> Option<String>) -> Result<(), Problem> {
        self.change(change)
    }

    /// One writer at a time, and a reader sees the old file or the new one.
    fn change(&self, change: impl FnOnce(String) -> Option<String>) -> Result<(), Problem> {
        let _lock = self.lock().map_err(|error| self.io(error))?;
        let changed = change(self.read()?).ok_or_else(|| Problem::Unclear(self.file.clone()))?;
        self.replace(&changed).map_err(|error| self.io(error))
    }

    #[expect(clippy::disallowed_methods, reason = "the one place where the configuration is written")]
    fn read(&self) -> Result<String, Problem> {
        match fs::read_to_string(&self.file) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(String::new()),
            read => read.map_err(|error| self.io(error)),
        }
    }

    /// A file of its own: the configuration itself is replaced, and a lock on it would be a lock on the old one.
    #[expect(clippy::disallowed_methods, reason = "the one place where the configuration is written")]
    fn lock(&self) -> io::Result<File> {
        if let Some(directory) = self.file.parent() {
            fs::create_dir_all(directory)?;
        }
        let lock = private().open(self.file.with_extension("yaml.lock"))?;
        lock.lock()?;
        Ok(lock)
    }

    #[expect(clippy::disallowed_methods, reason = "the one place where the configuration is written")]
    fn replace(&self, text: &str) -> io::Result<()> {
        // Where the file is a link, what it leads to is replaced and the link stays.
        let file = fs::canonicalize(&self.file).unwrap_or_else(|_| self.file.clone());
        let fresh = file.with_extension("yaml.new");
        let mode = fs::metadata(&file).map_or(0o600, |metadata| metadata.permissions().mode() & 0o700);
        let mut writer = private().truncate(true).open(&fresh)?;
        writer.set_permissions(Permissions::from_mode(mode))?;
        writer.write_all(text.as_bytes())?;
        writer.sync_all()?;
        fs::rename(&fresh, &file)?;
        file.parent().map_or(Ok(()), |directory| File::open(directory)?.sync_all())
    }

    fn io(&self, error: io::Error) -> Problem {
        Problem::Io(self.file.clone(), error)
    }
}

fn private() -> fs::OpenOptions {
    let mut options = File::options();
    options.create(true).write(true).mode(0o600);
    options
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "tests make their own files")]
mod tests {
    use std::thread;

    use super::*;

    fn scratch() -> tempfile::TempDir {
        tempfile::tempdir().unwrap()
    }

    #[test]
    fn comments_and_order_stay_and_nobody_else_can_read_it() {
        let home = scratch();
        let file = home.path().join("config.yaml");
        fs::write(&file, "# mine\ncommand_allowlist:\n  - ls # look\nmodel: x\n").unwrap();
        fs::set_permissions(&file, Permissions::from_mode(0o644)).unwrap();
        AllowList::of(home.path()).add(&["pwd".to_owned()]).unwrap();
        assert_eq!(
            fs::read_to_string(&file).unwrap(),
            "# mine\ncommand_allowlist:\n  - ls # look\n  - 'pwd'\nmodel: x\n"
        );
        assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
    }

    #[test]
    fn a_file_that_is_not_there_is_made() {
        let home = scratch();
        let list = AllowList::of(&home.path().join("new"));
        list.add(&["ls".to_owned()]).unwrap();
        assert_eq!(list.entries().unwrap(), ["ls"]);
        list.remove("ls").unwrap();
        assert!(list.entries().unwrap().is_empty());
    }

    #[test]
    fn a_broken_file_is_left_alone() {
        let home = scratch();
        let file = home.path().join("config.yaml");
        fs::write(&file, "a: [\n").unwrap();
        assert!(AllowList::of(home.path()).add(&["ls".to_owned()]).is_err());
        assert_eq!(fs::read_to_string(&file).unwrap(), "a: [\n");
    }

    #[test]
    fn many_writers_lose_nothing() {
        let home = scratch();
        let list = AllowList::of(home.path());
        thread::scope(|scope| {
            for writer in 0..8 {
                let list = &list;
                scope.spawn(move || {
                    for number in 0..10 {
                        list.add(&[format!("command{writer}x{number}")]).unwrap();
                    }
                });
            }
        });
        assert_eq!(list.entries().unwrap().len(), 80);
    }

    #[test]
    fn a_link_stays_a_link() {
        let home = scratch();
        let real = home.path().join("real.yaml");
        fs::write(&real, "").unwrap();
        std::os::unix::fs::symlink(&real, home.path().join("config.yaml")).unwrap();
        AllowList::of(home.path()).add(&["ls".to_owned()]).unwrap();
        assert!(fs::symlink_metadata(home.path().join("config.yaml")).unwrap().is_symlink());
        assert!(fs::read_to_string(&real).unwrap().contains("- 'ls'"));
    }
}
