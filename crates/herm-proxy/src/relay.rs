//! Bytes both ways, until both sides are done.

use std::io;

use tokio::io::AsyncWriteExt;

use crate::record::Meter;
use crate::wire::{Reader, Wire, Writer};

/// Passes everything on in both directions. What was read ahead goes first.
pub(crate) async fn relay(client: Wire, upstream: Wire, meter: &mut Meter) -> io::Result<()> {
    let Wire { reader: mut from_client, writer: mut to_client } = client;
    let Wire { reader: mut from_upstream, writer: mut to_upstream } = upstream;
    let (mut sent, mut received) = (0, 0);
    let ended = tokio::try_join!(
        one_way(&mut from_client, &mut to_upstream, &mut sent),
        one_way(&mut from_upstream, &mut to_client, &mut received)
    );
    meter.sent(sent);
    meter.received(received);
    ended.map(drop)
}

async fn one_way(from: &mut Reader, to: &mut Writer, count: &mut usize) -> io::Result<()> {
    loop {
        let ready = from.ready();
        if !ready.is_empty() {
            let length = ready.len();
            to.write_all(ready).await?;
            to.flush().await?;
            *count = count.saturating_add(length);
            from.used(length);
        }
        if from.more().await? == 0 {
            return to.shutdown().await;
        }
    }
}
