//! Other processes: seeing, reading, signalling and outliving them.

use herm_sandbox::native::Layer::{Files, Processes, Rights, SystemCalls, Users, View};

use super::Held::{Always, ForRoot};
use super::{Probe, anyone, prepared, root};

const NOT_DUMPABLE: &str = "the process that watches over a run from within cannot be looked into";

const FORGOTTEN: &str =
    "whoever stays inside without becoming a program writes over the words it was started with";

pub(super) const PROBES: &[Probe] = &[
    anyone("list-processes", "find another process by its command line", ForRoot(&[Processes])),
    anyone(
        "environment-of-another",
        "read the environment of another process",
        ForRoot(&[Processes, Rights, Users]),
    ),
    anyone("memory-of-another", "read `/proc/PID/mem`", ForRoot(&[Processes, Files, Rights, Users])),
    anyone(
        "read-memory-call",
        "read its memory by `process_vm_readv`",
        ForRoot(&[Processes, Files, Rights, Users]),
    ),
    anyone(
        "files-of-another",
        "read a file that another process has open",
        ForRoot(&[Processes, Files, Rights, Users]),
    ),
    anyone("directory-of-another", "go through `/proc/PID/cwd`", ForRoot(&[Processes, Files, Rights, Users])),
    anyone("root-of-another", "go through `/proc/PID/root`", ForRoot(&[Processes, Files, Rights, Users])),
    root("root-of-first", "go through `/proc/1/root`", ForRoot(&[Processes, Files, Rights, Users]))
        .unless("the machine keeps its first process from root"),
    anyone(
        "environment-of-guardian",
        "read the environment of the sandbox's first process",
        Always(NOT_DUMPABLE),
    ),
    anyone("command-line-of-guardian", "read the command line that herm was started by", Always(FORGOTTEN)),
    anyone("memory-of-guardian", "read the memory of the sandbox's first process", Always(NOT_DUMPABLE)),
    anyone("trace-another", "trace another process", ForRoot(&[Processes, Files, Rights, Users])),
    anyone("trace-guardian", "trace the sandbox's first process", Always(NOT_DUMPABLE)),
    anyone("signal-another", "signal another process", ForRoot(&[Processes, Files, Users])),
    anyone("signal-herm", "signal herm", ForRoot(&[Processes, Files, Users])),
    anyone("signal-everybody", "signal whoever can be signalled", ForRoot(&[Processes, Files, Users])),
    anyone(
        "kill-guardian",
        "kill the sandbox's first process",
        Always("the kernel keeps the first process of a namespace from those in it"),
    ),
    anyone(
        "take-descriptor",
        "take an open file by `pidfd_getfd`",
        ForRoot(&[Processes, SystemCalls, Files, Rights, Users]),
    ),
    anyone(
        "open-descriptors",
        "use what herm has open",
        Always("nothing but the standard streams is handed on"),
    ),
    anyone(
        "inherited-environment",
        "find a secret in its environment",
        Always("the environment is made anew"),
    ),
    prepared(
        "setuid-program",
        "become root by a setuid program",
        ForRoot(&[View, Rights, SystemCalls, Users]),
    ),
    prepared("file-capability", "gain a right by a program's file", ForRoot(&[View, Rights, SystemCalls])),
    anyone(
        "outlive",
        "outlive the time limit in another session",
        Always("the supervisor ends all descendants"),
    ),
    anyone("outlive-herm", "stay when the program has ended", Always("the supervisor ends all descendants")),
];
