//! Sending prepared messages to the kernel, and hearing whether it did what they ask for.

use std::time::Duration;

use rustix::fd::OwnedFd;
use rustix::io::{Errno, Result};
use rustix::net::sockopt::{Timeout, set_socket_timeout};
use rustix::net::{
    AddressFamily, RecvFlags, SendFlags, SocketFlags, SocketType, netlink, recv, send as send_to, socket_with,
};

use crate::native::redirect::{Family, Message};

/// Sends each, in order, and waits until all of it is done. Makes system calls only.
///
/// # Errors
/// The kernel's own, from the first part that it refuses, or that it does not answer in time.
pub(crate) fn send(messages: &[Message]) -> Result<()> {
    messages.iter().try_for_each(send_one)
}

fn send_one(message: &Message) -> Result<()> {
    let protocol = match message.family {
        Family::Netfilter => Some(netlink::NETFILTER),
        // Nought, which is the usual one.
        Family::Route => None,
    };
    let socket = socket_with(AddressFamily::NETLINK, SocketType::RAW, SocketFlags::CLOEXEC, protocol)?;
    set_socket_timeout(&socket, Timeout::Recv, Some(PATIENCE))?;
    if send_to(&socket, &message.bytes, SendFlags::empty())? != message.bytes.len() {
        return Err(Errno::MSGSIZE);
    }
    hear(&socket, message.answers)
}

/// The kernel answers at once, except when it loads a part of itself first.
const PATIENCE: Duration = Duration::from_secs(5);

fn hear(socket: &OwnedFd, mut missing: u32) -> Result<()> {
    let mut space = [0_u8; 8192];
    while missing > 0 {
        let (length, _) = match recv(socket, &mut space[..], RecvFlags::empty()) {
            Err(Errno::INTR) => continue,
            heard => heard?,
        };
        let mut rest = space.get(..length).unwrap_or_default();
        while let Some((answer, behind)) = split(rest) {
            judge(answer)?;
            missing = missing.saturating_sub(1);
            rest = behind;
        }
    }
    Ok(())
}

/// The first answer, and those behind it.
fn split(answers: &[u8]) -> Option<(&[u8], &[u8])> {
    let length = usize::try_from(u32::from_ne_bytes(*answers.first_chunk()?)).ok()?;
    if length < HEAD {
        return None;
    }
    let answer = answers.get(..length)?;
    Some((answer, answers.get(length.next_multiple_of(4)..).unwrap_or_default()))
}

fn judge(answer: &[u8]) -> Result<()> {
    let field = |at: usize| answer.get(at..).and_then(|rest| rest.first_chunk());
    let is_answer = answer.get(4..6) == Some(&ERROR.to_ne_bytes()[..]);
    match field(HEAD).map(|bytes| i32::from_ne_bytes(*bytes)) {
        Some(0) if is_answer => Ok(()),
        Some(error) if is_answer => Err(Errno::from_raw_os_error(error.wrapping_neg())),
        Some(_) | None => Err(Errno::BADMSG),
    }
}

const HEAD: usize = 16;

/// The kind of answer that says how it went, well or not.
const ERROR: u16 = 2;

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(kind: u16, error: i32) -> Vec<u8> {
        let mut bytes = 36_u32.to_ne_bytes().to_vec();
        bytes.extend(kind.to_ne_bytes());
        bytes.extend([0; 10]);
        bytes.extend(error.to_ne_bytes());
        bytes.resize(36, 0);
        bytes
    }

    #[test]
    fn only_a_nought_is_a_yes() {
        assert_eq!(judge(&answer(2, 0)), Ok(()));
        assert_eq!(judge(&answer(2, -1)), Err(Errno::PERM));
        assert_eq!(judge(&answer(3, 0)), Err(Errno::BADMSG));
        assert_eq!(judge(&answer(2, 0)[..18]), Err(Errno::BADMSG));
    }

    #[test]
    fn answers_come_in_a_row() {
        let both = [answer(2, 0), answer(2, -2)].concat();
        let (first, rest) = split(&both).unwrap();
        assert_eq!(first, answer(2, 0));
        assert_eq!(split(rest), Some((&answer(2, -2)[..], &[][..])));
        assert_eq!(split(&both[..20]), None);
        assert_eq!(split(&[0; 40]), None);
    }
}
