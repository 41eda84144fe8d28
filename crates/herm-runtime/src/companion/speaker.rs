//! Speaking to somebody who may not listen.

use std::fs::File;
use std::io::{self, Write};
use std::os::fd::OwnedFd;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// Speaks to somebody, in the order in which it was said, without ever waiting for them.
#[derive(Clone, Debug)]
pub struct Speaker {
    queue: Arc<Mutex<Option<Sender<Vec<u8>>>>>,
    waiting: Arc<AtomicUsize>,
}

/// How many bytes wait for somebody to listen.
const MOST: usize = 64 << 20;

/// How often it is looked whether everything was said.
const MOMENT: Duration = Duration::from_millis(5);

impl Speaker {
    /// Speaks into a pipe, or what else is written to.
    ///
    /// # Errors
    /// When there are too many threads.
    pub fn new(file: impl Into<OwnedFd>) -> io::Result<Self> {
        let mut file = File::from(file.into());
        let (sender, queue) = channel::<Vec<u8>>();
        let waiting = Arc::new(AtomicUsize::new(0));
        let left = Arc::clone(&waiting);
        thread::Builder::new().name("speaker".to_owned()).spawn(move || {
            // Who no longer listens is noticed by whoever speaks next: the queue is gone.
            for line in queue {
                if file.write_all(&line).is_err() {
                    return;
                }
                left.fetch_sub(line.len(), Ordering::AcqRel);
            }
        })?;
        Ok(Self { queue: Arc::new(Mutex::new(Some(sender))), waiting })
    }

    /// Says something: a line, with its end.
    ///
    /// # Errors
    /// When nobody listens any more, or nobody has for too long.
    pub fn say(&self, line: &[u8]) -> io::Result<()> {
        if self.waiting.fetch_add(line.len(), Ordering::AcqRel) > MOST {
            self.waiting.fetch_sub(line.len(), Ordering::AcqRel);
            return Err(io::ErrorKind::WouldBlock.into());
        }
        let queue = self.queue.lock().unwrap_or_else(PoisonError::into_inner);
        let sent = queue.as_ref().and_then(|queue| queue.send(line.to_vec()).ok());
        sent.ok_or_else(|| io::ErrorKind::BrokenPipe.into())
    }

    /// Waits until everything was said, or for so long.
    pub fn settle(&self, time: Duration) {
        let end = Instant::now() + time;
        while self.waiting.load(Ordering::Acquire) > 0 && Instant::now() < end {
            thread::sleep(MOMENT);
        }
    }

    /// Says that nothing more will be said, and waits until everything was: for so long, since they may not listen.
    pub fn finish(&self, most: Duration) {
        self.close();
        self.settle(most);
    }

    /// Says that nothing more will be said, once everything was.
    pub fn close(&self) {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner).take();
    }
}
