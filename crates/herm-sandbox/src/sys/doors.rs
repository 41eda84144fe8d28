//! Sockets that listen within a network namespace and are held by herm, outside of it.
//!
//! A socket belongs to the namespace that it was made in, whoever holds it. The child opens the doors from within and hands
//! them out before it becomes the program; what is accepted there is a connection of the namespace, and herm needs no thread
//! in it.

use std::io::{IoSlice, IoSliceMut};
use std::mem::MaybeUninit;
use std::net::{Ipv4Addr, SocketAddr, SocketAddrV4};

use rustix::fd::{AsFd, BorrowedFd, OwnedFd};
use rustix::io::{Errno, Result};
use rustix::net::sockopt::ip_original_dst;
use rustix::net::{
    AddressFamily, RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, SendAncillaryBuffer,
    SendAncillaryMessage, SendFlags, SocketFlags, SocketType, bind, getsockname, listen, recvmsg, sendmsg,
    socket_with,
};

/// Where a door stands, on loopback.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Door {
    pub(crate) transport: Transport,
    pub(crate) port: u16,
}

/// What a door is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Transport {
    Tcp,
    Udp,
}

/// How many doors are handed over at once, at most.
pub(crate) const MOST: usize = 4;

/// Opens a door in the network namespace of this process. Makes system calls only.
pub(crate) fn open(door: Door) -> Result<OwnedFd> {
    let kind = match door.transport {
        Transport::Tcp => SocketType::STREAM,
        Transport::Udp => SocketType::DGRAM,
    };
    let socket = socket_with(AddressFamily::INET, kind, SocketFlags::CLOEXEC, None)?;
    bind(&socket, &SocketAddrV4::new(Ipv4Addr::LOCALHOST, door.port))?;
    if door.transport == Transport::Tcp {
        listen(&socket, QUEUE)?;
    }
    Ok(socket)
}

/// How many connections wait to be accepted: as many as the kernel lets.
const QUEUE: i32 = 4096;

/// Hands doors over, [`MOST`] at once. Makes system calls only.
pub(crate) fn send(line: impl AsFd, doors: &[BorrowedFd<'_>]) -> Result<()> {
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(MOST))];
    let mut attached = SendAncillaryBuffer::new(&mut space);
    if !attached.push(SendAncillaryMessage::ScmRights(doors)) {
        return Err(Errno::INVAL);
    }
    // Something must be said for anything to be attached to it.
    let sent = sendmsg(line, &[IoSlice::new(b"d")], &mut attached, SendFlags::NOSIGNAL)?;
    if sent == 1 { Ok(()) } else { Err(Errno::PIPE) }
}

/// Takes over what [`send`] hands over, which must be `count` doors.
pub(crate) fn receive(line: impl AsFd, count: usize) -> Result<Vec<OwnedFd>> {
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(MOST))];
    let mut attached = RecvAncillaryBuffer::new(&mut space);
    let mut said = [0_u8; 1];
    let heard = recvmsg(line, &mut [IoSliceMut::new(&mut said)], &mut attached, RecvFlags::CMSG_CLOEXEC)?;
    let mut doors = Vec::new();
    for message in attached.drain() {
        if let RecvAncillaryMessage::ScmRights(sockets) = message {
            doors.extend(sockets);
        }
    }
    if heard.bytes == 1 && doors.len() == count { Ok(doors) } else { Err(Errno::PIPE) }
}

/// Where a connection that was accepted at a door was meant to go, if it was turned towards the door on its way.
pub(crate) fn original_destination(connection: impl AsFd) -> Option<SocketAddr> {
    let meant = ip_original_dst(&connection).ok().map(SocketAddr::V4)?;
    let found = SocketAddr::try_from(getsockname(&connection).ok()?).ok()?;
    (meant != found).then_some(meant)
}

#[cfg(test)]
mod tests {
    use std::io::{Read, Write};
    use std::net::{TcpListener, TcpStream, UdpSocket};
    use std::time::Duration;

    use rustix::net::sockopt::{Timeout, set_socket_timeout};
    use rustix::net::{connect, socketpair};
    use rustix::process::Pid;

    use super::super::netlink;
    use super::super::trial::{Outcome, finish, in_child, start};
    use super::*;
    use crate::native::redirect::{Redirect, every_address, loopback};

    const PROXY: Door = Door { transport: Transport::Tcp, port: 3128 };
    const RESOLVER: Door = Door { transport: Transport::Udp, port: 5353 };

    /// A test that fails ends.
    const PATIENCE: Duration = Duration::from_secs(20);

    fn new_network() {
        // SAFETY: the call takes a number.
        assert_eq!(unsafe { libc::unshare(libc::CLONE_NEWUSER | libc::CLONE_NEWNET) }, 0);
    }

    /// Runs `body` behind a redirect, and hands over its doors.
    fn behind(body: impl FnOnce() -> i32) -> (TcpListener, UdpSocket, Pid) {
        let redirect = Redirect {
            proxy: PROXY.port,
            resolver: RESOLVER.port,
            // No test asks over a connection but the one that wants to see it end at a door.
            conversations: PROXY.port,
        };
        let messages = [loopback(), every_address(), redirect.rules()];
        let (ours, theirs) =
            socketpair(AddressFamily::UNIX, SocketType::STREAM, SocketFlags::CLOEXEC, None).unwrap();
        let child = start(move || {
            new_network();
            netlink::send(&messages).unwrap();
            let doors = [open(PROXY).unwrap(), open(RESOLVER).unwrap()];
            send(&theirs, &[doors[0].as_fd(), doors[1].as_fd()]).unwrap();
            drop(doors);
            body()
        });
        let doors = receive(&ours, 2).unwrap();
        for door in &doors {
            set_socket_timeout(door, Timeout::Recv, Some(PATIENCE)).unwrap();
        }
        let mut doors = doors.into_iter();
        (doors.next().unwrap().into(), doors.next().unwrap().into(), child)
    }

    fn dial(address: [u8; 4], port: u16) -> std::io::Result<TcpStream> {
        let socket = socket_with(AddressFamily::INET, SocketType::STREAM, SocketFlags::CLOEXEC, None)?;
        connect(&socket, &SocketAddrV4::new(address.into(), port))?;
        Ok(socket.into())
    }

    fn error(outcome: std::io::Result<TcpStream>) -> i32 {
        outcome.map_or_else(|error| error.raw_os_error().unwrap_or(254), |_| 0)
    }

    #[test]
    fn a_connection_to_a_made_up_address_ends_at_the_door_outside() {
        let (proxy, _resolver, child) = behind(|| {
            let mut connection = dial([198, 19, 255, 7], 443).unwrap();
            connection.write_all(b"hello").unwrap();
            let mut answer = [0; 2];
            connection.read_exact(&mut answer).unwrap();
            i32::from(&answer != b"ok")
        });
        let (mut connection, _) = proxy.accept().unwrap();
        assert_eq!(original_destination(&connection), Some(([198, 19, 255, 7], 443).into()));
        let mut said = [0; 5];
        connection.read_exact(&mut said).unwrap();
        connection.write_all(b"ok").unwrap();
        assert_eq!((&said, finish(child)), (b"hello", Outcome::Returned(0)));
    }

    #[test]
    fn questions_to_any_resolver_end_at_the_door_and_are_answered_from_there() {
        let (_proxy, resolver, child) = behind(|| {
            let socket =
                socket_with(AddressFamily::INET, SocketType::DGRAM, SocketFlags::CLOEXEC, None).unwrap();
            // Connected: the answer must come from the very address that was asked.
            connect(&socket, &SocketAddrV4::new([8, 8, 8, 8].into(), 53)).unwrap();
            let socket = UdpSocket::from(socket);
            socket.set_read_timeout(Some(PATIENCE)).unwrap();
            socket.send(b"who?").unwrap();
            let mut answer = [0; 16];
            let length = socket.recv(&mut answer).unwrap();
            i32::from(&answer[..length] != b"me")
        });
        let mut question = [0; 16];
        let (length, asker) = resolver.recv_from(&mut question).unwrap();
        assert_eq!(&question[..length], b"who?");
        resolver.send_to(b"me", asker).unwrap();
        assert_eq!(finish(child), Outcome::Returned(0));
    }

    #[test]
    fn questions_over_connections_end_at_the_door_even_those_to_loopback() {
        let (proxy, _resolver, child) = behind(|| {
            let (one, two) = (dial([8, 8, 8, 8], 53), dial([127, 0, 0, 53], 53));
            error(one).max(error(two))
        });
        for address in [[8, 8, 8, 8], [127, 0, 0, 53]] {
            let (connection, _) = proxy.accept().unwrap();
            assert_eq!(original_destination(&connection), Some((address, 53).into()));
        }
        assert_eq!(finish(child), Outcome::Returned(0));
    }

    #[test]
    fn ipv6_leads_nowhere() {
        let (_proxy, _resolver, child) = behind(|| {
            let socket =
                socket_with(AddressFamily::INET6, SocketType::STREAM, SocketFlags::CLOEXEC, None).unwrap();
            let far = std::net::SocketAddrV6::new("2606:2800:220:1::34".parse().unwrap(), 443, 0, 0);
            connect(&socket, &far).map_or_else(Errno::raw_os_error, |()| 0)
        });
        assert_eq!(finish(child), Outcome::Returned(libc::ENETUNREACH));
    }

    #[test]
    fn whoever_knocks_at_the_door_itself_was_not_turned_towards_it() {
        let (proxy, _resolver, child) = behind(|| error(dial([127, 0, 0, 1], PROXY.port)));
        let (connection, _) = proxy.accept().unwrap();
        assert_eq!(original_destination(&connection), None);
        assert_eq!(finish(child), Outcome::Returned(0));
    }

    #[test]
    fn addresses_without_a_name_are_left_to_the_proxy() {
        let (proxy, _resolver, child) = behind(|| {
            assert_eq!(error(dial([127, 0, 0, 1], 9)), libc::ECONNREFUSED);
            error(dial([169, 254, 169, 254], 80))
        });
        let (connection, _) = proxy.accept().unwrap();
        assert_eq!(original_destination(&connection), Some(([169, 254, 169, 254], 80).into()));
        assert_eq!(finish(child), Outcome::Returned(0));
    }

    #[test]
    fn a_closed_network_has_loopback_and_nothing_else() {
        let outcome = in_child(|| {
            new_network();
            assert_ne!(error(dial([127, 0, 0, 1], 9)), libc::ECONNREFUSED, "loopback is off at first");
            netlink::send(&[loopback()]).unwrap();
            assert_eq!(error(dial([127, 0, 0, 1], 9)), libc::ECONNREFUSED);
            error(dial([198, 18, 0, 1], 80))
        });
        assert_eq!(outcome, Outcome::Returned(libc::ENETUNREACH));
    }

    #[test]
    fn what_the_kernel_refuses_is_an_error() {
        let mut messages =
            [loopback(), every_address(), Redirect { proxy: 1, resolver: 2, conversations: 3 }.rules()];
        let outcome = in_child(|| {
            new_network();
            // A message of a kind that there is not.
            netlink::send(&messages).unwrap();
            messages[1].bytes[4] = 0xff;
            netlink::send(&messages[1..2]).unwrap_err().raw_os_error()
        });
        assert_eq!(outcome, Outcome::Returned(libc::EOPNOTSUPP));
    }

    #[test]
    fn a_line_that_was_closed_hands_nothing_over() {
        let (ours, theirs) =
            socketpair(AddressFamily::UNIX, SocketType::STREAM, SocketFlags::CLOEXEC, None).unwrap();
        drop(theirs);
        assert_eq!(receive(&ours, 1).unwrap_err(), Errno::PIPE);
        assert_eq!(send(&ours, &[ours.as_fd()]), Err(Errno::PIPE));
    }
}
