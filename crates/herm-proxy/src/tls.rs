//! What the beginning of a TLS connection says about whom it is meant for. Nothing is decrypted.

/// What the bytes so far are.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Hello {
    /// More bytes are needed to say.
    Incomplete,
    /// A handshake that is not as it should be.
    Malformed,
    /// A whole handshake message, with the name that it is meant for, if it has one.
    Whole(Option<String>),
}

/// The most that a first message may take.
pub(crate) const LONGEST: usize = 64 * 1024;

/// Whether this may be the beginning of a TLS connection.
pub(crate) fn begins(bytes: &[u8]) -> bool {
    bytes.first() == Some(&HANDSHAKE)
}

const HANDSHAKE: u8 = 22;
const CLIENT_HELLO: u8 = 1;
const SERVER_NAME: u16 = 0;
const HOST_NAME: u8 = 0;

/// Reads the first message of a client.
pub(crate) fn hello(bytes: &[u8]) -> Hello {
    match message(bytes) {
        Ok(message) => server_names(&message).map_or(Hello::Malformed, named),
        Err(hello) => hello,
    }
}

/// The first handshake message, put together from the records that carry it.
fn message(bytes: &[u8]) -> Result<Vec<u8>, Hello> {
    let mut rest = Bytes(bytes);
    let mut message = Vec::new();
    loop {
        if let Some(length) = Bytes(&message).handshake_length().filter(|length| message.len() >= *length) {
            message.truncate(length);
            return Ok(message);
        }
        let kind = rest.number(1).ok_or(Hello::Incomplete)?;
        let major = rest.number(1).ok_or(Hello::Incomplete)?;
        let _minor = rest.number(1).ok_or(Hello::Incomplete)?;
        let length = rest.number(2).ok_or(Hello::Incomplete)?;
        if kind != usize::from(HANDSHAKE) || major != 3 || length == 0 || message.len() > LONGEST {
            return Err(Hello::Malformed);
        }
        message.extend(rest.take(length).ok_or(Hello::Incomplete)?);
        if message.first() != Some(&CLIENT_HELLO) {
            return Err(Hello::Malformed);
        }
    }
}

/// A second name could be meant for somebody who reads the other.
fn named(mut names: Vec<String>) -> Hello {
    let last = names.pop();
    if names.is_empty() { Hello::Whole(last) } else { Hello::Malformed }
}

/// The names in a message; `None` if the message is malformed.
fn server_names(message: &[u8]) -> Option<Vec<String>> {
    let mut rest = Bytes(message);
    rest.take(4 + 2 + 32)?;
    for width in [1, 2, 1] {
        let length = rest.number(width)?;
        rest.take(length)?;
    }
    let mut names = Vec::new();
    if rest.0.is_empty() {
        return Some(names);
    }
    let length = rest.number(2)?;
    let mut extensions = Bytes(rest.take(length)?);
    while !extensions.0.is_empty() {
        let kind = extensions.number(2)?;
        let length = extensions.number(2)?;
        let content = extensions.take(length)?;
        if kind == usize::from(SERVER_NAME) {
            names.push(one_name(content)?);
        }
    }
    Some(names)
}

fn one_name(content: &[u8]) -> Option<String> {
    let mut rest = Bytes(content);
    let length = rest.number(2)?;
    let mut list = Bytes(rest.take(length)?);
    let kind = list.number(1)?;
    let length = list.number(2)?;
    let name = list.take(length)?;
    let alone = rest.0.is_empty() && list.0.is_empty() && kind == usize::from(HOST_NAME);
    std::str::from_utf8(name).ok().filter(|_| alone).map(str::to_owned)
}

struct Bytes<'a>(&'a [u8]);

impl<'a> Bytes<'a> {
    fn take(&mut self, count: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        Some(taken)
    }

    fn number(&mut self, width: usize) -> Option<usize> {
        Some(self.take(width)?.iter().fold(0, |number, byte| number << 8 | usize::from(*byte)))
    }

    /// The length of a handshake message with its own four bytes, once those are there.
    fn handshake_length(mut self) -> Option<usize> {
        self.take(1)?;
        self.number(3).map(|length| length + 4)
    }
}

/// What a client is told whose handshake is not let through: a fatal alert, access denied.
pub(crate) const DENIED: &[u8] = &[21, 3, 3, 0, 2, 2, 49];

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// A first message for a name, as a client would send it.
    pub(crate) fn client_hello(name: Option<&str>) -> Vec<u8> {
        record(&handshake(&name.map(server_name_extension).unwrap_or_default()))
    }

    fn server_name_extension(name: &str) -> Vec<u8> {
        let entry = [&[0][..], &prefixed(name.as_bytes())].concat();
        [&[0, 0][..], &prefixed(&prefixed(&entry))].concat()
    }

    fn prefixed(bytes: &[u8]) -> Vec<u8> {
        [&u16::try_from(bytes.len()).unwrap().to_be_bytes()[..], bytes].concat()
    }

    fn handshake(extensions: &[u8]) -> Vec<u8> {
        let body =
            [&[3, 3][..], &[7; 32], &[0], &prefixed(&[0x13, 1]), &[1, 0], &prefixed(extensions)].concat();
        [&[1, 0][..], &prefixed(&body)].concat()
    }

    fn record(message: &[u8]) -> Vec<u8> {
        [&[22, 3, 1][..], &prefixed(message)].concat()
    }

    #[test]
    fn the_name_is_found() {
        let whole = client_hello(Some("example.com"));
        assert_eq!(hello(&whole), Hello::Whole(Some("example.com".to_owned())));
        assert_eq!(hello(&client_hello(None)), Hello::Whole(None));
        for length in 0..whole.len() {
            assert_eq!(hello(&whole[..length]), Hello::Incomplete, "{length}");
        }
    }

    #[test]
    fn a_message_in_several_records_is_put_together() {
        let message = handshake(&server_name_extension("example.com"));
        let (one, other) = message.split_at(11);
        let split = [record(one), record(other), b"more".to_vec()].concat();
        assert_eq!(hello(&split), Hello::Whole(Some("example.com".to_owned())));
        let bytes: Vec<u8> = message.iter().flat_map(|byte| record(&[*byte])).collect();
        assert_eq!(hello(&bytes), Hello::Whole(Some("example.com".to_owned())));
    }

    #[test]
    fn two_names_and_cut_lengths_are_malformed() {
        let one = server_name_extension("example.com");
        let both = [one.clone(), server_name_extension("evil.example")].concat();
        assert_eq!(hello(&record(&handshake(&both))), Hello::Malformed);
        let mut short = one;
        short[3] = 200;
        assert_eq!(hello(&record(&handshake(&short))), Hello::Malformed);
        assert_eq!(hello(&[22, 3, 1, 0, 1, 2]), Hello::Malformed);
        assert_eq!(hello(&[22, 3, 1, 0, 0]), Hello::Malformed);
        assert_eq!(hello(b"\x16\x02"), Hello::Incomplete);
        assert_eq!(hello(b"\x16\x02\x00\x00\x05"), Hello::Malformed);
    }
}
