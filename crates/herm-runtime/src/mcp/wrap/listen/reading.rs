//! How requests in HTTP are read.

use std::io::Read;

use herm_adapters::LONGEST;
use herm_adapters::mcp::door::{Closed, Head};

/// The longest head of a request.
const HEAD: usize = 32 << 10;

/// Between the words of JSON a blank is as good as the end of a line, and within them is none.
pub(super) fn one_line(mut body: Vec<u8>) -> Vec<u8> {
    body.iter_mut().filter(|byte| matches!(byte, b'\n' | b'\r')).for_each(|byte| *byte = b' ');
    body
}

/// Reads a request; its body only where its head is let in.
pub(super) fn read<T>(
    stream: &mut impl Read,
    admit: impl FnOnce(&Head) -> Result<T, Closed>,
) -> Result<(T, Head, Vec<u8>), Closed> {
    let gone = |_| Closed(408, "it took too long");
    let mut bytes = Vec::new();
    let mut space = [0; 4096];
    let end = loop {
        if let Some(at) = bytes.windows(4).position(|four| four == b"\r\n\r\n") {
            break at + 4;
        }
        if bytes.len() > HEAD {
            return Err(Closed(431, "its head is too long"));
        }
        match stream.read(&mut space).map_err(gone)? {
            0 => return Err(Closed(400, "it ended too early")),
            length => bytes.extend_from_slice(space.get(..length).unwrap_or_default()),
        }
    };
    let head = Head::read(bytes.get(..end).unwrap_or_default())?;
    let admitted = admit(&head)?;
    if head.length > LONGEST {
        return Err(Closed(413, "it is too long"));
    }
    let mut body = bytes.split_off(end.min(bytes.len()));
    if body.len() > head.length {
        return Err(Closed(400, "more follows than it says"));
    }
    let left = head.length - body.len();
    let most = u64::try_from(left).unwrap_or(u64::MAX);
    let read = stream.take(most).read_to_end(&mut body).map_err(gone)?;
    if read < left { Err(Closed(400, "it ended too early")) } else { Ok((admitted, head, body)) }
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "tests have their own connections")]
mod tests {
    use std::io::Write;
    use std::net::{TcpListener, TcpStream};
    use std::time::Duration;

    use super::super::stranger::Timely;
    use super::*;

    #[test]
    fn who_says_a_little_now_and_then_has_no_more_time() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let mut slow = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        let (stream, _) = listener.accept().unwrap();
        let drips = std::thread::spawn(move || {
            while slow.write_all(b"x").is_ok() {
                std::thread::sleep(Duration::from_millis(5));
            }
        });
        let patience = Duration::from_millis(200);
        let read = read(&mut Timely::new(&stream, patience), |_| Ok(()));
        assert!(matches!(read, Err(Closed(408, _))), "{read:?}");
        drop(stream);
        drips.join().unwrap();
    }
}
