//! How long a command may run, and how much it may print.

use std::time::Duration;

use crate::call::Action;
use crate::policy::Preset;

/// How long a command may run, and how much it may print.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// How long it may run.
    pub time: Duration,
    /// The most that a call may ask for.
    pub longest: Duration,
    /// How long it has to end by itself when it is told to.
    pub grace: Duration,
    /// What is kept of each of its streams.
    pub output: Output,
}

/// What is kept of a stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Output {
    /// The first so many bytes.
    Head(usize),
    /// So many characters, from the beginning and from the end.
    HeadAndTail(usize),
}

impl Limits {
    /// What holds where no file says anything.
    #[must_use]
    pub const fn of(preset: Preset) -> Self {
        let (time, longest, output) = match preset {
            Preset::Strict => (30, 120, Output::Head(8 * 1024)),
            Preset::Hermes | Preset::Permissive => (180, 600, Output::HeadAndTail(50_000)),
        };
        Self {
            time: Duration::from_secs(time),
            longest: Duration::from_secs(longest),
            grace: Duration::from_secs(1),
            output,
        }
    }

    /// What holds where files set times, in seconds. Nothing makes the strict preset more patient than it is.
    #[must_use]
    pub(crate) fn set(preset: Preset, time: Option<u32>, longest: Option<u32>) -> Self {
        let usual = Self::of(preset);
        let bounded = |seconds: Option<u32>, usual: Duration| {
            let wanted = seconds.map_or(usual, |seconds| Duration::from_secs(seconds.into()));
            if preset == Preset::Strict { wanted.min(usual) } else { wanted }
        };
        let longest = bounded(longest, usual.longest);
        Self { time: bounded(time, usual.time).min(longest), longest, ..usual }
    }

    /// What holds for an action: the time that it asks for, but never more than the most.
    pub(crate) fn narrowed(self, action: &Action) -> Self {
        let asked = match action {
            Action::Exec(exec) => exec.time(),
            Action::Edit(_) | Action::Fetch(_) | Action::Read(_) | Action::Tool(_) | Action::Write(_) => None,
        };
        Self { time: asked.unwrap_or(self.time).min(self.longest), ..self }
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self::of(Preset::default())
    }
}

#[cfg(test)]
mod tests {
    use herm_shell::Lang;

    use super::*;
    use crate::call::Exec;

    fn time(limits: Limits, asked: Option<u64>) -> u64 {
        let exec = Exec::new("make", Lang::Shell).within(asked.map(Duration::from_secs));
        limits.narrowed(&Action::Exec(exec)).time.as_secs()
    }

    #[test]
    fn a_call_may_ask_for_less_and_for_more_up_to_the_most() {
        let strict = Limits::of(Preset::Strict);
        assert_eq!(time(strict, None), 30);
        assert_eq!(time(strict, Some(5)), 5);
        assert_eq!(time(strict, Some(3600)), 120);
        assert_eq!(time(Limits::default(), None), 180);
    }
}
