//! What gives the machine away.

use herm_sandbox::native::Layer::{Clocks, ControlGroups, Names};

use super::Held::By;
use super::{Probe, anyone};

pub(super) const PROBES: &[Probe] = &[
    anyone("host-name", "know the machine's name", By(&[Names])),
    anyone("host-name-file", "read the machine's name in `/proc`", By(&[Names])),
    anyone("uptime", "know how long the machine has been running", By(&[Clocks])),
    anyone("uptime-file", "read that in `/proc/uptime`", By(&[Clocks])),
    anyone("boot-time", "read in `/proc/stat` when it began", By(&[Clocks])),
    anyone("group-position", "know its place among the control groups", By(&[ControlGroups]))
        .unless("herm itself is in the topmost one"),
];
