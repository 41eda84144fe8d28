//! Bytes from one socket to another without being copied here.

use std::io;
use std::os::fd::OwnedFd;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use rustix::pipe::{PipeFlags, SpliceFlags, fcntl_setpipe_size, pipe_with, splice};
use tokio::io::Interest;
use tokio::net::TcpStream;
use tokio::time::timeout;

use crate::relay::Life;

/// How much goes through the pipe at once.
const PIPE: usize = 1 << 20;

/// A pipe between two sockets.
pub(crate) struct Pipe {
    outlet: OwnedFd,
    inlet: OwnedFd,
}

impl Pipe {
    pub(crate) fn new() -> io::Result<Self> {
        let (outlet, inlet) = pipe_with(PipeFlags::CLOEXEC | PipeFlags::NONBLOCK)?;
        // A smaller pipe works as well, only slower.
        let _ = fcntl_setpipe_size(&inlet, PIPE);
        Ok(Self { outlet, inlet })
    }

    /// Passes on everything that comes from a socket, until it ends.
    pub(crate) async fn pass(
        &self,
        from: &TcpStream,
        to: &TcpStream,
        count: &AtomicUsize,
        life: &Life,
        idle: Duration,
    ) -> io::Result<()> {
        loop {
            let length = match fill(from, &self.inlet, idle).await {
                Err(error) if error.kind() == io::ErrorKind::TimedOut && life.was_seen_within(idle) => {
                    continue;
                }
                length => length?,
            };
            if length == 0 {
                return Ok(());
            }
            life.sign();
            empty(&self.outlet, to, length, idle).await?;
            count.fetch_add(length, Ordering::Relaxed);
        }
    }
}

/// The pipe is empty, so that only the socket can be why nothing goes.
async fn fill(from: &TcpStream, pipe: &OwnedFd, idle: Duration) -> io::Result<usize> {
    loop {
        timeout(idle, from.readable()).await.map_err(|_| io::ErrorKind::TimedOut)??;
        let moved = from.try_io(Interest::READABLE, || Ok(splice(from, None, pipe, None, PIPE, FLAGS)?));
        match moved {
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
            moved => return moved,
        }
    }
}

async fn empty(pipe: &OwnedFd, to: &TcpStream, mut left: usize, idle: Duration) -> io::Result<()> {
    while left > 0 {
        timeout(idle, to.writable()).await.map_err(|_| io::ErrorKind::TimedOut)??;
        let moved = to.try_io(Interest::WRITABLE, || Ok(splice(pipe, None, to, None, left, FLAGS)?));
        match moved {
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
            Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
            moved => left = left.saturating_sub(moved?),
        }
    }
    Ok(())
}

const FLAGS: SpliceFlags = SpliceFlags::MOVE.union(SpliceFlags::NONBLOCK);
