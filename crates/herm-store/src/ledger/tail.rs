//! Where the next record goes.
//!
//! The head says how far the ledger reaches at least. Whoever was killed between writing a record and moving the head
//! leaves a record behind the head: it chains, so it is adopted. Whoever was killed while writing leaves a line
//! without an end: it was never reported as written, so it is set aside. Anything else is not the work of a crash.

use std::fs::File;
use std::io::Write;
use std::path::Path;

use super::entry::Entry;
use super::head::Head;
use super::lines::Lines;
use super::{Flaw, RECORDS, TORN};
use crate::digest::Digest;
use crate::error::Error;
use crate::files;

/// The head as it would be if nobody had been interrupted. The ledger ends there when this returns.
pub(crate) fn settle(directory: &Path, file: &File, head: Head) -> Result<Result<Head, Flaw>, Error> {
    let path = directory.join(RECORDS);
    let length = file.metadata().map_err(Error::file("look at", &path))?.len();
    let lines = |from, to| {
        file.try_clone().and_then(|file| Lines::new(file, from, to)).map_err(Error::file("read", &path))
    };
    if length < head.length {
        return Ok(Err(Flaw::Truncated { first: head.seq, last: head.seq }));
    }
    if !is_last(lines(head.start, head.length)?, head).map_err(Error::file("read", &path))? {
        return Ok(Err(Flaw::Altered { first: head.seq, last: head.seq }));
    }
    let adopted = adopt(lines(head.length, length)?, head).map_err(Error::file("read", &path))?;
    if let Ok(Adopted { head, torn: Some(torn) }) = &adopted {
        set_aside(directory, torn)?;
        file.set_len(head.length).map_err(Error::file("write", &path))?;
    }
    Ok(adopted.map(|adopted| adopted.head))
}

/// The head, moved past the whole records that end within this length.
pub(crate) fn reach(file: &File, head: Head, length: u64) -> std::io::Result<Result<Head, Flaw>> {
    if length <= head.length {
        return Ok(Ok(head));
    }
    let lines = Lines::new(file.try_clone()?, head.length, length)?;
    Ok(adopt(lines, head)?.map(|adopted| adopted.head))
}

/// Whether the line that the head names is there.
fn is_last(mut lines: Lines, head: Head) -> std::io::Result<bool> {
    match lines.next()? {
        Some(line) => Ok(line.is_whole && line.end == head.length && Digest::of(line.bytes) == head.hash),
        None => Ok(head == Head::default()),
    }
}

struct Adopted {
    head: Head,
    torn: Option<Vec<u8>>,
}

fn adopt(mut lines: Lines, mut head: Head) -> std::io::Result<Result<Adopted, Flaw>> {
    while let Some(line) = lines.next()? {
        let next = head.seq + 1;
        if !line.is_whole {
            return Ok(Ok(Adopted { head, torn: Some(line.bytes.to_vec()) }));
        }
        match Entry::parse(line.bytes) {
            Some(entry) if entry.seq == next && entry.previous == head.hash => {
                head = Head { seq: next, hash: entry.hash, start: line.start, length: line.end };
            }
            _ => return Ok(Err(Flaw::Altered { first: next, last: next })),
        }
    }
    Ok(Ok(Adopted { head, torn: None }))
}

/// Keeps what was torn, for whoever wants to know what was going on.
fn set_aside(directory: &Path, torn: &[u8]) -> Result<(), Error> {
    let path = directory.join(TORN);
    let mut file = files::open_to_collect(&path)?;
    let line = [torn, b"\n"].concat();
    file.write_all(&line).and_then(|()| file.sync_all()).map_err(Error::file("write", &path))
}
