//! Bytes, line by line.

use std::io::{self, Read};
use std::sync::mpsc::{Receiver, sync_channel};
use std::thread;

use herm_adapters::LONGEST;

use super::{Heard, WAITING};

/// Splits what comes in pieces into lines. A line that is too long is dropped to its end.
#[derive(Debug, Default)]
pub(super) struct Splitter {
    held: Vec<u8>,
    /// Whether the line that is being read is being dropped.
    drops: bool,
}

impl Splitter {
    /// The lines that are whole by now.
    pub(super) fn feed(&mut self, bytes: &[u8]) -> Vec<Heard> {
        let mut lines = Vec::new();
        let mut pieces = bytes.split(|byte| *byte == b'\n');
        // What follows the last end is not whole.
        let open = pieces.next_back().unwrap_or_default();
        for piece in pieces {
            self.add(piece);
            lines.extend(self.take());
        }
        self.add(open);
        lines
    }

    /// What was not ended.
    pub(super) fn rest(&mut self) -> Option<Heard> {
        self.take()
    }

    fn add(&mut self, piece: &[u8]) {
        if self.drops || self.held.len() + piece.len() > LONGEST {
            self.drops = true;
            self.held = Vec::new();
        } else {
            self.held.extend_from_slice(piece);
        }
    }

    /// The line so far, unless there is nothing in it.
    fn take(&mut self) -> Option<Heard> {
        if std::mem::take(&mut self.drops) {
            return Some(Heard::TooLong);
        }
        let mut line = std::mem::take(&mut self.held);
        if line.last() == Some(&b'\r') {
            line.pop();
        }
        (!line.is_empty()).then_some(Heard::Line(line))
    }
}

/// The lines of something that is read on a thread of its own, such as our standard input.
///
/// # Errors
/// When there are too many threads.
pub fn lines(mut reader: impl Read + Send + 'static) -> io::Result<Receiver<Heard>> {
    let (sender, heard) = sync_channel(WAITING);
    let mut splitter = Splitter::default();
    let mut space = vec![0; PIECE];
    let mut read = move || {
        let length = loop {
            match reader.read(&mut space) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                // What cannot be read has ended.
                read => break read.unwrap_or(0),
            }
        };
        match space.get(..length) {
            Some([]) | None => (splitter.rest().into_iter().chain([Heard::Over(None)]).collect(), false),
            Some(bytes) => (splitter.feed(bytes), true),
        }
    };
    thread::Builder::new().name("lines".to_owned()).spawn(move || {
        loop {
            let (lines, goes_on): (Vec<Heard>, bool) = read();
            let is_heard = lines.into_iter().all(|line| sender.send(line).is_ok());
            if !is_heard || !goes_on {
                return;
            }
        }
    })?;
    Ok(heard)
}

/// How much is read at a time.
const PIECE: usize = 64 << 10;
