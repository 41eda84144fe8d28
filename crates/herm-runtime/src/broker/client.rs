//! What asks a broker, and what answers through one.

use std::io::{self, BufReader};
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::time::Duration;

use herm::approval::Answer;
use rustix::net::sockopt::socket_peercred;

use super::protocol::{Request, Response, read_response, send_request};
use crate::asked::Asked;
use crate::people::Heard;

/// A connection to a broker.
#[derive(Debug)]
pub struct Client {
    stream: UnixStream,
    responses: BufReader<UnixStream>,
}

/// A question that waits.
#[derive(Debug)]
pub struct Waiting {
    client: Client,
    id: String,
}

/// What came of an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Effect {
    /// The question is no longer there.
    Gone,
    /// Somebody else was first: with this answer, from this one.
    Lost(Answer, String),
    /// It may not be answered from here, and why.
    Refused(String),
    /// It holds.
    Won,
}

impl Client {
    /// Connects to the broker behind a socket.
    ///
    /// # Errors
    /// When there is none.
    #[expect(clippy::disallowed_methods, reason = "the one place where the broker is called")]
    pub fn connect(socket: &Path) -> io::Result<Self> {
        UnixStream::connect(socket).and_then(Self::new)
    }

    /// Connects to a broker that another user runs. One of the same user guards nothing.
    ///
    /// # Errors
    /// When there is none, or it runs under the user that asks.
    pub fn connect_to_guard(socket: &Path) -> io::Result<Self> {
        let client = Self::connect(socket)?;
        if socket_peercred(&client.stream)?.uid == rustix::process::getuid() {
            return Err(io::Error::other("it runs under the user that asks, and so guards nothing"));
        }
        Ok(client)
    }

    pub(super) fn new(stream: UnixStream) -> io::Result<Self> {
        let responses = BufReader::new(stream.try_clone()?);
        Ok(Self { stream, responses })
    }

    /// What waits for an answer.
    ///
    /// # Errors
    /// When the broker has gone or refuses.
    pub fn list(&mut self) -> io::Result<Vec<Asked>> {
        self.list_some("", None)
    }

    /// What waits for an answer and has a name that begins like this, the oldest first; at most so many.
    ///
    /// # Errors
    /// When the broker has gone or refuses.
    pub fn list_some(&mut self, beginning: &str, most: Option<u32>) -> io::Result<Vec<Asked>> {
        match self.exchange(&Request::List { beginning: beginning.to_owned(), most })? {
            Response::Questions(questions) => Ok(questions),
            other @ (Response::Answered(..)
            | Response::Consent(_)
            | Response::Done
            | Response::Gone
            | Response::Refused(_)
            | Response::Remembered(_)
            | Response::Silence
            | Response::Waiting(_)
            | Response::Won) => Err(unexpected(&other)),
        }
    }

    /// Answers a question.
    ///
    /// # Errors
    /// When the broker has gone.
    pub fn answer(&mut self, id: &str, answer: Answer) -> io::Result<Effect> {
        match self.exchange(&Request::Answer { id: id.to_owned(), answer })? {
            Response::Answered(answer, by) => Ok(Effect::Lost(answer, by)),
            Response::Gone => Ok(Effect::Gone),
            Response::Refused(why) => Ok(Effect::Refused(why)),
            Response::Won => Ok(Effect::Won),
            other @ (Response::Consent(_)
            | Response::Done
            | Response::Questions(_)
            | Response::Remembered(_)
            | Response::Silence
            | Response::Waiting(_)) => Err(unexpected(&other)),
        }
    }

    /// Asks. The answer comes later.
    ///
    /// # Errors
    /// When the broker has gone or does not take the question.
    pub fn ask(self, asked: &Asked, seconds: u32) -> io::Result<Waiting> {
        self.wait(&Request::Ask { asked: Box::new(asked.clone()), seconds })
    }

    /// Waits for what was asked through a broker that has gone.
    ///
    /// # Errors
    /// When this broker has gone too, or does not know the question.
    pub fn resume(self, id: &str) -> io::Result<Waiting> {
        self.wait(&Request::Resume(id.to_owned()))
    }

    fn wait(mut self, request: &Request) -> io::Result<Waiting> {
        match self.exchange(request)? {
            Response::Waiting(id) => Ok(Waiting { client: self, id }),
            other @ (Response::Answered(..)
            | Response::Consent(_)
            | Response::Done
            | Response::Gone
            | Response::Questions(_)
            | Response::Refused(_)
            | Response::Remembered(_)
            | Response::Silence
            | Response::Won) => Err(unexpected(&other)),
        }
    }

    pub(crate) fn exchange(&mut self, request: &Request) -> io::Result<Response> {
        send_request(&mut self.stream, request)?;
        self.next()
    }

    fn next(&mut self) -> io::Result<Response> {
        read_response(&mut self.responses)?.ok_or_else(|| io::Error::from(io::ErrorKind::UnexpectedEof))
    }
}

impl Waiting {
    /// The name of the question.
    #[must_use]
    pub fn id(&self) -> &str {
        &self.id
    }

    /// What the broker has to say within so much time; nothing when it says nothing.
    ///
    /// # Errors
    /// When the broker has gone.
    pub fn hear(&mut self, within: Duration) -> io::Result<Option<Heard>> {
        self.client.stream.set_read_timeout(Some(within))?;
        match self.client.next() {
            Ok(Response::Answered(answer, by)) => Ok(Some(Heard::Answer { answer, by })),
            Ok(Response::Silence) => Ok(Some(Heard::Silence)),
            Ok(Response::Gone) => Ok(Some(Heard::Nobody("the question was withdrawn".to_owned()))),
            Ok(Response::Refused(why)) => Ok(Some(Heard::Nobody(why))),
            Ok(
                other @ (Response::Consent(_)
                | Response::Done
                | Response::Questions(_)
                | Response::Remembered(_)
                | Response::Waiting(_)
                | Response::Won),
            ) => Err(unexpected(&other)),
            Err(error) if matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut) => {
                Ok(None)
            }
            Err(error) => Err(error),
        }
    }

    /// The person at this terminal answered. Whether that holds, the broker says: another may have been first.
    ///
    /// # Errors
    /// When the broker has gone.
    pub fn settle(&mut self, answer: Answer) -> io::Result<()> {
        send_request(&mut self.client.stream, &Request::Settle(answer))
    }
}

/// Whether a broker has gone in the middle of what it was told.
#[must_use]
pub fn is_lost(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::BrokenPipe | io::ErrorKind::ConnectionReset | io::ErrorKind::UnexpectedEof
    )
}

fn unexpected(response: &Response) -> io::Error {
    if let Response::Refused(why) = response {
        return io::Error::other(why.clone());
    }
    io::Error::other(format!("the broker said {response:?}"))
}
