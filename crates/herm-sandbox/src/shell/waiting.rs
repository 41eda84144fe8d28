//! A process that waits for a call.

use std::ffi::OsString;
use std::fs::File;
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::ffi::OsStringExt;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{SealFlags, fcntl_add_seals};
use rustix::io::Errno;
use rustix::process::{Pid, PidfdFlags, pidfd_open};

use super::place::Place;
use crate::process::Error;
use crate::process::start::Started;
use crate::process::supervisor::Supervisor;
use crate::process::wires::{Reader, Wires};
use crate::sys::spawner::Hello;

/// A process that waits for a call, or has been asked for.
#[derive(Debug)]
pub(super) struct Waiting {
    wanted: PathBuf,
    stage: Stage,
    readers: Vec<Reader>,
    script: File,
    go: OwnedFd,
    account: File,
}

#[derive(Debug)]
enum Stage {
    /// Nobody has said hello yet.
    Asked { control: OwnedFd, status: OwnedFd },
    /// It is there.
    There { supervisor: Box<Supervisor>, program: Pid },
    /// It could not be started.
    Failed,
}

/// How long a process may take to begin.
const PATIENCE: Duration = Duration::from_secs(20);
/// How often it is looked at until it has.
const MOMENT: Duration = Duration::from_micros(100);

impl Waiting {
    pub(super) fn new(
        wanted: &Path,
        (control, status): (OwnedFd, OwnedFd),
        readers: Vec<Reader>,
        (script, go, account): (File, OwnedFd, File),
    ) -> Self {
        let stage = Stage::Asked { control, status };
        Self { wanted: wanted.to_owned(), stage, readers, script, go, account }
    }

    /// Waits until it is there.
    pub(super) fn settle(&mut self, place: &Place) -> Result<(), Error> {
        match std::mem::replace(&mut self.stage, Stage::Failed) {
            Stage::Asked { control, status } => {
                self.stage = self.meet(place, control, status)?;
                Ok(())
            }
            there @ Stage::There { .. } => {
                self.stage = there;
                Ok(())
            }
            Stage::Failed => Err(gone()),
        }
    }

    fn meet(&self, place: &Place, control: OwnedFd, status: OwnedFd) -> Result<Stage, Error> {
        let (hello, pid) = place.greeting()?;
        if hello != Hello::Supervisor {
            return Err(gone());
        }
        let handle = pidfd_open(pid, PidfdFlags::empty())?;
        let mut supervisor = Supervisor::distant(pid, handle, control, status);
        let limit = Instant::now() + PATIENCE;
        while Instant::now() < limit {
            if hears(place.line(), supervisor.status()) {
                let (hello, program) = place.greeting()?;
                return match hello {
                    Hello::Program => Ok(Stage::There { supervisor: Box::new(supervisor), program }),
                    Hello::Supervisor => Err(gone()),
                };
            }
            supervisor.listen();
            if let Some(cause) = supervisor.failure() {
                return Err(Error::Directory { path: self.wanted.clone(), cause });
            }
            if supervisor.is_gone() {
                return Err(gone());
            }
        }
        Err(Error::Connection(io::ErrorKind::TimedOut.into()))
    }

    /// Where it is, as the kernel names it.
    pub(super) fn directory(&mut self, place: &Place) -> Result<PathBuf, Error> {
        self.settle(place)?;
        let limit = Instant::now() + PATIENCE;
        let bytes = loop {
            let program = self.living()?;
            match rustix::fs::readlink(format!("/proc/{}/cwd", program.as_raw_nonzero()), Vec::new()) {
                Ok(name) => break name.into_bytes(),
                // Until it has become bash, it is a copy of what starts it, which nobody may look into.
                Err(Errno::ACCESS) if Instant::now() < limit => std::thread::sleep(MOMENT),
                Err(error) => return Err(error.into()),
            }
        };
        let path = PathBuf::from(OsString::from_vec(bytes));
        // The kernel says so of a directory that was removed; its name leads nowhere.
        if path.to_string_lossy().ends_with(" (deleted)") {
            return Err(Error::Directory { path, cause: io::ErrorKind::NotFound.into() });
        }
        Ok(path)
    }

    /// The process, while it waits.
    fn living(&mut self) -> Result<Pid, Error> {
        let Stage::There { supervisor, program } = &mut self.stage else { return Err(gone()) };
        supervisor.listen();
        match supervisor.failure() {
            Some(cause) => Err(Error::Program { name: "bash".into(), cause }),
            None if supervisor.main().is_some() || supervisor.is_gone() => Err(gone()),
            None => Ok(*program),
        }
    }

    /// Gives it the word to go.
    pub(super) fn go(self, script: &[u8]) -> Result<(Started, File), Error> {
        let Self { stage, readers, script: file, go, account, .. } = self;
        let Stage::There { supervisor, .. } = stage else { return Err(gone()) };
        write(&file, script)?;
        rustix::io::write(&go, b"g")?;
        Ok((Started { supervisor: *supervisor, wires: Wires::new(readers, None, None) }, account))
    }
}

/// Writes what is to be run, for good: somebody with the same rights may have the file open.
fn write(file: &File, script: &[u8]) -> Result<(), Error> {
    file.set_len(0)?;
    file.write_all_at(script, 0)?;
    fcntl_add_seals(file, SealFlags::GROW | SealFlags::SEAL | SealFlags::SHRINK | SealFlags::WRITE)?;
    let mut written = vec![0; script.len()];
    file.read_exact_at(&mut written, 0)?;
    if written == script { Ok(()) } else { Err(gone()) }
}

/// Waits until the line or the other one has something to say; whether it is the line.
fn hears(line: &OwnedFd, other: Option<std::os::fd::BorrowedFd<'_>>) -> bool {
    let other = other.unwrap_or(line.as_fd());
    let mut wanted = [PollFd::new(line, PollFlags::IN), PollFd::from_borrowed_fd(other, PollFlags::IN)];
    let time = Timespec { tv_sec: 1, tv_nsec: 0 };
    let _ = poll(&mut wanted, Some(&time));
    wanted.first().is_some_and(|line| !line.revents().is_empty())
}

/// It was ended by somebody before it had anything to do.
fn gone() -> Error {
    Error::Connection(io::ErrorKind::BrokenPipe.into())
}
