//! Server-sent events: what a stream of them says, taken apart as it comes.

use std::time::Duration;

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
    /// What the event that is being read is known by.
    next: Option<String>,
    last: Option<String>,
    retry: Option<Duration>,
}

/// The longest name of an event: longer ones are not remembered.
const LONGEST_NAME: usize = 1024;

/// The longest time that somebody is asked to wait and does.
const LONGEST_WAIT: Duration = Duration::from_mins(5);

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

    /// What the last event is known by, where it has a name: from there the stream can be gone on with.
    #[must_use]
    pub fn last(&self) -> Option<&str> {
        self.last.as_deref()
    }

    /// How long to wait before the stream is opened again, where that was said.
    #[must_use]
    pub const fn retry(&self) -> Option<Duration> {
        self.retry
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
        if let Some(name) = self.next.take() {
            self.last = Some(name).filter(|name| !name.is_empty());
        }
        if is_long {
            return Some(Event::TooLong);
        }
        (has_data && !data.is_empty()).then_some(Event::Data(data))
    }

    /// A line that begins with a colon is a comment.
    fn field(&mut self, line: &[u8]) {
        let of = |name: &[u8]| {
            let value = line.strip_prefix(name)?;
            Some(value.strip_prefix(b" ").unwrap_or(value))
        };
        let text = |value: &[u8]| {
            let is_plain =
                value.len() <= LONGEST_NAME && value.iter().all(|byte| (b' '..=b'~').contains(byte));
            String::from_utf8(value.to_vec()).ok().filter(|_| is_plain)
        };
        if let Some(name) = of(b"id:") {
            // It is said in a field later, where nothing else can stand.
            self.next = text(name).or_else(|| Some(String::new()));
        }
        if let Some(wait) = of(b"retry:").and_then(text).and_then(|digits| digits.parse().ok()) {
            self.retry = Some(Duration::from_millis(wait).min(LONGEST_WAIT));
        }
        let Some(value) = of(b"data:") else { return };
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
    fn where_a_stream_can_be_gone_on_with_is_known() {
        let mut events = Events::default();
        assert_eq!(events.feed(b"id: a\nretry: 500\ndata:\n\nid: b\ndata: x\n"), []);
        assert_eq!(
            (events.last(), events.retry()),
            (Some("a"), Some(Duration::from_millis(500))),
            "b is not whole"
        );
        events.feed(b"\ndata: y\n\nretry: soon\nretry: 99999999999\n\n");
        assert_eq!((events.last(), events.retry()), (Some("b"), Some(LONGEST_WAIT)));
        events.feed("id: c\u{e9}\n\n".as_bytes());
        assert_eq!(events.last(), None, "what cannot stand in a field");
    }

    #[test]
    fn what_is_too_long_is_dropped_to_its_end() {
        let long = vec![b'x'; LONGEST + 1];
        assert_eq!(all(&[b"data: ", &long, b"\n\ndata: y\n\n"]), ["too long", "y"]);
        let half = [b"data: ", &vec![b'x'; LONGEST / 2 + 1][..], b"\n"].concat();
        assert_eq!(all(&[&half, &half, b"\ndata: y\n\n"]), ["too long", "y"]);
    }
}
