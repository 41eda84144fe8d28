//! Lines of standard input, until they end or somebody calls it off.

use std::os::fd::AsFd;

use herm_runtime::perform::Cancel;
use rustix::event::{PollFd, PollFlags, poll};
use rustix::io::{Errno, read};
use rustix::stdio::stdin;

/// Lines of standard input.
#[derive(Debug)]
pub(crate) struct Lines<'a> {
    cancel: &'a Cancel,
    held: Vec<u8>,
    ended: bool,
}

/// What comes next.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Line {
    /// Somebody called it off.
    CalledOff,
    /// Nothing more.
    End,
    /// A line, without its end.
    Text(String),
    /// A line that is longer than any command may be. What there was of it is dropped.
    TooLong,
}

/// The longest line: the longest command, with everything in it escaped.
const LONGEST: usize = 8 << 20;

impl<'a> Lines<'a> {
    pub(crate) fn new(cancel: &'a Cancel) -> Self {
        Self { cancel, held: Vec::new(), ended: false }
    }

    pub(crate) fn next(&mut self) -> Line {
        let mut too_long = false;
        let mut searched = 0;
        loop {
            if let Some(end) = self.held.iter().skip(searched).position(|byte| *byte == b'\n') {
                let line: Vec<u8> = self.held.drain(..=searched + end).collect();
                return if too_long { Line::TooLong } else { text(&line) };
            }
            if self.ended {
                return self.rest(too_long);
            }
            if self.held.len() > LONGEST {
                self.held.clear();
                too_long = true;
            }
            searched = self.held.len();
            if !self.fill() {
                return Line::CalledOff;
            }
        }
    }

    /// What stands behind the last end of a line.
    fn rest(&mut self, too_long: bool) -> Line {
        match std::mem::take(&mut self.held) {
            _ if too_long => Line::TooLong,
            rest if rest.is_empty() => Line::End,
            rest => text(&rest),
        }
    }

    /// Waits for more. False when it was called off.
    fn fill(&mut self) -> bool {
        let input = stdin();
        let mut wanted = [
            PollFd::new(&input, PollFlags::IN),
            PollFd::from_borrowed_fd(self.cancel.as_fd(), PollFlags::IN),
        ];
        if poll(&mut wanted, None).is_err() {
            return !self.cancel.is_cancelled();
        }
        let [_, called] = wanted.map(|one| one.revents());
        if !called.is_empty() {
            return false;
        }
        let mut space = [0_u8; 8192];
        match read(input, &mut space) {
            Ok(0) => self.ended = true,
            Ok(length) => self.held.extend(space.iter().take(length)),
            Err(Errno::INTR | Errno::AGAIN) => {}
            Err(_) => self.ended = true,
        }
        true
    }
}

/// What is not UTF-8 is not what it would be taken for: the signs in its place are refused by whoever reads it, or do nothing.
fn text(line: &[u8]) -> Line {
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    Line::Text(String::from_utf8_lossy(line).into_owned())
}
