//! The process that starts one program after another in the same place.
//!
//! It stands where otherwise the program would: behind the boundary, with all rights given up and all filters in place. For each
//! request it forks a supervisor, which forks the program. So every program is confined like the first, has a supervisor of
//! its own, and is given nothing but what came with the request.
//!
//! Like a supervisor it is a fork of a program with threads that never becomes another: it makes system calls only, and
//! nobody may look into it.

use std::ffi::{CStr, CString};
use std::io::{IoSlice, IoSliceMut};
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, FromRawFd, OwnedFd, RawFd};

use rustix::io::{Errno, Result, dup2};
use rustix::net::{
    RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, SendAncillaryBuffer, SendAncillaryMessage,
    SendFlags, recvmsg, send, sendmsg,
};
use rustix::process::{
    DumpableBehavior, Pid, Signal, WaitOptions, getpid, getppid, set_child_subreaper, set_dumpable_behavior,
    set_parent_process_death_signal, setsid, wait,
};

use super::entry::{close_on_exec, fork};
use super::signals;
use super::supervisor::{Lines, Word, close_all_from, leave, report, supervise};

/// What starts programs, before it is one process's work.
#[derive(Debug)]
pub(crate) struct Spawner {
    line: OwnedFd,
    program: CString,
    /// Addresses of `words`, and a nought.
    arguments: Vec<usize>,
    /// Addresses of `variables`, one that is left free for the directory, and a nought.
    environment: Vec<usize>,
    _words: Vec<CString>,
    _variables: Vec<CString>,
}

/// How many descriptors come with a request: the supervisor's two lines, the three standard streams, and what else the
/// program is given, which it finds from [`FIRST_GIVEN`] on.
pub(crate) const HANDED: usize = 8;
/// Where a program finds what it is given besides the standard streams.
pub(crate) const FIRST_GIVEN: RawFd = 60;
/// The longest request: a directory, as a variable.
const LONGEST: usize = 8192;
/// How a request begins.
const DIRECTORY: &[u8] = b"PWD=";

/// What a spawned process says about itself. The kernel adds its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Hello {
    Supervisor,
    Program,
}

impl Hello {
    const fn byte(self) -> u8 {
        match self {
            Self::Supervisor => b's',
            Self::Program => b'p',
        }
    }

    fn of(byte: u8) -> Option<Self> {
        [Self::Supervisor, Self::Program].into_iter().find(|hello| hello.byte() == byte)
    }
}

impl Spawner {
    /// One that hears requests on `line`, and runs one program with these words and variables.
    pub(crate) fn new(line: OwnedFd, program: CString, words: Vec<CString>, variables: Vec<CString>) -> Self {
        let address = |text: &CString| text.as_ptr().addr();
        let arguments = words.iter().map(address).chain([0]).collect();
        let environment = variables.iter().map(address).chain([0, 0]).collect();
        Self { line, program, arguments, environment, _words: words, _variables: variables }
    }

    /// Starts what is asked for until nobody can ask any more.
    pub(super) fn serve(&self) -> ! {
        let _ = rustix::thread::set_name(c"herm-spawner");
        let line = self.line.as_raw_fd();
        if signals::block_all().is_err()
            || set_dumpable_behavior(DumpableBehavior::NotDumpable).is_err()
            || line < 3
        {
            leave();
        }
        close_all_from(3, line);
        loop {
            let mut space = [0_u8; LONGEST];
            match self.hear(&mut space) {
                Ok(Some((handed, length))) => {
                    if let Some(request) = space.get(..length) {
                        self.start(&handed, request);
                    }
                    drop(handed);
                }
                Ok(None) | Err(Errno::INTR) => {}
                Err(_) => leave(),
            }
            while let Ok(Some(_)) = wait(WaitOptions::NOHANG) {}
        }
    }

    /// The next request: what came with it, and how long it is. One that makes no sense is passed over.
    fn hear(&self, space: &mut [u8]) -> Result<Option<([OwnedFd; HANDED], usize)>> {
        let mut room = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(HANDED))];
        let mut attached = RecvAncillaryBuffer::new(&mut room);
        let heard =
            recvmsg(&self.line, &mut [IoSliceMut::new(space)], &mut attached, RecvFlags::CMSG_CLOEXEC)?;
        if heard.bytes == 0 {
            return Err(Errno::PIPE);
        }
        let mut handed = [const { None }; HANDED];
        for message in attached.drain() {
            if let RecvAncillaryMessage::ScmRights(files) = message {
                for (slot, file) in handed.iter_mut().zip(files) {
                    *slot = Some(file);
                }
            }
        }
        let [
            Some(control),
            Some(status),
            Some(stdin),
            Some(stdout),
            Some(stderr),
            Some(script),
            Some(go),
            Some(account),
        ] = handed
        else {
            return Ok(None);
        };
        Ok(Some(([control, status, stdin, stdout, stderr, script, go, account], heard.bytes)))
    }

    /// Forks a supervisor, which forks the program. Only this process comes back.
    fn start(&self, handed: &[OwnedFd; HANDED], request: &[u8]) {
        let [_, status, ..] = handed;
        match fork() {
            Ok(Some(_)) => {}
            Ok(None) => self.split(handed, request),
            Err(_) => report(status, Word::Failed, Errno::AGAIN.raw_os_error()),
        }
    }

    fn split(&self, handed: &[OwnedFd; HANDED], request: &[u8]) -> ! {
        let [control, status, ..] = handed;
        let supervisor = getpid();
        let forked = set_child_subreaper(Some(supervisor)).and_then(|()| self.greet(Hello::Supervisor));
        match forked.map_err(std::io::Error::from).and_then(|()| fork()) {
            Ok(Some(main)) => {
                // SAFETY: both descriptors are open, and this process never returns to the code that owns them.
                let lines = unsafe { lines(control, status) };
                supervise(main, &lines)
            }
            Ok(None) => {
                let failure = self.become_program(supervisor, handed, request);
                report(status, Word::Failed, failure.raw_os_error());
                leave()
            }
            Err(_) => {
                report(status, Word::Failed, Errno::AGAIN.raw_os_error());
                leave()
            }
        }
    }

    /// Comes back only when it fails.
    fn become_program(&self, supervisor: Pid, handed: &[OwnedFd; HANDED], request: &[u8]) -> Errno {
        match self.prepare(supervisor, handed, request) {
            Ok(()) => self.execute(request),
            Err(error) => error,
        }
    }

    fn prepare(&self, supervisor: Pid, handed: &[OwnedFd; HANDED], request: &[u8]) -> Result<()> {
        setsid()?;
        set_parent_process_death_signal(Some(Signal::KILL))?;
        if getppid() != Some(supervisor) {
            return Err(Errno::PIPE);
        }
        rustix::process::chdir(directory(request)?)?;
        self.greet(Hello::Program)?;
        close_on_exec().map_err(|_| Errno::BADF)?;
        let [_, _, stdin, stdout, stderr, given @ ..] = handed;
        for (number, file) in (0..).zip([stdin, stdout, stderr]).chain((FIRST_GIVEN..).zip(given)) {
            place(file.as_fd(), number)?;
        }
        signals::unblock_all().map_err(|_| Errno::INVAL)
    }

    fn execute(&self, request: &[u8]) -> Errno {
        let free = self.environment.len().saturating_sub(2);
        let mut environment = [0_usize; VARIABLES];
        let Some(room) = environment.get_mut(..=free + 1) else { return Errno::TOOBIG };
        room.copy_from_slice(&self.environment);
        if let Some(slot) = room.get_mut(free) {
            *slot = request.as_ptr().addr();
        }
        // SAFETY: all three are addresses of texts that end in a nought and outlive the call, in lists that end in a nought.
        let _ = unsafe {
            libc::execve(self.program.as_ptr(), self.arguments.as_ptr().cast(), environment.as_ptr().cast())
        };
        super::mounts::last_error()
    }

    fn greet(&self, hello: Hello) -> Result<()> {
        send(&self.line, &[hello.byte()], SendFlags::NOSIGNAL).map(|_| ())
    }
}

/// How many variables a program may be given.
pub(crate) const VARIABLES: usize = 2000;

/// The directory that a request asks for.
fn directory(request: &[u8]) -> Result<&CStr> {
    let path = request.strip_prefix(DIRECTORY).ok_or(Errno::INVAL)?;
    CStr::from_bytes_with_nul(path).map_err(|_| Errno::INVAL)
}

/// Puts a descriptor where the program will look for it.
fn place(file: BorrowedFd<'_>, number: RawFd) -> Result<()> {
    if file.as_raw_fd() == number {
        return rustix::io::fcntl_setfd(file, rustix::io::FdFlags::empty());
    }
    // SAFETY: this process is about to become the program: nobody here owns what is open under that number.
    let mut target = std::mem::ManuallyDrop::new(unsafe { OwnedFd::from_raw_fd(number) });
    dup2(file, &mut target)
}

/// The lines of a supervisor, as it keeps them.
///
/// # Safety
/// The caller must never run the code that drops what it was handed.
unsafe fn lines(control: &OwnedFd, status: &OwnedFd) -> Lines {
    // SAFETY: open, and nobody else in this process will close it.
    let control = unsafe { OwnedFd::from_raw_fd(control.as_raw_fd()) };
    // SAFETY: as above.
    let status = unsafe { OwnedFd::from_raw_fd(status.as_raw_fd()) };
    Lines { control, status, terminal: None, guards: None }
}

/// Asks for a program in a directory, and hands over what it is given.
pub(crate) fn request(line: &OwnedFd, directory: &CStr, handed: &[BorrowedFd<'_>; HANDED]) -> Result<()> {
    let mut room = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(HANDED))];
    let mut attached = SendAncillaryBuffer::new(&mut room);
    if !attached.push(SendAncillaryMessage::ScmRights(handed)) {
        return Err(Errno::INVAL);
    }
    let parts = [DIRECTORY, directory.to_bytes_with_nul()].map(IoSlice::new);
    if directory.count_bytes() + DIRECTORY.len() >= LONGEST {
        return Err(Errno::NAMETOOLONG);
    }
    sendmsg(line, &parts, &mut attached, SendFlags::NOSIGNAL).map(|_| ())
}

/// Who says hello next, by the number that it has here. Waits for as long as `line` says.
pub(crate) fn greeting(line: &OwnedFd) -> Result<(Hello, Pid)> {
    let mut room = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmCredentials(1))];
    let mut attached = RecvAncillaryBuffer::new(&mut room);
    let mut said = [0_u8; 1];
    let heard = recvmsg(line, &mut [IoSliceMut::new(&mut said)], &mut attached, RecvFlags::CMSG_CLOEXEC)?;
    let sender = attached.drain().find_map(|message| {
        if let RecvAncillaryMessage::ScmCredentials(credentials) = message {
            Some(credentials.pid)
        } else {
            None
        }
    });
    let [byte] = said;
    match (heard.bytes, Hello::of(byte), sender) {
        (1, Some(hello), Some(pid)) => Ok((hello, pid)),
        _ => Err(Errno::PIPE),
    }
}
