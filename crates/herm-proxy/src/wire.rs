//! One end of a connection, with what was read ahead.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use rustix::net::sockopt::set_socket_send_buffer_size;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, BufWriter, ReadBuf};
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::net::{TcpStream, UnixStream};
use tokio::time::timeout;

/// How much is gathered before it is sent.
const PIECE: usize = 64 * 1024;

/// How much is read at once: little at first, and more for as long as it keeps coming.
const FIRST: usize = 16 * 1024;
const MOST: usize = 512 * 1024;

/// How much is underway at most to an end on this machine (the kernel counts it twice). More makes nothing faster where nothing is
/// far: of the megabytes that the kernel would let gather, most have left the processor's cache before they are read.
const UNDERWAY: usize = 128 * 1024;

/// What comes in from an end.
pub(crate) struct Reader {
    from: Source,
    buffer: Vec<u8>,
    start: usize,
    want: usize,
    idle: Duration,
}

/// What goes out to an end. Nothing is sent before it is flushed, or a lot has gathered.
pub(crate) type Writer = BufWriter<Drain>;

/// Where bytes come from: a socket, or something in front of one.
pub(crate) enum Source {
    Any(Box<dyn AsyncRead + Send + Sync + Unpin>),
    Tcp(OwnedReadHalf),
}

/// Where bytes go.
pub(crate) enum Drain {
    Any(Box<dyn AsyncWrite + Send + Sync + Unpin>),
    Tcp(OwnedWriteHalf),
}

impl Drain {
    /// The socket itself, where nothing stands in front of it.
    pub(crate) fn socket(&self) -> Option<&TcpStream> {
        match self {
            Self::Any(_) => None,
            Self::Tcp(half) => Some(half.as_ref()),
        }
    }
}

impl AsyncRead for Source {
    fn poll_read(self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        match self.get_mut() {
            Self::Any(any) => Pin::new(any).poll_read(cx, buf),
            Self::Tcp(half) => Pin::new(half).poll_read(cx, buf),
        }
    }
}

impl AsyncWrite for Drain {
    fn poll_write(self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &[u8]) -> Poll<io::Result<usize>> {
        match self.get_mut() {
            Self::Any(any) => Pin::new(any).poll_write(cx, buf),
            Self::Tcp(half) => Pin::new(half).poll_write(cx, buf),
        }
    }

    fn poll_flush(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        match self.get_mut() {
            Self::Any(any) => Pin::new(any).poll_flush(cx),
            Self::Tcp(half) => Pin::new(half).poll_flush(cx),
        }
    }

    fn poll_shutdown(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        match self.get_mut() {
            Self::Any(any) => Pin::new(any).poll_shutdown(cx),
            Self::Tcp(half) => Pin::new(half).poll_shutdown(cx),
        }
    }
}

/// Both directions of an end.
pub(crate) struct Wire {
    pub(crate) reader: Reader,
    pub(crate) writer: Writer,
}

impl Wire {
    pub(crate) fn tcp(stream: TcpStream, idle: Duration) -> Self {
        // Without it, small answers wait for more to come; with an error there is nothing to be done about it.
        let _ = stream.set_nodelay(true);
        let (from, to) = stream.into_split();
        Self::of(Source::Tcp(from), Drain::Tcp(to), idle)
    }

    /// An end that is on this machine.
    pub(crate) fn near(stream: TcpStream, idle: Duration) -> Self {
        // Where it fails, more waits in between and less comes through.
        let _ = set_socket_send_buffer_size(&stream, UNDERWAY);
        Self::tcp(stream, idle)
    }

    pub(crate) fn unix(stream: UnixStream, idle: Duration) -> Self {
        let (from, to) = stream.into_split();
        Self::new(Box::new(from), Box::new(to), idle)
    }

    pub(crate) fn new(
        from: Box<dyn AsyncRead + Send + Sync + Unpin>,
        to: Box<dyn AsyncWrite + Send + Sync + Unpin>,
        idle: Duration,
    ) -> Self {
        Self::of(Source::Any(from), Drain::Any(to), idle)
    }

    fn of(from: Source, to: Drain, idle: Duration) -> Self {
        let reader = Reader { from, buffer: Vec::new(), start: 0, want: FIRST, idle };
        Self { reader, writer: BufWriter::with_capacity(PIECE, to) }
    }

    /// Sends all of it now.
    pub(crate) async fn send(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.writer.write_all(bytes).await?;
        self.writer.flush().await
    }
}

impl AsyncRead for Reader {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let length = self.ready().len().min(buf.remaining());
        if length == 0 {
            return Pin::new(&mut self.from).poll_read(cx, buf);
        }
        buf.put_slice(self.ready().get(..length).unwrap_or_default());
        self.used(length);
        Poll::Ready(Ok(()))
    }
}

impl Reader {
    /// What was read and not yet used.
    pub(crate) fn ready(&self) -> &[u8] {
        self.buffer.get(self.start..).unwrap_or_default()
    }

    /// The socket itself, where nothing stands in front of it and nothing was read ahead.
    pub(crate) fn socket(&self) -> Option<&TcpStream> {
        match &self.from {
            Source::Tcp(half) if self.ready().is_empty() => Some(half.as_ref()),
            Source::Any(_) | Source::Tcp(_) => None,
        }
    }

    /// How long nothing may happen.
    pub(crate) fn patience(&self) -> Duration {
        self.idle
    }

    /// Takes note that so much of it was used.
    pub(crate) fn used(&mut self, count: usize) {
        self.start = (self.start + count).min(self.buffer.len());
        if self.start == self.buffer.len() {
            self.buffer.clear();
            self.start = 0;
        }
    }

    /// Reads more. Nothing more comes after `Ok(0)`.
    ///
    /// What is cut short loses nothing: either something was read and is ready, or nothing was.
    pub(crate) async fn more(&mut self) -> io::Result<usize> {
        if self.start > 0 {
            self.buffer.drain(..self.start);
            self.start = 0;
        }
        self.buffer.reserve(self.want);
        let read = timeout(self.idle, self.from.read_buf(&mut self.buffer)).await;
        let read = read.unwrap_or_else(|_| Err(io::ErrorKind::TimedOut.into()))?;
        if self.buffer.len() == self.buffer.capacity() {
            self.want = (self.want * 2).min(MOST);
        }
        Ok(read)
    }

    /// Whether nothing has come and nobody has gone, as it should be between two messages.
    pub(crate) async fn is_quiet(&mut self) -> bool {
        if !self.ready().is_empty() {
            return false;
        }
        tokio::select! {
            biased;
            _ = self.more() => false,
            () = std::future::ready(()) => true,
        }
    }

    /// Reads until so many bytes are ready.
    pub(crate) async fn at_least(&mut self, count: usize) -> io::Result<()> {
        while self.ready().len() < count {
            if self.more().await? == 0 {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
        }
        Ok(())
    }
}
