//! On what ground a command is tried, and how the kernel is asked for it.
//!
//! A try must feel like the workspace itself, and afterwards it must be known exactly what was done. Two grounds do that:
//!
//! - An **overlay** shows the workspace and puts every change into a directory of its own. It costs nothing to begin.
//!   Mounted by real root with `redirect_dir=on` it can rename directories of the workspace. Mounted in a user namespace it
//!   cannot: `rename(2)` of a directory answers `EXDEV`, which `mv` hides by copying, and which `git`, `cargo` or a Python
//!   script do not. And whoever mounts it, a file with two names comes apart when one of them is written to
//!   (`index=on` would hold them together, but then the names in the upper directory no longer say what changed).
//! - A **private copy** of the workspace has neither fault: it is a plain directory. It costs time and room, a few seconds for
//!   fifty thousand files, little where the file system can share blocks.
//!
//! So: an overlay for root as long as no file has two names in the workspace, and a copy otherwise, within bounds. Beyond
//! the bounds there is an overlay again, and what it [lacks](Lack) is said, for the caller to show or to refuse.
//! Hard links that lead out of the workspace are no reason for a copy: what is outside is not to be changed by a try.
//!
//! Rejected: seeing `EXDEV` through a tracer and copying then (it changes what is measured, and costs every call),
//! `fuse-overlayfs` (a user may mostly not open `/dev/fuse`), making the upper directories opaque beforehand (they would hide
//! the files, as a user's overlay knows no metacopies).

use std::ffi::OsString;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

use super::codec::Record;
use super::snapshot::{Inside, Snapshot};

/// Who mounts, which decides where overlayfs writes its marks.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Standing {
    /// Root outside any user namespace: marks are `trusted.overlay.*`, which nothing in the try can write.
    Root,
    /// Anybody, in a user namespace: marks are `user.overlay.*`, which overlayfs hides from the try.
    User,
}

impl Standing {
    /// What this process has, as long as it enters no namespace before it mounts. Where that cannot be known it is a user's.
    #[must_use]
    #[expect(clippy::disallowed_methods, reason = "the kernel says here which users a process sees")]
    pub fn of_this_process() -> Self {
        let users = std::fs::read_to_string("/proc/self/uid_map").unwrap_or_default();
        if rustix::process::geteuid().is_root() && sees_all(&users) { Self::Root } else { Self::User }
    }

    /// The name of one of overlayfs's marks. Only those of this standing are believed: through an overlay of root's,
    /// a command can write `user.overlay.*` as it likes.
    pub(crate) fn mark(self, name: &str) -> String {
        match self {
            Self::Root => format!("trusted.overlay.{name}"),
            Self::User => format!("user.overlay.{name}"),
        }
    }
}

/// Whether a map of users is that of the machine itself, where everybody is who they are.
fn sees_all(users: &str) -> bool {
    users.split_whitespace().eq(["0", "0", "4294967295"])
}

/// What a try stands on.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Ground {
    /// A whole copy of the workspace, to be shown in its place.
    Copy(PathBuf),
    /// An overlay, to be mounted in its place.
    Overlay(Options),
}

/// What an overlay does otherwise than the workspace would.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Lack {
    /// Renaming a directory of the workspace fails with `EXDEV`.
    DirectoryRenames,
    /// A file with several names comes apart when one of them is written to.
    HardLinks,
}

impl Lack {
    /// It in words.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::DirectoryRenames => "directories of the workspace cannot be renamed in one step",
            Self::HardLinks => "files with several names come apart when they are changed",
        }
    }
}

/// How large a workspace may be copied.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Bounds {
    /// How many files and directories.
    pub nodes: u64,
    /// How many bytes.
    pub bytes: u64,
}

impl Default for Bounds {
    fn default() -> Self {
        Self { nodes: 100_000, bytes: 2 << 30 }
    }
}

/// Which ground a workspace needs.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) enum Choice {
    Copy,
    Overlay(Vec<Lack>),
}

/// Chooses: a copy where an overlay would lack something and the workspace is small enough to copy.
pub(crate) fn choose(snapshot: &Snapshot, standing: Standing, bounds: Bounds) -> Choice {
    let lacks = lacks(snapshot, standing);
    if lacks.is_empty() || !fits(snapshot, bounds) { Choice::Overlay(lacks) } else { Choice::Copy }
}

/// What an overlay over this workspace would lack.
pub(crate) fn lacks(snapshot: &Snapshot, standing: Standing) -> Vec<Lack> {
    let renames = (standing == Standing::User).then_some(Lack::DirectoryRenames);
    let links = (!snapshot.tree.linked().is_empty()).then_some(Lack::HardLinks);
    renames.into_iter().chain(links).collect()
}

fn fits(snapshot: &Snapshot, bounds: Bounds) -> bool {
    let (mut nodes, mut bytes, mut is_open) = (0, 0_u64, true);
    snapshot.tree.each(Path::new(""), &mut |_, node| {
        nodes += 1;
        bytes = bytes.saturating_add(node.stamp.size);
        is_open &= node.inside != Inside::Closed;
    });
    is_open && nodes <= bounds.nodes && bytes <= bounds.bytes
}

/// How an overlay is mounted.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Options {
    /// The workspace.
    pub lower: PathBuf,
    /// Where changes go.
    pub upper: PathBuf,
    /// What overlayfs needs for itself; on the same file system as `upper`.
    pub work: PathBuf,
    /// Who mounts it.
    pub standing: Standing,
}

impl Options {
    /// Option by option, for `fsconfig`: nothing in a path has a meaning there.
    #[must_use]
    pub fn settings(&self) -> Vec<(&'static str, Option<OsString>)> {
        let mut settings = vec![
            ("lowerdir", Some(self.lower.clone().into_os_string())),
            ("upperdir", Some(self.upper.clone().into_os_string())),
            ("workdir", Some(self.work.clone().into_os_string())),
        ];
        settings.extend(self.flags().iter().map(|(name, value)| (*name, value.map(OsString::from))));
        settings
    }

    /// As one text, for `mount(2)`, with commas, colons and backslashes of the paths escaped.
    #[must_use]
    pub fn data(&self) -> OsString {
        let mut data = Vec::new();
        for (name, path) in [("lowerdir=", &self.lower), ("upperdir=", &self.upper), ("workdir=", &self.work)]
        {
            data.extend(name.as_bytes());
            for byte in path.as_os_str().as_bytes() {
                if b",:\\".contains(byte) {
                    data.push(b'\\');
                }
                data.push(*byte);
            }
            data.push(b',');
        }
        let flags = self.flags().iter().map(|(name, value)| match value {
            Some(value) => format!("{name}={value}"),
            None => (*name).to_owned(),
        });
        data.extend(flags.collect::<Vec<_>>().join(",").into_bytes());
        OsString::from_vec(data)
    }

    /// Every file that is changed is copied up whole, so that the upper directory alone has its bytes.
    fn flags(&self) -> &'static [(&'static str, Option<&'static str>)] {
        match self.standing {
            Standing::Root => {
                &[("redirect_dir", Some("on")), ("metacopy", Some("off")), ("index", Some("off"))]
            }
            Standing::User => &[("userxattr", None), ("index", Some("off"))],
        }
    }
}

impl Record for Standing {
    fn write(&self, out: &mut Vec<u8>) {
        (*self == Self::Root).write(out);
    }

    fn read(input: &mut &[u8]) -> Option<Self> {
        Some(if bool::read(input)? { Self::Root } else { Self::User })
    }
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "tests make their own files")]
mod tests {
    use std::fs;

    use super::super::beneath::Root;
    use super::*;

    fn snapshot(path: &Path) -> Snapshot {
        Snapshot::take(&Root::open(path).unwrap()).unwrap()
    }

    #[test]
    fn a_copy_is_chosen_where_an_overlay_would_lack_something() {
        let place = tempfile::tempdir().unwrap();
        fs::write(place.path().join("a"), "x").unwrap();
        let plain = snapshot(place.path());
        let bounds = Bounds::default();
        assert_eq!(choose(&plain, Standing::Root, bounds), Choice::Overlay(vec![]));
        assert_eq!(choose(&plain, Standing::User, bounds), Choice::Copy);
        let tight = Bounds { nodes: 1, ..bounds };
        assert_eq!(choose(&plain, Standing::User, tight), Choice::Overlay(vec![Lack::DirectoryRenames]));
        fs::hard_link(place.path().join("a"), place.path().join("b")).unwrap();
        let linked = snapshot(place.path());
        assert_eq!(choose(&linked, Standing::Root, bounds), Choice::Copy);
        assert_eq!(choose(&linked, Standing::Root, tight), Choice::Overlay(vec![Lack::HardLinks]));
    }

    #[test]
    fn links_that_lead_out_are_no_reason_to_copy() {
        let place = tempfile::tempdir().unwrap();
        fs::create_dir(place.path().join("in")).unwrap();
        fs::write(place.path().join("out"), "x").unwrap();
        fs::hard_link(place.path().join("out"), place.path().join("in/a")).unwrap();
        let choice = choose(&snapshot(&place.path().join("in")), Standing::Root, Bounds::default());
        assert_eq!(choice, Choice::Overlay(vec![]));
    }

    #[test]
    fn root_of_a_namespace_is_not_root() {
        assert!(sees_all("         0          0 4294967295\n"));
        for users in ["", "0 0 1\n", "0 100000 65536\n", "0 0 4294967295\n5 5 1\n"] {
            assert!(!sees_all(users), "{users}");
        }
        let is_root = Standing::of_this_process() == Standing::Root;
        assert!(rustix::process::geteuid().is_root() || !is_root);
    }

    #[test]
    fn paths_cannot_add_options() {
        let options = Options {
            lower: "/a,b:c\\d".into(),
            upper: "/u".into(),
            work: "/w".into(),
            standing: Standing::User,
        };
        assert_eq!(options.data(), "lowerdir=/a\\,b\\:c\\\\d,upperdir=/u,workdir=/w,userxattr,index=off");
        let root = Options { standing: Standing::Root, ..options };
        assert_eq!(root.settings().len(), 6);
        assert_eq!(root.settings()[0], ("lowerdir", Some("/a,b:c\\d".into())));
    }
}
