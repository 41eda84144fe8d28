//! Redaction, in both directions: secrets must go, everything else must stay.

mod pieces;
mod random;
mod survives;
mod taken;
