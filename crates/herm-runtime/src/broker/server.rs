//! The broker's socket.

use std::fs::{self, File, Permissions};
use std::io;
use std::os::unix::fs::{FileTypeExt, MetadataExt, OpenOptionsExt, PermissionsExt};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use super::caretaker::Caretaker;
use super::office::Office;
use super::peer::Approvers;
use super::{Client, socket};

/// Where a broker keeps its questions, where it listens, and whom it lets answer.
#[derive(Clone, Debug)]
pub struct Broker {
    /// herm's home.
    pub guard: PathBuf,
    /// Where it listens.
    pub socket: PathBuf,
    /// Whose answers count.
    pub approvers: Approvers,
}

/// A broker at work in this process, until it is dropped.
#[derive(Debug)]
pub struct Running {
    office: Arc<Office>,
    stop: Arc<AtomicBool>,
    socket: PathBuf,
    _lock: File,
}

impl Broker {
    /// The broker of the only user of a home.
    #[must_use]
    pub fn of(guard: &Path) -> Self {
        Self { guard: guard.to_owned(), socket: socket(guard), approvers: Approvers::default() }
    }

    /// Becomes the broker of its home, unless there is one.
    ///
    /// # Errors
    /// When the socket cannot be made, or others could get at what is guarded from them.
    #[expect(clippy::disallowed_methods, reason = "the one place where the broker's socket is made")]
    pub fn start(&self) -> io::Result<Option<Running>> {
        let office = Arc::new(self.office()?);
        if self.approvers.guard() {
            must_be_private(&self.guard)?;
        }
        let lock =
            File::options().create(true).append(true).mode(0o600).open(self.guard.join("broker.lock"))?;
        if lock.try_lock().is_err() {
            return Ok(None);
        }
        clear(&self.socket)?;
        let listener = UnixListener::bind(&self.socket)?;
        let mode = if self.approvers.guard() { 0o666 } else { 0o600 };
        fs::set_permissions(&self.socket, Permissions::from_mode(mode))?;
        let stop = Arc::new(AtomicBool::new(false));
        Caretaker::of(&self.guard)?.start(&office, &stop)?;
        let (stopped, serving) = (Arc::clone(&stop), Arc::clone(&office));
        thread::Builder::new()
            .name("broker".to_owned())
            .spawn(move || accept(&serving, &listener, &stopped))?;
        Ok(Some(Running { office, stop, socket: self.socket.clone(), _lock: lock }))
    }

    /// A connection to a broker within this process, for who has something to say and finds none.
    ///
    /// # Errors
    /// When there is no thread to be had.
    pub fn within(&self) -> io::Result<Client> {
        let (ours, theirs) = UnixStream::pair()?;
        let office = Arc::new(self.office()?);
        serve(&office, theirs)?;
        Client::new(ours)
    }

    fn office(&self) -> io::Result<Office> {
        Office::new(&self.guard, self.approvers.clone()).map_err(io::Error::other)
    }
}

fn accept(office: &Arc<Office>, listener: &UnixListener, stop: &AtomicBool) {
    for stream in listener.incoming() {
        if stop.load(Ordering::Relaxed) {
            return;
        }
        match stream {
            // Where no thread can be had the connection is closed, and whoever asks is refused.
            Ok(stream) => drop(serve(office, stream)),
            // Too many connections: some of them will end.
            Err(_) => thread::sleep(PAUSE),
        }
    }
}

/// How long a broker that leaves waits at most for answers to be acknowledged, and how often it looks.
const COURTESY: Duration = Duration::from_secs(1);
const GLANCE: Duration = Duration::from_millis(1);

/// How long to wait before the next connection, when one could not be taken.
const PAUSE: Duration = Duration::from_millis(10);

fn serve(office: &Arc<Office>, stream: UnixStream) -> io::Result<()> {
    let office = Arc::clone(office);
    let stream = Arc::new(stream);
    let serve = move || {
        // Who breaks off has no use for an answer.
        let _ = office.serve(&stream);
    };
    thread::Builder::new().name("broker".to_owned()).spawn(serve).map(drop)
}

/// What is guarded from others must be in their reach neither now nor later.
#[expect(clippy::disallowed_methods, reason = "the one place where the broker's home is looked at")]
fn must_be_private(home: &Path) -> io::Result<()> {
    let metadata = fs::metadata(home)?;
    let (mode, owner) = (metadata.permissions().mode() & 0o777, metadata.uid());
    let open_to_others = mode & 0o077 != 0 || owner != rustix::process::geteuid().as_raw();
    if open_to_others {
        let home = home.display();
        return Err(io::Error::other(format!("`{home}` is open to others (mode {mode:03o}, user {owner})")));
    }
    Ok(())
}

/// Whoever held the lock before is gone, and what is left of its socket leads nowhere. Nothing else is removed.
#[expect(clippy::disallowed_methods, reason = "the one place where the broker's socket is made")]
fn clear(socket: &Path) -> io::Result<()> {
    match fs::symlink_metadata(socket) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(error),
        Ok(found) if !found.file_type().is_socket() => Err(io::ErrorKind::AlreadyExists.into()),
        Ok(_) if UnixStream::connect(socket).is_ok() => Err(io::ErrorKind::AddrInUse.into()),
        Ok(_) => fs::remove_file(socket),
    }
}

impl Drop for Running {
    /// Leaves the place to the next. Questions that wait find it.
    #[expect(clippy::disallowed_methods, reason = "the one place where the broker's socket is made")]
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        // Whoever waits here goes on as soon as it is answered, and may be done before whoever answered knows.
        let end = Instant::now() + COURTESY;
        while self.office.owes_an_answer() && Instant::now() < end {
            thread::sleep(GLANCE);
        }
        // The thread sits in `accept`; a connection wakes it. If that fails, it ends with the process.
        let _ = UnixStream::connect(&self.socket);
        let _ = fs::remove_file(&self.socket);
    }
}
