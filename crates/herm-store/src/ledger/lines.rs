//! Reads a ledger line by line, never more than one at a time.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};

use super::entry::LONGEST;

/// The lines between two places of a file.
#[derive(Debug)]
pub(crate) struct Lines {
    reader: io::Take<BufReader<File>>,
    at: u64,
    bytes: Vec<u8>,
}

/// One line, and where it stands.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Line<'a> {
    /// Without its line break.
    pub(crate) bytes: &'a [u8],
    /// Where it begins.
    pub(crate) start: u64,
    /// Where the next one begins.
    pub(crate) end: u64,
    /// Whether it has a line break. A line too long to be a record comes in pieces without one.
    pub(crate) is_whole: bool,
}

impl Lines {
    pub(crate) fn new(mut file: File, from: u64, to: u64) -> io::Result<Self> {
        file.seek(SeekFrom::Start(from))?;
        let reader = BufReader::with_capacity(1 << 16, file).take(to.saturating_sub(from));
        Ok(Self { reader, at: from, bytes: Vec::new() })
    }

    /// The next line; `None` at the end.
    pub(crate) fn next(&mut self) -> io::Result<Option<Line<'_>>> {
        self.bytes.clear();
        let most = u64::try_from(LONGEST).unwrap_or(u64::MAX);
        let length = self.reader.by_ref().take(most).read_until(b'\n', &mut self.bytes)?;
        if length == 0 {
            return Ok(None);
        }
        let start = self.at;
        self.at += u64::try_from(length).unwrap_or(u64::MAX);
        let whole = self.bytes.strip_suffix(b"\n");
        let is_whole = whole.is_some();
        Ok(Some(Line { bytes: whole.unwrap_or(&self.bytes), start, end: self.at, is_whole }))
    }
}
