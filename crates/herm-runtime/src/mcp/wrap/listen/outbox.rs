//! What is said to a client that speaks HTTP: each answer to whoever waits for it, and everything else where it is listened to.

use std::collections::VecDeque;
use std::io;
use std::sync::mpsc::SyncSender;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use herm_adapters::jsonrpc::{Id, Message};

use super::alone::addressee;
use crate::mcp::wrap::Client;

/// How many messages wait for somebody to hear them.
pub(super) const WAITING: usize = 64;

/// Where what is said to a client goes.
#[derive(Debug, Default)]
pub(super) struct Outbox(Mutex<Out>);

#[derive(Debug, Default)]
struct Out {
    /// Who waits for which answer, the latest last.
    waiting: Vec<Waiting>,
    /// Who listens to everything else.
    listening: Option<SyncSender<Vec<u8>>>,
    /// What nobody has heard yet.
    held: VecDeque<Vec<u8>>,
    is_closed: bool,
    /// Whether clients share it that must not hear of one another.
    is_shared: bool,
}

/// Somebody who waits for an answer.
#[derive(Debug)]
struct Waiting {
    id: Id,
    sender: SyncSender<Vec<u8>>,
    /// Whether they hear nothing but what says that it is for them.
    is_subscribed: bool,
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
    pub(super) fn wait(&self, id: Id, sender: SyncSender<Vec<u8>>, is_subscribed: bool) -> bool {
        let mut out = self.out();
        if out.is_closed || out.waiting.iter().any(|known| known.id == id) {
            return false;
        }
        out.waiting.push(Waiting { id, sender, is_subscribed });
        true
    }

    /// Nobody waits for an answer any more.
    pub(super) fn forget(&self, id: &Id) {
        self.out().waiting.retain(|known| known.id != *id);
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
        let whose = match Message::read(line.trim_ascii_end()) {
            Ok(Message::Response(response)) => {
                if let Some(waiting) =
                    out.waiting.iter().find(|known| response.id.as_ref() == Some(&known.id))
                {
                    let _ = waiting.sender.try_send(line.to_vec());
                }
                return Ok(());
            }
            Ok(Message::Notification(said)) if out.is_shared => addressee(&said),
            _ => None,
        };
        if out.is_shared {
            let mut others = out.waiting.iter().filter(|waiting| !waiting.is_subscribed);
            let whom = match (whose, others.next(), others.next()) {
                (Some(id), ..) => out.waiting.iter().find(|waiting| waiting.id == id),
                (None, only, None) => only,
                // Whom it is for cannot be known.
                (None, _, Some(_)) => None,
            };
            let _ = whom.map(|waiting| waiting.sender.try_send(line.to_vec()));
            return Ok(());
        }
        let listening = out.listening.as_ref().or_else(|| out.waiting.last().map(|waiting| &waiting.sender));
        let is_heard = listening.is_some_and(|sender| sender.try_send(line.to_vec()).is_ok());
        if !is_heard {
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
