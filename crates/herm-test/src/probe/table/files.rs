//! Files that must not be read, and places that must not be written.

use herm_sandbox::native::Layer::{Rights, SystemCalls, Users, View};

use super::Held::{Always, By, ForRoot};
use super::{Probe, anyone, root};

/// Nothing can be mounted on a name that is not there.
const AT_ONCE: &str = "the supervisor sets it aside as soon as it appears";

const AT_THE_END: &str = "the supervisor sets it aside when nobody is left";

const BELOW: &str = "herm reads the index, and sets aside what git would go into and obey";

const FURTHER_DOWN: &str = "herm looks at everything when nobody is left, and sets aside what git would obey";

const DISARMED: &str =
    "herm looks at everything when nobody is left, and takes the bit from what was changed";

pub(super) const PROBES: &[Probe] = &[
    root("shadow", "read `/etc/shadow`", ForRoot(&[Users])),
    anyone("ssh-key", "read `~/.ssh`", By(&[View, Users])),
    anyone("home-listing", "list the home directory", By(&[View])),
    anyone("guard-home", "read herm's own home", By(&[View, Users])),
    anyone("guard-in-workspace", "read herm's own home where it lies in the workspace", By(&[View, Users])),
    anyone("tool-credentials", "read a token that a toolchain keeps", By(&[View])),
    anyone("other-project", "read the project next door", By(&[View])),
    root("other-user", "read a file of somebody else's in the workspace", ForRoot(&[Users, Rights])),
    root("root-home", "list `/root`", ForRoot(&[View, Users])),
    anyone("host-temporary", "read a file in the machine's `/tmp`", By(&[View])),
    anyone("link-left-behind", "have a link followed that an earlier run has left", By(&[View])),
    anyone(
        "program-left-behind",
        "have a link of a program followed that an earlier run has left",
        By(&[View]),
    ),
    root("write-root", "make a file in `/`", ForRoot(&[View, Users])),
    root("write-usr", "make a file in `/usr`", ForRoot(&[View, Users])),
    root("write-etc", "make a file in `/etc`", ForRoot(&[View, Users])),
    root("write-var", "make a file in `/var/lib`", ForRoot(&[View, Users])),
    anyone("write-home", "write to `~/.bashrc`", By(&[View, Users])),
    anyone("write-parent", "write next to the workspace", By(&[View, Users])),
    anyone("write-other-project", "write to the project next door", By(&[View, Users])),
    anyone("write-readable", "write to what it was given to read", By(&[View, Users])),
    anyone("write-tools", "change a toolchain for everybody", By(&[View, Users])),
    anyone("change-mode", "change the mode of a file next door", By(&[View, Users])),
    anyone("symlink-read", "read through a symbolic link out of the workspace", By(&[View, Users])),
    anyone("symlink-write", "write through a symbolic link out of the workspace", By(&[View, Users])),
    anyone("symlink-race", "read through a name that changes between directory and link", By(&[View, Users])),
    anyone("hard-link-read", "read through a hard link out of the workspace", By(&[View, Users])),
    anyone("hard-link-write", "write to a read-only file through a hard link", By(&[View, Users])),
    anyone("rename-in", "rename a file from next door into the workspace", By(&[View, Users])),
    anyone("dot-dot", "climb out of an open directory by `..`", By(&[View])),
    root("chroot-and-back", "leave by a second `chroot`", ForRoot(&[View, SystemCalls, Rights, Users])),
    root("file-handle", "open a file by its handle, without a path", ForRoot(&[SystemCalls, Rights, Users])),
    anyone("git-hook", "plant a hook in the repository", By(&[View, Users])),
    anyone("git-hook-elsewhere", "put another repository in its place, with a hook", By(&[View, Users])),
    anyone("git-config", "change what git runs", By(&[View, Users])),
    anyone("git-other-history", "tell git to take its hooks from elsewhere", Always(AT_ONCE)),
    anyone("git-other-history-meanwhile", "tell git so for half a second", Always(AT_ONCE)),
    anyone("git-history-behind-a-door", "tell git so where nobody can rename it", Always(AT_ONCE)),
    anyone("agent-settings", "leave settings for an agent that has none yet", Always(AT_THE_END)),
    anyone("agent-settings-elsewhere", "leave a link to settings for an agent", Always(AT_THE_END)),
    anyone(
        "agent-settings-behind-a-door",
        "leave hooks for an agent where nobody can look",
        Always(AT_THE_END),
    ),
    anyone("git-below", "leave a repository with settings below that the index names", Always(BELOW)),
    anyone("git-below-unnamed", "leave one that no index names", Always(FURTHER_DOWN)),
    anyone("setuid-planted", "leave a setuid program in the workspace", By(&[SystemCalls])),
    anyone(
        "setuid-rewritten",
        "change a setuid program that lies in the workspace already",
        Always(DISARMED),
    ),
    root("setgid-planted", "leave a program in the workspace that has root's group", ForRoot(&[SystemCalls])),
    anyone("setuid-created", "make a file that is setuid from the beginning", By(&[SystemCalls])),
];
