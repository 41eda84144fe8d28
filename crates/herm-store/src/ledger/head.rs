//! The head: how far the ledger reaches, kept apart and vouched for by a key.
//!
//! It is written over in place, not replaced by a new file. It is shorter than the smallest sector of a disk, so that
//! after a loss of power the old or the new one is there, and no signal stops a write within a page. It takes no space
//! that a full disk could refuse, and it need not be synced: a head that fell behind is caught up with from the
//! ledger, which always reaches the disk first. Replacing it by a synced new file made an append three times as slow.

use std::fmt::Write as _;
use std::os::unix::fs::FileExt;
use std::path::Path;

use serde_json::Value;

use super::Flaw;
use crate::digest::{Digest, Key};
use crate::error::Error;
use crate::files;

/// How far the ledger reaches: its last record, and where that one stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Head {
    /// The place of the last record; 0 when there is none.
    pub(crate) seq: u64,
    /// The hash of its line.
    pub(crate) hash: Digest,
    /// Where its line begins.
    pub(crate) start: u64,
    /// Where its line ends, with the line break: the length of the ledger.
    pub(crate) length: u64,
}

/// The file beside the ledger.
pub(crate) const FILE: &str = "head";

/// The file that holds the key.
pub(crate) const KEY: &str = "key";

/// The length of the file.
const SIZE: usize = 384;

/// The key that vouches for what a home keeps.
pub(crate) fn key(directory: &Path) -> Result<Result<Key, Flaw>, Error> {
    let path = directory.join(KEY);
    let Some(key) = files::read(&path, 33)? else { return Ok(Err(Flaw::KeyMissing)) };
    files::must_be_private(&path)?;
    Ok(Key::from_bytes(&key).ok_or(Flaw::KeyUnreadable))
}

impl Head {
    /// Reads it, checks that the key vouches for it, and hands out both.
    pub(crate) fn read(directory: &Path) -> Result<Result<(Self, Key), Flaw>, Error> {
        let key = match key(directory)? {
            Ok(key) => key,
            Err(flaw) => return Ok(Err(flaw)),
        };
        let Some(bytes) = files::read(&directory.join(FILE), 4096)? else {
            return Ok(Err(Flaw::HeadMissing));
        };
        Ok(Self::parse(&bytes, &key).map(|head| (head, key)))
    }

    fn parse(bytes: &[u8], key: &Key) -> Result<Self, Flaw> {
        let (head, code) = Self::fields(bytes).ok_or(Flaw::HeadUnreadable)?;
        if key.vouches(head.signed().as_bytes(), &code) { Ok(head) } else { Err(Flaw::HeadForged) }
    }

    fn fields(bytes: &[u8]) -> Option<(Self, Digest)> {
        let value: Value = serde_json::from_slice(bytes).ok()?;
        let number = |name: &str| value.get(name)?.as_i64().and_then(|number| u64::try_from(number).ok());
        let digest = |name: &str| Digest::parse(value.get(name)?.as_str()?);
        let head = Self {
            seq: number("seq")?,
            hash: digest("hash")?,
            start: number("start")?,
            length: number("length")?,
        };
        Some((head, digest("mac")?))
    }

    /// Writes it over the one that is there.
    pub(crate) fn write(&self, directory: &Path, key: &Key) -> Result<(), Error> {
        let path = directory.join(FILE);
        files::open_to_overwrite(&path)?
            .write_all_at(self.text(key).as_bytes(), 0)
            .map_err(Error::file("write", &path))
    }

    /// One line, always of the same length.
    pub(crate) fn text(&self, key: &Key) -> String {
        let Self { seq, hash, start, length } = self;
        let code = key.sign(self.signed().as_bytes());
        let mut text =
            format!(r#"{{"seq":{seq},"hash":"{hash}","start":{start},"length":{length},"mac":"{code}"}}"#);
        let blanks = (SIZE - 1).saturating_sub(text.len());
        let _ = writeln!(text, "{:blanks$}", "");
        text
    }

    /// What the key vouches for.
    fn signed(&self) -> String {
        let Self { seq, hash, start, length } = self;
        format!("herm ledger head 1\n{seq}\n{hash}\n{start}\n{length}\n")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key() -> Key {
        Key::from_bytes(&[3; 32]).unwrap()
    }

    fn head() -> Head {
        Head { seq: 12, hash: Digest::of(b"line"), start: 1000, length: 1234 }
    }

    #[test]
    fn fits_into_the_smallest_sector_whatever_it_holds() {
        let most = Head { seq: u64::MAX, hash: Digest::ZERO, start: u64::MAX, length: u64::MAX };
        assert_eq!(most.text(&key()).len(), SIZE);
        assert_eq!(Head::default().text(&key()).len(), SIZE);
        const { assert!(SIZE <= 512) };
    }

    #[test]
    fn is_read_as_it_was_written() {
        assert_eq!(Head::parse(head().text(&key()).as_bytes(), &key()), Ok(head()));
    }

    #[test]
    fn any_changed_field_is_found() {
        let text = head().text(&key());
        for (from, to) in [("12,", "13,"), ("1000", "1001"), ("1234", "1233"), (":\"", ":\"0")] {
            let changed = text.replacen(from, to, 1);
            assert_ne!(Head::parse(changed.as_bytes(), &key()), Ok(head()), "{from}");
        }
        assert_eq!(Head::parse(text.replace("12,", "13,").as_bytes(), &key()), Err(Flaw::HeadForged));
        assert_eq!(Head::parse(b"", &key()), Err(Flaw::HeadUnreadable));
        let other = Key::from_bytes(&[4; 32]).unwrap();
        assert_eq!(Head::parse(text.as_bytes(), &other), Err(Flaw::HeadForged));
    }
}
