//! What a client says first on a connection that was opened for it, and whether that is meant for whom it was opened.

use std::io;

use herm::host::Host;
use herm::rules::network::FRONTED_HOST;
use tokio::time::timeout;

use crate::http::{Next, refusal, serve_one};
use crate::judge::Objection;
use crate::relay::relay;
use crate::route::{Refusal, Shared, write_down};
use crate::terminate::terminate;
use crate::tls::{self, Hello};
use crate::upstream::Upstream;
use crate::watch::{Seen, Watch};
use crate::wire::{Reader, Wire};

/// What a client speaks.
#[derive(Debug, PartialEq, Eq)]
enum Speech {
    /// HTTP/1 in the open.
    Http,
    /// Something that only looks like what is known, or is known to be read by nobody in between.
    Odd,
    /// Anything else, as far as it came.
    Other,
    /// TLS, meant for a name if it has one.
    Tls(Option<String>),
}

/// Lets a client speak with a server that it was connected to, unless it turns out to mean somebody else.
pub(crate) async fn tunnel(shared: &Shared, mut client: Wire, mut upstream: Upstream) -> io::Result<()> {
    let Some(speech) = first_words(shared, &mut client.reader, &mut upstream.wire.reader).await? else {
        return pass_watched(client, upstream).await;
    };
    match speech {
        Speech::Http => match serve_one(shared, &mut client, upstream).await? {
            Next::Upgrade(upstream) => pass(client, *upstream).await,
            Next::Nothing | Next::Tunnel(_) => Ok(()),
        },
        Speech::Odd => {
            write_down(&unreadable(&upstream.to.host), &mut upstream.meter);
            Ok(())
        }
        Speech::Other => pass_watched(client, upstream).await,
        Speech::Tls(name) => match meant_for(shared, name.as_deref(), &mut upstream).await {
            Ok(()) => encrypted(shared, client, upstream).await,
            Err(refused) => {
                write_down(&refused, &mut upstream.meter);
                client.send(tls::DENIED).await
            }
        },
    }
}

/// Passes on what is encrypted as it is, unless there is a credential to be put in.
async fn encrypted(shared: &Shared, client: Wire, mut upstream: Upstream) -> io::Result<()> {
    let vault = shared.terms.vault.as_ref();
    let Some((vault, keys)) = vault.and_then(|vault| Some((vault, vault.keys(&upstream.to)?))) else {
        return pass(client, upstream).await;
    };
    upstream.keys = Some(keys);
    let (mut client, upstream) = terminate(vault, &shared.terms.limits, client, upstream).await?;
    serve_one(shared, &mut client, upstream).await.map(drop)
}

/// Passes everything on, whatever it is.
pub(crate) async fn pass(client: Wire, upstream: Upstream) -> io::Result<()> {
    let Upstream { wire, mut meter, .. } = upstream;
    relay(client, wire, &mut meter, &mut Watch::over()).await
}

/// Passes everything on, unless its first line turns out to be a request.
async fn pass_watched(client: Wire, upstream: Upstream) -> io::Result<()> {
    let Upstream { wire, to, mut meter, .. } = upstream;
    let mut watch = Watch::default();
    let ended = relay(client, wire, &mut meter, &mut watch).await;
    if watch.seen() == Seen::Request {
        write_down(&unreadable(&to.host), &mut meter);
    }
    ended
}

/// Tells a client that there is no connection, in the language that it speaks.
pub(crate) async fn turn_away(shared: &Shared, mut client: Wire, refused: &Refusal) -> io::Result<()> {
    let speech = timeout(shared.terms.limits.head, speech(&mut client.reader)).await;
    match speech {
        Ok(Ok(Speech::Http)) => refusal(&mut client, refused).await,
        Ok(Ok(Speech::Tls(_))) => client.send(tls::DENIED).await,
        Ok(Ok(Speech::Odd | Speech::Other) | Err(_)) | Err(_) => Ok(()),
    }
}

/// What the client says first. `None` where the server speaks before it, as those that speak neither HTTP nor TLS do.
async fn first_words(
    shared: &Shared,
    client: &mut Reader,
    upstream: &mut Reader,
) -> io::Result<Option<Speech>> {
    if client.ready().is_empty() {
        tokio::select! {
            read = client.more() => if read? == 0 { return Ok(None) },
            read = upstream.more() => return read.map(|_| None),
        }
    }
    match timeout(shared.terms.limits.head, speech(client)).await {
        Ok(speech) => speech.map(Some),
        Err(_) => Ok(Some(Speech::Odd)),
    }
}

async fn speech(client: &mut Reader) -> io::Result<Speech> {
    loop {
        if let Some(speech) = read(client.ready()) {
            return Ok(speech);
        }
        if client.more().await? == 0 {
            return Ok(Speech::Odd);
        }
    }
}

/// The longest first line of a request.
const LINE: usize = 16 * 1024;

/// What the bytes so far are, once that is clear.
fn read(bytes: &[u8]) -> Option<Speech> {
    if tls::begins(bytes) {
        return match tls::hello(bytes) {
            Hello::Incomplete if bytes.len() > tls::LONGEST => Some(Speech::Odd),
            Hello::Incomplete => None,
            Hello::Malformed => Some(Speech::Odd),
            Hello::Whole(name) => Some(Speech::Tls(name)),
        };
    }
    let method = bytes.iter().take_while(|byte| is_of_word(**byte)).count();
    match bytes.get(method) {
        // No client of HTTP has a method that begins otherwise, and who speaks something else may wait for an answer.
        None if bytes.first().is_some_and(|byte| !byte.is_ascii_alphabetic()) => Some(watched(bytes)),
        None if method > LINE => Some(Speech::Odd),
        None => None,
        Some(b' ') if method > 0 => line(bytes),
        Some(_) => Some(watched(bytes)),
    }
}

/// What a method is made of.
fn is_of_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte)
}

/// Whether a line that begins like a request is one. Nobody waits for the end of what no request can be.
fn line(bytes: &[u8]) -> Option<Speech> {
    let Some(end) = bytes.iter().position(|byte| *byte == b'\n') else {
        let foreign = |byte: &u8| byte.is_ascii_control() && *byte != b'\r';
        return match bytes.len() {
            length if length > LINE => Some(Speech::Odd),
            _ if bytes.iter().any(foreign) => Some(watched(bytes)),
            _ => None,
        };
    };
    let line = bytes.get(..end).unwrap_or_default().trim_ascii_end();
    let mut words = line.split(|byte| *byte == b' ').skip(2);
    let clean = matches!(words.next(), Some(b"HTTP/1.1" | b"HTTP/1.0")) && words.next().is_none();
    Some(if clean { Speech::Http } else { watched(bytes) })
}

/// What is not clean, and may be a request for somebody who does not mind. HTTP/2 in the open, too: it is read by nobody here, and each
/// of its requests may be for another host.
fn watched(bytes: &[u8]) -> Speech {
    match Watch::default().see(bytes) {
        Seen::Request => Speech::Odd,
        Seen::Other | Seen::Unclear => Speech::Other,
    }
}

/// Whether a handshake is for the host that the connection was allowed for. One that was allowed for its address must be
/// allowed for the name, too.
async fn meant_for(shared: &Shared, name: Option<&str>, upstream: &mut Upstream) -> Result<(), Refusal> {
    let Some(name) = name else { return Ok(()) };
    match (&upstream.to.host, Host::read(name)) {
        (own, Ok(host)) if *own == host => Ok(()),
        (Host::Address(_), Ok(name @ Host::Name(_))) => upstream.stands_for(shared, name).await,
        (own, Ok(_) | Err(_)) => Err(fronted(own, "the handshake is for another host")),
    }
}

/// The refusal of what may be meant for anybody.
fn unreadable(own: &Host) -> Refusal {
    fronted(own, "what it says cannot be read")
}

/// The refusal of what is meant for somebody else.
pub(crate) fn fronted(own: &Host, why: &str) -> Refusal {
    Refusal::Refused(Objection {
        rule: FRONTED_HOST.name,
        reason: format!("the connection is allowed for `{own}`, but {why}"),
        instead: Some(FRONTED_HOST.instead.to_owned()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_spoken_is_told_by_its_beginning() {
        for (bytes, speech) in [
            (&b"GET / HTTP/1.1\r\n"[..], Some(Speech::Http)),
            (b"OPTIONS * HTTP/1.0\n", Some(Speech::Http)),
            (b"GET / HT", None),
            (b"GET ", None),
            (b"G", None),
            (b"", None),
            (b"PRI * HTTP/2.0\r\n\r\nSM", Some(Speech::Odd)),
            (b"GET / HTTP/3\r\n", Some(Speech::Odd)),
            (b"M-SEARCH / HTTP/1.1\r\n", Some(Speech::Http)),
            (b"get / HTTP/1.1\r\n", Some(Speech::Http)),
            (b"\r\nGET / HTTP/1.1\r\n", Some(Speech::Odd)),
            (b"\n\n\nGET / HTTP/1.1\r\n", Some(Speech::Odd)),
            (b"\r\n", Some(Speech::Other)),
            (b"\r\nGE", Some(Speech::Other)),
            (b" GET / HTTP/1.1\r\n", Some(Speech::Odd)),
            (b"GET /\r\n", Some(Speech::Odd)),
            (b"GET / HTTP/1.1 HTTP/1.1\r\n", Some(Speech::Odd)),
            (b"GET / any\r\n", Some(Speech::Odd)),
            (b"GET /\0", Some(Speech::Odd)),
            (b"GET key\r\n", Some(Speech::Other)),
            (b"0032git-upload-pack /project.git\0host=x\0", Some(Speech::Other)),
            (b"0032git-upload-pack /project.git", None),
            (b"!", Some(Speech::Other)),
            (b"!GET / HTTP/1.1\r\n", Some(Speech::Http)),
            (b"GET\t/ HTTP/1.1\r\n", Some(Speech::Odd)),
            (b"GET /\x0bHTTP/1.1\r\n", Some(Speech::Odd)),
            (b"GET /a b HTTP/1.1\r\n", Some(Speech::Odd)),
            (b"GET / http/1.1\r\n", Some(Speech::Odd)),
            (b"\r\nhello\x00", Some(Speech::Other)),
            (b"SSH-2.0-OpenSSH_9.6\r\n", Some(Speech::Other)),
            (b"PING\r\n", Some(Speech::Other)),
            (b"EHLO me\r\n", Some(Speech::Other)),
            (b"*1\r\n$4\r\nPING\r\n", Some(Speech::Other)),
            (b"\0\0\0\x08\x04\xd2\x16\x2f", Some(Speech::Other)),
            (b"\x16\x03", None),
            (b"\x16\x02\x00\x00\x05", Some(Speech::Odd)),
        ] {
            assert_eq!(read(bytes), speech, "{bytes:?}");
        }
        let hello = tls::tests::client_hello(Some("example.com"));
        assert_eq!(read(&hello), Some(Speech::Tls(Some("example.com".to_owned()))));
    }
}
