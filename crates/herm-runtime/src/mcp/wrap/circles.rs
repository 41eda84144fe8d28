//! Whether a client goes round in circles. Nobody tells when a person has spoken, so a while without calls counts as that.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use herm::pace::{Advice, Ending, Kind, Pace, Seen};
use serde_json::Value;

use crate::pace::number;

/// What was seen of a client's calls.
#[derive(Debug, Default)]
pub(super) struct Circles(Mutex<(Pace, Option<Instant>)>);

/// After how long without calls somebody may have spoken.
const WHILE: Duration = Duration::from_mins(1);

impl Circles {
    /// Why a call must not be made; nothing when it may go on.
    pub(super) fn before(&self, tool: &str, input: &Value, now: Instant) -> Option<String> {
        let mut held = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (pace, last) = &mut *held;
        if last.is_some_and(|last| now.duration_since(last) >= WHILE) {
            pace.turn();
        }
        *last = Some(now);
        pace.before(number(tool.as_bytes()), call(tool, input)).words()
    }

    /// Takes in what came of a call. What comes back is for the model.
    pub(super) fn after(
        &self,
        tool: &str,
        input: &Value,
        came: (Option<&Value>, Ending),
        kind: Kind,
    ) -> Option<String> {
        let mut held = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (result, ending) = came;
        let advice = held.0.after(&Seen {
            tool: number(tool.as_bytes()),
            call: call(tool, input),
            result: result.map_or(0, |result| number(result.to_string().as_bytes())),
            kind,
            ending,
        });
        match advice {
            Advice::Go | Advice::Stop(..) => None,
            Advice::Warn(..) => advice.words(),
        }
    }
}

/// A tool with what it is given.
fn call(tool: &str, input: &Value) -> u64 {
    number(format!("{tool}\0{input}").as_bytes())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_circle_ends_when_somebody_may_have_spoken() {
        let (circles, start, input) = (Circles::default(), Instant::now(), json!({}));
        for _ in 0..5 {
            assert_eq!(circles.before("t", &input, start), None);
            circles.after("t", &input, (None, Ending::Failed), Kind::Mutating);
        }
        let soon = start + WHILE / 2;
        assert!(circles.before("t", &input, soon).unwrap().contains("exact-failure"));
        assert!(circles.before("t", &input, soon + WHILE / 2).is_some(), "every try counts");
        assert_eq!(circles.before("t", &input, soon + 2 * WHILE), None);
    }
}
