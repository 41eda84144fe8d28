//! Where connections come in.

use std::fmt;
use std::net::{SocketAddr, TcpListener, UdpSocket};
use std::os::unix::net::UnixListener;
use std::sync::Arc;

use tokio::net::TcpStream;

use crate::names::Names;

/// Where a redirected connection was meant to go, as the kernel remembers it.
pub type Original = Arc<dyn Fn(&TcpStream) -> Option<SocketAddr> + Send + Sync>;

/// Where connections come in: sockets that listen already.
#[derive(Default)]
pub struct Doors {
    pub(crate) tcp: Vec<TcpListener>,
    pub(crate) unix: Vec<UnixListener>,
    pub(crate) transparent: Vec<(TcpListener, Original)>,
    pub(crate) names: Vec<UdpSocket>,
    pub(crate) conversations: Vec<TcpListener>,
    pub(crate) book: Arc<Names>,
}

impl Doors {
    /// A door for programs that know of the proxy: HTTP and SOCKS5 on one port.
    #[must_use]
    pub fn tcp(mut self, listener: TcpListener) -> Self {
        self.tcp.push(listener);
        self
    }

    /// The same, as a file.
    #[must_use]
    pub fn unix(mut self, listener: UnixListener) -> Self {
        self.unix.push(listener);
        self
    }

    /// A door for connections that were meant for somewhere else.
    #[must_use]
    pub fn transparent(mut self, listener: TcpListener, original: Original) -> Self {
        self.transparent.push((listener, original));
        self
    }

    /// A door for questions about names. The answers are addresses that lead to the transparent door.
    #[must_use]
    pub fn names(mut self, socket: UdpSocket) -> Self {
        self.names.push(socket);
        self
    }

    /// With addresses that were handed out before: somebody may still have one.
    #[must_use]
    pub fn remembering(self, book: Arc<Names>) -> Self {
        Self { book, ..self }
    }

    /// The same for questions that come over connections.
    #[must_use]
    pub fn names_tcp(mut self, listener: TcpListener) -> Self {
        self.conversations.push(listener);
        self
    }
}

impl fmt::Debug for Doors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Doors")
            .field("tcp", &self.tcp)
            .field("unix", &self.unix)
            .field("transparent", &self.transparent.iter().map(|(listener, _)| listener).collect::<Vec<_>>())
            .field("names", &self.names)
            .field("conversations", &self.conversations)
            .finish_non_exhaustive()
    }
}
