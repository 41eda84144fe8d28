//! The processes of this machine, as `/proc` tells them.
//!
//! The supervisor looks at them between `fork` and `exec` of a program that may have many threads, so nothing here
//! allocates.

use std::ffi::CStr;
use std::mem::MaybeUninit;

use rustix::fd::{AsFd, OwnedFd};
use rustix::fs::{self, Mode, OFlags, RawDir};
use rustix::io;
use rustix::process::Pid;

/// One process, at the moment it was looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Process {
    pub(crate) pid: i32,
    pub(crate) parent: i32,
    /// Its group, nought when that began outside of the processes that can be seen from here.
    pub(crate) group: i32,
    /// Its session, nought likewise.
    pub(crate) session: i32,
    /// The group in the foreground of its terminal: below one when there is none.
    pub(crate) foreground: i32,
    /// When it began, in clock ticks since the machine did: with the number, it names a process for good.
    pub(crate) start: u64,
    /// Whether it only waits to be noticed by its parent.
    pub(crate) is_over: bool,
}

impl Process {
    /// Looks at one process.
    pub(crate) fn find(pid: Pid) -> Option<Self> {
        let mut digits = [0_u8; 16];
        let name = decimal(pid.as_raw_nonzero().get().unsigned_abs(), &mut digits)?;
        read(&open().ok()?, name)
    }
}

/// Shows every process to `look`, until it has seen all.
pub(crate) fn each(mut look: impl FnMut(Process)) -> io::Result<()> {
    let directory = open()?;
    let mut space = [MaybeUninit::<u8>::uninit(); 4096];
    let mut entries = RawDir::new(&directory, &mut space);
    while let Some(entry) = entries.next() {
        let entry = entry?;
        let name = entry.file_name().to_bytes();
        if name.first().is_some_and(u8::is_ascii_digit)
            && let Some(process) = read(&directory, name)
        {
            look(process);
        }
    }
    Ok(())
}

/// Shows the number of every child of this thread to `look`, at a small fraction of what looking at all costs.
///
/// An error where the kernel keeps no such list.
pub(crate) fn children(mut look: impl FnMut(i32)) -> io::Result<()> {
    let file = fs::open(c"/proc/thread-self/children", OFlags::RDONLY | OFlags::CLOEXEC, Mode::empty())?;
    listed(&file, &mut look)
}

fn listed(file: &OwnedFd, look: &mut impl FnMut(i32)) -> io::Result<()> {
    let mut space = [0_u8; 4096];
    let length = io::read(file, &mut space)?;
    let seen = space.get(..length).unwrap_or_default();
    // A number that does not fit any more ends without its blank, and waits for the next time.
    for digits in seen.split_inclusive(|byte| *byte == b' ').filter_map(|word| word.strip_suffix(b" ")) {
        number(digits).and_then(|pid| i32::try_from(pid).ok()).map(&mut *look);
    }
    Ok(())
}

/// Shows the number of every child of this process to `look`, whichever of its threads has it.
///
/// An error where the kernel keeps no such lists.
pub(crate) fn own_children(mut look: impl FnMut(i32)) -> io::Result<()> {
    let flags = OFlags::RDONLY | OFlags::CLOEXEC;
    let threads = fs::open(c"/proc/self/task", flags | OFlags::DIRECTORY, Mode::empty())?;
    let mut space = [MaybeUninit::<u8>::uninit(); 4096];
    let mut entries = RawDir::new(&threads, &mut space);
    while let Some(entry) = entries.next() {
        let entry = entry?;
        if entry.file_name().to_bytes().first().is_some_and(u8::is_ascii_digit) {
            let mut path = [0_u8; 32];
            let Some(path) = beside(entry.file_name().to_bytes(), CHILDREN, &mut path) else { continue };
            match fs::openat(&threads, path, flags, Mode::empty()) {
                Ok(file) => listed(&file, &mut look)?,
                // A thread that ends meanwhile leaves its children to another.
                Err(_) if thread_is_gone(&threads, entry.file_name()) => {}
                Err(error) => return Err(error),
            }
        }
    }
    Ok(())
}

const CHILDREN: &[u8] = b"/children\0";

fn thread_is_gone(threads: &OwnedFd, name: &CStr) -> bool {
    fs::statat(threads, name, fs::AtFlags::empty()).is_err()
}

fn open() -> io::Result<OwnedFd> {
    fs::open(c"/proc", OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty())
}

/// A process that ends meanwhile is no longer there.
fn read(directory: impl AsFd, name: &[u8]) -> Option<Process> {
    let mut path = [0_u8; 32];
    let path = beside(name, STAT, &mut path)?;
    let file = fs::openat(directory, path, OFlags::RDONLY | OFlags::CLOEXEC, Mode::empty()).ok()?;
    let mut space = [0_u8; 1024];
    let length = io::read(&file, &mut space).ok()?;
    parse(space.get(..length)?)
}

const STAT: &[u8] = b"/stat\0";

/// A path that begins with one name and ends with another.
fn beside<'a>(name: &[u8], end: &[u8], space: &'a mut [u8; 32]) -> Option<&'a CStr> {
    space.get_mut(..name.len())?.copy_from_slice(name);
    space.get_mut(name.len()..)?.get_mut(..end.len())?.copy_from_slice(end);
    CStr::from_bytes_until_nul(space).ok()
}

/// The name stands in brackets and may hold anything, brackets and spaces too; after the last one there are only numbers.
fn parse(line: &[u8]) -> Option<Process> {
    let open = line.iter().position(|byte| *byte == b'(')?;
    let close = line.iter().rposition(|byte| *byte == b')')?;
    let pid = number(line.get(..open)?.trim_ascii())?;
    let mut fields = line.get(close + 1..)?.trim_ascii().split(|byte| *byte == b' ');
    let state = fields.next()?;
    let parent = number(fields.next()?)?;
    let group = number(fields.next()?)?;
    let session = number(fields.next()?)?;
    let foreground = fields.nth(1)?;
    let threads = number(fields.nth(11)?)?;
    let start = number(fields.nth(1)?)?;
    // A first thread that is over leaves the others running.
    let is_over = matches!(state, b"Z" | b"X") && threads <= 1;
    Some(Process {
        pid: i32::try_from(pid).ok()?,
        parent: i32::try_from(parent).ok()?,
        group: i32::try_from(group).ok()?,
        session: i32::try_from(session).ok()?,
        foreground: number(foreground).and_then(|group| i32::try_from(group).ok()).unwrap_or(-1),
        start,
        is_over,
    })
}

fn number(digits: &[u8]) -> Option<u64> {
    if digits.is_empty() {
        return None;
    }
    digits.iter().try_fold(0_u64, |sum, byte| {
        let digit = byte.is_ascii_digit().then(|| u64::from(byte - b'0'))?;
        sum.checked_mul(10)?.checked_add(digit)
    })
}

fn decimal(mut value: u32, space: &mut [u8; 16]) -> Option<&[u8]> {
    let mut at = space.len();
    loop {
        at = at.checked_sub(1)?;
        *space.get_mut(at)? = b'0' + u8::try_from(value % 10).ok()?;
        value /= 10;
        if value == 0 {
            return space.get(at..);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_may_hold_anything() {
        let line = b"42 (a) Z 1 (b) S 7 42 9 0 -1 4194560 1 0 0 0 5 6 0 0 20 0 3 0 777 1000 200\n";
        let process =
            Process { pid: 42, parent: 7, group: 42, session: 9, foreground: -1, start: 777, is_over: false };
        assert_eq!(parse(line), Some(process));
    }

    #[test]
    fn a_process_whose_first_thread_is_over_still_runs() {
        let line =
            |threads: &str| format!("42 (a) Z 7 42 9 0 -1 0 1 0 0 0 5 6 0 0 20 0 {threads} 0 777 0 0\n");
        assert!(!parse(line("2").as_bytes()).unwrap().is_over);
        assert!(parse(line("1").as_bytes()).unwrap().is_over);
    }

    #[test]
    fn broken_lines_are_no_processes() {
        for line in [&b""[..], b"42", b"42 (a)", b"42 (a) S x 1 1", b"(a) S 1 1 1", b"42 )(a S 1 1 1"] {
            assert_eq!(parse(line), None);
        }
    }

    #[test]
    fn this_process_is_among_all() {
        let own = Process::find(rustix::process::getpid()).unwrap();
        let mut found = false;
        each(|process| found |= process == own).unwrap();
        assert!(found);
    }

    #[test]
    #[expect(clippy::disallowed_methods, reason = "a child is needed to be seen")]
    fn children_of_every_thread_are_among_them() {
        let start = || std::process::Command::new("sleep").arg("20").spawn().unwrap();
        let mut both = [start(), std::thread::spawn(start).join().unwrap()];
        let mut seen = Vec::new();
        own_children(|pid| seen.push(pid)).unwrap();
        for child in &mut both {
            assert!(seen.contains(&i32::try_from(child.id()).unwrap()), "{seen:?}");
            child.kill().unwrap();
            child.wait().unwrap();
        }
    }

    #[test]
    fn numbers_are_written_in_full() {
        assert_eq!(decimal(0, &mut [0; 16]), Some(&b"0"[..]));
        assert_eq!(decimal(4_294_967_295, &mut [0; 16]), Some(&b"4294967295"[..]));
    }
}
