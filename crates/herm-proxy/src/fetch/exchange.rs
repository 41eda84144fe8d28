//! A request of any kind, whose answer is heard as it comes.

use std::fmt::Write as _;
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use herm::fetch::Fetch;
use tokio::io::AsyncWrite;
use tokio::net::TcpStream;
use tokio::runtime::Builder;

use super::clock::Clock;
use super::link::Link;
use super::{Fetcher, NoPage, Not, unreadable};
use crate::http::{Response, gather, head};
use crate::record::{Meter, Outcome};
use crate::route::Shared;

/// A request.
#[derive(Clone, Debug)]
pub struct Posting {
    /// What is wanted, such as `POST`.
    pub method: &'static str,
    /// Of what.
    pub link: String,
    /// With these fields besides the usual.
    pub fields: Vec<(String, String)>,
    /// With this body.
    pub body: Vec<u8>,
    /// How long all of it may take.
    pub time: Duration,
}

/// A part of an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part<'a> {
    /// How it begins. Redirects are not followed: they would carry what was sent elsewhere.
    Head {
        /// What came of it.
        status: u16,
        /// Its fields, their names in lower case.
        fields: Vec<(String, String)>,
    },
    /// A piece of its body.
    Piece(&'a [u8]),
}

/// Who hears an answer, and says whether more is wanted.
pub type Hear = Arc<dyn Fn(Part<'_>) -> bool + Send + Sync>;

impl Fetcher {
    /// Makes a request, and has its answer heard as it comes. The link goes the way of every other.
    ///
    /// # Errors
    /// When it is refused, called off, or breaks off.
    pub fn exchange(
        &self,
        is_called_off: &dyn Fn() -> bool,
        posting: &Posting,
        hear: &Hear,
    ) -> Result<(), NoPage> {
        let failed = |error: io::Error| NoPage::Failed { link: posting.link.clone(), why: error.to_string() };
        let runtime = Builder::new_current_thread().enable_all().build().map_err(failed)?;
        let clock = Clock::new(posting.time, is_called_off);
        let shared = Shared::new(self.terms.clone(), Arc::default(), Arc::clone(&self.sink));
        let done = runtime.block_on(self.make(&shared, posting, hear, &clock));
        runtime.shutdown_background();
        done.map_err(|no| no.of(posting.link.clone()))
    }

    async fn make(
        &self,
        shared: &Shared,
        posting: &Posting,
        hear: &Hear,
        clock: &Clock<'_>,
    ) -> Result<(), Not> {
        let fetch = Fetch::url(&posting.link);
        let link = match Link::read(&posting.link) {
            Ok(link) => link,
            Err(why) => return Err(unreadable(shared, fetch, why)),
        };
        let request = link.posting(posting).ok_or_else(|| Not::Failed("a field of it is none".to_owned()))?;
        let mut meter = shared.meter(&link.to);
        let made = async {
            let route = shared.open_as(fetch, &link.to, &mut meter).await?;
            let told = self.told(route.stream, &link, (&request, posting), hear, &mut meter, shared).await;
            told.map_err(Not::Failed)
        };
        let made = clock.bound(made).await;
        if let Err(Not::Failed(why)) = &made {
            meter.note(|record| (record.outcome, record.reason) = (Outcome::Failed, why.clone()));
        }
        made
    }

    async fn told(
        &self,
        stream: TcpStream,
        link: &Link,
        (request, posting): (&str, &Posting),
        hear: &Hear,
        meter: &mut Meter,
        shared: &Shared,
    ) -> Result<(), String> {
        let mut wire = self.wire(stream, link, shared).await.map_err(|error| error.to_string())?;
        let whole = [request.as_bytes(), &posting.body].concat();
        wire.send(&whole).await.map_err(|error| error.to_string())?;
        meter.sent(whole.len());
        let bytes = loop {
            let bytes = head(&mut wire.reader, shared.terms.limits.head_bytes).await;
            let bytes = bytes.map_err(|_| "it does not answer in HTTP/1".to_owned())?;
            meter.received(bytes.len());
            if !Response::read(&bytes, posting.method).map_err(|bad| bad.to_string())?.is_interim() {
                break bytes;
            }
        };
        let response = Response::read(&bytes, posting.method).map_err(|bad| bad.to_string())?;
        let field = |name: &str, value: &[u8]| {
            Some((name.to_ascii_lowercase(), std::str::from_utf8(value).ok()?.to_owned()))
        };
        let fields = response.head.fields.iter().filter_map(|one| field(one.name, one.value)).collect();
        if !hear(Part::Head { status: response.status, fields }) {
            return Ok(());
        }
        let ear = Ear { hear: Arc::clone(hear), is_deaf: false };
        match gather(response.framing, &mut wire.reader, Box::new(ear)).await {
            // Who wants nothing more is not failed.
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
            gathered => gathered.map_err(|error| error.to_string()),
        }
    }
}

/// What hands pieces of a body on.
struct Ear {
    hear: Hear,
    is_deaf: bool,
}

impl AsyncWrite for Ear {
    fn poll_write(mut self: Pin<&mut Self>, _: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        self.is_deaf = self.is_deaf || !(self.hear)(Part::Piece(bytes));
        Poll::Ready(if self.is_deaf { Err(io::ErrorKind::BrokenPipe.into()) } else { Ok(bytes.len()) })
    }

    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }
}

impl Link {
    /// The head of a request; nothing where a field would be another request.
    fn posting(&self, posting: &Posting) -> Option<String> {
        let mut head = self.head(posting.method);
        for (name, value) in &posting.fields {
            let is_name =
                !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
            let is_value = value.bytes().all(|byte| (b' '..=b'~').contains(&byte) || byte == b'\t');
            if !is_name || !is_value {
                return None;
            }
            let _ = write!(head, "{name}: {value}\r\n");
        }
        if posting.method == "POST" {
            let _ = write!(head, "Content-Length: {}\r\n", posting.body.len());
        }
        head.push_str("\r\n");
        Some(head)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn posting(name: &str, value: &str) -> Option<String> {
        let fields = vec![(name.to_owned(), value.to_owned())];
        let posting = Posting {
            method: "POST",
            link: String::new(),
            fields,
            body: b"{}".to_vec(),
            time: Duration::from_secs(1),
        };
        Link::read("https://a.example/mcp").unwrap().posting(&posting)
    }

    #[test]
    fn a_field_cannot_become_another_request() {
        let head = posting("mcp-session-id", "abc").unwrap();
        assert!(head.starts_with("POST /mcp HTTP/1.1\r\nHost: a.example\r\n"), "{head}");
        assert!(head.ends_with("mcp-session-id: abc\r\nContent-Length: 2\r\n\r\n"), "{head}");
        for (name, value) in
            [("a", "b\r\nc: d"), ("a", "b\nc"), ("a:", "b"), ("", "b"), ("a b", "c"), ("a", "ü")]
        {
            assert_eq!(posting(name, value), None, "{name}: {value}");
        }
    }
}
