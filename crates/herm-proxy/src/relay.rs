//! Bytes both ways, until both sides are done.

use std::io;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use tokio::io::AsyncWriteExt;
use tokio::time::timeout;

use crate::bulk::Bulk;
use crate::record::Meter;
use crate::splice::Pipe;
use crate::watch::{Seen, Watch};
use crate::wire::{Reader, Wire, Writer};

/// Passes everything on in both directions. What was read ahead goes first. It ends where the client says what is watched for.
pub(crate) async fn relay(
    client: Wire,
    upstream: Wire,
    meter: &mut Meter,
    watch: &mut Watch,
) -> io::Result<()> {
    let Wire { reader: mut from_client, writer: mut to_client } = client;
    let Wire { reader: mut from_upstream, writer: mut to_upstream } = upstream;
    let tally = Tally { meter, sent: Arc::default(), received: Arc::default() };
    let life = Arc::new(Life::default());
    let mut nothing = Watch::over();
    let ended = tokio::try_join!(
        one_way(&mut from_client, &mut to_upstream, &tally.sent, &life, watch),
        one_way(&mut from_upstream, &mut to_client, &tally.received, &life, &mut nothing)
    );
    ended.map(drop)
}

/// What went both ways. It is in the record, however a connection ends.
struct Tally<'a> {
    meter: &'a mut Meter,
    sent: Arc<AtomicUsize>,
    received: Arc<AtomicUsize>,
}

impl Drop for Tally<'_> {
    fn drop(&mut self) {
        self.meter.sent(self.sent.load(Ordering::Relaxed));
        self.meter.received(self.received.load(Ordering::Relaxed));
    }
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

async fn one_way(
    from: &mut Reader,
    to: &mut Writer,
    count: &Arc<AtomicUsize>,
    life: &Arc<Life>,
    watch: &mut Watch,
) -> io::Result<()> {
    loop {
        let ready = from.ready();
        if !ready.is_empty() {
            if watch.see(ready) == Seen::Request {
                return Err(io::ErrorKind::InvalidData.into());
            }
            let length = ready.len();
            timeout(from.patience(), put(to, ready)).await.map_err(|_| io::ErrorKind::TimedOut)??;
            count.fetch_add(length, Ordering::Relaxed);
            from.used(length);
        }
        // What is a lot is not looked at any more: the kernel passes it on by itself, if it has a pipe to spare.
        if count.load(Ordering::Relaxed) >= LOT
            && watch.seen() == Seen::Other
            && let (Some(source), Some(target)) = (from.socket(), to.get_ref().socket())
        {
            if let Some(bulk) = Bulk::between(source, target, from.patience()) {
                bulk.pass(count, life).await?;
                return to.shutdown().await;
            }
            if let Ok(pipe) = Pipe::new() {
                pipe.pass(source, target, count, life, from.patience()).await?;
                return to.shutdown().await;
            }
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
