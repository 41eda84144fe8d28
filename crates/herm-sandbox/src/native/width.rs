//! Directories that are no workspace, because they are everybody's.

use std::path::Path;

/// Whether a directory belongs to the machine or to somebody as a whole. To be confined to one of these keeps out too little: what is shared
/// there runs services, tells about processes, or is a home.
pub(super) fn is_everybodys(directory: &Path) -> bool {
    let is_home = directory.parent().is_some_and(|above| HOMES.iter().any(|homes| above == Path::new(homes)));
    let is_made_up = MADE_UP.iter().any(|top| directory.starts_with(top));
    is_home || is_made_up || WHOLE.iter().any(|whole| directory == Path::new(whole))
}

/// What the kernel and services keep there says something about the machine, however deep one goes.
const MADE_UP: &[&str] = &["/dev", "/proc", "/run", "/sys", "/var/run"];

/// Where people live.
const HOMES: &[&str] = &["/home", "/Users", "/var/home"];

/// What is no project as a whole, though one may lie in it.
const WHOLE: &[&str] = &[
    "/bin",
    "/boot",
    "/etc",
    "/home",
    "/lib",
    "/lib32",
    "/lib64",
    "/media",
    "/mnt",
    "/opt",
    "/root",
    "/sbin",
    "/srv",
    "/tmp",
    "/Users",
    "/usr",
    "/usr/bin",
    "/usr/lib",
    "/usr/local",
    "/usr/local/bin",
    "/usr/local/lib",
    "/usr/sbin",
    "/usr/share",
    "/var",
    "/var/home",
    "/var/lib",
    "/var/log",
    "/var/spool",
    "/var/tmp",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn projects_may_lie_anywhere_but_where_everything_is_shared() {
        for path in [
            "/etc",
            "/tmp",
            "/home",
            "/home/ann",
            "/root",
            "/run/user/1000",
            "/dev/shm/x",
            "/proc/1/root/srv/x",
        ] {
            assert!(is_everybodys(Path::new(path)), "{path}");
        }
        for path in
            ["/home/ann/app", "/tmp/x", "/etc/nginx", "/root/app", "/srv/www", "/opt/tool", "/usr/src/linux"]
        {
            assert!(!is_everybodys(Path::new(path)), "{path}");
        }
    }
}
