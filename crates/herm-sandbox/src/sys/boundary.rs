//! Behind the boundary: what a child becomes before it is a confined program.
//!
//! Two processes cross it. The first one of the new namespaces builds what can be seen from inside and stays, to notice who
//! ends; with it, the kernel ends everybody. The second one gives up all rights and becomes the program. All of it happens
//! between `fork` and `exec`, so it is system calls only: what they need was written down before.

use std::ffi::CString;
use std::io;
use std::os::fd::{AsFd, OwnedFd};

use rustix::fs::{CWD, Mode, OFlags, openat};
use rustix::process::{
    DumpableBehavior, Gid, Signal, Uid, set_dumpable_behavior, set_parent_process_death_signal, umask,
};
use rustix::thread::{
    LinkNameSpaceType, UnshareFlags, clear_ambient_capability_set, move_into_link_name_space,
    set_no_new_privs, set_thread_groups, set_thread_res_gid, set_thread_res_uid,
};

use super::doors::{self, Door};
use super::mounts::{Root, Step, last_error};
use super::namespaces::{Forked, UserNamespace, fork_into};
use super::words::Words;
use super::{filter, landlock, netlink, witness};
use crate::native::Announcer;
use crate::native::beside::Handing;
use crate::native::cgroup::limits::{self, Limit};
use crate::native::cgroup::{Birth, Entrances};
use crate::native::landlock::Rules;
use crate::native::redirect::Message;
use crate::native::seccomp::Filter;

/// All that the child needs to confine itself.
#[derive(Debug)]
pub(crate) struct Boundary {
    /// The words that herm was started with, which are nobody's business inside.
    pub(crate) words: Words,
    /// The namespaces that begin with the first process.
    pub(crate) namespaces: i32,
    /// Who one is inside, where the namespace of users is our own.
    pub(crate) own: Option<Own>,
    /// Who one becomes inside, where root has made the namespace of users.
    pub(crate) other: Option<Other>,
    /// What leads into its control groups.
    pub(crate) entrances: Entrances,
    /// What is asked of the kernel about its network.
    pub(crate) network: Vec<Message>,
    /// What turns connections towards its doors. Without it, they lead nowhere.
    pub(crate) redirect: Option<Message>,
    /// The doors of its network, and the line that they are handed out by.
    pub(crate) doors: Option<(OwnedFd, [Door; 4])>,
    /// What begins later than the first process, since it depends on where that is by then.
    pub(crate) late: UnshareFlags,
    /// What is taken off the clocks that count from when the machine began, in a namespace of their own.
    pub(crate) clocks: Option<CString>,
    /// The name of the machine.
    pub(crate) host: Option<CString>,
    /// The file system.
    pub(crate) view: Option<Vec<Step>>,
    /// The directories in which something may be written that does not stay.
    pub(crate) beside: Option<Handing>,
    /// Where the program works.
    pub(crate) directory: CString,
    /// The most that a process may have of something.
    pub(crate) limits: Vec<Limit>,
    /// Whether all rights are given up.
    pub(crate) unprivileged: bool,
    /// What may be done to files.
    pub(crate) rules: Option<Rules>,
    /// Which system calls can be made.
    pub(crate) filter: Option<Filter>,
    /// What its programs are announced by.
    pub(crate) announcer: Option<Announcer>,
}

/// The numbers of a user who has a namespace of users for himself.
#[derive(Debug)]
pub(crate) struct Own {
    pub(crate) users: CString,
    pub(crate) groups: CString,
}

/// Somebody to become.
#[derive(Debug)]
pub(crate) struct Other {
    pub(crate) namespace: UserNamespace,
    pub(crate) uid: u32,
    pub(crate) gid: u32,
}

/// What was being done when it failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stage {
    Begin,
    Users,
    Groups,
    Clocks,
    Host,
    Cover,
    Step(usize),
    Enter,
    Split,
    Identity,
    Directory,
    Limits,
    Rights,
    Files,
    Calls,
    Network,
}

/// A failure, and where.
pub(super) type Outcome<T> = Result<T, (Stage, io::Error)>;

/// Says where something failed.
trait At<T> {
    fn at(self, stage: Stage) -> Outcome<T>;
}

impl<T, E: Into<io::Error>> At<T> for Result<T, E> {
    fn at(self, stage: Stage) -> Outcome<T> {
        self.map_err(|error| (stage, error.into()))
    }
}

impl Boundary {
    /// Splits off the first process of the new namespaces.
    pub(super) fn fork(&self) -> Outcome<Forked> {
        fork_into(self.namespaces, self.entrances.birthplace()).at(Stage::Begin)
    }

    /// Builds what can be seen from inside.
    pub(super) fn build(&self, birth: Birth) -> Outcome<()> {
        // SAFETY: they were found before the fork. From here on only system calls are made; whoever becomes a program is given an
        // environment of its own.
        unsafe { self.words.forget() };
        set_parent_process_death_signal(Some(Signal::KILL)).at(Stage::Begin)?;
        // What a process writes about itself belongs to root while it may not be looked into.
        set_dumpable_behavior(DumpableBehavior::Dumpable).at(Stage::Begin)?;
        if let Some(own) = &self.own {
            own.claim().at(Stage::Users)?;
        }
        self.entrances.join(birth).at(Stage::Groups)?;
        self.later().at(Stage::Clocks)?;
        set_dumpable_behavior(DumpableBehavior::NotDumpable).at(Stage::Begin)?;
        if let Some(host) = &self.host {
            rustix::system::sethostname(host.to_bytes()).at(Stage::Host)?;
        }
        netlink::send(&self.network).at(Stage::Network)?;
        // A kernel without such rules still lets those out who know of the proxy.
        let _ = self.redirect.as_ref().map(|message| netlink::send(std::slice::from_ref(message)));
        self.hand_out_doors().at(Stage::Network)?;
        self.look()
    }

    fn hand_out_doors(&self) -> rustix::io::Result<()> {
        let Some((line, [one, two, three, four])) = &self.doors else { return Ok(()) };
        let opened = [doors::open(*one)?, doors::open(*two)?, doors::open(*three)?, doors::open(*four)?];
        doors::send(line, &opened.each_ref().map(AsFd::as_fd))
    }

    fn later(&self) -> rustix::io::Result<()> {
        if !self.late.is_empty() {
            // SAFETY: none of the flags unshares descriptors, which is what could surprise other code.
            unsafe { rustix::thread::unshare_unsafe(self.late) }?;
        }
        match &self.clocks {
            Some(offsets) => put(c"/proc/self/timens_offsets", offsets.to_bytes()),
            None => Ok(()),
        }
    }

    fn look(&self) -> Outcome<()> {
        let Some(steps) = &self.view else { return Ok(()) };
        // What is made for the program has the rights that are written down for it.
        let mask = umask(Mode::empty());
        let root = Root::cover().at(Stage::Cover)?;
        for (index, step) in steps.iter().enumerate() {
            root.take(step).at(Stage::Step(index))?;
        }
        umask(mask);
        // Without it, nobody is told what does not stay.
        let _ = self.hand_out_private_directories(&root);
        root.enter().at(Stage::Enter)
    }

    fn hand_out_private_directories(&self, root: &Root) -> rustix::io::Result<()> {
        let Some(Handing { line, directories }) = &self.beside else { return Ok(()) };
        directories.iter().try_for_each(|directory| doors::send(line, &[root.open(directory)?.as_fd()]))
    }

    /// Becomes somebody with no rights, in the right place.
    pub(super) fn settle(&self) -> Outcome<()> {
        if let Some(other) = &self.other {
            other.become_it().at(Stage::Identity)?;
        }
        rustix::process::chdir(self.directory.as_c_str()).at(Stage::Directory)?;
        limits::apply(&self.limits).at(Stage::Limits)?;
        if self.unprivileged {
            give_up_rights().at(Stage::Rights)?;
        }
        Ok(())
    }
}

impl Boundary {
    /// Closes what stays closed. After this, hardly anything that was done before could be done.
    pub(super) fn seal(&self) -> Outcome<()> {
        if let Some(rules) = &self.rules {
            landlock::restrict(rules).at(Stage::Files)?;
        }
        self.be_announced().at(Stage::Calls)?;
        if let Some(filter) = &self.filter {
            filter::install(filter).at(Stage::Calls)?;
        }
        Ok(())
    }

    /// Has its programs announced. Where the kernel cannot do that, nobody hears of them, and nothing else changes.
    fn be_announced(&self) -> rustix::io::Result<()> {
        let Some(Announcer { line, filter }) = &self.announcer else { return Ok(()) };
        match witness::listen(filter) {
            // It holds from now on, so somebody must hear it.
            Ok(listener) => doors::send(line, &[listener.as_fd()]),
            Err(_) => Ok(()),
        }
    }
}

impl Own {
    fn claim(&self) -> rustix::io::Result<()> {
        // Without this a user could leave a group that he is kept out of something by.
        put(c"/proc/self/setgroups", b"deny")?;
        put(c"/proc/self/uid_map", self.users.to_bytes())?;
        put(c"/proc/self/gid_map", self.groups.to_bytes())
    }
}

impl Other {
    fn become_it(&self) -> rustix::io::Result<()> {
        set_thread_groups(&[])?;
        move_into_link_name_space(self.namespace.as_fd(), Some(LinkNameSpaceType::User))?;
        let (uid, gid) = (Uid::from_raw(self.uid), Gid::from_raw(self.gid));
        set_thread_res_gid(gid, gid, gid)?;
        set_thread_res_uid(uid, uid, uid)
    }
}

/// Gives up every right there is, for good: no program that is started later can bring one back.
pub(super) fn give_up_rights() -> rustix::io::Result<()> {
    set_no_new_privs(true)?;
    forget_bounds()?;
    clear_ambient_capability_set()?;
    forget_capabilities()
}

/// What could be regained by executing a program goes first, while there still is the right to do so.
fn forget_bounds() -> rustix::io::Result<()> {
    for capability in 0..64 {
        // SAFETY: `prctl` takes five numbers here.
        if unsafe { libc::prctl(libc::PR_CAPBSET_DROP, capability, 0, 0, 0) } == -1 {
            return match last_error() {
                // The kernel knows no more, or this process never had the right to: then it has none to lose.
                rustix::io::Errno::INVAL | rustix::io::Errno::PERM => Ok(()),
                error => Err(error),
            };
        }
    }
    Ok(())
}

fn forget_capabilities() -> rustix::io::Result<()> {
    #[repr(C)]
    struct Header {
        version: u32,
        pid: i32,
    }
    const VERSION_3: u32 = 0x2008_0522;
    let header = Header { version: VERSION_3, pid: 0 };
    let none = [0_u32; 6];
    // SAFETY: both structures are as version 3 defines them, two sets of three words, and are only read.
    let outcome =
        unsafe { libc::syscall(libc::SYS_capset, std::ptr::from_ref(&header), std::ptr::from_ref(&none)) };
    if outcome == 0 { Ok(()) } else { Err(last_error()) }
}

/// Writes a file of the kernel at once, as those want it.
fn put(path: &std::ffi::CStr, bytes: &[u8]) -> rustix::io::Result<()> {
    write(openat(CWD, path, OFlags::WRONLY | OFlags::CLOEXEC, Mode::empty())?, bytes)
}

fn write(file: impl AsFd, bytes: &[u8]) -> rustix::io::Result<()> {
    match rustix::io::write(file, bytes)? {
        length if length == bytes.len() => Ok(()),
        _ => Err(rustix::io::Errno::IO),
    }
}

impl Stage {
    /// How it is told across the fork.
    pub(super) fn number(self) -> i32 {
        match self {
            Self::Begin => 0,
            Self::Users => 1,
            Self::Groups => 2,
            Self::Clocks => 3,
            Self::Host => 4,
            Self::Cover => 5,
            Self::Enter => 6,
            Self::Split => 7,
            Self::Identity => 8,
            Self::Directory => 9,
            Self::Limits => 10,
            Self::Rights => 11,
            Self::Files => 12,
            Self::Calls => 13,
            Self::Network => 14,
            Self::Step(index) => i32::try_from(index).unwrap_or(i32::MAX - STEPS) + STEPS,
        }
    }

    /// What was told.
    pub(crate) fn of(number: i32) -> Option<Self> {
        Some(match number {
            0 => Self::Begin,
            1 => Self::Users,
            2 => Self::Groups,
            3 => Self::Clocks,
            4 => Self::Host,
            5 => Self::Cover,
            6 => Self::Enter,
            7 => Self::Split,
            8 => Self::Identity,
            9 => Self::Directory,
            10 => Self::Limits,
            11 => Self::Rights,
            12 => Self::Files,
            13 => Self::Calls,
            14 => Self::Network,
            step => Self::Step(usize::try_from(step.checked_sub(STEPS)?).ok()?),
        })
    }
}

/// Where the numbers of the view's steps begin.
const STEPS: i32 = 100;
