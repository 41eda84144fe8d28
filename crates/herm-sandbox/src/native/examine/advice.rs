//! What to install or enable.

use super::Part;
use super::settings::Settings;

/// What gives a machine the part that it lacks.
pub(super) fn of(part: Part, settings: &Settings, is_root: bool) -> String {
    let forbidden = if is_root { forbidden_to_all(settings) } else { forbidden(settings) };
    match part {
        Part::Users | Part::Mounts => forbidden.unwrap_or(CONTAINER),
        Part::Processes
        | Part::Messages
        | Part::Names
        | Part::Network
        | Part::ControlGroups
        | Part::Clocks
        | Part::Rights => forbidden.unwrap_or(NAMESPACES),
        Part::ProcessFiles => PROC,
        Part::Owners => forbidden.unwrap_or("keep the workspace on a file system that has them (ext4, xfs, btrfs, tmpfs), on Linux 5.12 or newer; or run herm as an ordinary user"),
        Part::SystemCalls => "use a kernel with CONFIG_SECCOMP_FILTER",
        Part::FileRules => "use a kernel with CONFIG_SECURITY_LANDLOCK, and add `landlock` to `lsm=` on its command line",
        Part::Limits => "raise the hard limits of this user in /etc/security/limits.conf",
        Part::Memory | Part::ProcessCount => {
            if is_root {
                "mount a cgroup hierarchy with this controller where herm may write to it"
            } else {
                "log in through systemd, which gives each user a group (`systemd-run --user --scope -p Delegate=yes herm …` asks for one); without it each process is bounded by itself"
            }
        }
        Part::Handles => "use Linux 5.3 or newer",
        Part::Tools => "use Linux 6.6 or newer with overlayfs; without it toolchains can only be read",
        Part::Overlay => "load overlayfs (`modprobe overlay`), and keep herm's home on a file system that can be under it (ext4, xfs, btrfs); without it only workspaces that can be copied can be tried",
        Part::Redirect => "load nf_tables and nft_redir (`modprobe nft_redir`); without it programs reach the network only through the proxy that they are told of",
    }
    .to_owned()
}

/// Which setting takes namespaces of users away, from root as well.
fn forbidden_to_all(settings: &Settings) -> Option<&'static str> {
    (settings.most == Some(0)).then_some("sysctl -w user.max_user_namespaces=15000")
}

/// Which setting takes them away from everybody else.
fn forbidden(settings: &Settings) -> Option<&'static str> {
    if settings.clone == Some(0) {
        return Some("sysctl -w kernel.unprivileged_userns_clone=1");
    }
    if let Some(setting) = forbidden_to_all(settings) {
        return Some(setting);
    }
    let restricted = "give herm an AppArmor profile with `userns,` in it, or sysctl -w kernel.apparmor_restrict_unprivileged_userns=0";
    settings.apparmor.is_some_and(|value| value != 0).then_some(restricted)
}

const CONTAINER: &str = "use a kernel with CONFIG_USER_NS, 5.12 or newer; in a container, start it with a seccomp profile that permits unshare, clone and mount (`--security-opt seccomp=unconfined`)";

const NAMESPACES: &str = "use a kernel that has it (all of them: 5.12 or newer); in a container, permit clone and unshare (`--security-opt seccomp=unconfined`)";

const PROC: &str = "in a container, unmask /proc (`--security-opt systempaths=unconfined`): the kernel lets nobody mount a fuller one than there is";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_setting_that_is_in_the_way_is_named() {
        let none = Settings::default();
        let clone = Settings { clone: Some(0), ..none };
        assert!(of(Part::Users, &clone, false).contains("unprivileged_userns_clone=1"));
        let most = Settings { most: Some(0), ..none };
        assert!(of(Part::Mounts, &most, false).contains("max_user_namespaces"));
        let apparmor = Settings { apparmor: Some(1), ..none };
        assert!(of(Part::Users, &apparmor, false).contains("AppArmor"));
        assert_eq!(of(Part::Users, &Settings { apparmor: Some(0), ..none }, false), CONTAINER);
        assert_eq!(of(Part::Users, &clone, true), CONTAINER, "the setting does not hold for root");
        assert!(of(Part::Owners, &most, true).contains("max_user_namespaces"), "but this one does");
        assert!(of(Part::Users, &most, true).contains("max_user_namespaces"));
    }
}
