//! Bodies, passed on piece by piece. Their ends are found by reading what frames them, which is written anew.

use std::io;

use tokio::io::{AsyncWrite, AsyncWriteExt};
use tokio::time::timeout;

use super::head::Framing;
use crate::vault::Veil;
use crate::wire::{Drain, Reader, Writer};

/// How a body is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Coding {
    /// Each piece with its length.
    Chunked,
    /// As it is.
    Plain,
}

/// Passes a body on. What was passed on is sent before waiting for more. A veil hides secrets in it, and keeps its length.
pub(super) async fn pass(
    framing: Framing,
    coding: Coding,
    from: &mut Reader,
    to: &mut Writer,
    count: &mut usize,
    mut veil: Option<&mut Veil>,
) -> io::Result<()> {
    let mut body = Body::new(framing);
    loop {
        let length = body.ready(from, to).await?;
        if length == 0 {
            break;
        }
        let piece = from.ready().get(..length).unwrap_or_default();
        let hidden = veil.as_mut().map(|veil| veil.hide(piece));
        let written = timeout(from.patience(), write(coding, hidden.as_deref().unwrap_or(piece), to));
        written.await.map_err(|_| io::ErrorKind::TimedOut)??;
        from.used(length);
        body.took(length);
        *count = count.saturating_add(length);
    }
    if let Some(veil) = veil {
        write(coding, &veil.rest(), to).await?;
    }
    if coding == Coding::Chunked {
        to.write_all(b"0\r\n\r\n").await?;
    }
    to.flush().await
}

/// Writes all of a body to where it is kept.
pub(crate) async fn gather(
    framing: Framing,
    from: &mut Reader,
    to: Box<dyn AsyncWrite + Send + Sync + Unpin>,
) -> io::Result<()> {
    let mut to = Writer::new(Drain::Any(to));
    pass(framing, Coding::Plain, from, &mut to, &mut 0, None).await
}

async fn write(coding: Coding, piece: &[u8], to: &mut Writer) -> io::Result<()> {
    if coding == Coding::Plain || piece.is_empty() {
        return to.write_all(piece).await;
    }
    to.write_all(format!("{:x}\r\n", piece.len()).as_bytes()).await?;
    to.write_all(piece).await?;
    to.write_all(b"\r\n").await
}

/// How far a body was read.
#[derive(Debug)]
enum Body {
    /// So much is left of it, or of its last piece if it has pieces.
    Counted { left: u64, chunked: bool, begun: bool },
    /// It ends with the connection.
    Endless,
}

impl Body {
    fn new(framing: Framing) -> Self {
        match framing {
            Framing::Chunked => Self::Counted { left: 0, chunked: true, begun: false },
            Framing::Empty => Self::Counted { left: 0, chunked: false, begun: false },
            Framing::Length(length) => Self::Counted { left: length, chunked: false, begun: false },
            Framing::UntilClose => Self::Endless,
        }
    }

    /// How much of what was read belongs to it; nothing at its end.
    async fn ready(&mut self, from: &mut Reader, to: &mut Writer) -> io::Result<usize> {
        match self {
            Self::Endless => {
                if from.ready().is_empty() {
                    to.flush().await?;
                    from.more().await?;
                }
                Ok(from.ready().len())
            }
            Self::Counted { left, chunked, begun } => {
                if *left == 0 && *chunked {
                    *left = next_chunk(*begun, from, to).await?;
                    *begun = true;
                }
                if *left > 0 && from.ready().is_empty() {
                    more(from, to).await?;
                }
                Ok(usize::try_from(*left).unwrap_or(usize::MAX).min(from.ready().len()))
            }
        }
    }

    fn took(&mut self, length: usize) {
        if let Self::Counted { left, .. } = self {
            *left = left.saturating_sub(u64::try_from(length).unwrap_or(u64::MAX));
        }
    }
}

/// The length of the next piece, after the end of the one before. Nothing follows a piece without length.
async fn next_chunk(begun: bool, from: &mut Reader, to: &mut Writer) -> io::Result<u64> {
    if begun && !line(from, to).await?.is_empty() {
        return Err(malformed());
    }
    let length = length(&line(from, to).await?)?;
    if length == 0 {
        end(from, to).await?;
    }
    Ok(length)
}

/// What may follow the last piece is for whoever stands in between.
async fn end(from: &mut Reader, to: &mut Writer) -> io::Result<()> {
    for _ in 0..64 {
        if line(from, to).await?.is_empty() {
            return Ok(());
        }
    }
    Err(malformed())
}

/// The longest line between pieces.
const LINE: usize = 4096;

/// A line without its end, which must be CR and LF.
async fn line(from: &mut Reader, to: &mut Writer) -> io::Result<Vec<u8>> {
    loop {
        let ready = from.ready();
        if let Some(end) = ready.iter().take(LINE).position(|byte| *byte == b'\n') {
            let line = ready.get(..end).unwrap_or_default().to_vec();
            from.used(end + 1);
            let line = line.strip_suffix(b"\r").ok_or_else(malformed)?;
            return if line.contains(&b'\r') { Err(malformed()) } else { Ok(line.to_vec()) };
        }
        if ready.len() >= LINE {
            return Err(malformed());
        }
        more(from, to).await?;
    }
}

/// The length of a piece: hexadecimal digits, and what may follow a semicolon, which means nothing.
fn length(line: &[u8]) -> io::Result<u64> {
    let digits = line.split(|byte| *byte == b';').next().unwrap_or(line).trim_ascii_end();
    let plain = !digits.is_empty() && digits.len() <= 15 && digits.iter().all(u8::is_ascii_hexdigit);
    let text = std::str::from_utf8(digits).ok().filter(|_| plain).ok_or_else(malformed)?;
    u64::from_str_radix(text, 16).map_err(|_| malformed())
}

async fn more(from: &mut Reader, to: &mut Writer) -> io::Result<()> {
    to.flush().await?;
    if from.more().await? == 0 { Err(io::ErrorKind::UnexpectedEof.into()) } else { Ok(()) }
}

fn malformed() -> io::Error {
    io::ErrorKind::InvalidData.into()
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::wire::Wire;

    /// What comes out of a body, and what is left after it.
    fn passed(framing: Framing, coding: Coding, body: &str) -> io::Result<(String, String)> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build()?;
        runtime.block_on(async {
            let (mut source, from) = tokio::io::duplex(1 << 16);
            let (to, mut result) = tokio::io::duplex(1 << 16);
            source.write_all(body.as_bytes()).await?;
            drop(source);
            let mut wire = Wire::new(Box::new(from), Box::new(to), Duration::from_secs(5));
            let mut count = 0;
            let mut veil = Veil::new(vec![b"SECRET".map(|letter| [letter; 2]).to_vec()]);
            pass(framing, coding, &mut wire.reader, &mut wire.writer, &mut count, Some(&mut veil)).await?;
            let left = String::from_utf8_lossy(wire.reader.ready()).into_owned();
            drop(wire);
            let mut out = String::new();
            tokio::io::AsyncReadExt::read_to_string(&mut result, &mut out).await?;
            Ok((out, left))
        })
    }

    fn text(framing: Framing, coding: Coding, body: &str) -> Option<(String, String)> {
        passed(framing, coding, body).ok()
    }

    #[test]
    fn bodies_end_where_they_say() {
        let pair = |one: &str, other: &str| Some((one.to_owned(), other.to_owned()));
        assert_eq!(text(Framing::Length(5), Coding::Plain, "helloGET /"), pair("hello", "GET /"));
        assert_eq!(text(Framing::Empty, Coding::Plain, ""), pair("", ""));
        assert_eq!(text(Framing::UntilClose, Coding::Plain, "all of it"), pair("all of it", ""));
        let chunked = "5;ext=1\r\nhello\r\n1\r\n!\r\n0\r\nX-Trailer: y\r\n\r\nGET /";
        assert_eq!(text(Framing::Chunked, Coding::Plain, chunked), pair("hello!", "GET /"));
        let (out, left) = text(Framing::Chunked, Coding::Chunked, chunked).unwrap();
        assert!(out.ends_with("0\r\n\r\n") && left == "GET /", "{out}");
    }

    #[test]
    fn secrets_are_hidden_across_pieces_and_lengths_stay() {
        let hidden = |framing, body| text(framing, Coding::Plain, body).unwrap().0;
        assert_eq!(hidden(Framing::Length(12), "ab SECRET cd"), "ab ****** cd");
        assert_eq!(hidden(Framing::Chunked, "3\r\nSEC\r\n5\r\nRET!!\r\n0\r\n\r\n"), "******!!");
        assert_eq!(hidden(Framing::Length(5), "SECRE"), "SECRE");
    }

    #[test]
    fn pieces_that_are_not_what_they_say_end_the_connection() {
        for odd in [
            "5\nhello\r\n0\r\n\r\n",
            "0x5\r\nhello\r\n0\r\n\r\n",
            "+5\r\nhello\r\n0\r\n\r\n",
            "5 hello\r\n",
            "\r\n",
            "5\r\nhelloX\r\n0\r\n\r\n",
            "5\r\nhel",
            "1\r\na\r\n",
            "ffffffffffffffffff\r\n",
            "0\r\nX: y",
        ] {
            assert_eq!(text(Framing::Chunked, Coding::Chunked, odd), None, "{odd:?}");
        }
        assert_eq!(text(Framing::Length(5), Coding::Plain, "hell"), None);
    }
}
