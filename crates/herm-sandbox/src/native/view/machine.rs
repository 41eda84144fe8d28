//! What a machine has that is a machine's: devices, processes, accounts, names.

use std::path::{Path, PathBuf};

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
    "/proc/cmdline",
    "/proc/diskstats",
    "/proc/interrupts",
    "/proc/kallsyms",
    "/proc/kcore",
    "/proc/key-users",
    "/proc/keys",
    "/proc/latency_stats",
    "/proc/modules",
    "/proc/partitions",
    "/proc/sched_debug",
    "/proc/scsi",
    "/proc/timer_list",
];

/// Files by which a machine is told from others, and what is there instead.
const NAMES: &[(&str, &str)] = &[
    ("/etc/hostname", "herm\n"),
    ("/etc/machine-id", "6865726d6865726d6865726d6865726d\n"),
    ("/proc/sys/kernel/random/boot_id", "6865726d-6865-426d-a865-726d6865726d\n"),
];

/// Secrets of the machine. Who may read them outside, by their groups, may not inside.
const SECRETS: &[&str] = &[
    "/etc/krb5.keytab",
    "/etc/letsencrypt",
    "/etc/pki/tls/private",
    "/etc/security/opasswd",
    "/etc/ssl/private",
    "/etc/wireguard",
];

/// Who may do what, and by which password.
const ACCOUNTS: &[&str] = &["gshadow", "shadow", "sudoers"];

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
    pub(super) fn names(&mut self) -> Result<(), Failure> {
        let own = format!("127.0.0.1 localhost {HOST}\n::1 localhost {HOST}\n");
        self.replace(Path::new("/etc/hosts"), own)?;
        NAMES.iter().try_for_each(|(path, text)| self.replace(Path::new(path), (*text).to_owned()))
    }

    /// Covers what the program could read of the machine's secrets. What it could not open anyway needs no cover, which would cost time.
    pub(super) fn keep_secrets(&mut self) -> Result<(), Failure> {
        let mut secrets: Vec<PathBuf> = SECRETS.iter().map(PathBuf::from).collect();
        secrets.extend(more_secrets());
        let open = secrets.iter().filter(|path| self.identity.may_open(path));
        open.collect::<Vec<_>>().into_iter().try_for_each(|path| self.hide(path))
    }

    /// Shows a small file of ours in place of one of the system.
    fn replace(&mut self, path: &Path, text: String) -> Result<(), Failure> {
        let real = self.tracer.trace(path).map(|found| found.real).filter(|real| real.is_file());
        let Some(real) = real.filter(|real| self.is_of_outside(real)) else { return Ok(()) };
        let from = relative(&self.next())?;
        self.steps.push(Step::Write { target: from.clone(), bytes: text.into_bytes() });
        self.steps.push(Step::Again { from, target: relative(&real)?, access: Access::ReadOnly });
        Ok(())
    }
}

/// Files with secrets of which nobody knows how many there are: accounts with their copies, and the keys of the machine.
fn more_secrets() -> impl Iterator<Item = PathBuf> {
    let accounts = named("/etc", |name| {
        let rest = ACCOUNTS.iter().find_map(|account| name.strip_prefix(account));
        rest.is_some_and(|rest| matches!(rest, "" | "-") || rest.starts_with(['.', '~']))
    });
    accounts.chain(named("/etc/ssh", |name| name.starts_with("ssh_host_") && name.ends_with("_key")))
}

#[expect(clippy::disallowed_methods, reason = "what lies in a directory, only the file system knows")]
fn named(directory: &str, is_meant: fn(&str) -> bool) -> impl Iterator<Item = PathBuf> {
    let found = std::fs::read_dir(directory).into_iter().flatten().flatten();
    found.filter(move |entry| entry.file_name().to_str().is_some_and(is_meant)).map(|entry| entry.path())
}
