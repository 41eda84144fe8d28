//! Where questions are taken.

use std::io;
use std::path::PathBuf;

use super::{Broker, Client, Running};
use crate::setup::Setup;

/// Where questions are taken.
#[derive(Debug)]
pub enum Desk {
    /// At a broker under another user, and at no other one that may stand in its place. Nobody else can answer, the person at this terminal
    /// least of all, and it keeps what follows itself.
    Guard(PathBuf),
    /// At a broker of the same user, and be it us.
    Own(Broker),
}

impl Desk {
    /// The one that the policy names, or our own.
    #[must_use]
    pub fn of(setup: &Setup) -> Self {
        match &setup.policy.broker {
            Some(socket) => Self::Guard(PathBuf::from(socket.as_str())),
            None => Self::Own(Broker::of(&setup.guard)),
        }
    }

    /// Becomes the broker where there is none and we may.
    ///
    /// # Errors
    /// When its socket cannot be made.
    pub fn start(&self) -> io::Result<Option<Running>> {
        match self {
            Self::Guard(_) => Ok(None),
            Self::Own(broker) => broker.start(),
        }
    }

    /// Goes there.
    ///
    /// # Errors
    /// When nobody is there, or not who should be.
    pub fn connect(&self) -> io::Result<Client> {
        match self {
            Self::Guard(socket) => Client::connect_to_guard(socket),
            Self::Own(broker) => Client::connect(&broker.socket),
        }
    }
}
