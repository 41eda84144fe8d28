//! Files that somebody else may have put there, or may be changing while they are read.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use rustix::fs::{CWD, FileType, Mode, OFlags, fstat, openat};
use rustix::io::Errno;

/// What is in a file.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Contents {
    /// There is none, or nobody can read it.
    Nothing,
    Bytes(Vec<u8>),
    /// It is too long, or no file at all.
    TooMuch,
}

/// Whether links are followed to a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Links {
    Followed,
    Refused,
}

/// Reads a file of at most so many bytes. What is no file is not waited for.
pub(super) fn read(path: &Path, links: Links, most: u64) -> Contents {
    let link = if links == Links::Refused { OFlags::NOFOLLOW } else { OFlags::empty() };
    let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC | link;
    let file = match openat(CWD, path, flags, Mode::empty()) {
        // A socket cannot be opened, and a link that must not be followed is none of ours.
        Err(Errno::NXIO | Errno::LOOP) => return Contents::TooMuch,
        Err(_) => return Contents::Nothing,
        Ok(file) => file,
    };
    let Ok(found) = fstat(&file) else { return Contents::Nothing };
    let kind = FileType::from_raw_mode(found.st_mode);
    if kind == FileType::Directory {
        Contents::Nothing
    } else if kind == FileType::RegularFile && u64::try_from(found.st_size).is_ok_and(|size| size <= most) {
        bytes(&File::from(file), most)
    } else {
        Contents::TooMuch
    }
}

fn bytes(file: &File, most: u64) -> Contents {
    let mut bytes = Vec::new();
    match file.take(most + 1).read_to_end(&mut bytes) {
        Err(_) => Contents::Nothing,
        Ok(length) if u64::try_from(length).is_ok_and(|length| length <= most) => Contents::Bytes(bytes),
        Ok(_) => Contents::TooMuch,
    }
}

/// The line that a file consists of.
pub(super) fn line(path: &Path, links: Links) -> Option<Vec<u8>> {
    let Contents::Bytes(mut bytes) = read(path, links, MOST) else { return None };
    while matches!(bytes.last(), Some(b'\n' | b'\r')) {
        bytes.pop();
    }
    Some(bytes)
}

/// More than any path has, and any settings.
pub(crate) const MOST: u64 = 1 << 20;

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "tests make their own files")]
mod tests {
    use super::*;
    use crate::Scratch;

    #[test]
    fn only_files_are_read_and_nothing_is_waited_for() {
        let scratch = Scratch::new(&std::env::temp_dir()).unwrap();
        let at = |name: &str| scratch.path().join(name);
        std::fs::write(at("file"), "text\r\n\n").unwrap();
        std::os::unix::fs::symlink("file", at("link")).unwrap();
        rustix::fs::mknodat(CWD, at("pipe"), FileType::Fifo, Mode::from_raw_mode(0o600), 0).unwrap();
        assert_eq!(read(&at("file"), Links::Refused, 7), Contents::Bytes(b"text\r\n\n".to_vec()));
        assert_eq!(read(&at("file"), Links::Refused, 6), Contents::TooMuch);
        assert_eq!(read(&at("link"), Links::Refused, 7), Contents::TooMuch);
        assert_eq!(read(&at("pipe"), Links::Followed, 7), Contents::TooMuch);
        assert_eq!(read(&at("none"), Links::Followed, 7), Contents::Nothing);
        assert_eq!(read(scratch.path(), Links::Followed, 7), Contents::Nothing);
        assert_eq!(line(&at("link"), Links::Followed), Some(b"text".to_vec()));
    }
}
