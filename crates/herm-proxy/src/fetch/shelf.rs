//! Where content is gathered, up to so much.

use std::io;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};

use tokio::io::AsyncWrite;

/// Where content is gathered. It fails once there is more than it holds.
#[derive(Clone, Debug)]
pub(super) struct Shelf {
    most: usize,
    held: Arc<Mutex<(Vec<u8>, bool)>>,
}

impl Shelf {
    pub(super) fn new(most: usize) -> Self {
        Self { most, held: Arc::default() }
    }

    /// What there is, and whether there was more.
    pub(super) fn take(&self) -> (Vec<u8>, bool) {
        std::mem::take(&mut *self.held.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl AsyncWrite for Shelf {
    fn poll_write(self: Pin<&mut Self>, _: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let mut held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        let room = self.most.saturating_sub(held.0.len());
        held.0.extend_from_slice(bytes.get(..room).unwrap_or(bytes));
        held.1 |= bytes.len() > room;
        Poll::Ready(if held.1 { Err(io::ErrorKind::FileTooLarge.into()) } else { Ok(bytes.len()) })
    }

    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }
}
