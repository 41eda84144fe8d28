//! Devices, and the parts of the kernel that look like files.

use herm_sandbox::native::Layer::{Files, Rights, SystemCalls, Users, View};

use super::Held::{By, ForRoot};
use super::{Probe, anyone, prepared, root};

pub(super) const PROBES: &[Probe] = &[
    root("make-device", "make a device node", ForRoot(&[View, Rights, Users])),
    prepared("device-in-workspace", "use a device node in the workspace", By(&[View])),
    prepared("device-in-read-only", "use a device node in a read-only place", By(&[View])),
    prepared("pipe-to-read", "write to a pipe that it was given to read", By(&[Files])),
    prepared("pipe-in-read-only", "write to a pipe in a read-only place", By(&[View])),
    root("block-device", "read a disk", ForRoot(&[View, Users])),
    root("kernel-messages", "read `/dev/kmsg`", ForRoot(&[View, Users, Rights])),
    root("fuse", "open `/dev/fuse`", ForRoot(&[View, Users])).unless("there is no FUSE"),
    root("console", "control the console (`TIOCLINUX`)", ForRoot(&[View, SystemCalls, Rights, Users]))
        .unless("there is no console"),
    root("loop-device", "open `/dev/loop-control`", ForRoot(&[View, Users])),
    anyone("type-for-the-person", "put letters into a terminal's input (`TIOCSTI`)", By(&[SystemCalls]))
        .unless("the kernel has it switched off"),
    root("core-pattern", "write to `core_pattern`", ForRoot(&[View, Users])),
    root("kernel-settings", "write to `/proc/sys`", ForRoot(&[View, Users])),
    root("magic-keys", "write to `/proc/sysrq-trigger`", ForRoot(&[View, Users]))
        .unless("the kernel has none"),
    root("kernel-memory", "read `/proc/kcore`", ForRoot(&[View, Users, Rights]))
        .unless("the kernel has none"),
    root("kernel-symbols", "read where the kernel lies", ForRoot(&[View, Users, Rights])),
    root("join-group", "join another control group", ForRoot(&[View, Users])),
    root("release-agent", "name a `release_agent`", ForRoot(&[View, Users]))
        .unless("control groups are of version 2"),
    root("uevent-helper", "pretend that a device has come", ForRoot(&[View, Users])),
];
