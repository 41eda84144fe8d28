//! Bytes both ways, until both sides are done.

use std::io;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use tokio::io::AsyncWriteExt;
use tokio::time::timeout;

use crate::record::Meter;
use crate::splice::Pipe;
use crate::wire::{Reader, Wire, Writer};

/// Passes everything on in both directions. What was read ahead goes first.
pub(crate) async fn relay(client: Wire, upstream: Wire, meter: &mut Meter) -> io::Result<()> {
    let Wire { reader: mut from_client, writer: mut to_client } = client;
    let Wire { reader: mut from_upstream, writer: mut to_upstream } = upstream;
    let (mut sent, mut received) = (0, 0);
    let life = Life::default();
    let ended = tokio::try_join!(
        one_way(&mut from_client, &mut to_upstream, &mut sent, &life),
        one_way(&mut from_upstream, &mut to_client, &mut received, &life)
    );
    meter.sent(sent);
    meter.received(received);
    ended.map(drop)
}

/// When something last happened, in either direction: who only listens is not idle.
pub(crate) struct Life(Mutex<Instant>);

impl Default for Life {
    fn default() -> Self {
        Self(Mutex::new(Instant::now()))
    }
}

impl Life {
    pub(crate) fn sign(&self) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Instant::now();
    }

    pub(crate) fn was_seen_within(&self, time: Duration) -> bool {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).elapsed() < time
    }
}

/// From how much on it is worth a pipe.
const LOT: usize = 1 << 20;

async fn one_way(from: &mut Reader, to: &mut Writer, count: &mut usize, life: &Life) -> io::Result<()> {
    loop {
        let ready = from.ready();
        if !ready.is_empty() {
            let length = ready.len();
            timeout(from.patience(), put(to, ready)).await.map_err(|_| io::ErrorKind::TimedOut)??;
            *count = count.saturating_add(length);
            from.used(length);
        }
        // What is a lot is not looked at any more: the kernel passes it on by itself, if it has a pipe to spare.
        if let (Some(source), Some(target), true) = (from.socket(), to.get_ref().socket(), *count >= LOT)
            && let Ok(pipe) = Pipe::new()
        {
            pipe.pass(source, target, count, life, from.patience()).await?;
            return to.shutdown().await;
        }
        match from.more().await {
            Ok(0) => return to.shutdown().await,
            Ok(_) => life.sign(),
            Err(error)
                if error.kind() == io::ErrorKind::TimedOut && life.was_seen_within(from.patience()) => {}
            Err(error) => return Err(error),
        }
    }
}

async fn put(to: &mut Writer, bytes: &[u8]) -> io::Result<()> {
    to.write_all(bytes).await?;
    to.flush().await
}
