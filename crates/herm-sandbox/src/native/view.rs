//! The file system that a confined program sees.

mod stage;

use std::collections::BTreeMap;
use std::ffi::CString;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use rustix::fs::Mode;
use rustix::mount::MountAttrFlags;

use super::Failure;
use super::identity::Identity;
use super::landlock::Access as Rule;
use super::trace::trace;
use crate::changes::Ground;
use crate::sys::mounts::{Access, Source, Step, copy, map_owners};

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
    /// What it may not make, where there is nothing yet.
    pub guarded: Vec<PathBuf>,
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

const DEVICES: &[&str] = &["/dev/full", "/dev/null", "/dev/random", "/dev/tty", "/dev/urandom", "/dev/zero"];

const DEVICE_LINKS: &[(&str, &str)] = &[
    ("/dev/fd", "/proc/self/fd"),
    ("/dev/ptmx", "pts/ptmx"),
    ("/dev/stderr", "/proc/self/fd/2"),
    ("/dev/stdin", "/proc/self/fd/0"),
    ("/dev/stdout", "/proc/self/fd/1"),
];

/// What `/proc` tells about the machine rather than about its processes.
const TELLTALE: &[&str] = &[
    "/proc/acpi",
    "/proc/asound",
    "/proc/interrupts",
    "/proc/kallsyms",
    "/proc/kcore",
    "/proc/key-users",
    "/proc/keys",
    "/proc/latency_stats",
    "/proc/modules",
    "/proc/sched_debug",
    "/proc/scsi",
    "/proc/timer_list",
];

/// What `/proc` lets the machine be changed by.
const LEVERS: &[&str] = &["/proc/bus", "/proc/fs", "/proc/irq", "/proc/sys", "/proc/sysrq-trigger"];

/// What the machine is called.
pub(super) const HOST: &str = "herm";

/// Where private places really are. When all of them have been shown where they belong, one of them covers it.
const STORE: &str = "/run";

/// What stands at a place of the new root.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stands {
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
    owners: Option<OwnedFd>,
    steps: Vec<Step>,
    places: BTreeMap<PathBuf, Stands>,
    reach: Reach,
    rooms: usize,
}

/// What may be done beneath which paths.
pub(super) type Reach = Vec<(CString, Rule)>;

impl<'a> Builder<'a> {
    /// All steps to a view, and what may be done in it.
    pub(super) fn steps(view: &View, identity: &'a Identity) -> Result<(Vec<Step>, Reach), Failure> {
        let owners = identity.map().map_err(|cause| Failure::kernel("make a namespace of users", cause))?;
        let places = BTreeMap::from([(PathBuf::from("/"), Stands::Made)]);
        let mut builder = Self { identity, owners, steps: Vec::new(), places, reach: Vec::new(), rooms: 0 };
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
        builder.hosts()?;
        view.written.iter().try_for_each(|(path, text)| builder.write(path, text))?;
        builder.outside(view)?;
        view.hidden.iter().try_for_each(|path| builder.hide(path))?;
        builder.room(Path::new(STORE), 0o755)?;
        builder.allow(Path::new("/"), Rule::List)?;
        Ok((builder.steps, builder.reach))
    }

    fn outside(&mut self, view: &View) -> Result<(), Failure> {
        view.tools.iter().try_for_each(|path| self.lend(path, Access::Writable))?;
        view.readable.iter().try_for_each(|path| self.lend(path, Access::ReadOnly))?;
        for (index, path) in view.writable.iter().enumerate() {
            match &view.ground {
                Some(ground) if index == 0 => self.stage(path, ground)?,
                Some(_) | None => self.show(path, Access::Writable)?,
            }
        }
        view.locked.iter().try_for_each(|path| self.lock(path))?;
        view.guarded.iter().filter_map(|path| path.parent()).try_for_each(|above| self.pin(above))?;
        view.given.iter().try_for_each(|(source, target)| self.give(source, target))
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

    fn devices(&mut self) -> Result<(), Failure> {
        for device in DEVICES.iter().map(Path::new) {
            self.point(device)?;
            let source = Source::Path(whole(device)?);
            self.steps.push(Step::Bind { source, target: relative(device)?, access: Access::Device });
            self.allow(device, Rule::Device)?;
        }
        for (link, to) in DEVICE_LINKS {
            self.steps.push(Step::Link { target: relative(Path::new(link))?, to: text(Path::new(to))? });
        }
        self.place(Path::new("/dev/pts"))?;
        self.allow(Path::new("/dev/pts"), Rule::Device)?;
        let options = [("ptmxmode", "0666".to_owned()), ("mode", "0620".to_owned())].map(option).to_vec();
        let flags = MountAttrFlags::MOUNT_ATTR_NOSUID | MountAttrFlags::MOUNT_ATTR_NOEXEC;
        self.mount(c"devpts", Path::new("/dev/pts"), options, flags)
    }

    fn processes(&mut self) -> Result<(), Failure> {
        let proc = Path::new("/proc");
        self.place(proc)?;
        self.mount(c"proc", proc, Vec::new(), plain() | MountAttrFlags::MOUNT_ATTR_NOEXEC)?;
        self.places.insert(proc.into(), Stands::Shown(Access::Writable));
        self.allow(proc, Rule::ReadWrite)?;
        for path in TELLTALE {
            self.hide(Path::new(path))?;
        }
        for path in LEVERS.iter().map(Path::new).filter(|path| path.exists()) {
            let (from, target) = (relative(path)?, relative(path)?);
            self.steps.push(Step::Again { from, target, access: Access::ReadOnly });
        }
        Ok(())
    }

    /// A name for whom nobody outside has one.
    fn account(&mut self, home: &Path) -> Result<(), Failure> {
        let (uid, gid) = self.identity.inside();
        if matches!(self.identity, Identity::Same { .. }) {
            return Ok(());
        }
        let users = format!(
            "root:x:0:0::/root:/bin/sh\nherm:x:{uid}:{gid}::{}:/bin/bash\nnobody:x:65534:65534::/:/bin/false\n",
            home.display()
        );
        let groups = format!("root:x:0:\nherm:x:{gid}:\nnogroup:x:65534:\n");
        self.replace(Path::new("/etc/passwd"), users)?;
        self.replace(Path::new("/etc/group"), groups)
    }

    /// Names are looked up outside, where those who judge them see it; only its own are known here.
    fn hosts(&mut self) -> Result<(), Failure> {
        let own = format!("127.0.0.1 localhost {HOST}\n::1 localhost {HOST}\n");
        self.replace(Path::new("/etc/hosts"), own)
    }

    /// A small file of its own.
    fn write(&mut self, path: &Path, text: &str) -> Result<(), Failure> {
        if let Some(above) = path.parent() {
            self.place(above)?;
        }
        self.steps.push(Step::Write { target: relative(path)?, bytes: text.as_bytes().to_owned() });
        Ok(())
    }

    /// Shows a small file of ours in place of one of the system.
    fn replace(&mut self, path: &Path, text: String) -> Result<(), Failure> {
        if !path.is_file() {
            return Ok(());
        }
        let from = relative(&self.next())?;
        self.steps.push(Step::Write { target: from.clone(), bytes: text.into_bytes() });
        self.steps.push(Step::Again { from, target: relative(path)?, access: Access::ReadOnly });
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

    /// A directory as it is outside, to be changed for the program alone.
    ///
    /// Even read-only it is more than a bind: sockets and pipes in it are nobody's here, while those in a read-only mount can be
    /// spoken to.
    fn lend(&mut self, path: &Path, access: Access) -> Result<(), Failure> {
        let Some(real) = self.follow(path)?.filter(|real| !self.is_shown(real, Access::ReadOnly)) else {
            return Ok(());
        };
        if !real.is_dir() {
            return self.show(&real, access);
        }
        self.place(&real)?;
        let [lower, upper, work] = [self.space(0o755)?, self.space(0o755)?, self.space(0o755)?];
        let layer = |name: &str, path: &CString| (text_of(name), Some(path.clone()));
        let mut options = vec![
            layer("lowerdir", &lower),
            layer("upperdir", &upper),
            layer("workdir", &work),
            (text_of("volatile"), None),
        ];
        if matches!(self.identity, Identity::Same { .. }) {
            options.push((text_of("userxattr"), None));
        }
        let source = self.source(&real)?;
        let target = relative(&real)?;
        self.steps.push(Step::Overlay { lower, source, target: target.clone(), options });
        if access == Access::ReadOnly {
            self.steps.push(Step::Again { from: target.clone(), target, access });
        }
        self.allow(&real, rule(access, &real))?;
        self.places.insert(real, Stands::Shown(access));
        Ok(())
    }

    /// Shows something as it is outside.
    fn show(&mut self, path: &Path, access: Access) -> Result<(), Failure> {
        let Some(real) = self.follow(path)?.filter(|real| !self.is_shown(real, access)) else {
            return Ok(());
        };
        if real.is_dir() {
            self.place(&real)?;
        } else {
            self.point(&real)?;
        }
        let source = if SYSTEM.iter().any(|part| real.starts_with(part)) {
            Source::Path(whole(&real)?)
        } else {
            self.source(&real)?
        };
        self.steps.push(Step::Bind { source, target: relative(&real)?, access });
        self.allow(&real, rule(access, &real))?;
        self.places.insert(real, Stands::Shown(access));
        Ok(())
    }

    /// Shows a file somewhere else than it is.
    fn give(&mut self, file: &Path, target: &Path) -> Result<(), Failure> {
        self.point(target)?;
        let real = trace(file).map_or_else(|| file.to_owned(), |found| found.real);
        let source = self.source(&real)?;
        self.steps.push(Step::Bind { source, target: relative(target)?, access: Access::ReadOnly });
        self.allow(target, Rule::Read)
    }

    /// Shows something that must not be changed, in directories that may be. A link may have been left there by an earlier run, so
    /// what it leads to is not shown if it was not to be seen anyway.
    fn lock(&mut self, path: &Path) -> Result<(), Failure> {
        let Some(real) = trace(path).map(|found| found.real) else { return Ok(()) };
        if !self.is_shown(&real, Access::Writable) {
            return Ok(());
        }
        real.parent().map_or(Ok(()), |above| self.pin(above))?;
        self.show(&real, Access::ReadOnly)
    }

    /// Makes a directory, and those above it, mounts of their own, which cannot be renamed: others could be put in their place.
    fn pin(&mut self, directory: &Path) -> Result<(), Failure> {
        if !self.is_shown(directory, Access::Writable) {
            return Ok(());
        }
        // From the outside in, so that no mount covers another.
        let above: Vec<&Path> =
            directory.ancestors().take_while(|above| !self.places.contains_key(*above)).collect();
        for above in above.into_iter().rev() {
            let (from, target) = (relative(above)?, relative(above)?);
            self.steps.push(Step::Again { from, target, access: Access::Writable });
            self.places.insert(above.to_owned(), Stands::Shown(Access::Writable));
        }
        Ok(())
    }

    /// Something of the person's, shown as the program's own.
    fn source(&self, real: &Path) -> Result<Source, Failure> {
        let path = whole(real)?;
        let Some(owners) = &self.owners else { return Ok(Source::Path(path)) };
        let doing = || format!("show `{}` as the program's own", real.display());
        let tree = copy(&path).map_err(|cause| Failure::kernel(doing(), cause))?;
        map_owners(tree.as_fd(), owners.as_fd()).map_err(|cause| Failure::kernel(doing(), cause))?;
        Ok(Source::Taken(tree))
    }

    fn allow(&mut self, path: &Path, rule: Rule) -> Result<(), Failure> {
        self.reach.push((text(path)?, rule));
        Ok(())
    }

    /// Puts nothing in place of what can be seen.
    fn hide(&mut self, path: &Path) -> Result<(), Failure> {
        let Some(real) = trace(path).map(|found| found.real) else { return Ok(()) };
        if !matches!(self.nearest(&real), Stands::Shown(_)) {
            return Ok(());
        }
        if real.is_dir() && self.is_shown(&real, Access::Writable) {
            // Whoever keeps secrets there writes there, too.
            let from = self.space(0o755)?;
            self.steps.push(Step::Again { from, target: relative(&real)?, access: Access::Writable });
            return Ok(());
        }
        let name = if real.is_dir() { "nothing" } else { "empty" };
        let from = relative(&Path::new(STORE).join(name))?;
        self.steps.push(Step::Again { from, target: relative(&real)?, access: Access::ReadOnly });
        Ok(())
    }

    fn is_shown(&self, real: &Path, access: Access) -> bool {
        self.nearest(real) == Stands::Shown(access)
    }

    fn nearest(&self, path: &Path) -> Stands {
        path.ancestors().find_map(|above| self.places.get(above)).copied().unwrap_or(Stands::Made)
    }

    /// Where a path leads, with the links on the way made anew.
    fn follow(&mut self, path: &Path) -> Result<Option<PathBuf>, Failure> {
        let Some(found) = trace(path) else { return Ok(None) };
        for (link, to) in found.links {
            let stands = self.nearest(&link);
            if self.places.contains_key(&link) || matches!(stands, Stands::Shown(_)) {
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
        if matches!(stands, Stands::Shown(_)) || self.places.contains_key(path) {
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
        if matches!(self.nearest(path), Stands::Shown(_)) {
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

/// What may be done to something that is shown.
fn rule(access: Access, real: &Path) -> Rule {
    match access {
        Access::Writable => Rule::Full,
        _ if real.starts_with("/sys") => Rule::Read,
        Access::Device | Access::ReadOnly => Rule::ReadExecute,
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
