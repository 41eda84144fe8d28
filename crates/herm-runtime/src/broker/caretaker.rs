//! What a broker does beside serving.

use std::io;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use herm_store::{Error, Store};

use super::office::Office;

/// How often it is looked whether somebody else has answered in the store. Whoever answers through the broker is heard at
/// once.
const PULSE: Duration = Duration::from_secs(1);

/// After how many looks that found something new the log of the store is emptied.
const LOOKS: u32 = 10;

/// Looks after a store while its broker serves.
///
/// In the place of everyone who waits it watches for answers that others gave, and it empties the log, so that nobody
/// does so whom somebody waits for.
#[derive(Debug)]
pub(super) struct Caretaker {
    store: Store,
    edition: i64,
    looks: u32,
}

impl Caretaker {
    pub(super) fn of(home: &Path) -> io::Result<Self> {
        Ok(Self { store: Store::open(home).map_err(io::Error::other)?, edition: 0, looks: 0 })
    }

    /// Goes on until it is told to stop.
    pub(super) fn start(mut self, office: &Arc<Office>, stop: &Arc<AtomicBool>) -> io::Result<()> {
        let (office, stop) = (Arc::clone(office), Arc::clone(stop));
        let work = move || {
            while !stop.load(Ordering::Relaxed) {
                thread::sleep(PULSE);
                // What cannot be done now is tried again.
                let _ = self.look(&office);
            }
        };
        thread::Builder::new().name("caretaker".to_owned()).spawn(work).map(drop)
    }

    fn look(&mut self, office: &Office) -> Result<(), Error> {
        if !self.store.has_database()? {
            return Ok(());
        }
        let database = self.store.database()?;
        let edition = database.edition()?;
        if edition == self.edition {
            return Ok(());
        }
        office.leave_log()?;
        office.hear_others()?;
        self.edition = edition;
        self.looks += 1;
        if self.looks >= LOOKS {
            self.looks = 0;
            database.empty_log()?;
        }
        Ok(())
    }
}
