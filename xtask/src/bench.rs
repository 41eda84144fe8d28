//! `cargo xtask bench`: what decisions cost, in process and as a fresh process, what remembering costs, what redaction and the proxy do, how
//! fast an answer releases whoever waits.

use crate::Outcome;
use crate::run::cargo;

/// Runs every benchmark.
pub(crate) fn run() -> Outcome {
    cargo(&["bench", "--package", "herm", "--bench", "decision", "--bench", "limit"])?;
    cargo(&["bench", "--package", "herm-store", "--bench", "memory"])?;
    cargo(&["bench", "--package", "herm-scan", "--bench", "redact"])?;
    cargo(&["bench", "--package", "herm-proxy", "--bench", "proxy"])?;
    cargo(&["bench", "--package", "herm-sandbox", "--bench", "sandbox"])?;
    cargo(&["bench", "--package", "herm-cli", "--bench", "cold", "--bench", "hook", "--bench", "release"])
}
