//! The two ends of an encrypted connection, taken apart so that a credential can be put in.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};

use herm::host::Host;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf, split};
use tokio::time::timeout;
use tokio_rustls::rustls::pki_types::ServerName;
use tokio_rustls::{TlsAcceptor, TlsConnector};

use crate::limits::Limits;
use crate::record::Outcome;
use crate::upstream::Upstream;
use crate::vault::Vault;
use crate::wire::{Drain, Reader, Wire};

/// Both ends of an encrypted connection, decrypted: towards the server as a client that checks whom it speaks with, towards
/// the client as the server. The server comes first: who is not who it should be is not spoken for.
pub(crate) async fn terminate(
    vault: &Vault,
    limits: &Limits,
    client: Wire,
    mut upstream: Upstream,
) -> io::Result<(Wire, Upstream)> {
    let Host::Name(name) = upstream.to.host.clone() else { return Err(io::ErrorKind::InvalidInput.into()) };
    let name = ServerName::try_from(name).map_err(io::Error::other)?;
    let server = vault.server(&upstream.to.host)?;
    let connected = TlsConnector::from(vault.client()).connect(name, Joined::new(upstream.wire));
    let connected =
        timeout(limits.head, connected).await.unwrap_or_else(|_| Err(io::ErrorKind::TimedOut.into()));
    let connected = connected.inspect_err(|error| {
        let why = format!("the server cannot be spoken with in private: {error}");
        upstream.meter.note(|record| (record.outcome, record.reason) = (Outcome::Failed, why));
    });
    let (from, to) = split(connected?);
    upstream.wire = Wire::new(Box::new(from), Box::new(to), limits.idle);
    let accepted = timeout(limits.head, TlsAcceptor::from(server).accept(Joined::new(client))).await;
    let (from, to) = split(accepted.unwrap_or_else(|_| Err(io::ErrorKind::TimedOut.into()))?);
    Ok((Wire::new(Box::new(from), Box::new(to), limits.idle), upstream))
}

/// One end as a single stream, which begins with what was read ahead.
struct Joined {
    from: Reader,
    to: Drain,
}

impl Joined {
    fn new(wire: Wire) -> Self {
        Self { from: wire.reader, to: wire.writer.into_inner() }
    }
}

impl AsyncRead for Joined {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.from).poll_read(cx, buf)
    }
}

impl AsyncWrite for Joined {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &[u8]) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.to).poll_write(cx, buf)
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.to).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.to).poll_shutdown(cx)
    }
}
