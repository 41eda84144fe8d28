//! Requests, one after the other, each judged by itself.

use std::io;

use herm::host::{Endpoint, Host};
use tokio::time::timeout;

use super::exchange::{After, exchange};
use super::head::{self, Bad, NoHead};
use super::message::Request;
use super::reply::{refusal, respond};
use crate::route::{Refusal, Shared, write_down};
use crate::sniff::fronted;
use crate::upstream::Upstream;
use crate::wire::Wire;

/// What comes after the requests of a client.
pub(crate) enum Next {
    /// Nothing: the connection is over.
    Nothing,
    /// It wants to speak with somebody directly.
    Tunnel(Endpoint),
    /// It speaks something else from here on.
    Upgrade(Box<Upstream>),
}

/// Serves a client that knows that it speaks with a proxy: each request says where it goes.
pub(crate) async fn serve(shared: &Shared, client: &mut Wire) -> io::Result<Next> {
    let mut upstream = None;
    loop {
        let Some(bytes) = next_head(shared, client).await? else { return Ok(Next::Nothing) };
        let request = match Request::read(&bytes) {
            Ok(request) => request,
            Err(bad) => return malformed(shared, client, bad).await,
        };
        if request.method == "CONNECT" {
            return match request.authority() {
                Ok(to) => Ok(Next::Tunnel(to)),
                Err(bad) => malformed(shared, client, bad).await,
            };
        }
        let (to, path) = match request.absolute() {
            Ok(place) => place,
            Err(bad) => return malformed(shared, client, bad).await,
        };
        let mut open = match reuse(shared, upstream.take(), &to).await {
            Ok(open) => open,
            Err(refused) => return refusal(client, &refused).await.map(|()| Next::Nothing),
        };
        let path = if path.starts_with('?') { format!("/{path}") } else { path.to_owned() };
        match exchange(client, &mut open, &request, &path, &host_field(&to)).await? {
            After::Both => upstream = Some(open),
            After::Client => {}
            After::Nobody => return Ok(Next::Nothing),
            After::Switched => return Ok(Next::Upgrade(Box::new(open))),
        }
    }
}

/// Serves a client that believes to speak with the server itself. Every request must be for the host that the connection
/// was allowed for.
pub(crate) async fn serve_one(
    shared: &Shared,
    client: &mut Wire,
    mut upstream: Upstream,
) -> io::Result<Next> {
    loop {
        let Some(bytes) = next_head(shared, client).await? else { return Ok(Next::Nothing) };
        let request = match Request::read(&bytes) {
            Ok(request) => request,
            Err(bad) => return malformed(shared, client, bad).await,
        };
        let path = match origin(&request) {
            Ok(path) => path,
            Err(bad) => return malformed(shared, client, bad).await,
        };
        if let Err(refused) = meant_for(shared, &request, &mut upstream).await {
            write_down(&refused, &mut upstream.meter);
            return refusal(client, &refused).await.map(|()| Next::Nothing);
        }
        let host = request.head.values("host").next().unwrap_or_default();
        match exchange(client, &mut upstream, &request, path, host).await? {
            After::Both => {}
            After::Client | After::Nobody => return Ok(Next::Nothing),
            After::Switched => return Ok(Next::Upgrade(Box::new(upstream))),
        }
    }
}

fn origin<'a>(request: &Request<'a>) -> Result<&'a str, Bad> {
    let plain = request.target.starts_with('/') || (request.target == "*" && request.method == "OPTIONS");
    if plain && request.method != "CONNECT" { Ok(request.target) } else { Err(Bad::Host) }
}

/// Whether a request is for the host that the connection was allowed for. One that was allowed for its address must be
/// allowed for the host, too.
async fn meant_for(shared: &Shared, request: &Request<'_>, upstream: &mut Upstream) -> Result<(), Refusal> {
    let (host, _) = request.host().map_err(|bad| fronted(&upstream.to.host, &bad.to_string()))?;
    match (&upstream.to.host, host) {
        (own, host) if *own == host => upstream.again(shared).await,
        (Host::Address(_), name @ Host::Name(_)) => upstream.stands_for(shared, name).await,
        (own, other) => Err(fronted(own, &format!("the request is for `{other}`"))),
    }
}

/// The connection to where a request goes: the one that is there if it goes there, too, and is still good.
async fn reuse(shared: &Shared, upstream: Option<Upstream>, to: &Endpoint) -> Result<Upstream, Refusal> {
    let Some(mut upstream) = upstream.filter(|upstream| upstream.to == *to) else {
        return Upstream::open(shared, to).await;
    };
    if !upstream.wire.reader.is_quiet().await {
        return Upstream::open(shared, to).await;
    }
    match upstream.again(shared).await {
        Ok(()) => Ok(upstream),
        Err(refused) => {
            write_down(&refused, &mut shared.meter(to));
            Err(refused)
        }
    }
}

fn host_field(to: &Endpoint) -> Vec<u8> {
    if to.port == 80 { to.host.to_string().into_bytes() } else { to.to_string().into_bytes() }
}

/// The head of the next request. Whoever dawdles over it is let go.
async fn next_head(shared: &Shared, client: &mut Wire) -> io::Result<Option<Vec<u8>>> {
    let limits = shared.terms.limits;
    if client.reader.ready().is_empty() && client.reader.more().await? == 0 {
        return Ok(None);
    }
    match timeout(limits.head, head::bytes(&mut client.reader, limits.head_bytes)).await {
        Ok(Ok(bytes)) => Ok(Some(bytes)),
        Ok(Err(NoHead::Closed | NoHead::Broken)) => Ok(None),
        Ok(Err(NoHead::Long)) => {
            shared.meter("unknown").note(|record| "the head is too long".clone_into(&mut record.reason));
            respond(client, "431 Request Header Fields Too Large", None, "the head is too long")
                .await
                .map(|()| None)
        }
        Err(_) => {
            shared
                .meter("unknown")
                .note(|record| "the head did not come in time".clone_into(&mut record.reason));
            respond(client, "408 Request Timeout", None, "the head did not come in time").await.map(|()| None)
        }
    }
}

async fn malformed(shared: &Shared, client: &mut Wire, bad: Bad) -> io::Result<Next> {
    shared.meter("unknown").note(|record| record.reason = bad.to_string());
    respond(client, "400 Bad Request", None, &bad.to_string()).await.map(|()| Next::Nothing)
}
