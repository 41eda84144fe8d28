//! Secrets of Kubernetes, whose values are all encoded.

use super::super::bytes::{BASE64, is};

/// How far the fields of one have come.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Kubernetes {
    #[default]
    No,
    /// `kind: Secret` stood here.
    Kind,
    /// So did `data:`.
    Data,
}

impl Kubernetes {
    /// Whether this field is a value below `data:` of a `kind: Secret`. Where the kind comes after the data, what is encoded
    /// says enough elsewhere.
    pub(super) fn gives(&mut self, name: &[u8], value: &[u8]) -> bool {
        match (*self, name) {
            (_, b"kind") => *self = if value == b"Secret" { Self::Kind } else { Self::No },
            (Self::Kind, b"data") => *self = Self::Data,
            (Self::Data, b"metadata" | b"apiVersion" | b"type" | b"immutable") => *self = Self::Kind,
            (Self::Data, _) => return value.len() >= 4 && value.iter().all(|byte| is(*byte, BASE64)),
            (Self::No | Self::Kind, _) => {}
        }
        false
    }
}
