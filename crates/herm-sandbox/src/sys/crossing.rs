//! Crossing a boundary with nothing behind it, to see whether this machine lets it be built.

use std::io;
use std::os::fd::OwnedFd;

use rustix::io::Errno;
use rustix::pipe::{PipeFlags, pipe_with};

use super::boundary::{Boundary, Stage};
use super::namespaces::{Forked, reap};
use crate::native::cgroup::Birth;

/// Where it could not be crossed, and what the kernel said.
pub(crate) type Obstacle = (Stage, io::Error);

/// Has a child cross the boundary and end behind it.
///
/// # Errors
/// When it cannot get across.
pub(crate) fn cross(boundary: &Boundary) -> Result<(), Obstacle> {
    let (heard, said) = pipe_with(PipeFlags::CLOEXEC).map_err(|error| (Stage::Begin, error.into()))?;
    let child = match boundary.fork()? {
        Forked::Parent(child) => child,
        Forked::Child(birth) => go(boundary, birth, &said),
    };
    drop(said);
    let told = hear(&heard);
    reap(child);
    told
}

/// The child: system calls only, and it does not come back.
fn go(boundary: &Boundary, birth: Birth, said: &OwnedFd) -> ! {
    let crossed = boundary.build(birth).and_then(|()| boundary.settle()).and_then(|()| boundary.seal());
    let (stage, error) = match crossed {
        Ok(()) => (ACROSS, 0),
        Err((stage, error)) => (stage.number(), error.raw_os_error().unwrap_or(libc::EIO)),
    };
    let mut word = [0_u8; WORD];
    for (byte, told) in word.iter_mut().zip(stage.to_ne_bytes().into_iter().chain(error.to_ne_bytes())) {
        *byte = told;
    }
    // Whoever hears nothing takes it for a failure.
    let _ = rustix::io::write(said, &word);
    // SAFETY: `_exit` takes a number and does not return.
    unsafe { libc::_exit(0) }
}

/// Silence means that the child was ended on its way.
fn hear(heard: &OwnedFd) -> Result<(), Obstacle> {
    let mut word = [0_u8; WORD];
    let length = loop {
        match rustix::io::read(heard, &mut word) {
            Err(Errno::INTR) => {}
            read => break read.unwrap_or(0),
        }
    };
    let number =
        |at: usize| word.get(at..).and_then(|rest| rest.first_chunk()).copied().map(i32::from_ne_bytes);
    match (length, number(0), number(4)) {
        (WORD, Some(ACROSS), _) => Ok(()),
        (WORD, Some(stage), Some(error)) => {
            Err((Stage::of(stage).unwrap_or(Stage::Begin), io::Error::from_raw_os_error(error)))
        }
        _ => Err((Stage::Calls, io::ErrorKind::Interrupted.into())),
    }
}

/// Two numbers.
const WORD: usize = 8;

/// What stands in the place of a stage when none failed.
const ACROSS: i32 = -1;
