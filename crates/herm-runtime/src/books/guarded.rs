//! Books that a broker under another user keeps.

use std::cell::Cell;
use std::io;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use herm::approval::Answer;
use herm_store::{Digest, Kind};
use serde_json::Value;

use super::{Books, Error, Memory};
use crate::asked::Asked;
use crate::broker::{Client, Request, Response, is_lost};
use crate::identity;

/// How long a broker may be away that was there before.
const PATIENCE: Duration = Duration::from_secs(5);

/// How often it is looked for.
const PULSE: Duration = Duration::from_millis(20);

/// Books that a broker under another user keeps.
#[derive(Debug)]
pub(crate) struct Guarded {
    socket: PathBuf,
    met: Cell<bool>,
}

impl Guarded {
    pub(crate) fn new(socket: &Path) -> Self {
        Self { socket: socket.to_owned(), met: Cell::new(false) }
    }

    fn say(&self, request: &Request) -> Result<Response, Error> {
        // One that is restarted in the middle is told again: two records of one deed are better than none.
        let said = self
            .reach()
            .and_then(|mut client| client.exchange(request))
            .or_else(|error| if is_lost(&error) { self.reach()?.exchange(request) } else { Err(error) });
        let response = said.map_err(Error::Broker)?;
        if let Response::Refused(why) = response {
            return Err(Error::Broker(io::Error::other(why)));
        }
        Ok(response)
    }

    /// A broker that was there a moment ago is being restarted; one that was not there is missing.
    fn reach(&self) -> io::Result<Client> {
        let end = Instant::now() + if self.met.get() { PATIENCE } else { Duration::ZERO };
        loop {
            match Client::connect_to_guard(&self.socket) {
                Err(_) if Instant::now() < end => thread::sleep(PULSE),
                reached => {
                    self.met.set(reached.is_ok());
                    return reached;
                }
            }
        }
    }
}

impl Books for Guarded {
    /// Begins with the user, so that nobody can add to the receipt of another.
    fn receipt(&self) -> String {
        format!("{}-{}", rustix::process::getuid().as_raw(), identity::fresh())
    }

    fn append(&self, kind: Kind, receipt: &str, body: Value) -> Result<(), Error> {
        let said = self.say(&Request::Append { kind, receipt: receipt.to_owned(), body })?;
        if said == Response::Done { Ok(()) } else { Err(unexpected(&said)) }
    }

    fn memory(&self, session: &str) -> Result<Memory, Error> {
        let said = self.say(&Request::Memory(session.to_owned()))?;
        if let Response::Remembered(memory) = said { Ok(*memory) } else { Err(unexpected(&said)) }
    }

    fn spend(&self, session: &str, grants: &[String]) -> bool {
        let request = Request::Spend { session: session.to_owned(), grants: grants.to_vec() };
        matches!(self.say(&request), Ok(Response::Done))
    }

    fn late_answer(&self, session: &str, digest: Digest) -> Option<(Answer, String)> {
        let request = Request::Late { session: session.to_owned(), digest: digest.to_string() };
        match self.say(&request) {
            Ok(Response::Answered(answer, by)) => Some((answer, by)),
            Ok(_) | Err(_) => None,
        }
    }

    fn consented(&self, command: &str, digest: &str) -> Option<bool> {
        let request = Request::Consented { command: command.to_owned(), digest: digest.to_owned() };
        match self.say(&request) {
            Ok(Response::Consent(allowed)) => allowed,
            Ok(_) | Err(_) => None,
        }
    }

    /// Nothing is left to do: the broker kept what follows when it took the answer. An answer that it did not take,
    /// such as a model's, is not remembered.
    fn keep(&self, _answer: Answer, _asked: &Asked) -> Result<(), Error> {
        Ok(())
    }
}

fn unexpected(said: &Response) -> Error {
    Error::Broker(io::Error::other(format!("it said {said:?}")))
}
