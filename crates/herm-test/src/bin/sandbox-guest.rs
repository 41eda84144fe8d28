//! The first process of a virtual machine that `cargo xtask guest` starts: it runs what the plan says, says what came of it on the
//! console, and switches the machine off.
//!
//! It begins in a small file system in memory with the modules that the disk needs, and goes on in the one on the disk.

#![forbid(unsafe_code)]

fn main() {
    #[cfg(target_os = "linux")]
    linux::main();
}

#[cfg(target_os = "linux")]
mod linux {
    use std::fs::{self, File};
    use std::io::{self, Write};
    use std::path::Path;
    use std::process::{Command, ExitStatus, Stdio};
    use std::time::{Duration, Instant};

    use rustix::mount::{MountFlags, mount, mount_move};
    use rustix::system::{RebootCommand, finit_module, reboot, uname};

    type Outcome<T> = Result<T, Box<dyn std::error::Error>>;

    /// How each line of ours begins: a console has other lines, too.
    const OURS: &str = "herm-guest:";
    const DISK: &str = "/disk";
    const PLAN: &str = "/guest/plan";

    pub(super) fn main() {
        let said = match begin().and_then(|()| follow()) {
            Ok(0) => "all passed".to_owned(),
            Ok(failed) => format!("{failed} failed"),
            Err(error) => format!("broken: {error}"),
        };
        say(&said);
        rustix::fs::sync();
        let _ = reboot(RebootCommand::PowerOff);
    }

    fn say(text: &str) {
        let _ = writeln!(io::stdout(), "{OURS} {text}");
    }

    /// Makes this a machine with a disk, and moves to it.
    fn begin() -> Outcome<()> {
        attach("proc", "/proc", c"proc")?;
        attach("sysfs", "/sys", c"sysfs")?;
        attach("devtmpfs", "/dev", c"devtmpfs")?;
        modules()?;
        fs::create_dir_all(DISK)?;
        await_disk()?;
        mount(c"/dev/vda", DISK, c"ext4", MountFlags::empty(), None)?;
        for name in ["proc", "sys", "dev"] {
            mount_move(format!("/{name}"), format!("{DISK}/{name}"))?;
        }
        std::env::set_current_dir(DISK)?;
        mount_move(".", "/")?;
        rustix::process::chroot(".")?;
        std::env::set_current_dir("/")?;
        attach("devpts", "/dev/pts", c"devpts")?;
        attach("tmpfs", "/dev/shm", c"tmpfs")?;
        attach("cgroup2", "/sys/fs/cgroup", c"cgroup2")?;
        fs::write("/sys/fs/cgroup/cgroup.subtree_control", "+cpu +memory +pids")?;
        // Debian keeps these from ordinary users by itself, so that nothing would be shown by the filter.
        let _ = fs::write("/proc/sys/kernel/perf_event_paranoid", "2");
        describe()
    }

    fn attach(source: &str, target: &str, kind: &std::ffi::CStr) -> Outcome<()> {
        fs::create_dir_all(target)?;
        Ok(mount(source, target, kind, MountFlags::empty(), None)?)
    }

    /// In the order of their names, in which none needs one that comes later.
    fn modules() -> Outcome<()> {
        let mut paths: Vec<_> = fs::read_dir("/modules")?.flatten().map(|entry| entry.path()).collect();
        paths.sort();
        for path in paths {
            if let Err(error) = finit_module(File::open(&path)?, c"", 0) {
                say(&format!("cannot load {}: {error}", path.display()));
            }
        }
        Ok(())
    }

    fn await_disk() -> Outcome<()> {
        let limit = Instant::now() + Duration::from_secs(30);
        while !Path::new("/dev/vda").exists() {
            if Instant::now() > limit {
                return Err("there is no disk".into());
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        Ok(())
    }

    fn describe() -> Outcome<()> {
        say(&format!("kernel {}", uname().release().to_string_lossy()));
        say(&format!("control groups of {}", fs::read_to_string("/proc/self/cgroup")?.trim()));
        say(&format!("governors {}", fs::read_to_string("/sys/fs/cgroup/cgroup.controllers")?.trim()));
        say(&format!("security modules {}", security()));
        Ok(())
    }

    fn security() -> String {
        let attached = attach("securityfs", "/sys/kernel/security", c"securityfs");
        let read = attached.and_then(|()| Ok(fs::read_to_string("/sys/kernel/security/lsm")?));
        read.map_or_else(|_| "unknown".to_owned(), |text| text.trim().to_owned())
    }

    /// Runs what the plan says: on each line a name, variables, a program and its arguments, with tabs between them. Says how many
    /// failed.
    fn follow() -> Outcome<usize> {
        let mut failed = 0;
        for line in fs::read_to_string(PLAN)?.lines() {
            let words: Vec<&str> = line.split('\t').collect();
            let [name, rest @ ..] = words.as_slice() else { continue };
            let variables =
                rest.iter().map_while(|word| word.split_once('=').filter(|(key, _)| !key.starts_with('-')));
            let variables: Vec<_> = variables.collect();
            let Some([program, arguments @ ..]) = rest.get(variables.len()..) else {
                return Err(format!("the plan has a line `{line}`").into());
            };
            let begun = Instant::now();
            let outcome = Command::new(program)
                .args(arguments)
                .env_clear()
                .envs([("HOME", "/root"), ("PATH", "/usr/bin:/usr/sbin"), ("RUST_BACKTRACE", "0")])
                .envs(variables)
                .stderr(Stdio::inherit())
                .output();
            let said = outcome.as_ref().map_or(&[][..], |output| &output.stdout);
            let _ = io::stdout().write_all(said);
            let status = outcome.as_ref().map(|output| output.status);
            let passed = status.as_ref().is_ok_and(ExitStatus::success) && !is_empty(said);
            failed += usize::from(!passed);
            let word = if passed { "passed" } else { "failed" };
            say(&format!("{word} `{name}` after {} s ({status:?})", begun.elapsed().as_secs()));
        }
        Ok(failed)
    }

    /// Whether tests say that there were none: then one was asked for that does not exist.
    fn is_empty(said: &[u8]) -> bool {
        String::from_utf8_lossy(said).lines().any(|line| line.trim() == "running 0 tests")
    }

    #[cfg(test)]
    mod tests {
        use super::is_empty;

        #[test]
        fn tests_that_do_not_exist_do_not_pass() {
            assert!(is_empty(b"\nrunning 0 tests\n\ntest result: ok. 0 passed; 0 failed\n"));
            assert!(!is_empty(b"\nrunning 10 tests\n"));
            assert!(!is_empty(b"what the machine can do\n"));
        }
    }
}
