//! Looking at very many files, with help.
//!
//! Nearly all of the time that it takes to look at a workspace goes into asking the kernel about each file. Where there are many, others ask as well.

use std::ffi::{CStr, OsStr};
use std::num::NonZero;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{Builder, JoinHandle, available_parallelism};

use super::Company;
use super::disarm::Disarming;
use crate::native::guards::SetAside;
use crate::native::tree::Here;

/// Who looks at files.
#[derive(Debug)]
pub(super) struct Crew {
    own: Disarming,
    /// How many are looked at before others are called.
    alone: usize,
    batch: Option<Batch>,
    helpers: Option<Helpers>,
}

/// Others who look, and how they are handed something.
#[derive(Debug)]
struct Helpers {
    sender: SyncSender<Batch>,
    found: Vec<JoinHandle<Vec<SetAside>>>,
}

/// Files in a directory.
#[derive(Debug)]
struct Batch {
    directory: OwnedFd,
    path: PathBuf,
    device: u64,
    /// Each with a nought behind it.
    names: Vec<u8>,
}

/// As many are looked at in the time that it takes to call somebody.
const FEW: usize = 1000;

/// More do not help: it is the kernel that is busy.
const MOST_HELPERS: usize = 3;

/// How many directories wait for somebody to look at them.
const WAITING: usize = 8;

/// How many bytes of names are handed over at once.
const LARGE: usize = 1 << 15;

impl Crew {
    pub(super) fn new(own: Disarming, company: Company) -> Self {
        let alone = match company {
            Company::Helpers => FEW,
            Company::Nobody => usize::MAX,
        };
        Self { own, alone, batch: None, helpers: None }
    }

    /// Looks at a file, now or later.
    pub(super) fn add(&mut self, here: &Here<'_>, name: &CStr) {
        if let Some(left) = self.alone.checked_sub(1) {
            self.alone = left;
            return self.own.look(here.directory, here.found.st_dev, name, || here.path.to_owned());
        }
        if self.batch.as_ref().is_some_and(|batch| batch.names.len() >= LARGE) {
            self.hand_over();
        }
        if self.batch.is_none() {
            self.batch = Batch::of(here);
        }
        match &mut self.batch {
            Some(batch) => batch.names.extend_from_slice(name.to_bytes_with_nul()),
            None => self.own.look(here.directory, here.found.st_dev, name, || here.path.to_owned()),
        }
    }

    /// Has others look at what was put together. Who has nobody, or only such as are busy, does it himself.
    pub(super) fn hand_over(&mut self) {
        let Some(batch) = self.batch.take() else { return };
        let helpers = self.helpers.get_or_insert_with(|| Helpers::call(&self.own));
        match helpers.sender.try_send(batch) {
            Ok(()) => {}
            Err(TrySendError::Disconnected(batch) | TrySendError::Full(batch)) => batch.look(&mut self.own),
        }
    }

    /// What was found by everybody.
    pub(super) fn finish(&mut self) -> Vec<SetAside> {
        self.hand_over();
        let found = self.helpers.take().map(Helpers::finish).unwrap_or_default();
        self.own.told.drain(..).chain(found).collect()
    }
}

impl Batch {
    fn of(here: &Here<'_>) -> Option<Self> {
        let directory = here.directory.try_clone_to_owned().ok()?;
        Some(Self { directory, path: here.path.to_owned(), device: here.found.st_dev, names: Vec::new() })
    }

    fn look(&self, disarming: &mut Disarming) {
        let directory: BorrowedFd<'_> = self.directory.as_fd();
        for name in self.names.split_inclusive(|byte| *byte == 0) {
            if let Ok(name) = CStr::from_bytes_with_nul(name) {
                disarming.look(directory, self.device, name, || self.path.clone());
            }
        }
    }
}

impl Helpers {
    fn call(own: &Disarming) -> Self {
        let (sender, receiver) = sync_channel(WAITING);
        let receiver = Arc::new(Mutex::new(receiver));
        let others = available_parallelism().map_or(1, NonZero::get).saturating_sub(1).clamp(1, MOST_HELPERS);
        let start = |_| {
            let (mut disarming, receiver) = (own.another(), Arc::clone(&receiver));
            let help = move || {
                while let Some(batch) = next(&receiver) {
                    batch.look(&mut disarming);
                }
                disarming.told
            };
            Builder::new().name("herm-looking".to_owned()).spawn(help).ok()
        };
        Self { sender, found: (0..others).filter_map(start).collect() }
    }

    fn finish(self) -> Vec<SetAside> {
        drop(self.sender);
        self.found.into_iter().filter_map(|helper| helper.join().ok()).flatten().collect()
    }
}

fn next(receiver: &Mutex<Receiver<Batch>>) -> Option<Batch> {
    receiver.lock().unwrap_or_else(PoisonError::into_inner).recv().ok()
}

/// Where a file is.
pub(super) fn at(directory: PathBuf, name: &CStr) -> PathBuf {
    let mut path = directory;
    path.push(OsStr::from_bytes(name.to_bytes()));
    path
}
