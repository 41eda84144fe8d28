//! Which files sockets are bound to, as the kernel knows it.
//!
//! Each has a name, which may say nothing of where it is: it was bound by a relative path, or the file was moved since. The number of the file says
//! whether that is so, and the number of its file system whether it may lie where a program can reach it.

use std::ffi::OsStr;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};
use std::time::Duration;

use rustix::io::Errno;
use rustix::net::sockopt::{Timeout, set_socket_timeout};
use rustix::net::{
    AddressFamily, RecvFlags, SendFlags, SocketFlags, SocketType, netlink, recv, send, socket_with,
};

use crate::native::plain::{self, Contents, Links};

/// A socket that is bound to a file.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Bound {
    /// As whoever bound it said.
    pub(super) name: PathBuf,
    /// The lower half of the number that its file has.
    pub(super) file: u32,
    pub(super) device: Device,
}

/// A file system, by the number that the kernel has for it, which is not what every file in it tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Device {
    major: u32,
    minor: u32,
}

impl Device {
    /// As the kernel puts both numbers into one for itself, which is not as files tell it.
    fn decoded(number: u32) -> Self {
        Self { major: number >> 20, minor: number & 0x000f_ffff }
    }

    fn read(text: &[u8]) -> Option<Self> {
        let (major, minor) = str::from_utf8(text).ok()?.split_once(':')?;
        Some(Self { major: major.parse().ok()?, minor: minor.parse().ok()? })
    }
}

/// All of this network; nothing when the kernel does not say.
pub(super) fn all() -> Option<Vec<Bound>> {
    let kind = (SocketType::DGRAM, SocketFlags::CLOEXEC);
    let socket = socket_with(AddressFamily::NETLINK, kind.0, kind.1, Some(netlink::SOCK_DIAG)).ok()?;
    set_socket_timeout(&socket, Timeout::Recv, Some(PATIENCE)).ok()?;
    send(&socket, &question(), SendFlags::empty()).ok()?;
    let (mut found, mut space) = (Vec::new(), vec![0_u8; 1 << 16]);
    loop {
        let (length, whole) = match recv(&socket, space.as_mut_slice(), RecvFlags::TRUNC) {
            Err(Errno::INTR) => continue,
            heard => heard.ok()?,
        };
        match read(space.get(..length).filter(|_| whole <= length)?, &mut found)? {
            Rest::Follows => {}
            Rest::None => return Some(found),
        }
    }
}

/// The kernel answers at once, except when it loads a part of itself first.
const PATIENCE: Duration = Duration::from_secs(2);

/// Whether there are more answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Rest {
    Follows,
    None,
}

const HEAD: usize = 16;
const DONE: u16 = 3;
/// What both the question and each answer are.
const BY_FAMILY: u16 = 20;
/// A request for all there are.
const ALL: u16 = 0x301;
/// The name, and the file.
const SHOWN: u32 = 3;
const NAME: u16 = 0;
const FILE: u16 = 1;

fn question() -> Vec<u8> {
    let mut bytes = Vec::with_capacity(40);
    bytes.extend(40_u32.to_ne_bytes());
    bytes.extend(BY_FAMILY.to_ne_bytes());
    bytes.extend(ALL.to_ne_bytes());
    bytes.extend([0; 8]);
    let family = u8::try_from(AddressFamily::UNIX.as_raw()).unwrap_or(1);
    bytes.extend([family, 0, 0, 0]);
    // In whatever state.
    bytes.extend(u32::MAX.to_ne_bytes());
    bytes.extend(0_u32.to_ne_bytes());
    bytes.extend(SHOWN.to_ne_bytes());
    bytes.extend([0; 8]);
    bytes
}

/// Adds what answers say; nothing when they are none.
fn read(mut answers: &[u8], found: &mut Vec<Bound>) -> Option<Rest> {
    while !answers.is_empty() {
        let length = usize::try_from(u32::from_ne_bytes(*answers.first_chunk()?)).ok()?;
        let answer = answers.get(..length).filter(|_| length >= HEAD)?;
        match u16::from_ne_bytes(*answer.get(4..)?.first_chunk()?) {
            DONE => return Some(Rest::None),
            BY_FAMILY => found.extend(bound(answer.get(2 * HEAD..)?)),
            _ => return None,
        }
        answers = answers.get(length.next_multiple_of(4)..).unwrap_or_default();
    }
    Some(Rest::Follows)
}

/// A socket that is bound to a file, by what is told about it.
fn bound(mut told: &[u8]) -> Option<Bound> {
    let (mut name, mut file) = (PathBuf::new(), None);
    while let Some((length, rest)) = told.split_first_chunk::<2>() {
        let length = usize::from(u16::from_ne_bytes(*length));
        let value = told.get(4..length)?;
        match u16::from_ne_bytes(*rest.first_chunk()?) {
            NAME => name = PathBuf::from(OsStr::from_bytes(value.split(|byte| *byte == 0).next()?)),
            FILE => {
                let (number, device) = value.split_first_chunk::<4>()?;
                file = Some((u32::from_ne_bytes(*number), u32::from_ne_bytes(*device.first_chunk()?)));
            }
            _ => {}
        }
        told = told.get(length.next_multiple_of(4)..).unwrap_or_default();
    }
    file.map(|(file, device)| Bound { name, file, device: Device::decoded(device) })
}

/// The file systems at and below directories; nothing when they cannot be known.
pub(super) fn devices_of(roots: &[PathBuf]) -> Option<Vec<Device>> {
    let list = plain::read(Path::new("/proc/self/mountinfo"), Links::Refused, MOST_LISTED);
    let Contents::Bytes(bytes) = list else { return None };
    let mounts: Vec<(Device, PathBuf)> = bytes.split(|byte| *byte == b'\n').filter_map(mount).collect();
    let mut devices = Vec::new();
    for root in roots {
        let around = mounts.iter().filter(|(_, place)| root.starts_with(place));
        // Of several at one place, the last is the one that is seen.
        let (device, _) = around.max_by_key(|(_, place)| place.as_os_str().len())?;
        devices.push(*device);
        devices.extend(mounts.iter().filter(|(_, place)| place.starts_with(root)).map(|(device, _)| *device));
    }
    Some(devices)
}

/// More mounts than any machine has.
const MOST_LISTED: u64 = 64 << 20;

fn mount(line: &[u8]) -> Option<(Device, PathBuf)> {
    let mut words = line.split(|byte| *byte == b' ').skip(2);
    let device = Device::read(words.next()?)?;
    Some((device, unescaped(words.nth(1)?)))
}

/// A path in which spaces and the like are written as numbers.
fn unescaped(text: &[u8]) -> PathBuf {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some((first, behind)) = rest.split_first() {
        let number = behind.first_chunk::<3>().filter(|_| *first == b'\\');
        let number = number.and_then(|digits| u8::from_str_radix(str::from_utf8(digits).ok()?, 8).ok());
        bytes.push(number.unwrap_or(*first));
        rest = if number.is_some() { behind.get(3..).unwrap_or_default() } else { behind };
    }
    PathBuf::from(std::ffi::OsString::from_vec(bytes))
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "tests make their own files and sockets")]
mod tests {
    use std::fs;
    use std::os::unix::fs::MetadataExt;
    use std::os::unix::net::UnixListener;

    use super::*;
    use crate::Scratch;

    #[test]
    fn a_socket_is_known_by_its_file() {
        let scratch = Scratch::new(&std::env::temp_dir()).unwrap();
        let path = scratch.path().join("s");
        let _listener = UnixListener::bind(&path).unwrap();
        let Some(all) = all() else { return };
        let one = all.iter().find(|bound| bound.name == path).unwrap();
        let found = fs::symlink_metadata(&path).unwrap();
        assert_eq!(u64::from(one.file), found.ino() & u64::from(u32::MAX));
        let devices = devices_of(&[fs::canonicalize(scratch.path()).unwrap()]).unwrap();
        assert!(devices.contains(&one.device), "{one:?}: {devices:?}");
    }

    #[test]
    fn numbers_and_names_are_read_as_the_kernel_writes_them() {
        assert_eq!(Device::decoded(0x0fe0_0101), Device { major: 254, minor: 0x101 });
        assert_eq!(Device::read(b"259:4"), Some(Device { major: 259, minor: 4 }));
        let line = b"36 35 98:0 /mnt1 /mnt/a\\040b rw,noatime master:1 - ext3 /dev/root rw";
        assert_eq!(mount(line), Some((Device { major: 98, minor: 0 }, PathBuf::from("/mnt/a b"))));
        assert_eq!(unescaped(b"a\\1"), PathBuf::from("a\\1"));
    }

    #[test]
    fn what_is_no_answer_says_nothing() {
        for bytes in [&[0_u8; 40][..], &[1; 3], &[16, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]] {
            assert_eq!(read(bytes, &mut Vec::new()), None, "{bytes:?}");
        }
        assert_eq!(bound(&[3, 0, 1, 0]), None);
        assert_eq!(bound(&[8, 0, 1, 0, 1, 1]), None);
    }
}
