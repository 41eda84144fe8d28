//! A file of settings that is open to a command which sets what makes nobody run code.
//!
//! Nothing but git runs then, so nothing else should ever be found in it. If it is, the file is what it was before again.

use std::os::fd::BorrowedFd;
use std::path::PathBuf;

use rustix::fs::{Gid, Mode, OFlags, Uid, fchown, fsync, openat, stat};
use rustix::io;
use rustix::path::Arg;

use super::place::Place;
use super::{Guarded, MayBe, Moment, Root, SetAside, Tag};
use crate::native::plain::{self, Contents, Links};
use crate::native::settings::adds_only_harmless;

/// A file of settings that is open.
#[derive(Debug)]
pub(super) struct Opened {
    path: PathBuf,
    before: Before,
    place: Place,
}

/// What a file was like.
#[derive(Debug)]
pub(super) struct Before {
    pub(super) bytes: Vec<u8>,
    pub(super) mode: Mode,
    pub(super) owner: (Uid, Gid),
}

impl Before {
    /// Puts it where there is none.
    pub(super) fn put(&self, directory: BorrowedFd<'_>, name: impl Arg) -> io::Result<()> {
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let file = openat(directory, name, flags, self.mode)?;
        let (user, group) = self.owner;
        // Whoever is not root owns what was there already.
        let _ = fchown(&file, Some(user), Some(group));
        let mut rest = self.bytes.as_slice();
        while !rest.is_empty() {
            let written = io::write(&file, rest)?;
            rest = rest.get(written..).unwrap_or_default();
        }
        fsync(&file)
    }
}

impl Opened {
    /// Remembers a file below a root; nothing where it cannot be read.
    pub(super) fn new(root: &Root, path: PathBuf, tag: Tag) -> Option<Self> {
        let Contents::Bytes(bytes) = plain::read(&path, Links::Refused, plain::MOST) else { return None };
        let found = stat(&path).ok()?;
        let owner = (Uid::from_raw(found.st_uid), Gid::from_raw(found.st_gid));
        let before = Before { bytes, mode: Mode::from_raw_mode(found.st_mode & 0o777), owner };
        let mut place = Place::new(root, path.parent()?, tag)?;
        place.add(&Guarded { path: path.clone(), may_be: MayBe::Nothing }, Moment::End)?;
        Some(Self { path, before, place })
    }

    /// Puts it back as it was if there is more in it than may be.
    pub(super) fn check(&self) {
        let is_fine = match plain::read(&self.path, Links::Refused, plain::MOST) {
            Contents::Bytes(now) => adds_only_harmless(&self.before.bytes, &now),
            Contents::Nothing | Contents::TooMuch => false,
        };
        if !is_fine {
            self.place.sweep(Moment::End);
            // Where this fails the settings are aside, and git goes without.
            let _ = self.place.put(&self.path, &self.before);
        }
    }

    /// What was in its place.
    pub(super) fn found(&self) -> Vec<SetAside> {
        self.place.moved()
    }
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "tests make their own files")]
mod tests {
    use std::fs;

    use crate::Scratch;
    use crate::native::guards::{Became, Guards};

    #[test]
    fn settings_become_what_they_were_unless_what_was_added_is_harmless() {
        let scratch = Scratch::new(&std::env::temp_dir()).unwrap();
        let root = fs::canonicalize(scratch.path()).unwrap();
        let config = root.join("config");
        let before = "[core]\n\tbare = false\n[alias]\n\tst = !own\n";
        let after = |now: Option<&str>| {
            fs::write(&config, before).unwrap();
            let guards = Guards::new(&[], (&[], Some(&config)), std::slice::from_ref(&root)).unwrap();
            match now {
                Some(text) => fs::write(&config, text).unwrap(),
                None => fs::remove_file(&config).unwrap(),
            }
            (guards.settle(), fs::read_to_string(&config).unwrap())
        };
        let harmless = format!("{before}[branch \"main\"]\n\tremote = origin\n");
        assert_eq!(after(Some(&harmless)), (Vec::new(), harmless));
        let (told, now) = after(Some("[core]\n\tfsmonitor = run\n"));
        assert_eq!(now, before);
        let [one] = told.as_slice() else { panic!("{told:?}") };
        let Became::Aside(aside) = &one.became else { panic!("{one:?}") };
        assert!(one.path == config && fs::read_to_string(aside).unwrap().contains("fsmonitor"));
        assert_eq!(after(None), (Vec::new(), before.to_owned()));
    }
}
