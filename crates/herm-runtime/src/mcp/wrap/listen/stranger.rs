//! Those who have not shown the token yet, and how long they may take.

use std::collections::VecDeque;
use std::io::{self, Read};
use std::net::{Shutdown, TcpStream};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// How many of them there are at a time.
const MOST: usize = 16;

/// Connections of which nothing is known.
#[derive(Debug, Default)]
pub(super) struct Strangers {
    waiting: Mutex<VecDeque<Arc<TcpStream>>>,
}

impl Strangers {
    /// Takes in one more. Whoever has a token shows it at once, so that the one who has taken longest makes room where there are too many.
    pub(super) fn take_in(self: &Arc<Self>, stream: &TcpStream) -> io::Result<Stranger> {
        let stream = Arc::new(stream.try_clone()?);
        let mut waiting = self.waiting();
        waiting.push_back(Arc::clone(&stream));
        let slowest = if waiting.len() > MOST { waiting.pop_front() } else { None };
        drop(waiting);
        // Who has gone already makes room as well.
        let _ = slowest.map(|slowest| slowest.shutdown(Shutdown::Both));
        Ok(Stranger { among: Arc::clone(self), stream })
    }

    fn waiting(&self) -> MutexGuard<'_, VecDeque<Arc<TcpStream>>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A connection of which nothing is known, until this is dropped.
#[derive(Debug)]
pub(super) struct Stranger {
    among: Arc<Strangers>,
    stream: Arc<TcpStream>,
}

impl Drop for Stranger {
    fn drop(&mut self) {
        self.among.waiting().retain(|other| !Arc::ptr_eq(other, &self.stream));
    }
}

/// What is read until a moment, however often something comes before it.
#[derive(Debug)]
pub(super) struct Timely<'a> {
    stream: &'a TcpStream,
    end: Instant,
}

impl<'a> Timely<'a> {
    pub(super) fn new(stream: &'a TcpStream, patience: Duration) -> Self {
        Self { stream, end: Instant::now() + patience }
    }
}

impl Read for Timely<'_> {
    fn read(&mut self, space: &mut [u8]) -> io::Result<usize> {
        let left = self.end.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Err(io::ErrorKind::TimedOut.into());
        }
        self.stream.set_read_timeout(Some(left))?;
        let mut stream = self.stream;
        stream.read(space)
    }
}
