//! Whether an agent goes round in circles.
//!
//! Three circles are known: the very same call fails again and again; one tool fails whatever it is given; a call that changes nothing
//! gives the same result again. First the model is told, then the call is stopped. What a person says begins anew, and so does
//! whatever changes something: the same test may fail before a change and succeed after it.
//!
//! It is a pure state machine. Who keeps it writes [`Pace::to_text`] down and reads it back with [`Pace::from_text`].

use std::fmt::Write as _;

/// What was seen of an agent's calls since it last got somewhere.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pace {
    calls: Vec<Repeated>,
    tools: Vec<Failing>,
}

/// A call that did not get anywhere, and how often in a row.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Repeated {
    circle: Circle,
    call: u64,
    result: u64,
    count: u32,
}

/// A tool that failed, and how often in a row.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Failing {
    tool: u64,
    count: u32,
}

/// A way of going round in circles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Circle {
    /// The very same call fails.
    ExactFailure,
    /// A call that changes nothing gives the same result.
    NoProgress,
    /// A tool fails, whatever it is given.
    SameTool,
}

/// A call that was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Seen {
    /// The tool.
    pub tool: u64,
    /// The tool with what it was given.
    pub call: u64,
    /// What came back.
    pub result: u64,
    /// What kind of call it was.
    pub kind: Kind,
    /// How it ended.
    pub ending: Ending,
}

/// Whether a call changes anything.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// It only looks, and shows the same as long as nothing changes.
    Idempotent,
    /// It changes something, or nobody knows.
    Mutating,
    /// It changes nothing, and may well be repeated to wait for something.
    Waiting,
}

/// How a call ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// It failed.
    Failed,
    /// It succeeded.
    Succeeded,
    /// Nobody says. Then a call that changes nothing and brings the same again and again gets nowhere, be it that it fails.
    Untold,
}

/// What is to be said.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub enum Advice {
    /// Nothing.
    Go,
    /// The call must not be made: so often it got nowhere.
    Stop(Circle, u32),
    /// The model should know that so often it got nowhere.
    Warn(Circle, u32),
}

impl Circle {
    /// Its name.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::ExactFailure => "exact-failure",
            Self::NoProgress => "no-progress",
            Self::SameTool => "same-tool-failure",
        }
    }

    /// From how many times on the model is told.
    #[must_use]
    pub const fn warns_at(self) -> u32 {
        match self {
            Self::ExactFailure | Self::NoProgress => 2,
            Self::SameTool => 3,
        }
    }

    /// From how many times on it is stopped.
    #[must_use]
    pub const fn stops_at(self) -> u32 {
        match self {
            Self::ExactFailure | Self::NoProgress => 5,
            Self::SameTool => 8,
        }
    }

    fn of(word: &str) -> Option<Self> {
        [Self::ExactFailure, Self::NoProgress, Self::SameTool]
            .into_iter()
            .find(|circle| circle.word() == word)
    }
}

impl Advice {
    /// What the model is told.
    #[must_use]
    pub fn words(self) -> Option<String> {
        let (circle, count, end) = match self {
            Self::Go => return None,
            Self::Stop(circle, count) => {
                (circle, count, "It was not run. Stop, and do something else or ask the user.")
            }
            Self::Warn(circle, count) => (circle, count, "Look at why before trying again."),
        };
        let happened = match circle {
            Circle::ExactFailure => "this very call has failed",
            Circle::NoProgress => "this call has given the same result",
            Circle::SameTool => "this tool has failed, whatever it was given,",
        };
        Some(format!("herm: {happened} {count} times in a row [{}]. {end}", circle.word()))
    }
}

impl Pace {
    /// What is to be said before a call. A tool that is stopped because it always fails gets another chance afterwards; a call that is
    /// the same is stopped until something changes.
    pub fn before(&mut self, tool: u64, call: u64) -> Advice {
        let repeated = self.calls.iter().filter(|known| known.call == call);
        if let Some(known) = repeated.max_by_key(|known| known.count)
            && known.count >= known.circle.stops_at()
        {
            return Advice::Stop(known.circle, known.count);
        }
        let Some(failing) = self.tools.iter_mut().find(|known| known.tool == tool) else { return Advice::Go };
        if failing.count < Circle::SameTool.stops_at() {
            return Advice::Go;
        }
        Advice::Stop(Circle::SameTool, std::mem::take(&mut failing.count))
    }

    /// Takes in what became of a call, and says what the model should know.
    pub fn after(&mut self, seen: &Seen) -> Advice {
        match (seen.ending, seen.kind) {
            (Ending::Failed, _) => self.failed(seen),
            (Ending::Succeeded, Kind::Mutating) => {
                *self = Self::default();
                Advice::Go
            }
            // It may have failed: that says nothing of what other tools do.
            (Ending::Untold, Kind::Mutating) => {
                self.calls.clear();
                self.tools.retain(|known| known.tool != seen.tool);
                Advice::Go
            }
            (Ending::Succeeded | Ending::Untold, Kind::Idempotent | Kind::Waiting) => {
                self.tools.retain(|known| known.tool != seen.tool);
                self.calls.retain(|known| known.call != seen.call || known.circle == Circle::NoProgress);
                let may_wait = seen.kind == Kind::Waiting && seen.ending == Ending::Succeeded;
                if may_wait { Advice::Go } else { self.looked(seen) }
            }
        }
    }

    /// A person has spoken: everything begins anew.
    pub fn turn(&mut self) {
        *self = Self::default();
    }

    fn failed(&mut self, seen: &Seen) -> Advice {
        let exact = self.repeat(Circle::ExactFailure, seen.call, 0);
        let same = self.fail(seen.tool);
        if exact >= Circle::ExactFailure.warns_at() {
            Advice::Warn(Circle::ExactFailure, exact)
        } else if same >= Circle::SameTool.warns_at() {
            Advice::Warn(Circle::SameTool, same)
        } else {
            Advice::Go
        }
    }

    /// Counts a tool that failed.
    fn fail(&mut self, tool: u64) -> u32 {
        if let Some(known) = self.tools.iter_mut().find(|known| known.tool == tool) {
            known.count = known.count.saturating_add(1);
            return known.count;
        }
        keep(&mut self.tools, Failing { tool, count: 1 });
        1
    }

    fn looked(&mut self, seen: &Seen) -> Advice {
        let count = self.repeat(Circle::NoProgress, seen.call, seen.result);
        if count >= Circle::NoProgress.warns_at() {
            Advice::Warn(Circle::NoProgress, count)
        } else {
            Advice::Go
        }
    }

    /// Counts a call that did not get anywhere. Another result is where something got.
    fn repeat(&mut self, circle: Circle, call: u64, result: u64) -> u32 {
        let known = self.calls.iter_mut().find(|known| known.call == call && known.circle == circle);
        let Some(known) = known else {
            keep(&mut self.calls, Repeated { circle, call, result, count: 1 });
            return 1;
        };
        known.count = if known.result == result { known.count.saturating_add(1) } else { 1 };
        known.result = result;
        known.count
    }

    /// As text, a line each.
    #[must_use]
    pub fn to_text(&self) -> String {
        let mut text = String::new();
        for Repeated { circle, call, result, count } in &self.calls {
            let _ = writeln!(text, "{} {call} {result} {count}", circle.word());
        }
        for Failing { tool, count } in &self.tools {
            let _ = writeln!(text, "{} {tool} 0 {count}", Circle::SameTool.word());
        }
        text
    }

    /// From text. What cannot be read is not known: it can only be stopped later.
    #[must_use]
    pub fn from_text(text: &str) -> Self {
        let mut pace = Self::default();
        for line in text.lines() {
            let mut words = line.split(' ');
            let Some(circle) = words.next().and_then(Circle::of) else { continue };
            let mut number = || words.next()?.parse::<u64>().ok();
            let (Some(one), Some(result), Some(count)) = (number(), number(), number()) else { continue };
            let count = u32::try_from(count).unwrap_or(u32::MAX);
            match circle {
                Circle::SameTool => keep(&mut pace.tools, Failing { tool: one, count }),
                Circle::ExactFailure | Circle::NoProgress => {
                    keep(&mut pace.calls, Repeated { circle, call: one, result, count });
                }
            }
        }
        pace
    }
}

/// Adds the newest, and forgets the oldest of too many.
fn keep<T>(all: &mut Vec<T>, one: T) {
    if all.len() >= MOST {
        all.remove(0);
    }
    all.push(one);
}

/// The most calls, and the most tools, that are remembered.
const MOST: usize = 64;

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;

    fn seen(call: u64, kind: Kind, ending: Ending) -> Seen {
        Seen { tool: 1, call, result: 0, kind, ending }
    }

    #[test]
    fn the_same_failure_warns_then_stops() {
        let mut pace = Pace::default();
        let failure = seen(7, Kind::Mutating, Ending::Failed);
        let said: Vec<_> = (0..5).map(|_| (pace.before(1, 7), pace.after(&failure)).1).collect();
        let warn = |count| Advice::Warn(Circle::ExactFailure, count);
        assert_eq!(said, [Advice::Go, warn(2), warn(3), warn(4), warn(5)]);
        assert_eq!(pace.before(1, 7), Advice::Stop(Circle::ExactFailure, 5));
        assert_eq!(pace.before(1, 8), Advice::Go);
    }

    #[test]
    fn a_change_in_between_makes_the_same_call_another() {
        let mut pace = Pace::default();
        for round in 0..20 {
            assert_eq!(pace.before(1, 7), Advice::Go, "{round}");
            let _ = pace.after(&seen(7, Kind::Mutating, Ending::Failed));
            let _ = pace.after(&Seen { tool: 2, ..seen(round + 100, Kind::Mutating, Ending::Succeeded) });
        }
    }

    #[test]
    fn a_tool_that_always_fails_is_stopped_once_and_then_tried_again() {
        let mut pace = Pace::default();
        let mut said = Vec::new();
        for call in 0..8 {
            assert_eq!(pace.before(1, call), Advice::Go);
            said.push(pace.after(&seen(call, Kind::Mutating, Ending::Failed)));
        }
        assert_eq!(said[2], Advice::Warn(Circle::SameTool, 3));
        assert_eq!(pace.before(1, 99), Advice::Stop(Circle::SameTool, 8));
        assert_eq!(pace.before(1, 99), Advice::Go);
    }

    #[test]
    fn looking_at_the_same_thing_is_no_progress() {
        let mut pace = Pace::default();
        let look = seen(3, Kind::Idempotent, Ending::Succeeded);
        assert_eq!(pace.after(&look), Advice::Go);
        assert_eq!(pace.after(&look), Advice::Warn(Circle::NoProgress, 2));
        assert_eq!(pace.after(&Seen { result: 9, ..look }), Advice::Go);
        for _ in 0..4 {
            let _ = pace.after(&Seen { result: 9, ..look });
        }
        assert_eq!(pace.before(1, 3), Advice::Stop(Circle::NoProgress, 5));
        pace.turn();
        assert_eq!(pace.before(1, 3), Advice::Go);
    }

    #[test]
    fn what_may_have_failed_is_not_waited_for() {
        let mut pace = Pace::default();
        let command = seen(3, Kind::Waiting, Ending::Untold);
        for _ in 0..5 {
            assert_eq!(pace.before(1, 3), Advice::Go);
            let _ = pace.after(&command);
        }
        assert_eq!(pace.before(1, 3), Advice::Stop(Circle::NoProgress, 5));
    }

    /// Random walks against the plainest account of what was asked for.
    #[test]
    fn nothing_is_stopped_before_its_time_and_nothing_goes_on_after_it() {
        let mut chance = 0x2545_f491_4f6c_dd1d_u64;
        let mut next = move |below: u64| {
            chance ^= chance << 13;
            chance ^= chance >> 7;
            chance ^= chance << 17;
            chance % below
        };
        for _ in 0..300 {
            let mut pace = Pace::default();
            let mut exact: HashMap<u64, u32> = HashMap::new();
            let mut still: HashMap<u64, (u64, u32)> = HashMap::new();
            let mut tools: HashMap<u64, u32> = HashMap::new();
            for _ in 0..200 {
                let tool = next(3);
                let call = tool * 10 + next(3);
                let told = pace.before(tool, call);
                let often = exact.get(&call).copied().unwrap_or_default();
                let alike = still.get(&call).map_or(0, |known| known.1);
                let failing = tools.get(&tool).copied().unwrap_or_default();
                let due = often >= 5 || alike >= 5 || failing >= 8;
                assert_eq!(matches!(told, Advice::Stop(..)), due);
                if due {
                    if often < 5 && alike < 5 {
                        tools.remove(&tool);
                    }
                    continue;
                }
                let kind =
                    [Kind::Idempotent, Kind::Mutating, Kind::Waiting][usize::try_from(next(3)).unwrap()];
                let ending = [Ending::Succeeded, Ending::Failed, Ending::Failed, Ending::Untold]
                    [usize::try_from(next(4)).unwrap()];
                let result = next(2);
                let _ = pace.after(&Seen { tool, call, result, kind, ending });
                match (ending, kind) {
                    (Ending::Failed, _) => {
                        *exact.entry(call).or_default() += 1;
                        *tools.entry(tool).or_default() += 1;
                    }
                    (Ending::Succeeded, Kind::Mutating) => {
                        exact.clear();
                        still.clear();
                        tools.clear();
                    }
                    (Ending::Untold, Kind::Mutating) => {
                        exact.clear();
                        still.clear();
                        tools.remove(&tool);
                    }
                    (Ending::Succeeded, Kind::Waiting) => {
                        exact.remove(&call);
                        tools.remove(&tool);
                    }
                    (Ending::Succeeded, Kind::Idempotent)
                    | (Ending::Untold, Kind::Idempotent | Kind::Waiting) => {
                        exact.remove(&call);
                        tools.remove(&tool);
                        let known = still.entry(call).or_insert((result, 0));
                        *known = if known.0 == result { (result, known.1 + 1) } else { (result, 1) };
                    }
                }
                assert_eq!(Pace::from_text(&pace.to_text()), pace);
            }
        }
    }

    #[test]
    fn what_is_kept_does_not_grow_and_nonsense_is_not_read() {
        let mut pace = Pace::default();
        for call in 0..10_000 {
            let _ = pace.after(&Seen { tool: call, ..seen(call, Kind::Mutating, Ending::Failed) });
        }
        assert!(pace.to_text().lines().count() <= 2 * MOST);
        for text in ["x", "exact-failure", "exact-failure a b c", "no-progress 1 2 -1", "\u{0}\n\n  "] {
            assert_eq!(Pace::from_text(text), Pace::default(), "{text}");
        }
    }
}
