//! How long a fetch may take, and whether somebody still wants it.

use std::future::Future;
use std::pin::pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use tokio::time::timeout;

use super::Not;
use crate::consent::Ask;

/// The time of a fetch. It stands still while a person is asked.
pub(super) struct Clock<'a> {
    begun: Instant,
    time: Duration,
    asking: Arc<Mutex<Asking>>,
    is_called_off: &'a dyn Fn() -> bool,
}

/// How long people were asked, and since when somebody is. A fetch asks one thing after the other.
#[derive(Debug, Default)]
struct Asking {
    before: Duration,
    since: Option<Instant>,
}

/// How often it is looked whether the time is over.
const PULSE: Duration = Duration::from_millis(20);

impl<'a> Clock<'a> {
    pub(super) fn new(time: Duration, is_called_off: &'a dyn Fn() -> bool) -> Self {
        Self { begun: Instant::now(), time, asking: Arc::default(), is_called_off }
    }

    /// Asks the same, while the clock stands still.
    pub(super) fn pausing(&self, ask: Ask) -> Ask {
        let asking = Arc::clone(&self.asking);
        Arc::new(move |question| {
            let (asked, asking) = (ask(question), Arc::clone(&asking));
            Box::pin(async move {
                asking.lock().unwrap_or_else(PoisonError::into_inner).since = Some(Instant::now());
                let answer = asked.await;
                asking.lock().unwrap_or_else(PoisonError::into_inner).end();
                answer
            })
        })
    }

    /// Waits for something, unless it takes too long or nobody wants it any more.
    pub(super) async fn bound<T>(&self, work: impl Future<Output = Result<T, Not>>) -> Result<T, Not> {
        let mut work = pin!(work);
        loop {
            if let Ok(done) = timeout(PULSE, &mut work).await {
                return done;
            }
            if (self.is_called_off)() {
                return Err(Not::Failed("it was called off".to_owned()));
            }
            if self.spent() >= self.time {
                return Err(Not::Failed("it takes too long".to_owned()));
            }
        }
    }

    fn spent(&self) -> Duration {
        let asked = self.asking.lock().unwrap_or_else(PoisonError::into_inner).total();
        self.begun.elapsed().saturating_sub(asked)
    }
}

impl Asking {
    fn total(&self) -> Duration {
        self.before + self.since.map_or(Duration::ZERO, |since| since.elapsed())
    }

    fn end(&mut self) {
        *self = Self { before: self.total(), since: None };
    }
}
