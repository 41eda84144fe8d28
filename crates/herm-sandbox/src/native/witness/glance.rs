//! A look at a process that is about to start a program.

use std::fs::File;
use std::os::unix::fs::FileExt;

use rustix::fs::{CWD, Mode, OFlags, ResolveFlags, openat, openat2};
use rustix::io::Errno;

use super::{Program, ROOM};
use crate::sys::witness::Announcement;

/// What a look at such a process shows.
#[derive(Debug)]
pub(super) enum Glance {
    /// There is no such program: it is looked for in another place next.
    Absent,
    /// The process may not be looked into.
    Hidden,
    /// This is what it asks for.
    Seen(Program),
}

/// The longest path that is read, and the longest argument.
const PATH: usize = 1024;
const ARGUMENT: usize = 256;
/// How many arguments are read.
const MOST: usize = 32;
/// How long an address is.
const ADDRESS: usize = size_of::<usize>();

impl Glance {
    pub(super) fn at(announced: &Announcement) -> Self {
        let [first, second, third, ..] = announced.arguments;
        let (path, words) =
            if announced.call == libc::SYS_execveat { (second, third) } else { (first, second) };
        let Some(memory) = Memory::of(announced.pid) else { return Self::Hidden };
        let Some((path, _)) = memory.text(path, PATH) else { return Self::Hidden };
        if is_absent(announced.pid, &path) {
            return Self::Absent;
        }
        let (arguments, is_cut) = memory.words(words);
        Self::Seen(Program { path: Some(lossy(&path)), arguments, is_cut, by: None })
    }
}

fn lossy(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// The memory of a process.
struct Memory(File);

impl Memory {
    #[expect(clippy::disallowed_methods, reason = "the kernel shows the memory of a process here")]
    fn of(pid: u32) -> Option<Self> {
        File::open(format!("/proc/{pid}/mem")).ok().map(Self)
    }

    /// The text at an address, as far as it is wanted; and whether there was more.
    fn text(&self, at: u64, most: usize) -> Option<(Vec<u8>, bool)> {
        let mut space = vec![0; most];
        let length = self.0.read_at(&mut space, at).ok().filter(|length| *length > 0)?;
        space.truncate(length);
        let end = space.iter().position(|byte| *byte == 0);
        space.truncate(end.unwrap_or(length));
        Some((space, end.is_none()))
    }

    /// The texts of a list of addresses, without the first.
    fn words(&self, at: u64) -> (Vec<String>, bool) {
        let mut space = [0; ADDRESS * (MOST + 2)];
        let length = self.0.read_at(&mut space, at).unwrap_or(0);
        let addresses = space.iter().take(length).copied().collect::<Vec<u8>>();
        let listed = addresses.as_chunks::<ADDRESS>().0.iter().map(|bytes| usize::from_ne_bytes(*bytes));
        let listed: Vec<usize> = listed.take_while(|address| *address != 0).skip(1).collect();
        let (mut words, mut room, mut is_cut) = (Vec::new(), ROOM, listed.len() > MOST);
        for address in listed.into_iter().take(MOST) {
            let at = u64::try_from(address).unwrap_or(u64::MAX);
            let Some((word, is_longer)) = self.text(at, ARGUMENT.min(room)).filter(|_| room > 0) else {
                return (words, true);
            };
            room = room.saturating_sub(word.len() + 1);
            is_cut |= is_longer;
            words.push(lossy(&word));
        }
        (words, is_cut)
    }
}

/// Whether a process would not find a path. What cannot be looked at may be there.
fn is_absent(pid: u32, path: &[u8]) -> bool {
    if !path.starts_with(b"/") {
        return false;
    }
    let flags = OFlags::PATH | OFlags::CLOEXEC;
    let Ok(root) = openat(CWD, format!("/proc/{pid}/root"), flags, Mode::empty()) else { return false };
    let found =
        openat2(root, path, flags, Mode::empty(), ResolveFlags::IN_ROOT | ResolveFlags::NO_MAGICLINKS);
    matches!(found, Err(Errno::NOENT | Errno::NOTDIR))
}

/// Where a process comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Kin {
    pub(super) parent: u32,
    /// When it began, in ticks: together with its number nobody else has it.
    pub(super) began: u64,
}

/// Where a process comes from; nothing when it is gone.
#[expect(clippy::disallowed_methods, reason = "the kernel tells about a process here")]
pub(super) fn kin(pid: u32) -> Option<Kin> {
    let told = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // A name may hold anything, and ends with the last parenthesis.
    let (_, fields) = told.rsplit_once(')')?;
    let mut fields = fields.split_whitespace();
    let parent = fields.nth(1)?.parse().ok()?;
    let began = fields.nth(17)?.parse().ok()?;
    Some(Kin { parent, began })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_known_whose_child_a_process_is_and_since_when() {
        let own = kin(std::process::id()).unwrap();
        assert_eq!(own.parent, std::os::unix::process::parent_id());
        assert!(own.began > 0, "{own:?}");
        // A parent outside of this namespace has no number here.
        assert!(kin(own.parent).is_none_or(|parent| parent.began <= own.began), "{own:?}");
        assert_eq!(kin(u32::MAX), None);
    }
}
