//! Connections on which somebody waits.

use std::collections::HashMap;
use std::io;
use std::os::unix::net::UnixStream;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::SystemTime;

use herm_store::Store;
use herm_store::sqlite::questions::Settlement;

use super::office::send;
use super::protocol::Response;

/// A connection on which somebody waits for the answer to a question.
#[derive(Debug)]
pub(super) struct Line {
    id: String,
    stream: Arc<UnixStream>,
    told: Mutex<bool>,
}

/// A line that nobody else speaks on meanwhile.
pub(super) struct Held<'a> {
    line: &'a Line,
    told: MutexGuard<'a, bool>,
}

impl Line {
    pub(super) fn new(id: &str, stream: &Arc<UnixStream>) -> Self {
        Self { id: id.to_owned(), stream: Arc::clone(stream), told: Mutex::new(false) }
    }

    pub(super) fn hold(&self) -> Held<'_> {
        Held { line: self, told: self.told.lock().unwrap_or_else(PoisonError::into_inner) }
    }
}

impl Held<'_> {
    /// Tells what came of the question, once. Whether there was something to tell, now or before.
    pub(super) fn tell(&mut self, store: &Store) -> io::Result<bool> {
        if *self.told {
            return Ok(true);
        }
        let questions = store.questions().map_err(io::Error::other)?;
        let response = match questions.settle(&self.line.id, SystemTime::now()).map_err(io::Error::other)? {
            Settlement::Answered(given) => Response::Answered(given.answer, given.by),
            Settlement::Gone | Settlement::Spent => Response::Gone,
            Settlement::Silence => Response::Silence,
            Settlement::Waiting => return Ok(false),
        };
        *self.told = true;
        send(&self.line.stream, &response).map(|()| true)
    }
}

/// All lines, by question.
#[derive(Debug, Default)]
pub(super) struct Lines(Mutex<HashMap<String, Arc<Line>>>);

impl Lines {
    pub(super) fn add(&self, line: &Arc<Line>) {
        self.all().insert(line.id.clone(), Arc::clone(line));
    }

    pub(super) fn find(&self, id: &str) -> Option<Arc<Line>> {
        self.all().get(id).cloned()
    }

    /// Whoever came back on another line stays.
    pub(super) fn remove(&self, line: &Arc<Line>) {
        let mut all = self.all();
        if all.get(&line.id).is_some_and(|known| Arc::ptr_eq(known, line)) {
            all.remove(&line.id);
        }
    }

    fn all(&self) -> MutexGuard<'_, HashMap<String, Arc<Line>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
