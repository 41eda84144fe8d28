//! Moments, as the ledger writes them.

use std::fmt;
use std::str::FromStr;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// A moment in UTC, to the millisecond, between 1970 and 9999.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Timestamp(u64);

impl Timestamp {
    /// The moment so many milliseconds after the beginning of 1970; what lies after 9999 is its last moment.
    #[must_use]
    pub fn from_millis(millis: u64) -> Self {
        Self(millis.min(LAST))
    }

    /// Milliseconds since the beginning of 1970.
    #[must_use]
    pub fn millis(self) -> u64 {
        self.0
    }

    /// The same as the standard library has it.
    #[must_use]
    pub fn system_time(self) -> SystemTime {
        UNIX_EPOCH + Duration::from_millis(self.0)
    }
}

impl From<SystemTime> for Timestamp {
    fn from(time: SystemTime) -> Self {
        let since = time.duration_since(UNIX_EPOCH).unwrap_or_default();
        Self::from_millis(u64::try_from(since.as_millis()).unwrap_or(LAST))
    }
}

/// As RFC 3339 has it, always with milliseconds and `Z`.
impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (seconds, millis) = (self.0 / 1000, self.0 % 1000);
        let (year, month, day) = date(seconds / DAY);
        let (hour, minute, second) = (seconds % DAY / 3600, seconds % 3600 / 60, seconds % 60);
        write!(f, "{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{millis:03}Z")
    }
}

/// A text that is not a moment in the one form that is written here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotATimestamp;

impl fmt::Display for NotATimestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("expected a moment such as `2031-01-31T23:59:59.000Z`")
    }
}

impl std::error::Error for NotATimestamp {}

impl FromStr for Timestamp {
    type Err = NotATimestamp;

    fn from_str(text: &str) -> Result<Self, NotATimestamp> {
        let part = |from: usize, to: usize| text.get(from..to)?.parse::<u64>().ok();
        let parts = || {
            let (year, month, day) = (part(0, 4)?, part(5, 7)?, part(8, 10)?);
            let days = days(year, month, day)?;
            let seconds = days * DAY + part(11, 13)? * 3600 + part(14, 16)? * 60 + part(17, 19)?;
            Some(Self(seconds * 1000 + part(20, 23)?))
        };
        // Whatever is written differently than it would be printed, is not one of ours.
        parts().filter(|moment| moment.to_string() == text).ok_or(NotATimestamp)
    }
}

const DAY: u64 = 24 * 60 * 60;

/// The last millisecond of 9999.
const LAST: u64 = 253_402_300_799_999;

/// Days from the first of March of the year 0 to the beginning of 1970.
const EPOCH: u64 = 719_468;

/// Days in 400 years, after which the calendar repeats itself.
const ERA: u64 = 146_097;

/// Year, month and day, so many days after the beginning of 1970. Years are counted from March, so that the leap day comes last.
fn date(days: u64) -> (u64, u64, u64) {
    let days = days + EPOCH;
    let (era, day_of_era) = (days / ERA, days % ERA);
    let year = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year + year / 4 - year / 100);
    let from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * from_march + 2) / 5 + 1;
    let month = if from_march < 10 { from_march + 3 } else { from_march - 9 };
    (year + era * 400 + u64::from(month <= 2), month, day)
}

/// The reverse of [`date`].
fn days(year: u64, month: u64, day: u64) -> Option<u64> {
    if year < 1970 || !(1..=12).contains(&month) || !(1..=31).contains(&day) {
        return None;
    }
    let year = year - u64::from(month <= 2);
    let from_march = if month > 2 { month - 3 } else { month + 9 };
    let (era, year) = (year / 400, year % 400);
    let day_of_year = (153 * from_march + 2) / 5 + day - 1;
    (era * ERA + year * 365 + year / 4 - year / 100 + day_of_year).checked_sub(EPOCH)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prints_what_it_reads() {
        for text in [
            "1970-01-01T00:00:00.000Z",
            "2000-02-29T12:34:56.789Z",
            "2026-03-01T00:00:00.001Z",
            "2100-02-28T23:59:59.999Z",
            "9999-12-31T23:59:59.999Z",
        ] {
            assert_eq!(text.parse::<Timestamp>().unwrap().to_string(), text);
        }
    }

    #[test]
    fn every_day_of_four_centuries_comes_back() {
        for day in 0..ERA {
            let moment = Timestamp::from_millis(day * DAY * 1000);
            assert_eq!(moment.to_string().parse(), Ok(moment));
        }
    }

    #[test]
    fn a_known_moment() {
        assert_eq!(Timestamp::from_millis(1_700_000_000_000).to_string(), "2023-11-14T22:13:20.000Z");
    }

    #[test]
    fn nothing_else_is_read() {
        for text in [
            "",
            "2000-02-30T00:00:00.000Z",
            "2100-02-29T00:00:00.000Z",
            "2000-01-01T24:00:00.000Z",
            "2000-01-01T00:00:00Z",
            "2000-01-01 00:00:00.000Z",
            "+200-01-01T00:00:00.000Z",
            "2000-01-01T00:00:00.000Zé",
        ] {
            assert_eq!(text.parse::<Timestamp>(), Err(NotATimestamp), "{text}");
        }
    }
}
