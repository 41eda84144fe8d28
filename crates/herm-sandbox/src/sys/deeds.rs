//! Calls that no confined program may make, made so that they do no harm where they can be.

use libc::c_long;
use rustix::io::{Errno, Result};

use super::mounts::last_error;

/// A call that a confined program must not be able to make.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Deed {
    /// Looks for its own keyring.
    Keyring,
    /// Loads a program into the kernel, of which there is none.
    KernelProgram,
    /// Begins a namespace of users.
    NewUsers,
    /// Makes a ring of requests that no filter would see, with no room in it.
    UnseenRequests,
}

/// Does it. Where the kernel lets it through, nothing comes of it but a complaint about its arguments, which is a yes.
///
/// # Errors
/// When it is refused as such.
pub(crate) fn attempt(deed: Deed) -> Result<()> {
    let [number, first, second]: [c_long; 3] = match deed {
        Deed::Keyring => [libc::SYS_keyctl, KEYCTL_GET_KEYRING_ID, KEY_SPEC_USER_KEYRING],
        Deed::KernelProgram => [libc::SYS_bpf, c_long::MAX, 0],
        Deed::NewUsers => [libc::SYS_unshare, libc::CLONE_NEWUSER.into(), 0],
        Deed::UnseenRequests => [libc::SYS_io_uring_setup, 0, 0],
    };
    let none: c_long = 0;
    // SAFETY: all arguments are numbers or null pointers, which these calls refuse to follow.
    match unsafe { libc::syscall(number, first, second, none, none, none, none) } {
        -1 => match last_error() {
            refused @ (Errno::PERM | Errno::NOSYS | Errno::ACCESS) => Err(refused),
            _ => Ok(()),
        },
        _ => Ok(()),
    }
}

const KEYCTL_GET_KEYRING_ID: c_long = 0;
const KEY_SPEC_USER_KEYRING: c_long = -4;
