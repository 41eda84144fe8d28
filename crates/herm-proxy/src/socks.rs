//! SOCKS5 (RFC 1928): connections only, and nobody has to say who they are.

use std::io;
use std::net::IpAddr;

use herm::host::{Endpoint, Host};

use crate::route::Refusal;
use crate::wire::{Reader, Wire};

/// The byte that a client begins with.
pub(crate) const VERSION: u8 = 5;

const CONNECT: u8 = 1;
const NOT_ALLOWED: u8 = 2;
const UNREACHABLE: u8 = 4;
const NOT_A_COMMAND: u8 = 7;
const NOT_AN_ADDRESS: u8 = 8;
const NO_METHOD: u8 = 0xFF;

/// Reads where a client wants to go. `None` if it asks for something else, which it was told.
pub(crate) async fn request(client: &mut Wire) -> io::Result<Option<Endpoint>> {
    if !greeted(client).await? {
        return Ok(None);
    }
    client.reader.at_least(4).await?;
    let (version, command, kind) = match client.reader.ready() {
        [version, command, _, kind, ..] => (*version, *command, *kind),
        _ => return Ok(None),
    };
    client.reader.used(4);
    if version != VERSION || command != CONNECT {
        reply(client, NOT_A_COMMAND).await?;
        return Ok(None);
    }
    let host = host(&mut client.reader, kind).await?;
    let port = bytes::<2>(&mut client.reader).await.map(u16::from_be_bytes)?;
    match host.filter(|_| port > 0) {
        Some(host) => Ok(Some(Endpoint { host, port })),
        None => reply(client, NOT_AN_ADDRESS).await.map(|()| None),
    }
}

async fn greeted(client: &mut Wire) -> io::Result<bool> {
    let [_, count] = bytes::<2>(&mut client.reader).await?;
    let methods = some_bytes(&mut client.reader, usize::from(count)).await?;
    let welcome = methods.contains(&0);
    client.send(&[VERSION, if welcome { 0 } else { NO_METHOD }]).await?;
    Ok(welcome)
}

/// `None` for what is no host that is read alike everywhere.
async fn host(reader: &mut Reader, kind: u8) -> io::Result<Option<Host>> {
    Ok(match kind {
        1 => Some(Host::Address(IpAddr::from(bytes::<4>(reader).await?))),
        3 => {
            let [length] = bytes::<1>(reader).await?;
            let name = some_bytes(reader, usize::from(length)).await?;
            std::str::from_utf8(&name).ok().and_then(|name| Host::read(name).ok())
        }
        4 => Some(Host::Address(IpAddr::from(bytes::<16>(reader).await?).to_canonical())),
        _ => None,
    })
}

async fn bytes<const COUNT: usize>(reader: &mut Reader) -> io::Result<[u8; COUNT]> {
    reader.at_least(COUNT).await?;
    let bytes = *reader.ready().first_chunk().ok_or(io::ErrorKind::UnexpectedEof)?;
    reader.used(COUNT);
    Ok(bytes)
}

async fn some_bytes(reader: &mut Reader, count: usize) -> io::Result<Vec<u8>> {
    reader.at_least(count).await?;
    let bytes = reader.ready().get(..count).unwrap_or_default().to_vec();
    reader.used(count);
    Ok(bytes)
}

/// Tells a client that it is connected.
pub(crate) async fn connected(client: &mut Wire) -> io::Result<()> {
    reply(client, 0).await
}

/// Tells a client that it is not.
pub(crate) async fn refused(client: &mut Wire, refusal: &Refusal) -> io::Result<()> {
    let code = match refusal {
        Refusal::Refused(_) => NOT_ALLOWED,
        Refusal::Failed(_) => UNREACHABLE,
    };
    reply(client, code).await
}

async fn reply(client: &mut Wire, code: u8) -> io::Result<()> {
    client.send(&[VERSION, code, 0, 1, 0, 0, 0, 0, 0, 0]).await
}
