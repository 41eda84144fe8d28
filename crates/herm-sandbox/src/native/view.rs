//! The file system that a confined program sees.

mod machine;
mod shown;
mod stage;

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::{CString, OsStr, OsString};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use rustix::fs::Mode;
use rustix::mount::MountAttrFlags;

use super::Failure;
use super::beside::{Private, private_places};
use super::guards::Guarded;
use super::identity::Identity;
use super::landlock::Access as Rule;
use super::linked::Known;
use super::sockets::{Reached, live_in};
use super::trace::Tracer;
use crate::changes::Ground;
use crate::sys::mounts::{Access, Step};
use crate::sys::namespaces::UserNamespace;

/// What a confined program may see of the machine, besides the system.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct View {
    /// Where it works.
    pub directory: PathBuf,
    /// What it may change: the workspace, and where that keeps its history.
    pub writable: Vec<PathBuf>,
    /// What stands in the place of the first of those while something is tried there.
    pub ground: Option<Ground>,
    /// What it may not change, though it lies in something that it may.
    pub locked: Vec<PathBuf>,
    /// What it may not make, where there is nothing yet, and links that it may not change.
    pub guarded: Vec<Guarded>,
    /// The repositories in it, from which git goes into others.
    pub known: Vec<Known>,
    /// Settings of git that are not locked: who runs sets what makes nobody run code, and what it leaves there is looked at.
    pub opened: Option<PathBuf>,
    /// What it is given to read, and where it finds that.
    pub given: Vec<(PathBuf, PathBuf)>,
    /// Small files of its own that it finds.
    pub written: Vec<(PathBuf, String)>,
    /// What it may read, besides the system.
    pub readable: Vec<PathBuf>,
    /// What it may read, and change for itself alone: toolchains and what they have fetched.
    pub tools: Vec<PathBuf>,
    /// What it must not see, though it lies in something that it sees.
    pub hidden: Vec<PathBuf>,
    /// The home directory, which it finds empty but for its tools.
    pub home: PathBuf,
    /// How many bytes it may leave in its private places.
    pub space: u64,
}

/// Parts of the system that are shown to be read. What does not exist is not missed.
const SYSTEM: &[&str] = &[
    // Before those that often lead into it, which then need not be shown by themselves.
    "/usr",
    "/bin",
    "/etc",
    "/gnu",
    "/lib",
    "/lib32",
    "/lib64",
    "/libx32",
    "/nix/store",
    "/nix/var/nix/profiles",
    "/opt",
    "/sbin",
    "/sys/devices/system/cpu",
    "/sys/devices/system/node",
    "/var/cache/fontconfig",
    "/var/lib/dpkg",
];

/// Private places, besides the home directory.
const PRIVATE: &[(&str, u32)] = &[("/dev/shm", 0o1777), ("/tmp", 0o1777), ("/var/tmp", 0o1777)];

/// What the machine is called.
pub(super) const HOST: &str = "herm";

/// Where private places really are. When all of them have been shown where they belong, one of them covers it.
const STORE: &str = "/run";

/// What stands at a place of the new root.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stands {
    /// The same as outside, but that what changes there is gone afterwards.
    Lent,
    /// Something that was made for it.
    Made,
    /// The same as outside.
    Shown(Access),
    /// Private space, which is the program's.
    Private,
}

/// Puts a view together, as steps.
#[derive(Debug)]
pub(super) struct Builder<'a> {
    identity: &'a Identity,
    owners: Option<UserNamespace>,
    steps: Vec<Step>,
    places: BTreeMap<PathBuf, Stands>,
    reach: Reach,
    rooms: usize,
    tracer: Tracer,
}

/// What may be done beneath which paths.
pub(super) type Reach = Vec<(CString, Rule)>;

/// A view as it will be built.
#[derive(Debug)]
pub(super) struct Built {
    pub(super) steps: Vec<Step>,
    /// What may be done in it.
    pub(super) reach: Reach,
    /// Where something can be written that does not stay.
    pub(super) private: Vec<Private>,
}

impl<'a> Builder<'a> {
    /// All steps to a view, and what may be done in it.
    pub(super) fn build(view: &View, identity: &'a Identity) -> Result<Built, Failure> {
        let owners = identity.map().map_err(|cause| Failure::kernel("make a namespace of users", cause))?;
        let places = BTreeMap::from([(PathBuf::from("/"), Stands::Made)]);
        let (steps, reach, tracer) = (Vec::new(), Vec::new(), Tracer::default());
        let mut builder = Self { identity, owners, steps, places, reach, rooms: 0, tracer };
        builder.store(view.space)?;
        for part in SYSTEM {
            builder.show(Path::new(part), Access::ReadOnly)?;
        }
        builder.devices()?;
        builder.processes()?;
        for (place, mode) in PRIVATE {
            builder.room(Path::new(place), *mode)?;
        }
        builder.room(&view.home, 0o700)?;
        builder.account(&view.home)?;
        builder.names()?;
        builder.keep_secrets()?;
        view.written.iter().try_for_each(|(path, text)| builder.write(path, text))?;
        builder.outside(view)?;
        view.hidden.iter().try_for_each(|path| builder.hide(path))?;
        builder.room(Path::new(STORE), 0o755)?;
        builder.allow(Path::new("/"), Rule::List)?;
        let private = builder.private(view);
        Ok(Built { steps: builder.steps, reach: builder.reach, private })
    }

    /// The private directories that somebody may take for those outside: the home directory, and what leads to what stays. What is private for
    /// everybody is taken for what it is.
    fn private(&mut self, view: &View) -> Vec<Private> {
        let real = |path: &PathBuf, tracer: &mut Tracer| {
            tracer.trace(path).map_or_else(|| path.clone(), |found| found.real)
        };
        let rooms: Vec<PathBuf> =
            PRIVATE.iter().map(|(room, _)| real(&PathBuf::from(room), &mut self.tracer)).collect();
        let home = real(&view.home, &mut self.tracer);
        let writable: Vec<PathBuf> = view.writable.iter().map(|path| real(path, &mut self.tracer)).collect();
        let is_private = |path: &Path| {
            self.places.get(path) == Some(&Stands::Private) && !rooms.iter().any(|room| room == path)
        };
        let places = private_places(&home, writable.iter().map(PathBuf::as_path), is_private).into_iter();
        places
            .filter(|(path, _)| is_private(path))
            .map(|(path, is_home)| Private { known: self.put_in(&path), path, is_home })
            .collect()
    }

    /// The names that the steps put in a directory.
    fn put_in(&self, directory: &Path) -> BTreeSet<OsString> {
        let below = directory.strip_prefix("/").unwrap_or(directory);
        let name = |step: &Step| {
            let target = Path::new(OsStr::from_bytes(step.target().to_bytes()));
            target.strip_prefix(below).ok()?.iter().next().map(OsStr::to_owned)
        };
        self.steps.iter().filter_map(name).collect()
    }

    fn outside(&mut self, view: &View) -> Result<(), Failure> {
        let kept: Vec<PathBuf> =
            view.writable.iter().filter_map(|path| Some(self.tracer.trace(path)?.real)).collect();
        view.tools.iter().try_for_each(|path| self.tool(path, &kept))?;
        view.readable.iter().try_for_each(|path| self.lend(path, Access::ReadOnly))?;
        for (index, path) in view.writable.iter().enumerate() {
            match &view.ground {
                Some(ground) if index == 0 => self.stage(path, ground)?,
                Some(_) | None => self.show(path, Access::Writable)?,
            }
        }
        view.locked.iter().try_for_each(|path| self.lock(path))?;
        let above: BTreeSet<&Path> = view.guarded.iter().filter_map(|name| name.path.parent()).collect();
        above.into_iter().filter(|above| above.is_dir()).try_for_each(|above| self.pin(above))?;
        view.given.iter().try_for_each(|(source, target)| self.give(source, target))?;
        // Those of what stands in for the workspace lead nowhere.
        let skipped = usize::from(view.ground.is_some());
        let own: Vec<_> = kept.iter().skip(skipped).filter(|path| path.is_dir()).cloned().collect();
        let Reached { sockets, shut } = live_in(&own);
        shut.iter().try_for_each(|directory| self.hide(directory))?;
        let sockets = sockets.into_iter().filter(|path| !kept.contains(path));
        sockets.into_iter().try_for_each(|socket| self.cover(&socket))
    }

    /// The space that private places share.
    fn store(&mut self, bytes: u64) -> Result<(), Failure> {
        self.place(Path::new(STORE))?;
        let options = [("mode", "0755".to_owned()), ("size", bytes.to_string())].map(option).to_vec();
        self.mount(c"tmpfs", Path::new(STORE), options, plain())?;
        self.places.insert(STORE.into(), Stands::Private);
        let nothing = Path::new(STORE).join("nothing");
        self.place(&nothing)?;
        self.steps.push(Step::File { target: relative(&Path::new(STORE).join("empty"))? });
        Ok(())
    }

    /// A small file of its own.
    fn write(&mut self, path: &Path, text: &str) -> Result<(), Failure> {
        if let Some(above) = path.parent() {
            self.place(above)?;
        }
        self.steps.push(Step::Write { target: relative(path)?, bytes: text.as_bytes().to_owned() });
        Ok(())
    }

    /// A private directory.
    fn room(&mut self, path: &Path, mode: u32) -> Result<(), Failure> {
        let path = self.follow(path)?.unwrap_or_else(|| path.to_owned());
        self.place(&path)?;
        let from = self.space(mode)?;
        self.steps.push(Step::Again { from, target: relative(&path)?, access: Access::Writable });
        self.allow(&path, Rule::Full)?;
        self.places.insert(path, Stands::Private);
        Ok(())
    }

    fn allow(&mut self, path: &Path, rule: Rule) -> Result<(), Failure> {
        self.reach.push((text(path)?, rule));
        Ok(())
    }

    fn is_shown(&self, real: &Path, access: Access) -> bool {
        self.nearest(real) == Stands::Shown(access)
    }

    /// Whether what is there is there outside, too.
    fn is_of_outside(&self, real: &Path) -> bool {
        matches!(self.nearest(real), Stands::Lent | Stands::Shown(_))
    }

    fn nearest(&self, path: &Path) -> Stands {
        path.ancestors().find_map(|above| self.places.get(above)).copied().unwrap_or(Stands::Made)
    }

    /// Where a path leads, with the links on the way made anew.
    fn follow(&mut self, path: &Path) -> Result<Option<PathBuf>, Failure> {
        let Some(found) = self.tracer.trace(path) else { return Ok(None) };
        for (link, to) in found.links {
            let stands = self.nearest(&link);
            if self.places.contains_key(&link) || self.is_of_outside(&link) {
                continue;
            }
            if let Some(above) = link.parent() {
                self.place(above)?;
            }
            self.steps.push(Step::Link { target: relative(&link)?, to: text(&to)? });
            self.places.insert(link, stands);
        }
        Ok(Some(found.real))
    }

    /// Makes the directory `path`, and those above it, where that is ours to make.
    fn place(&mut self, path: &Path) -> Result<(), Failure> {
        let stands = self.nearest(path);
        if self.is_of_outside(path) || self.places.contains_key(path) {
            return Ok(());
        }
        if let Some(above) = path.parent() {
            self.place(above)?;
        }
        let owner = self.identity.owner().filter(|_| stands == Stands::Private);
        self.steps.push(Step::Directory { target: relative(path)?, owner, mode: Mode::from_raw_mode(0o755) });
        self.places.insert(path.to_owned(), stands);
        Ok(())
    }

    /// Makes the file `path` to mount on, where that is ours to make.
    fn point(&mut self, path: &Path) -> Result<(), Failure> {
        if self.is_of_outside(path) {
            return Ok(());
        }
        if let Some(above) = path.parent() {
            self.place(above)?;
        }
        self.steps.push(Step::File { target: relative(path)? });
        Ok(())
    }

    /// A fresh directory in the store.
    fn space(&mut self, mode: u32) -> Result<CString, Failure> {
        let target = relative(&self.next())?;
        let mode = Mode::from_raw_mode(mode);
        self.steps.push(Step::Directory { target: target.clone(), owner: self.identity.owner(), mode });
        Ok(target)
    }

    fn next(&mut self) -> PathBuf {
        self.rooms += 1;
        Path::new(STORE).join(self.rooms.to_string())
    }

    fn mount(
        &mut self,
        kind: &'static std::ffi::CStr,
        path: &Path,
        options: Vec<(CString, Option<CString>)>,
        flags: MountAttrFlags,
    ) -> Result<(), Failure> {
        self.steps.push(Step::Mount { kind, target: relative(path)?, options, flags });
        Ok(())
    }
}

const fn plain() -> MountAttrFlags {
    MountAttrFlags::MOUNT_ATTR_NOSUID.union(MountAttrFlags::MOUNT_ATTR_NODEV)
}

fn option((key, value): (&str, String)) -> (CString, Option<CString>) {
    (text_of(key), Some(CString::new(value).unwrap_or_default()))
}

fn text_of(word: &str) -> CString {
    CString::new(word).unwrap_or_default()
}

fn text(path: &Path) -> Result<CString, Failure> {
    CString::new(path.as_os_str().as_bytes()).map_err(|_| Failure::Unspeakable(path.to_owned()))
}

/// A path from the old root.
fn whole(path: &Path) -> Result<CString, Failure> {
    text(path)
}

/// A path from the new root.
fn relative(path: &Path) -> Result<CString, Failure> {
    text(path.strip_prefix("/").unwrap_or(path))
}
