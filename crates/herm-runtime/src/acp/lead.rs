//! Where the path of a file leads that the editor opens, once herm has decided about it.
//!
//! herm cannot open the file in the editor's place: what was not saved yet is known there alone. So the path is followed first, what it leads to
//! is judged as well, and the editor is told a path on which there is no link below what it opened itself. Whether that still holds
//! is looked at before it is told, and again when it has answered.

use std::path::{Component, Path, PathBuf};

use herm_adapters::acp::Place;

use crate::files;
use crate::held::is_of_a_process;

/// Where a path led when it was followed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Lead {
    /// What it leads to, or where that would be made.
    path: String,
    /// What the editor is told.
    told: String,
    /// The nearest directory that was there, and which one that was.
    directory: (PathBuf, Option<Number>),
    /// Which file it was, where there was one.
    file: Option<Number>,
}

/// A device, and a number there.
type Number = (u64, u64);

impl Lead {
    /// Follows an absolute path.
    pub(super) fn follow(asked: &str, place: &Place) -> Result<Self, &'static str> {
        let real = files::real(Path::new(asked)).ok_or("its path leads nowhere")?;
        // Above what is not there, editors and the kernel do not find the same.
        if real.components().any(|part| part == Component::ParentDir) {
            return Err("its path leads through what is not there");
        }
        if is_of_a_process(&real) {
            return Err("it is about a process, and no file");
        }
        let path = real.to_str().ok_or("its name is not UTF-8")?.to_owned();
        let told = if asked == path { None } else { as_opened(&real, place) };
        let told = told.unwrap_or_else(|| path.clone());
        let above = real.ancestors().skip(1).find(|above| files::exists(above)).unwrap_or(&real);
        let directory = (above.to_owned(), files::number(above));
        Ok(Self { file: files::number(&real), path, told, directory })
    }

    /// What it leads to.
    pub(super) fn path(&self) -> &str {
        &self.path
    }

    /// What the editor is told.
    pub(super) fn told(&self) -> &str {
        &self.told
    }

    /// Why the editor may open, or have opened, something else than what was judged; nothing where it does not.
    pub(super) fn objection(&self) -> Option<&'static str> {
        let path = Path::new(&self.path);
        let leads_here = |from: &str| files::real(Path::new(from)).as_deref() == Some(path);
        let (directory, number) = &self.directory;
        if !leads_here(&self.path) || !leads_here(&self.told) || files::number(directory) != *number {
            return Some("its path leads elsewhere now");
        }
        // Programs replace files when they save them, which is no harm; another name of something else is.
        let is_another = files::number(path) != self.file;
        (is_another && files::has_other_names(path))
            .then_some("it is another file now, which has other names")
    }

    /// Where it leads now.
    pub(super) fn now(&self) -> String {
        let real = files::real(Path::new(&self.told));
        real.map_or_else(|| self.told.clone(), |real| real.to_string_lossy().into_owned())
    }
}

/// A path below what the editor has opened, as the editor calls that: it may know its own directories by links of its person's.
fn as_opened(real: &Path, place: &Place) -> Option<String> {
    std::iter::once(&place.cwd).chain(&place.besides).find_map(|root| {
        let within = real.strip_prefix(files::real(Path::new(root))?).ok()?;
        Path::new(root).join(within).to_str().map(str::to_owned)
    })
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "tests make their own files")]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;

    use super::*;

    struct Ground {
        root: tempfile::TempDir,
    }

    impl Ground {
        fn new() -> Self {
            let root = tempfile::tempdir().unwrap();
            for name in ["real/src", "outside"] {
                fs::create_dir_all(root.path().join(name)).unwrap();
            }
            fs::write(root.path().join("real/src/a"), "a").unwrap();
            fs::write(root.path().join("outside/key"), "key").unwrap();
            symlink("real", root.path().join("opened")).unwrap();
            Self { root }
        }

        fn at(&self, name: &str) -> String {
            self.root.path().canonicalize().unwrap().join(name).to_str().unwrap().to_owned()
        }

        fn follow(&self, name: &str) -> Lead {
            let place = Place { cwd: self.at("opened"), besides: Vec::new() };
            Lead::follow(&self.at(name), &place).unwrap()
        }
    }

    #[test]
    fn links_below_what_the_editor_opened_are_followed_for_it() {
        let ground = Ground::new();
        symlink("src", ground.at("real/link").as_str()).unwrap();
        symlink(ground.at("outside/key"), ground.at("real/innocent")).unwrap();
        symlink(ground.at("outside/made"), ground.at("real/dangling")).unwrap();
        for (asked, path, told) in [
            ("opened/src/a", "real/src/a", "opened/src/a"),
            ("opened/link/a", "real/src/a", "opened/src/a"),
            ("opened/src/../link/a", "real/src/a", "opened/src/a"),
            ("real/src/a", "real/src/a", "real/src/a"),
            ("opened/new/file", "real/new/file", "opened/new/file"),
            ("opened/innocent", "outside/key", "outside/key"),
            ("opened/dangling", "outside/made", "outside/made"),
        ] {
            let lead = ground.follow(asked);
            assert_eq!((lead.path(), lead.told()), (&*ground.at(path), &*ground.at(told)), "{asked}");
            assert_eq!(lead.objection(), None, "{asked}");
        }
        let place = Place { cwd: ground.at("opened"), besides: Vec::new() };
        assert!(Lead::follow(&ground.at("opened/none/../../outside/key"), &place).is_err());
        assert!(
            Lead::follow("/proc/self/environ", &Place { cwd: "/".to_owned(), besides: Vec::new() }).is_err()
        );
    }

    #[test]
    fn whatever_is_put_in_its_place_is_noticed() {
        let swaps: [fn(&Ground); 4] = [
            |ground| {
                fs::remove_file(ground.at("real/src/a")).unwrap();
                symlink(ground.at("outside/key"), ground.at("real/src/a")).unwrap();
            },
            |ground| {
                fs::rename(ground.at("real/src"), ground.at("real/old")).unwrap();
                symlink(ground.at("outside"), ground.at("real/src")).unwrap();
            },
            |ground| {
                fs::rename(ground.at("real/src"), ground.at("real/old")).unwrap();
                fs::create_dir(ground.at("real/src")).unwrap();
                fs::write(ground.at("real/src/a"), "").unwrap();
            },
            |ground| {
                fs::remove_file(ground.at("real/src/a")).unwrap();
                fs::hard_link(ground.at("outside/key"), ground.at("real/src/a")).unwrap();
            },
        ];
        for (at, swap) in swaps.iter().enumerate() {
            let ground = Ground::new();
            let lead = ground.follow("opened/src/a");
            swap(&ground);
            assert!(lead.objection().is_some(), "{at}");
        }
        let ground = Ground::new();
        let lead = ground.follow("opened/src/a");
        fs::write(ground.at("real/src/b"), "saved").unwrap();
        fs::rename(ground.at("real/src/b"), ground.at("real/src/a")).unwrap();
        assert_eq!(lead.objection(), None, "that is how programs save files");
        let new = ground.follow("opened/new/file");
        fs::create_dir(ground.at("real/new")).unwrap();
        fs::write(ground.at("real/new/file"), "x").unwrap();
        assert_eq!(new.objection(), None, "that is how files are made");
    }
}
