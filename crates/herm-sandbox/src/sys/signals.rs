//! Signals: those that this process is sent, and what a child finds them set to.
//!
//! The crate signal-hook would do without `unsafe` here, but it never gives a signal back: once it has been listened for, an
//! interrupt is swallowed for the rest of the process's life. A person who presses Ctrl-C after a run means to end herm.

use std::io;
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::ptr;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicI32, Ordering};

use rustix::event::{EventfdFlags, eventfd};
use rustix::fd::AsRawFd;

use super::supervisor::owned;

/// Listens for the signals that ask a program to stop, until it is dropped. Then they mean what they meant before.
#[derive(Debug)]
pub(crate) struct Listening {
    before: Vec<(i32, libc::sigaction)>,
    bell: BorrowedFd<'static>,
}

/// Those that ask a program to stop.
const STOP: [i32; 4] = [libc::SIGHUP, libc::SIGINT, libc::SIGQUIT, libc::SIGTERM];

static LISTENING: AtomicBool = AtomicBool::new(false);
static ARRIVED: AtomicI32 = AtomicI32::new(0);
static BELL: AtomicI32 = AtomicI32::new(-1);

impl Listening {
    /// Begins. There is one listener a process, since there is one set of handlers.
    pub(crate) fn begin() -> io::Result<Self> {
        if LISTENING.swap(true, Ordering::AcqRel) {
            return Err(io::ErrorKind::ResourceBusy.into());
        }
        let mut listening = match bell() {
            Ok(bell) => Self { before: Vec::new(), bell },
            Err(error) => {
                LISTENING.store(false, Ordering::Release);
                return Err(error);
            }
        };
        let _ = rustix::io::read(listening.bell, &mut [0_u8; 8]);
        ARRIVED.store(0, Ordering::Release);
        for signal in STOP {
            let before = disposition(signal)?;
            // Whoever started us may not want to hear of it: nohup, a shell's background job.
            if before.sa_sigaction != libc::SIG_IGN {
                install(signal, &handler())?;
                listening.before.push((signal, before));
            }
        }
        Ok(listening)
    }

    /// The signal that came last, if any did.
    pub(crate) fn arrived(&self) -> Option<i32> {
        Some(ARRIVED.load(Ordering::Acquire))
            .filter(|_| !self.before.is_empty())
            .filter(|signal| *signal != 0)
    }
}

impl AsFd for Listening {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.bell
    }
}

impl Drop for Listening {
    fn drop(&mut self) {
        for (signal, before) in &self.before {
            let _ = install(*signal, before);
        }
        LISTENING.store(false, Ordering::Release);
    }
}

/// What a handler rings. It is never closed, so that a handler that is late rings nothing else.
fn bell() -> io::Result<BorrowedFd<'static>> {
    static OPEN: OnceLock<OwnedFd> = OnceLock::new();
    if OPEN.get().is_none() {
        let _ = OPEN.set(eventfd(0, EventfdFlags::CLOEXEC | EventfdFlags::NONBLOCK)?);
    }
    let open = OPEN.get().ok_or(io::ErrorKind::NotFound)?;
    BELL.store(open.as_raw_fd(), Ordering::Release);
    Ok(open.as_fd())
}

extern "C" fn ring(signal: i32) {
    ARRIVED.store(signal, Ordering::Release);
    let bell = BELL.load(Ordering::Acquire);
    if bell >= 0 {
        // SAFETY: the descriptor is open for as long as the process lives: see `bell`.
        let bell = unsafe { BorrowedFd::borrow_raw(bell) };
        // A raw system call: it does not touch the `errno` of whoever was interrupted.
        let _ = rustix::io::write(bell, &1_u64.to_ne_bytes());
    }
}

fn handler() -> libc::sigaction {
    let mut action = nothing();
    action.sa_sigaction = ring as extern "C" fn(i32) as usize;
    action.sa_flags = libc::SA_RESTART;
    action
}

fn nothing() -> libc::sigaction {
    let action = MaybeUninit::<libc::sigaction>::zeroed();
    // SAFETY: numbers, a set of bits and an optional pointer: all zeroes is the default action with nothing blocked.
    unsafe { action.assume_init() }
}

fn disposition(signal: i32) -> io::Result<libc::sigaction> {
    let mut found = nothing();
    // SAFETY: a null action asks only, and `found` is writable and of the right type.
    let outcome = unsafe { libc::sigaction(signal, ptr::null(), &raw mut found) };
    if outcome == 0 { Ok(found) } else { Err(io::Error::last_os_error()) }
}

fn install(signal: i32, action: &libc::sigaction) -> io::Result<()> {
    // SAFETY: the action is `ring`, which makes one system call and touches atomics only, to ignore, the default one, or one
    // that was in place before.
    let outcome = unsafe { libc::sigaction(signal, action, ptr::null_mut()) };
    if outcome == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
}

/// Keeps every signal that can be blocked from reaching this thread.
pub(super) fn block_all() -> io::Result<()> {
    mask(libc::SIG_SETMASK, &full())
}

/// Does something while no signal that can be blocked reaches this thread, nor what it starts.
pub(super) fn undisturbed<T>(act: impl FnOnce() -> T) -> rustix::io::Result<T> {
    let mut before = MaybeUninit::uninit();
    // SAFETY: both sets are of the right type, and the second is written to.
    if unsafe { libc::pthread_sigmask(libc::SIG_SETMASK, &full(), before.as_mut_ptr()) } != 0 {
        return Err(rustix::io::Errno::INVAL);
    }
    let done = act();
    // SAFETY: the call above has written it.
    let _ = unsafe { libc::pthread_sigmask(libc::SIG_SETMASK, before.as_ptr(), ptr::null_mut()) };
    Ok(done)
}

/// Makes every signal mean what it means by default.
///
/// The kernel is asked directly: the C library keeps some signals for itself, and would pass on that they are ignored.
pub(super) fn reset() {
    let default = [0_u64; 8];
    for signal in 1..=libc::SIGRTMAX() {
        // SAFETY: the kernel reads an action of at most this size: the default one, all zeroes. No handler of the
        // program this was forked from is needed any more. The two signals that cannot be set are refused.
        let _ = unsafe {
            libc::syscall(libc::SYS_rt_sigaction, signal, default.as_ptr(), ptr::null_mut::<u64>(), SET_SIZE)
        };
    }
}

/// Blocks no signal.
pub(super) fn unblock_all() -> io::Result<()> {
    mask(libc::SIG_SETMASK, &empty())
}

/// Has the kernel keep for us how children end. It does not when whoever started us ignores the signal that tells of it,
/// which is inherited.
pub(crate) fn notice_children() -> io::Result<()> {
    if disposition(libc::SIGCHLD)?.sa_sigaction == libc::SIG_IGN {
        install(libc::SIGCHLD, &nothing())
    } else {
        Ok(())
    }
}

/// Ignores the signal that comes when a file would grow past its limit; the write then fails.
pub(crate) fn ignore_outgrown() -> io::Result<()> {
    let mut action = nothing();
    action.sa_sigaction = libc::SIG_IGN;
    install(libc::SIGXFSZ, &action)
}

/// The size in bytes of the kernel's set of signals.
const SET_SIZE: usize = 8;

/// A descriptor that tells when a child has ended. The signal must be blocked.
pub(super) fn children() -> rustix::io::Result<OwnedFd> {
    let mut wanted = empty();
    // SAFETY: the set is ours and was made empty before.
    let _ = unsafe { libc::sigaddset(&raw mut wanted, libc::SIGCHLD) };
    // SAFETY: -1 asks for a new descriptor, and the set is ours.
    let descriptor = unsafe { libc::signalfd(-1, &raw const wanted, libc::SFD_CLOEXEC | libc::SFD_NONBLOCK) };
    owned(descriptor)
}

fn mask(how: i32, set: &libc::sigset_t) -> io::Result<()> {
    // SAFETY: the set is a valid one, and nobody asks for the old one.
    match unsafe { libc::pthread_sigmask(how, set, ptr::null_mut()) } {
        0 => Ok(()),
        error => Err(io::Error::from_raw_os_error(error)),
    }
}

fn empty() -> libc::sigset_t {
    let mut set = MaybeUninit::<libc::sigset_t>::zeroed();
    // SAFETY: the pointer is to memory of the right size.
    let _ = unsafe { libc::sigemptyset(set.as_mut_ptr()) };
    // SAFETY: a set of bits, zeroed and then made empty.
    unsafe { set.assume_init() }
}

fn full() -> libc::sigset_t {
    let mut set = empty();
    // SAFETY: the set is ours.
    let _ = unsafe { libc::sigfillset(&raw mut set) };
    set
}
