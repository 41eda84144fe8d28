//! Terminals: the one a program is given, and ours while it has it.

use std::ffi::CString;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::sync::Arc;

use rustix::io;
use rustix::pty::{OpenptFlags, grantpt, ioctl_tiocgptpeer, openpt, ptsname, unlockpt};
use rustix::stdio::{stderr, stdin, stdout};
use rustix::termios::{OptionalActions, Winsize, isatty, tcgetattr, tcgetwinsize, tcsetattr, tcsetwinsize};

use crate::sys::entry::Loan;

/// A terminal that is made for a program.
#[derive(Debug)]
pub(super) struct Pair {
    /// Our end.
    pub(super) ours: OwnedFd,
    /// The program's end.
    pub(super) theirs: OwnedFd,
}

impl Pair {
    /// Makes one, as large as ours.
    pub(super) fn open() -> io::Result<Self> {
        let ours = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC)?;
        grantpt(&ours)?;
        unlockpt(&ours)?;
        let theirs =
            ioctl_tiocgptpeer(&ours, OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC)?;
        tcsetwinsize(&theirs, size().unwrap_or(USUAL))?;
        Ok(Self { ours, theirs })
    }
}

/// Where the program's end of a terminal is, if it can be reached by a name.
pub(super) fn name(ours: &OwnedFd) -> Option<CString> {
    let name = ptsname(ours, Vec::new()).ok()?;
    rustix::fs::stat(&name).is_ok().then_some(name)
}

/// Keeps the program's terminal as large as ours.
///
/// The size is compared whenever something happens, and several times a second: a handler for the signal that tells of a
/// change would belong to the whole process.
#[derive(Debug)]
pub(crate) struct Screen {
    /// `None` once it was closed.
    terminal: Option<OwnedFd>,
    size: Option<Winsize>,
    /// Gives our terminal back at the end.
    _raw: Option<Raw>,
}

impl Screen {
    pub(super) fn new(terminal: OwnedFd, raw: Option<Raw>) -> Self {
        Self { terminal: Some(terminal), size: size(), _raw: raw }
    }

    /// Lets go of the program's terminal. Who has nobody else at theirs is told so by the kernel.
    pub(super) fn hang_up(&mut self) {
        self.terminal = None;
    }

    /// Copies our size, which tells the program when it has changed.
    pub(super) fn follow(&mut self) {
        let now = size();
        if let (Some(now), Some(terminal)) = (now.filter(|_| now != self.size), &self.terminal) {
            let _ = tcsetwinsize(terminal, now);
            self.size = Some(now);
        }
    }
}

/// Our terminal, handing every key on as it is, until this is dropped.
///
/// The supervisor gives it back when this process dies before it can.
#[derive(Debug)]
pub(super) struct Raw(Loan);

impl Raw {
    /// Borrows our terminal, if standard input is one.
    pub(super) fn borrow() -> io::Result<Option<Self>> {
        if !isatty(stdin()) {
            return Ok(None);
        }
        let before = tcgetattr(stdin())?;
        let mut now = before.clone();
        now.make_raw();
        let raw = Self(Loan { file: Arc::new(duplicate(stdin())?), before, now });
        tcsetattr(stdin(), OptionalActions::Now, &raw.0.now)?;
        Ok(Some(raw))
    }

    /// What the supervisor needs to give it back.
    pub(super) fn loan(&self) -> Loan {
        self.0.clone()
    }
}

impl Drop for Raw {
    fn drop(&mut self) {
        let _ = tcsetattr(&self.0.file, OptionalActions::Now, &self.0.before);
    }
}

/// A second name for an open file, not inherited, and none of the three that a child has its own behind.
pub(super) fn duplicate(file: impl AsFd) -> io::Result<OwnedFd> {
    io::fcntl_dupfd_cloexec(file, 3)
}

/// The size of whichever of the three standard streams is a terminal.
fn size() -> Option<Winsize> {
    [stdin(), stdout(), stderr()].into_iter().find_map(known_size)
}

fn known_size(file: BorrowedFd<'_>) -> Option<Winsize> {
    tcgetwinsize(file).ok().filter(|size| size.ws_row > 0 && size.ws_col > 0)
}

const USUAL: Winsize = Winsize { ws_row: 24, ws_col: 80, ws_xpixel: 0, ws_ypixel: 0 };
