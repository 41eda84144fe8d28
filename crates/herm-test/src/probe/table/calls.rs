//! System calls that reach what no file stands for.

use herm_sandbox::native::Layer::{Files, Rights, SystemCalls, Users, View};

use super::Held::{By, ForRoot};
use super::{Probe, anyone, root};

pub(super) const PROBES: &[Probe] = &[
    root("mount", "mount a file system", ForRoot(&[Files, SystemCalls, Rights, Users])),
    root("unmount", "unmount", ForRoot(&[Files, SystemCalls, Rights, Users])),
    root("remount", "make a read-only mount writable", ForRoot(&[Files, SystemCalls, Rights, Users])),
    root("new-mount", "mount by `fsopen`", ForRoot(&[SystemCalls, Rights, Users])),
    root("take-mount", "copy a mount by `open_tree`", ForRoot(&[SystemCalls, Rights, Users])),
    root("mount-attributes", "change a mount by `mount_setattr`", ForRoot(&[SystemCalls, Rights, Users])),
    root("change-root", "`chroot`", ForRoot(&[SystemCalls, Rights, Users])),
    root("pivot-root", "`pivot_root`", ForRoot(&[Files, SystemCalls, Rights, Users])),
    anyone("nested-users", "make a namespace of users", By(&[SystemCalls])),
    anyone("nested-mount", "mount in a namespace of its own", By(&[SystemCalls, Files])),
    anyone("nested-unmask", "uncover what is hidden, in a namespace of its own", By(&[View, Users])),
    anyone("nested-unlock", "make the hooks of the repository writable there", By(&[View, Users])),
    anyone("nested-by-clone3", "make a namespace by `clone3`", By(&[SystemCalls])),
    root("own-network", "make a network namespace", ForRoot(&[SystemCalls, Rights, Users])),
    root("enter-namespace", "enter a namespace by `setns`", ForRoot(&[SystemCalls, Rights, Users])),
    anyone("io-uring", "hand requests to the kernel that no filter sees", By(&[SystemCalls])),
    anyone("userfaultfd", "stop the kernel midway by `userfaultfd`", By(&[SystemCalls])),
    anyone("keyrings", "look into the user's keyring", By(&[SystemCalls])),
    anyone("add-key", "add a key", By(&[SystemCalls])),
    root("bpf", "load something into the kernel by `bpf`", ForRoot(&[SystemCalls, Rights, Users])),
    anyone("perf-events", "count events of the processor", By(&[SystemCalls])),
    anyone("personality", "make data executable by `personality`", By(&[SystemCalls])),
    root("kexec", "start another kernel", ForRoot(&[SystemCalls, Rights, Users])).unless("the kernel cannot"),
    root("load-module", "load a module", ForRoot(&[SystemCalls, Rights, Users]))
        .unless("the kernel has none"),
    root("remove-module", "remove a module", ForRoot(&[SystemCalls, Rights, Users]))
        .unless("the kernel has none"),
    root("swap", "add swap", ForRoot(&[SystemCalls, Rights, Users])).unless("the kernel has none"),
    root("reboot", "reboot", ForRoot(&[SystemCalls, Rights, Users])),
    root("set-clock", "set the clock", ForRoot(&[SystemCalls, Rights, Users])),
    root("tune-clock", "change how the clock runs", ForRoot(&[SystemCalls, Rights, Users])),
    root("set-host-name", "rename the machine", ForRoot(&[SystemCalls, Rights, Users])),
    root("accounting", "have all processes written down", ForRoot(&[SystemCalls, Rights, Users]))
        .unless("the kernel cannot"),
    root("kernel-log", "read the kernel's log by `syslog`", ForRoot(&[SystemCalls, Rights, Users])),
    root("hardware-ports", "speak to the hardware by `ioperm`", ForRoot(&[SystemCalls, Rights, Users]))
        .unless("the processor or the kernel has no such ports"),
    root("watch-all-files", "watch a whole mount by `fanotify`", ForRoot(&[SystemCalls, Rights, Users])),
    root("real-time", "run before everybody else", ForRoot(&[Rights, Users])),
    anyone("calls-of-32-bits", "make system calls by `int 0x80`", By(&[SystemCalls]))
        .unless("the processor or the kernel has no 32 bits"),
    anyone("calls-of-x32", "make system calls by the numbers of x32", By(&[SystemCalls]))
        .unless("the kernel has no x32"),
    root("rights", "have any right", ForRoot(&[Rights, Users])),
    anyone("rights-for-later", "keep rights that a program could bring back", By(&[Rights])),
];
