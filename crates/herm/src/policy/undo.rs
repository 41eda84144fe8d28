//! What can be taken back, and for how long.

/// How much of what tries have kept can be taken back, as far as it is said.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Undo {
    /// For how many days.
    pub days: Option<u32>,
    /// How many runs.
    pub runs: Option<u32>,
}

impl Undo {
    /// For how many days a kept run can be taken back.
    #[must_use]
    pub fn days(self) -> u32 {
        self.days.unwrap_or(30)
    }

    /// How many kept runs can be taken back; the last one always.
    #[must_use]
    pub fn runs(self) -> u32 {
        self.runs.unwrap_or(50).max(1)
    }

    /// Where two files say something, less is kept.
    pub(super) fn join(&mut self, other: Self) {
        let least = |one: Option<u32>, two: Option<u32>| one.into_iter().chain(two).min();
        self.days = least(self.days, other.days);
        self.runs = least(self.runs, other.runs);
    }
}

#[cfg(test)]
mod tests {
    use crate::policy::{Config, Policy, Source, Surroundings};

    fn held(files: &[(Source, &str)]) -> (u32, u32) {
        let configs =
            files.iter().map(|(source, text)| Config::read(*source, "c.yaml", text).unwrap()).collect();
        let undo = Policy::compile(configs, &Surroundings::default()).unwrap().undo;
        (undo.runs(), undo.days())
    }

    #[test]
    fn the_least_holds() {
        assert_eq!(held(&[]), (50, 30));
        assert_eq!(held(&[(Source::User, "undo: {runs: 100, days: 365}")]), (100, 365));
        let both = [(Source::Managed, "undo: {days: 7}"), (Source::User, "undo: {runs: 0, days: 90}")];
        assert_eq!(held(&both), (1, 7));
    }
}
