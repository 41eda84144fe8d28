//! What is said to a client that speaks HTTP: each answer to whoever waits for it, and everything else where it is listened to.

use std::collections::VecDeque;
use std::io;
use std::sync::mpsc::SyncSender;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use herm_adapters::jsonrpc::{Id, Message};

use crate::mcp::wrap::Client;

/// How many messages wait for somebody to hear them.
pub(super) const WAITING: usize = 64;

/// Where what is said to a client goes.
#[derive(Debug, Default)]
pub(super) struct Outbox(Mutex<Out>);

#[derive(Debug, Default)]
struct Out {
    /// Who waits for which answer, the latest last.
    waiting: Vec<(Id, SyncSender<Vec<u8>>)>,
    /// Who listens to everything else.
    listening: Option<SyncSender<Vec<u8>>>,
    /// What nobody has heard yet.
    held: VecDeque<Vec<u8>>,
    is_closed: bool,
    /// Whether clients share it that must not hear of one another.
    is_shared: bool,
}

impl Outbox {
    pub(super) fn new(is_shared: bool) -> Self {
        Self(Mutex::new(Out { is_shared, ..Out::default() }))
    }

    /// Whether nobody waits for anything.
    pub(super) fn is_idle(&self) -> bool {
        self.out().waiting.is_empty()
    }

    fn out(&self) -> MutexGuard<'_, Out> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Somebody waits for an answer. Says whether nobody else waits for the same.
    pub(super) fn wait(&self, id: Id, sender: SyncSender<Vec<u8>>) -> bool {
        let mut out = self.out();
        if out.is_closed || out.waiting.iter().any(|(known, _)| *known == id) {
            return false;
        }
        out.waiting.push((id, sender));
        true
    }

    /// Nobody waits for an answer any more.
    pub(super) fn forget(&self, id: &Id) {
        self.out().waiting.retain(|(known, _)| known != id);
    }

    /// Somebody listens to everything else, in the place of whoever did before.
    pub(super) fn listen(&self, sender: SyncSender<Vec<u8>>) {
        let mut out = self.out();
        let held = std::mem::take(&mut out.held);
        let _ = held.into_iter().try_for_each(|line| sender.try_send(line));
        out.listening = Some(sender).filter(|_| !out.is_closed);
    }

    /// Nothing more will be said.
    pub(super) fn close(&self) {
        *self.out() = Out { is_closed: true, ..Out::default() };
    }
}

impl Client for Outbox {
    /// Nobody is waited for: who does not hear in time has missed it.
    fn say(&self, line: &[u8]) -> io::Result<()> {
        let mut out = self.out();
        if let Ok(Message::Response(response)) = Message::read(line.trim_ascii_end()) {
            let at = out.waiting.iter().position(|(id, _)| response.id.as_ref() == Some(id));
            if let Some((_, sender)) = at.and_then(|at| out.waiting.get(at)) {
                let _ = sender.try_send(line.to_vec());
            }
            return Ok(());
        }
        if out.is_shared && out.waiting.len() != 1 {
            // Whom it is for cannot be known.
            return Ok(());
        }
        let listening = out.listening.as_ref().or_else(|| out.waiting.last().map(|(_, sender)| sender));
        let is_heard = listening.is_some_and(|sender| sender.try_send(line.to_vec()).is_ok());
        if !is_heard && !out.is_shared {
            out.listening = None;
            if out.held.len() >= WAITING {
                out.held.pop_front();
            }
            out.held.push_back(line.to_vec());
        }
        Ok(())
    }

    fn settle(&self, _: Duration) {}
}
