//! A page, fetched for an agent.
//!
//! It goes the way of every other connection: the link is judged, the name is looked up and every address judged, and the connection
//! goes to exactly such an address. A redirect is a link like any other, and is judged again.

mod clock;
mod exchange;
mod link;
mod shelf;

use std::fmt;
use std::io;
use std::sync::Arc;
use std::time::Duration;

use herm::fetch::Fetch;
use herm::host::{Endpoint, Host};
use herm::url::Scheme;
use tokio::net::TcpStream;
use tokio::runtime::Builder;
use tokio_rustls::TlsConnector;
use tokio_rustls::rustls::ClientConfig;
use tokio_rustls::rustls::pki_types::ServerName;

use crate::http::{Response, gather, head};
use crate::judge::{Judgement, Objection};
use crate::record::{Meter, Outcome, Sink};
use crate::route::{Refusal, Shared};
use crate::terms::Terms;
use crate::vault;
use crate::wire::Wire;
use clock::Clock;
pub use exchange::{Hear, Part, Posting};
use link::Link;
use shelf::Shelf;

/// How much of a page, and for how long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// The most of its content that is kept, in bytes.
    pub bytes: usize,
    /// How long all of it may take, without the time that people take to answer.
    pub time: Duration,
    /// How many redirects are followed.
    pub redirects: usize,
}

impl Default for Bounds {
    fn default() -> Self {
        Self { bytes: 2 << 20, time: Duration::from_secs(30), redirects: 10 }
    }
}

/// A page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Page {
    /// The links that led to it, the page's own last.
    pub links: Vec<String>,
    /// What the server said came of it.
    pub status: u16,
    /// What the server says it is.
    pub kind: Option<String>,
    /// What it holds.
    pub content: Vec<u8>,
    /// Whether there was more of it than is kept.
    pub is_cut: bool,
}

/// Why there is no page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoPage {
    /// It could not be had, and why.
    Failed {
        /// The link.
        link: String,
        /// Why.
        why: String,
    },
    /// It may not be had.
    Refused {
        /// The link.
        link: String,
        /// What stands in its way.
        objection: Objection,
    },
}

impl fmt::Display for NoPage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Failed { link, why } => write!(f, "cannot fetch `{link}`: {why}"),
            Self::Refused { link, objection } => {
                write!(f, "`{link}` is refused: {} [{}]", objection.reason, objection.rule)
            }
        }
    }
}

impl std::error::Error for NoPage {}

/// Fetches pages, on the terms of a proxy.
pub struct Fetcher {
    terms: Terms,
    sink: Sink,
    trusted: Arc<ClientConfig>,
}

impl Fetcher {
    /// Servers are known by the authorities that browsers trust.
    ///
    /// # Errors
    /// When those cannot be used.
    pub fn new(terms: Terms, sink: Sink) -> io::Result<Self> {
        Self::trusting(terms, sink, &[])
    }

    /// The same, with more authorities that servers may be known by, as DER.
    ///
    /// # Errors
    /// When one of those is none.
    pub fn trusting(terms: Terms, sink: Sink, roots: &[Vec<u8>]) -> io::Result<Self> {
        Ok(Self { terms, sink, trusted: vault::client(roots)? })
    }

    /// Fetches a page. Gives a record of each connection.
    ///
    /// # Errors
    /// When it is refused, or cannot be had.
    pub fn fetch(&self, link: &str, bounds: Bounds) -> Result<Page, NoPage> {
        self.fetch_unless(&|| false, link, bounds)
    }

    /// The same, for whoever may call it off.
    ///
    /// # Errors
    /// When it is refused, called off, or cannot be had.
    pub fn fetch_unless(
        &self,
        is_called_off: &dyn Fn() -> bool,
        link: &str,
        bounds: Bounds,
    ) -> Result<Page, NoPage> {
        let failed = |error: io::Error| NoPage::Failed { link: link.to_owned(), why: error.to_string() };
        let runtime = Builder::new_current_thread().enable_all().build().map_err(failed)?;
        let clock = Clock::new(bounds.time, is_called_off);
        let mut terms = self.terms.clone();
        terms.ask = terms.ask.map(|ask| clock.pausing(ask));
        let shared = Shared::new(terms, Arc::default(), Arc::clone(&self.sink));
        let page = runtime.block_on(self.follow(&shared, link, bounds, &clock));
        // A question that nobody waits for any more is not waited for either.
        runtime.shutdown_background();
        page
    }

    async fn follow(
        &self,
        shared: &Shared,
        first: &str,
        bounds: Bounds,
        clock: &Clock<'_>,
    ) -> Result<Page, NoPage> {
        let mut links = vec![first.trim_ascii().to_owned()];
        loop {
            let written = links.last().cloned().unwrap_or_default();
            let found = self.visit(shared, &written, bounds.bytes, clock).await;
            match found.map_err(|no| no.of(written))? {
                Found::Elsewhere(_) if links.len() > bounds.redirects => {
                    let why =
                        format!("it leads from one place to another more than {} times", bounds.redirects);
                    return Err(Not::Failed(why).of(first.to_owned()));
                }
                Found::Elsewhere(next) => links.push(next),
                Found::Page { status, kind, content, is_cut } => {
                    return Ok(Page { links, status, kind, content, is_cut });
                }
            }
        }
    }

    async fn visit(
        &self,
        shared: &Shared,
        written: &str,
        most: usize,
        clock: &Clock<'_>,
    ) -> Result<Found, Not> {
        let fetch = Fetch::url(written);
        let link = match Link::read(written) {
            Ok(link) => link,
            // Whoever judges knows best why it cannot be read.
            Err(why) => return Err(unreadable(shared, fetch, why)),
        };
        let mut meter = shared.meter(&link.to);
        let visit = async {
            let route = shared.open_as(fetch, &link.to, &mut meter).await?;
            self.converse(route.stream, &link, most, &mut meter, shared).await.map_err(Not::Failed)
        };
        let found = clock.bound(visit).await;
        if let Err(Not::Failed(why)) = &found {
            meter.note(|record| (record.outcome, record.reason) = (Outcome::Failed, why.clone()));
        }
        found
    }

    async fn converse(
        &self,
        stream: TcpStream,
        link: &Link,
        most: usize,
        meter: &mut Meter,
        shared: &Shared,
    ) -> Result<Found, String> {
        let mut wire = self.wire(stream, link, shared).await.map_err(|error| error.to_string())?;
        let request = link.request();
        wire.send(request.as_bytes()).await.map_err(|error| error.to_string())?;
        meter.sent(request.len());
        let bytes = loop {
            let bytes = head(&mut wire.reader, shared.terms.limits.head_bytes).await;
            let bytes = bytes.map_err(|_| "it does not answer in HTTP/1".to_owned())?;
            meter.received(bytes.len());
            if !Response::read(&bytes, "GET").map_err(|bad| bad.to_string())?.is_interim() {
                break bytes;
            }
        };
        let response = Response::read(&bytes, "GET").map_err(|bad| bad.to_string())?;
        if let Some(next) = elsewhere(&response, link)? {
            return Ok(Found::Elsewhere(next));
        }
        let kept = Shelf::new(most);
        let gathered = gather(response.framing, &mut wire.reader, Box::new(kept.clone())).await;
        let (content, is_cut) = kept.take();
        meter.received(content.len());
        // What is too much ends in the middle, and so does the connection.
        gathered.or_else(|error| if is_cut { Ok(()) } else { Err(error.to_string()) })?;
        Ok(Found::Page { status: response.status, kind: text(&response, "content-type"), content, is_cut })
    }

    async fn wire(&self, stream: TcpStream, link: &Link, shared: &Shared) -> io::Result<Wire> {
        let idle = shared.terms.limits.idle;
        if link.scheme == Scheme::Http {
            return Ok(Wire::tcp(stream, idle));
        }
        let name = match &link.to.host {
            Host::Address(address) => ServerName::from(*address),
            Host::Name(name) => ServerName::try_from(name.clone()).map_err(io::Error::other)?,
        };
        let stream = TlsConnector::from(Arc::clone(&self.trusted)).connect(name, stream).await?;
        let (from, to) = tokio::io::split(stream);
        Ok(Wire::new(Box::new(from), Box::new(to), idle))
    }
}

impl fmt::Debug for Fetcher {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Fetcher").field("terms", &self.terms).finish_non_exhaustive()
    }
}

/// What a link led to.
enum Found {
    Elsewhere(String),
    Page { status: u16, kind: Option<String>, content: Vec<u8>, is_cut: bool },
}

/// Why a link led to nothing.
enum Not {
    Failed(String),
    Refused(Objection),
}

impl Not {
    fn of(self, link: String) -> NoPage {
        match self {
            Self::Failed(why) => NoPage::Failed { link, why },
            Self::Refused(objection) => NoPage::Refused { link, objection },
        }
    }
}

impl From<Refusal> for Not {
    fn from(refusal: Refusal) -> Self {
        match refusal {
            Refusal::Failed(why) => Self::Failed(why),
            Refusal::Refused(objection) => Self::Refused(objection),
        }
    }
}

/// What cannot be read goes nowhere, whatever is said about it.
fn unreadable(shared: &Shared, fetch: Fetch, why: &'static str) -> Not {
    let mut meter = shared.meter(fetch.text());
    match shared.terms.judge.judge(fetch) {
        Judgement::Deny(objections) | Judgement::Ask(objections) if !objections.is_empty() => {
            let refusal = Refusal::first(objections);
            crate::route::write_down(&refusal, &mut meter);
            refusal.into()
        }
        Judgement::Allow | Judgement::Ask(_) | Judgement::Deny(_) => {
            meter.note(|record| (record.outcome, record.reason) = (Outcome::Refused, why.to_owned()));
            Not::Failed(why.to_owned())
        }
    }
}

/// Where a response says that the page is, if it is not here.
fn elsewhere(response: &Response<'_>, link: &Link) -> Result<Option<String>, String> {
    if !matches!(response.status, 301 | 302 | 303 | 307 | 308) {
        return Ok(None);
    }
    let mut places = response.head.values("location");
    match (places.next(), places.next()) {
        (None, _) => Ok(None),
        (Some(place), None) => {
            let place = std::str::from_utf8(place).map_err(|_| "it leads to what is no link".to_owned())?;
            Ok(Some(link.join(place)))
        }
        (Some(_), Some(_)) => Err("it leads to two places at once".to_owned()),
    }
}

fn text(response: &Response<'_>, name: &str) -> Option<String> {
    response.head.values(name).next().and_then(|value| std::str::from_utf8(value).ok()).map(str::to_owned)
}

/// Where a link leads, as the head of a request names it.
fn place(to: &Endpoint, scheme: Scheme) -> String {
    let host = match &to.host {
        Host::Address(std::net::IpAddr::V6(address)) => format!("[{address}]"),
        Host::Address(address) => address.to_string(),
        Host::Name(name) => name.clone(),
    };
    let usual = match scheme {
        Scheme::Http => 80,
        Scheme::Https => 443,
    };
    if to.port == usual { host } else { format!("{host}:{}", to.port) }
}
