//! The words that a process was started with, as `/proc` tells them.
//!
//! A fork that never becomes another program keeps those of the program it was forked from. Who is confined with it reads them, and they may
//! hold what a person has typed. The kernel reads them from the memory of the process, so they can be written over there.

use std::ops::Range;
use std::ptr::with_exposed_provenance_mut;

use rustix::fs::{CWD, Mode, OFlags, openat};
use rustix::io;

/// Where the words and variables of this process are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Words {
    arguments: Range<usize>,
    environment: Range<usize>,
}

/// What stands there instead. The nought ends it for whoever reads.
const INSTEAD: &[u8] = b"herm\0";

/// The kernel takes words that do not end in a nought for one text, so not even their length is told.
const FILLING: u8 = b'-';

/// The first field after the name of the program, counted from one, and that of the first address.
const AFTER_NAME: usize = 3;
const FIRST_ADDRESS: usize = 48;

impl Words {
    /// Asks the kernel. A fork has them at the same addresses.
    pub(crate) fn find() -> io::Result<Self> {
        let file = openat(CWD, c"/proc/self/stat", OFlags::RDONLY | OFlags::CLOEXEC, Mode::empty())?;
        let mut space = [0_u8; 4096];
        let length = io::read(&file, &mut space)?;
        let text = space.get(..length).and_then(|bytes| std::str::from_utf8(bytes).ok());
        text.and_then(Self::read).ok_or(io::Errno::INVAL)
    }

    fn read(stat: &str) -> Option<Self> {
        // The name may have anything in it, brackets too.
        let (_, rest) = stat.rsplit_once(") ")?;
        let mut addresses = rest.split_ascii_whitespace().skip(FIRST_ADDRESS - AFTER_NAME);
        let mut next = || addresses.next()?.parse::<usize>().ok().filter(|address| *address > 0);
        let (arguments, environment) = (next()?..next()?, next()?..next()?);
        let in_order = arguments.start <= arguments.end && environment.start <= environment.end;
        in_order.then_some(Self { arguments, environment })
    }

    /// Writes over them, in a fork that uses them no more.
    ///
    /// # Safety
    /// They must have been found by this process or by one that it was forked from without `exec`, and no code of this
    /// process may read its arguments or its environment afterwards.
    pub(super) unsafe fn forget(&self) {
        let length = self.arguments.len();
        let start = with_exposed_provenance_mut::<u8>(self.arguments.start);
        for index in 0..length {
            let byte = INSTEAD.get(index).copied().unwrap_or(FILLING);
            let byte = if length > INSTEAD.len() { byte } else { 0 };
            // SAFETY: within what the kernel says are this process's arguments, on its own stack, which it may write to.
            let place = unsafe { start.add(index) };
            // SAFETY: as above, and nobody else has a reference to it, as the caller promises. Volatile since only the kernel reads it.
            unsafe { place.write_volatile(byte) };
        }
        let start = with_exposed_provenance_mut::<u8>(self.environment.start);
        // SAFETY: what the kernel says is this process's environment, on its own stack, which nobody here reads any more.
        unsafe { start.write_bytes(0, self.environment.len()) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_found_behind_any_name() {
        let fields: Vec<String> = (4..=52).map(|field| (field * 100).to_string()).collect();
        let stat = format!("7 (a ) S b) S {}\n", fields.join(" "));
        let found = Words::read(&stat).unwrap();
        assert_eq!((found.arguments, found.environment), (4800..4900, 5000..5100));
        assert_eq!(Words::read("7 (a) S 1 2 3"), None);
        assert_eq!(Words::read(&stat.replace(" 4800", " 0")), None, "what the kernel does not tell");
        assert!(Words::find().is_ok());
    }
}
