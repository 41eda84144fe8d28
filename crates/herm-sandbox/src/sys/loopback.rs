//! A loopback that works: in a new namespace of networks there is one, but it is down.

use std::os::fd::AsRawFd;

use rustix::io;
use rustix::net::{AddressFamily, SocketFlags, SocketType, socket_with};

use super::mounts::last_error;

/// Takes the loopback up, with its usual addresses, which the kernel gives it then.
pub(super) fn raise() -> io::Result<()> {
    let socket = socket_with(AddressFamily::INET, SocketType::DGRAM, SocketFlags::CLOEXEC, None)?;
    let up = i16::try_from(libc::IFF_UP | libc::IFF_RUNNING).map_err(|_| io::Errno::RANGE)?;
    let request = Request { name: *b"lo\0\0\0\0\0\0\0\0\0\0\0\0\0\0", flags: up, rest: [0; 22] };
    // SAFETY: the request is a structure as the kernel defines `ifreq`, with the flags as its value, and is only read.
    let outcome =
        unsafe { libc::ioctl(socket.as_raw_fd(), libc::SIOCSIFFLAGS, std::ptr::from_ref(&request)) };
    if outcome == 0 { Ok(()) } else { Err(last_error()) }
}

/// The kernel's `ifreq`.
#[repr(C)]
struct Request {
    name: [u8; libc::IFNAMSIZ],
    flags: i16,
    rest: [u8; 22],
}
