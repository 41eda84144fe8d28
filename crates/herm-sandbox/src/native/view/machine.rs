//! What a machine has that is a machine's: devices, processes, accounts, names.

use std::path::Path;

use rustix::mount::MountAttrFlags;

use super::{Builder, HOST, Rule, Stands, option, plain, relative, text, whole};
use crate::native::Failure;
use crate::native::identity::Identity;
use crate::sys::mounts::{Access, Source, Step};

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

impl Builder<'_> {
    pub(super) fn devices(&mut self) -> Result<(), Failure> {
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

    pub(super) fn processes(&mut self) -> Result<(), Failure> {
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
    pub(super) fn account(&mut self, home: &Path) -> Result<(), Failure> {
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
    pub(super) fn hosts(&mut self) -> Result<(), Failure> {
        let own = format!("127.0.0.1 localhost {HOST}\n::1 localhost {HOST}\n");
        self.replace(Path::new("/etc/hosts"), own)
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
}
