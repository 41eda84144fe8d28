//! The way out of a confined program's network, as herm holds it.

use std::net::{SocketAddr, TcpListener, UdpSocket};
use std::os::fd::{AsFd, OwnedFd};
use std::{fmt, io};

use rustix::net::{AddressFamily, SocketFlags, SocketType, socketpair};

use super::redirect::Redirect;
use crate::sys::doors::{self, Door, Transport};

/// Lets a confined program out.
pub trait Gate: fmt::Debug {
    /// Takes over the doors of a program that has just been started.
    ///
    /// # Errors
    /// When nobody can stand at them. The program goes on, and reaches nobody.
    fn open(&mut self, doors: Doors) -> io::Result<()>;
}

/// Sockets that listen in a confined program's network and are held outside of it.
#[derive(Debug)]
pub struct Doors {
    /// Where programs go that know of a proxy, at [`PROXY`].
    pub proxy: TcpListener,
    /// Where the connections of all others end. [`Doors::meant`] says where they were meant to go.
    pub transparent: TcpListener,
    /// Where names are asked for.
    pub resolver: UdpSocket,
    /// Where names are asked for over connections.
    pub conversations: TcpListener,
}

/// Where the proxy stands, as a confined program sees it.
pub const PROXY: &str = "127.0.0.1:3128";

const KNOWN: Door = Door { transport: Transport::Tcp, port: 3128 };
const UNKNOWN: Door = Door { transport: Transport::Tcp, port: 3129 };
const RESOLVER: Door = Door { transport: Transport::Udp, port: 3153 };
const CONVERSATIONS: Door = Door { transport: Transport::Tcp, port: 3153 };

/// Which connections end at which door.
pub(super) const fn redirect() -> Redirect {
    Redirect { proxy: UNKNOWN.port, resolver: RESOLVER.port, conversations: CONVERSATIONS.port }
}

impl Doors {
    /// The same doors once more, for somebody else to stand at.
    ///
    /// # Errors
    /// When this process has too many files open.
    pub fn duplicate(&self) -> io::Result<Self> {
        Ok(Self {
            proxy: self.proxy.try_clone()?,
            transparent: self.transparent.try_clone()?,
            resolver: self.resolver.try_clone()?,
            conversations: self.conversations.try_clone()?,
        })
    }

    /// Turns away whoever waits at them.
    ///
    /// # Errors
    /// When they cannot be looked at without waiting.
    pub fn turn_away(&self) -> io::Result<()> {
        for door in [&self.proxy, &self.transparent, &self.conversations] {
            door.set_nonblocking(true)?;
            while door.accept().is_ok() {}
        }
        self.resolver.set_nonblocking(true)?;
        while self.resolver.recv_from(&mut [0]).is_ok() {}
        Ok(())
    }

    /// Where a connection that was accepted at the transparent door was meant to go.
    #[must_use]
    pub fn meant(connection: &impl AsFd) -> Option<SocketAddr> {
        doors::original_destination(connection)
    }
}

/// What the other side makes doors of: the line to hand them out by, and which.
pub(super) type Frames = (OwnedFd, [Door; 4]);

/// Where doors come out.
#[derive(Debug)]
pub(crate) struct Hall {
    line: OwnedFd,
}

impl Hall {
    /// A hall, and what its doors are made of on the other side.
    pub(super) fn new() -> io::Result<(Self, Frames)> {
        let (line, other) = socketpair(AddressFamily::UNIX, SocketType::DGRAM, SocketFlags::CLOEXEC, None)?;
        Ok((Self { line }, (other, [KNOWN, UNKNOWN, RESOLVER, CONVERSATIONS])))
    }

    /// The doors, once they have been made.
    pub(crate) fn doors(self) -> io::Result<Doors> {
        let [proxy, transparent, resolver, conversations] =
            <[OwnedFd; 4]>::try_from(doors::receive(&self.line, 4)?)
                .map_err(|_| io::ErrorKind::UnexpectedEof)?;
        Ok(Doors {
            proxy: proxy.into(),
            transparent: transparent.into(),
            resolver: resolver.into(),
            conversations: conversations.into(),
        })
    }
}
