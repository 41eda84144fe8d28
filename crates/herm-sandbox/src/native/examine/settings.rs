//! What the machine's owner has said about namespaces of users.

/// Settings that forbid namespaces of users, or leave them without rights.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Settings {
    /// `kernel.unprivileged_userns_clone`, which Debian and Arch have.
    pub(super) clone: Option<u64>,
    /// `user.max_user_namespaces`
    pub(super) most: Option<u64>,
    /// `kernel.apparmor_restrict_unprivileged_userns`, which Ubuntu has.
    pub(super) apparmor: Option<u64>,
}

impl Settings {
    pub(super) fn read() -> Self {
        Self {
            clone: number("/proc/sys/kernel/unprivileged_userns_clone"),
            most: number("/proc/sys/user/max_user_namespaces"),
            apparmor: number("/proc/sys/kernel/apparmor_restrict_unprivileged_userns"),
        }
    }
}

impl Settings {
    /// What they are, by their names; nothing of those that this kernel does not have.
    pub(super) fn words(self) -> String {
        let named = [
            ("unprivileged_userns_clone", self.clone),
            ("max_user_namespaces", self.most),
            ("apparmor_restrict_unprivileged_userns", self.apparmor),
        ];
        let word = |(name, value): (&str, Option<u64>)| Some(format!("{name} {}", value?));
        named.into_iter().filter_map(word).collect::<Vec<_>>().join(", ")
    }
}

/// Whether the machine's owner lets nobody have namespaces of some kind.
pub(in crate::native) fn forbids_namespaces() -> bool {
    let most = |kind: &str| number(&format!("/proc/sys/user/max_{kind}_namespaces"));
    KINDS.iter().any(|kind| most(kind) == Some(0))
}

const KINDS: [&str; 8] = ["cgroup", "ipc", "mnt", "net", "pid", "time", "user", "uts"];

#[expect(clippy::disallowed_methods, reason = "what the kernel is set to stands in its files")]
fn number(path: &str) -> Option<u64> {
    std::fs::read_to_string(path).ok()?.trim().parse().ok()
}
