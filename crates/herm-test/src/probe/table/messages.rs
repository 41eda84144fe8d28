//! Shared memory and queues that have no path.

use herm_sandbox::native::Layer::{Files, Messages, View};

use super::Held::By;
use super::{Probe, anyone};

pub(super) const PROBES: &[Probe] = &[
    anyone("shared-memory", "read System V shared memory", By(&[Messages])),
    anyone("message-queue", "read a System V queue", By(&[Messages])),
    anyone("named-queue", "open a POSIX queue", By(&[Messages, Files])),
    anyone("named-memory", "read POSIX shared memory", By(&[View])),
];
