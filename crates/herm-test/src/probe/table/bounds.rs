//! Using more of the machine than is due.

use herm::enforcement::Measure;
use herm_sandbox::native::Layer::{Groups, Limits, View};

use super::Held::By;
use super::{Probe, anyone};

pub(super) const PROBES: &[Probe] = &[
    anyone("fork-bomb", "start too many processes", By(&[Groups, Limits])),
    anyone("memory-bomb", "take too much memory", By(&[Groups, Limits])),
    anyone("memory-bombs", "take too much memory by several processes", By(&[Groups]))
        .needs(Measure::MemoryLimit),
    anyone("disk-bomb", "fill `/tmp`", By(&[View])),
    anyone("shared-memory-bomb", "fill `/dev/shm`", By(&[View])),
    anyone("huge-file", "write a file that is too large", By(&[Limits])),
    anyone("many-open-files", "open too many files", By(&[Limits])),
    anyone("raise-limit", "raise a limit again", By(&[Limits])),
];
