//! What all that is decided about has in common.

use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use herm::call::SessionId;
use herm_adapters::acp::Place;
use herm_store::Digest;

use super::approved::Approved;
use super::{Face, Terms};
use crate::setup::{Problem, Setup};

/// What all that is decided about has in common.
pub(super) struct Desk {
    pub(super) terms: Terms,
    pub(super) face: Arc<dyn Face>,
    approved: Mutex<Approved>,
    count: AtomicU64,
}

impl fmt::Debug for Desk {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Desk").field("terms", &self.terms).finish_non_exhaustive()
    }
}

impl Desk {
    pub(super) fn new(terms: Terms, face: Arc<dyn Face>) -> Self {
        Self { terms, face, approved: Mutex::default(), count: AtomicU64::new(0) }
    }

    /// What holds in a session, read anew: what was changed since holds at once.
    pub(super) fn setup(&self, place: &Place) -> Result<Setup, Problem> {
        let mut setup =
            Setup::new(crate::Wishes { cwd: Some(place.cwd.clone()), ..self.terms.wishes.clone() })?;
        if self.terms.ask_in_any_case {
            setup.ask_in_any_case();
        }
        Ok(setup)
    }

    /// The name of a session, the same that the agent's hooks know it by.
    pub(super) fn session(&self, session: &str) -> SessionId {
        let name = if session.len() <= LONGEST_NAME {
            session.to_owned()
        } else {
            Digest::of(session.as_bytes()).to_string()
        };
        SessionId(format!(
            "{}-{name}",
            self.terms.agent.map_or(self.terms.name.as_str(), |agent| agent.word())
        ))
    }

    /// What was said yes to already.
    pub(super) fn approved(&self) -> MutexGuard<'_, Approved> {
        self.approved.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A number that nobody else has.
    pub(super) fn number(&self) -> u64 {
        self.count.fetch_add(1, Ordering::Relaxed) + 1
    }
}

/// The longest name of a session that is taken as it is.
const LONGEST_NAME: usize = 100;
