//! Installing a filter of system calls.

use std::io;

use rustix::thread::set_no_new_privs;

use crate::native::seccomp::Filter;

/// Filters what this thread and all it starts may call, for good. Makes system calls only.
///
/// It has to be the last layer: what applies the others calls what the filter refuses.
pub(crate) fn install(filter: &Filter) -> io::Result<()> {
    let instructions = filter.instructions();
    let length = u16::try_from(instructions.len()).map_err(|_| io::ErrorKind::InvalidInput)?;
    // The kernel reads the instructions, and never writes to them.
    let program = libc::sock_fprog { len: length, filter: instructions.as_ptr().cast_mut() };
    // Whoever runs as another by starting a program must not be bound by what somebody else chose.
    set_no_new_privs(true)?;
    // SAFETY: `program` and the instructions it points to live until the call returns; the kernel copies and checks them.
    let outcome =
        unsafe { libc::syscall(libc::SYS_seccomp, libc::SECCOMP_SET_MODE_FILTER, 0, &raw const program) };
    if outcome == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
}
