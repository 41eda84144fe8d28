//! Names that nobody else gives.

use std::time::{SystemTime, UNIX_EPOCH};

/// A name that sorts by time.
pub(crate) fn fresh() -> String {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_millis());
    // Without randomness from the system the number of this process still tells it apart from those beside it.
    let chance = getrandom::u32().unwrap_or_else(|_| std::process::id());
    format!("{now:012x}{chance:08x}")
}
