//! How a try's own files are written: numbers, bytes and lists one after the other, with a hash at the end.
//!
//! Names of files are bytes and no text, which is why these are not JSON.

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Read, Write};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use super::error::{Doing, Error, Result};
use super::node::{Attributes, Content, Digest, Node, Owner, Shape, Stamp, Time};

/// What can be written and read back.
pub(crate) trait Record: Sized {
    fn write(&self, out: &mut Vec<u8>);
    fn read(input: &mut &[u8]) -> Option<Self>;
}

/// Writes a file so that it is there whole or not at all. When the power fails it may be lost: that only costs a try.
pub(crate) fn save<R: Record>(path: &Path, record: &R) -> Result<()> {
    write(path, record, |_| Ok(())).doing("write", path)
}

/// The same, and it has reached the disk afterwards, with what stands beside it in the directory.
#[expect(clippy::disallowed_methods, reason = "the journal is written here")]
pub(crate) fn save_for_good<R: Record>(path: &Path, record: &R) -> Result<()> {
    let sync_parent = || path.parent().map_or(Ok(()), |parent| File::open(parent)?.sync_all());
    write(path, record, File::sync_all).and_then(|()| sync_parent()).doing("write", path)
}

/// Makes sure that a file has reached the disk.
#[expect(clippy::disallowed_methods, reason = "the journal is written here")]
pub(crate) fn settle(path: &Path) -> Result<()> {
    File::open(path).and_then(|file| file.sync_all()).doing("write", path)
}

#[expect(clippy::disallowed_methods, reason = "the journal is written here")]
fn write<R: Record>(path: &Path, record: &R, finish: impl Fn(&File) -> io::Result<()>) -> io::Result<()> {
    let mut bytes = Vec::new();
    record.write(&mut bytes);
    let (_, digest) = Digest::of(bytes.as_slice())?;
    let fresh = path.with_extension("part");
    let mut file = File::options().create(true).truncate(true).write(true).mode(0o600).open(&fresh)?;
    file.write_all(&bytes)?;
    file.write_all(&digest.0)?;
    finish(&file)?;
    std::fs::rename(&fresh, path)
}

/// Reads it back; `None` when it was never written.
#[expect(clippy::disallowed_methods, reason = "the journal is read here")]
pub(crate) fn load<R: Record>(path: &Path) -> Result<Option<R>> {
    let mut bytes = Vec::new();
    match File::open(path).and_then(|mut file| file.read_to_end(&mut bytes)) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        answer => answer.doing("read", path)?,
    };
    let damaged = || Error::Damaged(path.to_owned());
    let (mut body, hash) = bytes.split_last_chunk::<32>().ok_or_else(damaged)?;
    let (_, digest) = Digest::of(body).doing("read", path)?;
    if digest.0 != *hash {
        return Err(damaged());
    }
    let record = R::read(&mut body).ok_or_else(damaged)?;
    if body.is_empty() { Ok(Some(record)) } else { Err(damaged()) }
}

macro_rules! numbers {
    ($($number:ty),*) => {$(
        impl Record for $number {
            fn write(&self, out: &mut Vec<u8>) {
                out.extend(self.to_le_bytes());
            }

            fn read(input: &mut &[u8]) -> Option<Self> {
                let (bytes, rest) = input.split_first_chunk()?;
                *input = rest;
                Some(Self::from_le_bytes(*bytes))
            }
        }
    )*};
}

numbers!(u8, u32, u64, i64);

impl Record for bool {
    fn write(&self, out: &mut Vec<u8>) {
        u8::from(*self).write(out);
    }

    fn read(input: &mut &[u8]) -> Option<Self> {
        Some(u8::read(input)? != 0)
    }
}

fn write_bytes(bytes: &[u8], out: &mut Vec<u8>) {
    (bytes.len() as u64).write(out);
    out.extend(bytes);
}

fn read_bytes(input: &mut &[u8]) -> Option<Vec<u8>> {
    let length = usize::try_from(u64::read(input)?).ok()?;
    let (bytes, rest) = input.split_at_checked(length)?;
    *input = rest;
    Some(bytes.to_vec())
}

impl Record for OsString {
    fn write(&self, out: &mut Vec<u8>) {
        write_bytes(self.as_bytes(), out);
    }

    fn read(input: &mut &[u8]) -> Option<Self> {
        read_bytes(input).map(Self::from_vec)
    }
}

impl Record for PathBuf {
    fn write(&self, out: &mut Vec<u8>) {
        write_bytes(self.as_os_str().as_bytes(), out);
    }

    fn read(input: &mut &[u8]) -> Option<Self> {
        OsString::read(input).map(Self::from)
    }
}

impl<R: Record> Record for Option<R> {
    fn write(&self, out: &mut Vec<u8>) {
        self.is_some().write(out);
        if let Some(record) = self {
            record.write(out);
        }
    }

    fn read(input: &mut &[u8]) -> Option<Self> {
        if bool::read(input)? { R::read(input).map(Some) } else { Some(None) }
    }
}

impl<R: Record> Record for Vec<R> {
    fn write(&self, out: &mut Vec<u8>) {
        (self.len() as u64).write(out);
        for record in self {
            record.write(out);
        }
    }

    fn read(input: &mut &[u8]) -> Option<Self> {
        let count = u64::read(input)?;
        (0..count).map(|_| R::read(input)).collect()
    }
}

impl<A: Record, B: Record> Record for (A, B) {
    fn write(&self, out: &mut Vec<u8>) {
        self.0.write(out);
        self.1.write(out);
    }

    fn read(input: &mut &[u8]) -> Option<Self> {
        Some((A::read(input)?, B::read(input)?))
    }
}

impl Record for Digest {
    fn write(&self, out: &mut Vec<u8>) {
        out.extend(self.0);
    }

    fn read(input: &mut &[u8]) -> Option<Self> {
        let (bytes, rest) = input.split_first_chunk()?;
        *input = rest;
        Some(Self(*bytes))
    }
}

impl Record for Time {
    fn write(&self, out: &mut Vec<u8>) {
        self.seconds.write(out);
        self.nanoseconds.write(out);
    }

    fn read(input: &mut &[u8]) -> Option<Self> {
        Some(Self { seconds: i64::read(input)?, nanoseconds: u32::read(input)? })
    }
}

impl Record for Owner {
    fn write(&self, out: &mut Vec<u8>) {
        self.user.write(out);
        self.group.write(out);
    }

    fn read(input: &mut &[u8]) -> Option<Self> {
        Some(Self { user: u32::read(input)?, group: u32::read(input)? })
    }
}

const SHAPES: [Shape; 6] =
    [Shape::Device, Shape::Directory, Shape::Fifo, Shape::File, Shape::Socket, Shape::Symlink];

impl Record for Shape {
    fn write(&self, out: &mut Vec<u8>) {
        let place = SHAPES.iter().position(|shape| shape == self);
        place.and_then(|place| u8::try_from(place).ok()).unwrap_or(u8::MAX).write(out);
    }

    fn read(input: &mut &[u8]) -> Option<Self> {
        SHAPES.get(usize::from(u8::read(input)?)).copied()
    }
}

impl Record for Content {
    fn write(&self, out: &mut Vec<u8>) {
        self.shape().write(out);
        match self {
            Self::Directory | Self::Special(_) => {}
            Self::File { size, digest } => {
                size.write(out);
                digest.write(out);
            }
            Self::Symlink(target) => target.write(out),
        }
    }

    fn read(input: &mut &[u8]) -> Option<Self> {
        Some(match Shape::read(input)? {
            Shape::Directory => Self::Directory,
            Shape::File => Self::File { size: u64::read(input)?, digest: Option::read(input)? },
            Shape::Symlink => Self::Symlink(PathBuf::read(input)?),
            special @ (Shape::Device | Shape::Fifo | Shape::Socket) => Self::Special(special),
        })
    }
}

impl Record for Attributes {
    fn write(&self, out: &mut Vec<u8>) {
        (self.len() as u64).write(out);
        for (name, value) in self {
            name.write(out);
            write_bytes(value, out);
        }
    }

    fn read(input: &mut &[u8]) -> Option<Self> {
        let count = u64::read(input)?;
        (0..count).map(|_| Some((OsString::read(input)?, read_bytes(input)?))).collect()
    }
}

impl Record for Node {
    fn write(&self, out: &mut Vec<u8>) {
        self.content.write(out);
        self.mode.write(out);
        self.modified.write(out);
        self.owner.write(out);
        self.attributes.write(out);
        self.links.write(out);
    }

    fn read(input: &mut &[u8]) -> Option<Self> {
        Some(Self {
            content: Content::read(input)?,
            mode: u32::read(input)?,
            modified: Time::read(input)?,
            owner: Owner::read(input)?,
            attributes: Attributes::read(input)?,
            links: Option::read(input)?,
        })
    }
}

impl Record for Stamp {
    fn write(&self, out: &mut Vec<u8>) {
        self.shape.write(out);
        self.mode.write(out);
        self.device.write(out);
        self.inode.write(out);
        self.links.write(out);
        self.size.write(out);
        self.modified.write(out);
        self.changed.write(out);
        self.born.write(out);
        self.owner.write(out);
        self.number.write(out);
    }

    fn read(input: &mut &[u8]) -> Option<Self> {
        Some(Self {
            shape: Shape::read(input)?,
            mode: u32::read(input)?,
            device: Record::read(input)?,
            inode: u64::read(input)?,
            links: u32::read(input)?,
            size: u64::read(input)?,
            modified: Time::read(input)?,
            changed: Time::read(input)?,
            born: Time::read(input)?,
            owner: Owner::read(input)?,
            number: Record::read(input)?,
        })
    }
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "tests make their own files")]
mod tests {
    use super::*;

    fn node() -> Node {
        Node {
            content: Content::File { size: 7, digest: Some(Digest([3; 32])) },
            mode: 0o644,
            modified: Time { seconds: -1, nanoseconds: 999 },
            owner: Owner { user: 1, group: 2 },
            attributes: [("user.a".into(), vec![0, 255])].into(),
            links: Some(9),
        }
    }

    #[test]
    fn what_is_written_is_read_back() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("record");
        let record =
            vec![(PathBuf::from(OsString::from_vec(vec![0xff, b'\n'])), Some(node())), ("b".into(), None)];
        assert!(load::<Vec<(PathBuf, Option<Node>)>>(&path).unwrap().is_none());
        save(&path, &record).unwrap();
        assert_eq!(load::<Vec<(PathBuf, Option<Node>)>>(&path).unwrap().unwrap(), record);
    }

    #[test]
    fn every_damage_is_noticed() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("record");
        save(&path, &node()).unwrap();
        let whole = std::fs::read(&path).unwrap();
        for place in 0..whole.len() {
            let mut bytes = whole.clone();
            bytes[place] ^= 1;
            std::fs::write(&path, &bytes).unwrap();
            assert!(matches!(load::<Node>(&path), Err(Error::Damaged(_))), "bit {place}");
            std::fs::write(&path, &whole[..place]).unwrap();
            assert!(matches!(load::<Node>(&path), Err(Error::Damaged(_))), "cut at {place}");
        }
    }

    #[test]
    fn lengths_that_lie_take_no_memory() {
        let mut bytes: &[u8] = &[0xff; 16];
        assert!(Vec::<PathBuf>::read(&mut bytes).is_none());
    }
}
