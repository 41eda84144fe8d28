//! A lot of bytes from one socket to another, by threads of their own.
//!
//! One thread takes from the first socket into a pipe, another gives from the pipe to the second; the kernel moves pages, and
//! nothing is copied here. A single thread that does both in turn has more to do for each byte than whoever sends or receives
//! it, and on a machine with much else to do it gets no more time than they do: it alone would decide how fast all of it goes.

use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use rustix::net::{Shutdown, shutdown};
use rustix::pipe::{PipeFlags, SpliceFlags, fcntl_setpipe_size, pipe_with, splice};
use tokio::net::TcpStream;
use tokio::sync::{Semaphore, SemaphorePermit};
use tokio::task::{JoinHandle, spawn_blocking};

use crate::relay::Life;

/// How many connections have threads of their own, in this process.
static ROOM: Semaphore = Semaphore::const_new(8);

/// How large the pipe is. The kernel counts pages, each of which may stand for more than it holds.
const PIPE: usize = 1 << 20;

/// How much is moved by one call, at most.
const AT_ONCE: usize = 8 << 20;

/// Two sockets between which a lot goes one way.
pub(crate) struct Bulk<'a> {
    from: &'a TcpStream,
    to: &'a TcpStream,
    idle: Duration,
    _room: SemaphorePermit<'static>,
}

impl<'a> Bulk<'a> {
    /// `None` where enough others have threads already.
    pub(crate) fn between(from: &'a TcpStream, to: &'a TcpStream, idle: Duration) -> Option<Self> {
        Some(Self { from, to, idle, _room: ROOM.try_acquire().ok()? })
    }

    /// Passes on everything that comes, until it ends.
    pub(crate) async fn pass(self, count: &Arc<AtomicUsize>, life: &Arc<Life>) -> io::Result<()> {
        let (outlet, inlet) = pipe_with(PipeFlags::CLOEXEC)?;
        // A smaller pipe works as well, only slower.
        let _ = fcntl_setpipe_size(&inlet, PIPE);
        let (from, to) = (self.from.as_fd().try_clone_to_owned()?, self.to.as_fd().try_clone_to_owned()?);
        let (idle, life, count) = (self.idle, Arc::clone(life), Arc::clone(count));
        let taking = spawn_blocking(move || take(&from, &inlet, idle, &life));
        let (counting, counted) = channel::<()>();
        let giving = spawn_blocking(move || {
            let _counting = counting;
            give(&outlet, &to, idle, &count)
        });
        let mut cut = Cut { from: self.from, to: self.to, counted, is_needed: true };
        tokio::try_join!(joined(taking), joined(giving))?;
        cut.is_needed = false;
        Ok(())
    }
}

async fn joined(thread: JoinHandle<io::Result<()>>) -> io::Result<()> {
    thread.await.unwrap_or_else(|error| Err(io::Error::other(error)))
}

/// Ends both connections, and with them the threads, unless all went well.
struct Cut<'a> {
    from: &'a TcpStream,
    to: &'a TcpStream,
    /// Ends when everything is counted that was passed on.
    counted: Receiver<()>,
    is_needed: bool,
}

/// How long the last piece may take to be counted.
const MOMENT: Duration = Duration::from_secs(1);

impl Drop for Cut<'_> {
    fn drop(&mut self) {
        if !self.is_needed {
            return;
        }
        // A connection that has ended already needs no end.
        let _ = shutdown(self.from, Shutdown::Both);
        let _ = shutdown(self.to, Shutdown::Both);
        // A piece has arrived before the kernel says how long it was, and the record is written when this is over.
        let _ = self.counted.recv_timeout(MOMENT);
    }
}

/// The socket says when there is nothing; for room in the pipe the kernel waits.
fn take(from: &OwnedFd, pipe: &OwnedFd, idle: Duration, life: &Life) -> io::Result<()> {
    loop {
        match splice(from, None, pipe, None, AT_ONCE, SpliceFlags::MOVE) {
            Ok(0) => return Ok(()),
            Ok(_) => life.sign(),
            Err(Errno::AGAIN) => {
                if !is_ready(from, PollFlags::IN, idle)? && !life.was_seen_within(idle) {
                    return Err(io::ErrorKind::TimedOut.into());
                }
            }
            Err(Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
    }
}

/// The socket says when there is no room; for something in the pipe the kernel waits.
fn give(pipe: &OwnedFd, to: &OwnedFd, idle: Duration, count: &AtomicUsize) -> io::Result<()> {
    loop {
        match splice(pipe, None, to, None, AT_ONCE, SpliceFlags::MOVE) {
            Ok(0) => return Ok(()),
            Ok(moved) => drop(count.fetch_add(moved, Ordering::Relaxed)),
            Err(Errno::AGAIN) => {
                if !is_ready(to, PollFlags::OUT, idle)? {
                    return Err(io::ErrorKind::TimedOut.into());
                }
            }
            Err(Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
    }
}

fn is_ready(socket: &OwnedFd, wanted: PollFlags, idle: Duration) -> io::Result<bool> {
    let time = Timespec::try_from(idle).ok();
    match poll(&mut [PollFd::new(socket, wanted)], time.as_ref()) {
        Ok(ready) => Ok(ready > 0),
        // Then it is tried again.
        Err(Errno::INTR) => Ok(true),
        Err(error) => Err(error.into()),
    }
}
