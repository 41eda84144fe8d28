//! Server-sent events: what a stream of them says, taken apart as it comes.

use crate::LONGEST;

/// What comes out of a stream.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// The data of an event, its lines joined by blanks: a message of JSON has none that matter.
    Data(Vec<u8>),
    /// An event that is longer than any message may be. It was dropped.
    TooLong,
}

/// Takes a stream of events apart.
#[derive(Debug, Default)]
pub struct Events {
    line: Vec<u8>,
    data: Vec<u8>,
    has_data: bool,
    is_long: bool,
    /// Whether the last byte was one that may be half of the end of a line.
    was_return: bool,
}

impl Events {
    /// The events that are whole by now.
    pub fn feed(&mut self, bytes: &[u8]) -> Vec<Event> {
        let mut events = Vec::new();
        for &byte in bytes {
            match byte {
                b'\n' if self.was_return => {}
                b'\n' | b'\r' => events.extend(self.end()),
                _ if self.line.len() >= LONGEST => self.is_long = true,
                _ => self.line.push(byte),
            }
            self.was_return = byte == b'\r';
        }
        events
    }

    /// A line has ended; an empty one ends an event.
    fn end(&mut self) -> Option<Event> {
        let line = std::mem::take(&mut self.line);
        if !line.is_empty() {
            self.field(&line);
            return None;
        }
        let (data, is_long) = (std::mem::take(&mut self.data), std::mem::take(&mut self.is_long));
        let has_data = std::mem::take(&mut self.has_data);
        if is_long {
            return Some(Event::TooLong);
        }
        (has_data && !data.is_empty()).then_some(Event::Data(data))
    }

    /// Only data matters here: a line that begins with a colon is a comment.
    fn field(&mut self, line: &[u8]) {
        let Some(value) = line.strip_prefix(b"data:") else { return };
        let value = value.strip_prefix(b" ").unwrap_or(value);
        if self.data.len() + value.len() > LONGEST {
            self.is_long = true;
            self.data = Vec::new();
            return;
        }
        if self.has_data {
            self.data.push(b' ');
        }
        self.data.extend_from_slice(value);
        self.has_data = true;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(pieces: &[&[u8]]) -> Vec<String> {
        let mut events = Events::default();
        let event = |event| match event {
            Event::Data(data) => String::from_utf8(data).unwrap(),
            Event::TooLong => "too long".to_owned(),
        };
        pieces.iter().flat_map(|piece| events.feed(piece)).map(event).collect()
    }

    #[test]
    fn events_are_found_however_they_are_cut() {
        let stream = b":hello\nid: 1\ndata:\n\nevent: message\r\ndata: {\"a\":\r\ndata:1}\r\n\r\nretry: 5\rdata: x\r\r";
        assert_eq!(all(&[stream]), ["{\"a\": 1}", "x"]);
        let single: Vec<_> = stream.chunks(1).collect();
        assert_eq!(all(&single), ["{\"a\": 1}", "x"]);
        assert_eq!(all(&[b"data: unfinished\n"]), [""; 0]);
    }

    #[test]
    fn what_is_too_long_is_dropped_to_its_end() {
        let long = vec![b'x'; LONGEST + 1];
        assert_eq!(all(&[b"data: ", &long, b"\n\ndata: y\n\n"]), ["too long", "y"]);
        let half = [b"data: ", &vec![b'x'; LONGEST / 2 + 1][..], b"\n"].concat();
        assert_eq!(all(&[&half, &half, b"\ndata: y\n\n"]), ["too long", "y"]);
    }
}
