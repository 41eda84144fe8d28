//! Whether what a client says first is a request after all, for a server that is not strict.
//!
//! Where a client does not begin as a client of HTTP does, nobody here reads on: it may speak anything, and may wait for an answer in the middle of
//! what would be a line. But there are servers that pass over blanks and control characters before a request, split its first line at whatever they take
//! for a space, or do without a version. So what passes is watched up to the end of its first line, and the end of a line that is a request never reaches the server.

/// What was seen so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Seen {
    /// Something that no server takes for a request.
    Other,
    /// What a server may take for a request.
    Request,
    /// The first line has not ended.
    Unclear,
}

/// Watches a first line that comes in pieces.
#[derive(Debug)]
pub(crate) struct Watch {
    seen: Seen,
    at: At,
    /// How many bytes came.
    length: usize,
    /// The beginning of the line, without what stands before it.
    line: Vec<u8>,
    /// How much of what names the version came last, and whether that began a word.
    version: usize,
    version_is_word: bool,
    is_between_words: bool,
}

/// Where in a line it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum At {
    /// Before its first word.
    Lead,
    /// In its first word.
    Word,
    /// After its first word.
    Rest,
}

/// The longest line that is watched. No server waits for longer ones.
const LONGEST: usize = 1 << 20;

/// How much of a line says whether it begins as a request: a method, and how a path or an address begins.
const BEGINNING: usize = 64;

/// What a version begins with, in whatever case.
const VERSION: &[u8] = b"http/";

/// Methods that servers know.
static METHODS: &[&[u8]] =
    &[b"CONNECT", b"DELETE", b"GET", b"HEAD", b"OPTIONS", b"PATCH", b"POST", b"PUT", b"TRACE"];

impl Default for Watch {
    fn default() -> Self {
        Self {
            seen: Seen::Unclear,
            at: At::Lead,
            length: 0,
            line: Vec::new(),
            version: 0,
            version_is_word: false,
            is_between_words: true,
        }
    }
}

impl Watch {
    /// One that lets everything pass.
    pub(crate) fn over() -> Self {
        Self { seen: Seen::Other, ..Self::default() }
    }

    pub(crate) fn seen(&self) -> Seen {
        self.seen
    }

    /// What is there after some more bytes.
    pub(crate) fn see(&mut self, bytes: &[u8]) -> Seen {
        for byte in bytes {
            if self.seen != Seen::Unclear {
                break;
            }
            self.seen = self.after(*byte);
        }
        self.seen
    }

    fn after(&mut self, byte: u8) -> Seen {
        self.length += 1;
        if self.length > LONGEST {
            return Seen::Other;
        }
        match self.at {
            At::Lead if is_lead(byte) => return Seen::Unclear,
            At::Lead => self.at = At::Word,
            At::Word if is_space(byte) || byte == b'\n' => self.at = At::Rest,
            // Binary protocols have it early, and no method does. A path may.
            At::Word if byte == 0 => return Seen::Other,
            At::Rest if byte == 0 && !self.begins_with_letters() => return Seen::Other,
            At::Word | At::Rest => {}
        }
        if byte == b'\n' && !self.is_method_alone() {
            return Seen::Other;
        }
        if self.names_version(byte) || self.begins_request(byte) { Seen::Request } else { Seen::Unclear }
    }

    /// Whether the first word could be a method of whatever kind. The length of a binary message can be followed by what looks like a space.
    fn begins_with_letters(&self) -> bool {
        words(&self.line).next().is_some_and(|word| word.iter().all(u8::is_ascii_alphabetic))
    }

    /// Whether nothing but a method came. Servers that go from word to word find the next one on the next line.
    fn is_method_alone(&self) -> bool {
        let mut words = words(&self.line);
        words.next().is_some_and(is_method) && words.next().is_none()
    }

    /// Whether a version is named by now: as a word, or with its number behind whatever stands before it.
    fn names_version(&mut self, byte: u8) -> bool {
        let is_numbered = self.version == VERSION.len() && byte.is_ascii_digit();
        let letter = byte.to_ascii_lowercase();
        let goes_on = VERSION.get(self.version) == Some(&letter);
        // Of `HTTP/`, nothing but its first letter can begin anew.
        let begins = VERSION.first() == Some(&letter);
        if begins {
            self.version_is_word = self.is_between_words;
        }
        self.version = if goes_on { self.version + 1 } else { usize::from(begins) };
        self.is_between_words = is_space(byte) || byte == b'\n';
        is_numbered || self.version == VERSION.len() && self.version_is_word
    }

    /// Whether the line begins with a method, and with a path or an address. Some servers do without a version.
    fn begins_request(&mut self, byte: u8) -> bool {
        if self.line.len() >= BEGINNING {
            return false;
        }
        self.line.push(byte);
        let mut words = words(&self.line);
        words.next().is_some_and(is_method) && words.next().is_some_and(is_place)
    }
}

fn words(line: &[u8]) -> impl Iterator<Item = &[u8]> {
    line.split(|byte| is_space(*byte) || *byte == b'\n').filter(|word| !word.is_empty())
}

fn is_method(word: &[u8]) -> bool {
    METHODS.iter().any(|method| method.eq_ignore_ascii_case(word))
}

fn is_place(word: &[u8]) -> bool {
    let begins = |start: &[u8]| word.get(..start.len()).is_some_and(|own| own.eq_ignore_ascii_case(start));
    begins(b"/") || begins(b"http:") || begins(b"https:")
}

/// What servers take for a space between words, whether they should or not: those of ASCII, what Unicode adds to them below 256, and what
/// separates records there.
fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r' | 0x0b | 0x0c | 0x1c..=0x1f | 0x85 | 0xa0)
}

/// What servers take off the beginning of a line: spaces, and every control character.
fn is_lead(byte: u8) -> bool {
    is_space(byte) || byte.is_ascii_control()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is seen after all of the bytes; it is the same in whatever pieces they come.
    fn seen(bytes: &[u8]) -> Seen {
        let whole = Watch::default().see(bytes);
        for size in [1, 3] {
            let mut watch = Watch::default();
            bytes.chunks(size).for_each(|piece| {
                watch.see(piece);
            });
            assert_eq!(watch.seen(), whole, "{bytes:?} in pieces of {size}");
        }
        whole
    }

    #[test]
    fn what_a_lenient_server_takes_for_a_request_is_seen() {
        for bytes in [
            &b" GET / HTTP/1.1"[..],
            b"\tGET / HTTP/1.1",
            b"\x0bGET / HTTP/1.1",
            b"\0GET / HTTP/1.1",
            b"\x1cGET / HTTP/1.1",
            b"\x85\xa0\x7fGET / HTTP/1.1",
            b"\xef\xbb\xbfGET / HTTP/1.1",
            b"\r\n\r\n \n\0\nGET / HTTP/1.1",
            b"GET\x1c/ HTTP/1.1",
            b"GET\x0b/\x0chttp/1.1",
            b"GET\xa0/\xa0HTTP/1.1",
            b"PROPFIND\t/x\tHTTP/1.1",
            b"(GET x Http/9",
            b"odd:method x y z HTTP/1.1",
            b"M x\0y HTTP/1.1",
            b"M xHTHTTP/1",
            b"M x\xe2\x80\x83http/1",
            b"M x HTTP/",
            b"HTTP/1.1 200 OK",
            b"GET /",
            b"get\t/",
            b" POST http://other.example/",
            b"GET HTTPS://other.example/",
            b"GET\n/ HTTP/1.1",
            b"GET \r\n\r\n/x",
            b"GET\nx HTTP/1.1",
        ] {
            assert_eq!(seen(bytes), Seen::Request, "{bytes:?}");
        }
        let far = [&b" ".repeat(100_000)[..], b"X ", &b"x".repeat(100_000), b" HTTP/1.1\r\n"].concat();
        assert_eq!(Watch::default().see(&far), Seen::Request);
    }

    #[test]
    fn other_protocols_are_other_protocols() {
        for bytes in [
            &b"PING\r\n"[..],
            b"EHLO me\r\nHTTP/1.1",
            b"SSH-2.0-OpenSSH_9.6\r\n",
            b"*2\r\n$3\r\nGET\r\n$5\r\n/HTTP\r\n",
            b"get key\r\n",
            b"GET key\r\n",
            b"set HEAD 0 0 5\r\nHTTP/1.1",
            b"HEAD <id@example>\r\n",
            b"OPTIONS rtsp://site.example/film RTSP/1.0\r\n",
            b"CONNECT\naccept-version:1.2\nhost:site.example\n",
            b"NICK GET\r\nUSER / HTTP/1.1",
            b"\0\0\0\x54\0\x03\0\0user\0me\0HTTP/",
            b"\0\0\0\x1d\0\x03\0\0user\0me\0HTTP/",
            b"0032git-upload-pack /project.git\0host=site.example\0HTTP/1",
            b"SELECT /http/x/http/\nHTTP/1",
            b"AMQP\0\0\x09\x01HTTP/",
            b"\x10\x1e\0\x04MQTT\x04\x02\0<HTTP/",
            b"\x3a\0\0\0\x01\0\0\0HTTP/",
            b"0\x0c\x02\x01\x01`\x07\x02\x01\x03\x04\0\x80\0HTTP/",
            b"\0\x1d\x12\x34\x01\0\0\x01\0\0\0\0\0\0\x03HTTP/",
        ] {
            assert_eq!(seen(bytes), Seen::Other, "{bytes:?}");
        }
        for bytes in [
            &b""[..],
            b"\r\n",
            b"\0\0\0\x08\x04\xd2\x16\x2f",
            b"0033git-upload-pack /http/project.git",
            b"GET",
            b"GET\r\n",
            b"GET k",
        ] {
            assert_eq!(seen(bytes), Seen::Unclear, "{bytes:?}");
        }
        assert_eq!(Watch::default().see(&vec![b'x'; LONGEST + 1]), Seen::Other);
        assert_eq!(Watch::over().see(b"GET / HTTP/1.1"), Seen::Other);
    }
}
