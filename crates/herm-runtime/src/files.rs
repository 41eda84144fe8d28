//! The files that are read, all of them here.

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Read};
use std::os::unix::ffi::OsStringExt;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use herm_shell::world::{Names, Standing, Written};

/// The largest file that is looked at.
pub(crate) const LARGEST: u64 = 256 * 1024;

/// What is known about a file.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Seen {
    /// It is not there.
    Absent,
    /// Its bytes.
    Bytes(Vec<u8>),
    /// It may not be opened, is too large, or is no regular file.
    Hidden,
}

/// Reads a regular file of a sensible size. What is not a regular file is never opened: a pipe would block.
#[expect(clippy::disallowed_methods, reason = "the one place where files are read")]
pub(crate) fn read(path: &Path) -> Seen {
    let regular = match std::fs::metadata(path) {
        Ok(metadata) => metadata.is_file() && metadata.len() <= LARGEST,
        Err(error) => return absent(&error),
    };
    match File::open(path) {
        Ok(file) if regular => bytes(file),
        Ok(_) => Seen::Hidden,
        Err(error) => absent(&error),
    }
}

fn bytes(file: File) -> Seen {
    let mut bytes = Vec::new();
    match file.take(LARGEST + 1).read_to_end(&mut bytes) {
        Ok(_) if u64::try_from(bytes.len()).is_ok_and(|length| length <= LARGEST) => Seen::Bytes(bytes),
        Ok(_) | Err(_) => Seen::Hidden,
    }
}

/// All of a regular file; `None` if it cannot be read, or is longer than `most`.
pub(crate) fn whole(path: &Path, most: u64) -> Option<Vec<u8>> {
    let mut whole = Vec::new();
    pieces(path, most, |piece| whole.extend_from_slice(piece))?;
    Some(whole)
}

/// Hands over the content of a regular file piece by piece, and says how long it is. `None` if it cannot be read, or is
/// longer than `most`.
#[expect(clippy::disallowed_methods, reason = "the one place where files are read")]
pub(crate) fn pieces(path: &Path, most: u64, mut take: impl FnMut(&[u8])) -> Option<u64> {
    let regular = std::fs::metadata(path).is_ok_and(|metadata| metadata.is_file() && metadata.len() <= most);
    let mut file = File::open(path).ok().filter(|_| regular)?.take(most + 1);
    let mut buffer = vec![0; 64 * 1024];
    let mut length = 0;
    loop {
        let count = file.read(&mut buffer).ok()?;
        take(buffer.get(..count)?);
        length += u64::try_from(count).ok()?;
        if count == 0 {
            return (length <= most).then_some(length);
        }
    }
}

/// The length and the rights of a regular file.
#[expect(clippy::disallowed_methods, reason = "the one place where files are looked at")]
pub(crate) fn regular(path: &Path) -> Option<Regular> {
    let metadata = std::fs::metadata(path).ok().filter(std::fs::Metadata::is_file)?;
    Some(Regular { length: metadata.len(), mode: metadata.mode() })
}

/// What a regular file looks like from outside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Regular {
    pub(crate) length: u64,
    pub(crate) mode: u32,
}

impl Regular {
    /// Whether anybody may run it.
    pub(crate) const fn is_program(self) -> bool {
        self.mode & 0o111 != 0
    }

    /// Whether others than its owner may read or change it.
    pub(crate) const fn is_open_to_others(self) -> bool {
        self.mode & 0o077 != 0
    }
}

/// The most names of a directory that are looked at.
const NAMES: usize = 2048;

/// The names that a directory holds.
#[expect(clippy::disallowed_methods, reason = "the one place where files are looked at")]
pub(crate) fn names(directory: &Path) -> Names {
    let entries = match std::fs::read_dir(directory) {
        Ok(entries) => entries,
        Err(error) if absent(&error) == Seen::Absent => return Names::Known(Vec::new()),
        Err(_) => return Names::Hidden,
    };
    let names: Option<Vec<_>> =
        entries.take(NAMES + 1).map(|entry| entry.ok()?.file_name().into_string().ok()).collect();
    names.filter(|names| names.len() <= NAMES).map_or(Names::Hidden, Names::Known)
}

/// How long a regular file is, and when it was last written; a link is none.
#[expect(clippy::disallowed_methods, reason = "the one place where files are looked at")]
pub(crate) fn written(path: &Path) -> Option<Written> {
    let found = std::fs::symlink_metadata(path).ok().filter(std::fs::Metadata::is_file)?;
    Some(Written { length: found.len(), seconds: found.mtime(), nanos: found.mtime_nsec() })
}

/// What may be done to something, and by whom.
#[expect(clippy::disallowed_methods, reason = "the one place where files are looked at")]
pub(crate) fn mode(path: &Path) -> Option<u32> {
    std::fs::metadata(path).ok().map(|metadata| metadata.mode())
}

/// Whether a path leads to a directory.
#[expect(clippy::disallowed_methods, reason = "the one place where files are looked at")]
pub(crate) fn is_directory(path: &Path) -> bool {
    std::fs::metadata(path).is_ok_and(|found| found.is_dir())
}

/// When something, or a link to it, was last written, replaced or moved. Nobody can set this time.
#[expect(clippy::disallowed_methods, reason = "the one place where files are looked at")]
pub(crate) fn changed(path: &Path) -> Option<SystemTime> {
    let time = |found: std::fs::Metadata| {
        let seconds = Duration::from_secs(u64::try_from(found.ctime()).ok()?);
        let rest = Duration::from_nanos(u64::try_from(found.ctime_nsec()).ok()?);
        UNIX_EPOCH.checked_add(seconds)?.checked_add(rest)
    };
    let link = time(std::fs::symlink_metadata(path).ok()?)?;
    Some(time(std::fs::metadata(path).ok()?)?.max(link))
}

/// Whether something is a link.
#[expect(clippy::disallowed_methods, reason = "the one place where files are looked at")]
pub(crate) fn is_link(path: &Path) -> bool {
    std::fs::symlink_metadata(path).is_ok_and(|found| found.is_symlink())
}

/// What stands at a path itself.
#[expect(clippy::disallowed_methods, reason = "the one place where files are looked at")]
pub(crate) fn standing(path: &Path) -> Option<Standing> {
    match std::fs::symlink_metadata(path) {
        Ok(found) if found.is_dir() => Some(Standing::Directory),
        Ok(found) if found.is_file() => Some(Standing::File),
        Ok(found) if found.is_symlink() => Some(Standing::Link),
        Ok(_) => Some(Standing::Other),
        Err(error) if absent(&error) == Seen::Absent => Some(Standing::Absent),
        Err(_) => None,
    }
}

/// Where something is mounted: at a path that leads through no link, or below it.
pub(crate) fn mounts(path: &Path) -> Option<Vec<String>> {
    let table = text(Path::new("/proc/self/mountinfo"))?;
    let places: Option<Vec<_>> = table.lines().map(|line| line.split(' ').nth(4).map(unescaped)).collect();
    // Where the table is empty, it is not the one of this machine.
    let places = places.filter(|places| !places.is_empty())?.into_iter().map(OsString::from_vec);
    let here = places.filter(|place| Path::new(place).starts_with(path));
    Some(here.map(|place| place.to_string_lossy().into_owned()).collect())
}

/// A name as the kernel writes it there: spaces and the like as three octal digits behind a backslash.
fn unescaped(name: &str) -> Vec<u8> {
    let mut parts = name.split('\\');
    let mut bytes = parts.next().unwrap_or_default().as_bytes().to_vec();
    for part in parts {
        let code = part.get(..3).and_then(|digits| u8::from_str_radix(digits, 8).ok());
        bytes.push(code.unwrap_or(b'\\'));
        bytes.extend(part.get(if code.is_some() { 3 } else { 0 }..).unwrap_or_default().bytes());
    }
    bytes
}

/// Whose something is.
#[expect(clippy::disallowed_methods, reason = "the one place where files are looked at")]
pub(crate) fn owner(path: &Path) -> Option<(u32, u32)> {
    std::fs::metadata(path).ok().map(|metadata| (metadata.uid(), metadata.gid()))
}

fn absent(error: &io::Error) -> Seen {
    let absent = matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory);
    if absent { Seen::Absent } else { Seen::Hidden }
}

/// The most links that are followed, as many as Linux follows.
const HOPS: usize = 40;

/// Where a path leads in the end. What is not there yet is where it would be made: behind a link that leads to
/// nothing, or in the nearest directory that exists.
#[expect(clippy::disallowed_methods, reason = "the one place where links are followed")]
pub(crate) fn real(path: &Path) -> Option<PathBuf> {
    let mut path = path.to_owned();
    for _ in 0..HOPS {
        if let Ok(whole) = std::fs::canonicalize(&path) {
            return Some(whole);
        }
        match std::fs::read_link(&path) {
            Ok(to) => path = path.parent()?.join(to),
            Err(_) => return beyond(&path),
        }
    }
    None
}

#[expect(clippy::disallowed_methods, reason = "the one place where links are followed")]
fn beyond(path: &Path) -> Option<PathBuf> {
    let (there, real) =
        path.ancestors().skip(1).find_map(|above| Some((above, std::fs::canonicalize(above).ok()?)))?;
    Some(real.join(path.strip_prefix(there).ok()?))
}

/// Whether two paths are names of one file that has several.
#[expect(clippy::disallowed_methods, reason = "the one place where files are compared")]
pub(crate) fn same(path: &Path, other: &Path) -> bool {
    let number = |path| {
        std::fs::metadata(path).ok().filter(|file| file.nlink() > 1).map(|file| (file.dev(), file.ino()))
    };
    number(path).is_some_and(|one| number(other) == Some(one))
}

/// Whether a file has several names.
#[expect(clippy::disallowed_methods, reason = "the one place where files are looked at")]
pub(crate) fn has_other_names(path: &Path) -> bool {
    std::fs::metadata(path).is_ok_and(|file| file.is_file() && file.nlink() > 1)
}

/// Which file or directory a path leads to: its device, and its number there.
#[expect(clippy::disallowed_methods, reason = "the one place where files are looked at")]
pub(crate) fn number(path: &Path) -> Option<(u64, u64)> {
    std::fs::metadata(path).ok().map(|found| (found.dev(), found.ino()))
}

/// Which file or directory something is, and when it was made: nobody can set this time, and a move leaves it as it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Born {
    pub(crate) device: u64,
    pub(crate) number: u64,
    /// Since the beginning of 1970.
    pub(crate) nanos: u64,
}

/// The file or directory at a path, where the machine tells when it was made; a link is none.
#[expect(clippy::disallowed_methods, reason = "the one place where files are looked at")]
pub(crate) fn born(path: &Path) -> Option<Born> {
    let found = std::fs::symlink_metadata(path).ok()?;
    let is_plain = found.is_dir() || found.is_file() && found.nlink() == 1;
    is_plain.then(|| born_as(&found)).flatten()
}

fn born_as(found: &std::fs::Metadata) -> Option<Born> {
    let since = found.created().ok()?.duration_since(UNIX_EPOCH).ok()?;
    let nanos = u64::try_from(since.as_nanos()).ok().filter(|nanos| *nanos > 0)?;
    Some(Born { device: found.dev(), number: found.ino(), nanos })
}

/// Whether nothing at a path or below it is older than `first`, or on another device; no more than `most` of it is looked at.
#[expect(clippy::disallowed_methods, reason = "the one place where files are looked at")]
pub(crate) fn is_all_born_since(path: &Path, first: Born, most: usize) -> bool {
    let mut waiting = vec![path.to_owned()];
    let mut seen = 0;
    while let Some(next) = waiting.pop() {
        seen += 1;
        let Ok(found) = std::fs::symlink_metadata(&next) else { return false };
        let is_newer =
            born_as(&found).is_some_and(|born| born.device == first.device && born.nanos >= first.nanos);
        if !is_newer || seen > most {
            return false;
        }
        if found.is_dir() {
            let Ok(entries) = std::fs::read_dir(&next) else { return false };
            for entry in entries {
                let Ok(entry) = entry else { return false };
                waiting.push(entry.path());
            }
            if seen + waiting.len() > most {
                return false;
            }
        }
    }
    true
}

/// What a directory holds.
#[expect(clippy::disallowed_methods, reason = "the one place where directories are read")]
pub(crate) fn list(directory: &Path) -> Vec<PathBuf> {
    std::fs::read_dir(directory).into_iter().flatten().flatten().map(|entry| entry.path()).collect()
}

/// Whether two paths lead to one file, or to two with the same content.
#[expect(clippy::disallowed_methods, reason = "the one place where files are compared")]
pub(crate) fn copies(path: &Path, other: &Path) -> bool {
    let look = |path| std::fs::metadata(path).ok().filter(std::fs::Metadata::is_file);
    let (Some(one), Some(two)) = (look(path), look(other)) else { return false };
    let same = one.dev() == two.dev() && one.ino() == two.ino();
    same || one.len() == two.len() && one.len() > 0 && same_content(path, other).unwrap_or(false)
}

#[expect(clippy::disallowed_methods, reason = "the one place where files are read")]
fn same_content(path: &Path, other: &Path) -> io::Result<bool> {
    let (mut one, mut two) = (File::open(path)?, File::open(other)?);
    let (mut left, mut right) = (vec![0; PIECE], vec![0; PIECE]);
    loop {
        let read = one.read(&mut left)?;
        let Some((piece, beside)) = left.get(..read).zip(right.get_mut(..read)) else { return Ok(false) };
        two.read_exact(beside)?;
        if piece != beside {
            return Ok(false);
        }
        if read == 0 {
            return Ok(true);
        }
    }
}

/// How much of a file is compared at once.
const PIECE: usize = 64 * 1024;

/// Whether something is there.
#[expect(clippy::disallowed_methods, reason = "the one place where files are looked for")]
pub(crate) fn exists(path: &Path) -> bool {
    std::fs::symlink_metadata(path).is_ok()
}

/// The working directory of this process.
#[expect(clippy::disallowed_methods, reason = "the one place where the working directory is asked for")]
pub(crate) fn working_directory() -> io::Result<PathBuf> {
    std::env::current_dir()
}

/// The text of a small file that the system makes up as it is read.
#[expect(clippy::disallowed_methods, reason = "the one place where files are read")]
pub(crate) fn text(path: &Path) -> Option<String> {
    std::fs::read_to_string(path).ok()
}

/// Which file a path names, and whether its content may have changed: device, number, size, times.
#[expect(clippy::disallowed_methods, reason = "the one place where files are looked at")]
pub(crate) fn identity(path: &Path) -> Option<String> {
    let file = std::fs::metadata(path).ok().filter(std::fs::Metadata::is_file)?;
    let times = (file.mtime(), file.mtime_nsec(), file.ctime(), file.ctime_nsec());
    Some(format!("{} {} {} {times:?}", file.dev(), file.ino(), file.len()))
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "tests make the files that are looked at")]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn what_stands_at_a_path_is_told_without_following_it() {
        let directory = tempfile::tempdir().unwrap();
        let at = |name: &str| directory.path().join(name);
        fs::write(at("file"), "").unwrap();
        symlink("nowhere", at("link")).unwrap();
        let standing = |name: &str| standing(&at(name));
        assert_eq!(standing(""), Some(Standing::Directory));
        assert_eq!((standing("file"), standing("link")), (Some(Standing::File), Some(Standing::Link)));
        assert_eq!(
            (standing("none"), standing("file/below")),
            (Some(Standing::Absent), Some(Standing::Absent))
        );
        assert_eq!(super::standing(Path::new("/dev/null")), Some(Standing::Other));
    }

    #[test]
    fn mounts_are_found_at_a_path_and_below_it() {
        let at = |path: &str| mounts(Path::new(path)).unwrap();
        assert!(at("/").contains(&"/proc".to_owned()), "{:?}", at("/"));
        assert!(at("/proc").contains(&"/proc".to_owned()) && at("/pro").is_empty());
        assert_eq!(unescaped(r"/a\040b\134\x"), br"/a b\\x");
    }

    #[test]
    fn what_is_longer_than_it_may_be_is_not_read() {
        let directory = tempfile::tempdir().unwrap();
        let file = directory.path().join("file");
        fs::write(&file, "four").unwrap();
        assert_eq!((whole(&file, 4), whole(&file, 3)), (Some(b"four".to_vec()), None));
    }
}
