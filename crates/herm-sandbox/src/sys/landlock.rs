//! Asking Landlock, by its three system calls.

use std::io;
use std::os::fd::{AsRawFd, OwnedFd, RawFd};
use std::ptr;

use rustix::fs::{FileType, Mode, OFlags, fstat, open};
use rustix::io::Errno;
use rustix::thread::set_no_new_privs;

use super::supervisor::owned;
use crate::native::landlock::{PathRule, Rules};

/// The version that this kernel has, from one on.
///
/// # Errors
/// When it has none, or it was not switched on when the machine started.
pub(crate) fn abi() -> io::Result<u32> {
    // SAFETY: asked for its version, the call reads no memory.
    let version = unsafe {
        libc::syscall(libc::SYS_landlock_create_ruleset, ptr::null::<Attributes>(), 0_usize, VERSION)
    };
    match u32::try_from(version) {
        Ok(0) => Err(io::ErrorKind::Unsupported.into()),
        Ok(version) => Ok(version),
        Err(_) => Err(io::Error::last_os_error()),
    }
}

/// Holds this thread and all it starts to `rules`, for good. Paths are looked up here and now, in the view that this process
/// has. Makes system calls only.
pub(crate) fn restrict(rules: &Rules) -> io::Result<()> {
    let handled = rules.handled();
    if handled.files == 0 && handled.scopes == 0 {
        return Ok(());
    }
    let ruleset = create(rules)?;
    for rule in rules.paths() {
        add_path(&ruleset, rule)?;
    }
    set_no_new_privs(true)?;
    // SAFETY: the call takes an open descriptor and a number.
    let outcome = unsafe { libc::syscall(libc::SYS_landlock_restrict_self, ruleset.as_raw_fd(), 0) };
    done(outcome)
}

fn create(rules: &Rules) -> io::Result<OwnedFd> {
    let handled = rules.handled();
    let attributes = Attributes { files: handled.files, tcp: 0, scopes: handled.scopes };
    // A kernel that does not know the later fields refuses a longer structure, even where they are nought.
    let size = if handled.scopes == 0 { 8_usize } else { 24 };
    // SAFETY: `attributes` is laid out as the kernel has it, at least `size` bytes long, and only read.
    let descriptor =
        unsafe { libc::syscall(libc::SYS_landlock_create_ruleset, &raw const attributes, size, 0) };
    let descriptor = RawFd::try_from(descriptor).map_err(|_| io::ErrorKind::InvalidData)?;
    if descriptor < 0 {
        return Err(io::Error::last_os_error());
    }
    Ok(owned(descriptor)?)
}

/// A path that is not there gets no rule, and so no rights.
fn add_path(ruleset: &OwnedFd, rule: &PathRule) -> io::Result<()> {
    let file = match open(rule.path.as_c_str(), OFlags::PATH | OFlags::CLOEXEC, Mode::empty()) {
        Ok(file) => file,
        Err(Errno::NOENT) => return Ok(()),
        Err(error) => return Err(error.into()),
    };
    let is_directory = FileType::from_raw_mode(fstat(&file)?.st_mode).is_dir();
    let allowed = if is_directory { rule.beneath } else { rule.itself };
    if allowed == 0 {
        return Ok(());
    }
    let attributes = Beneath { allowed, parent: file.as_raw_fd() };
    // SAFETY: `attributes` is laid out as the kernel has it for this kind of rule, and only read; both descriptors are open.
    let outcome = unsafe {
        libc::syscall(
            libc::SYS_landlock_add_rule,
            ruleset.as_raw_fd(),
            PATH_BENEATH,
            &raw const attributes,
            0,
        )
    };
    done(outcome)
}

fn done(outcome: libc::c_long) -> io::Result<()> {
    if outcome == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
}

/// `struct landlock_ruleset_attr`.
#[repr(C)]
struct Attributes {
    files: u64,
    tcp: u64,
    scopes: u64,
}

/// `struct landlock_path_beneath_attr`.
#[repr(C, packed)]
struct Beneath {
    allowed: u64,
    parent: RawFd,
}

const VERSION: u32 = 1;
const PATH_BENEATH: u32 = 1;

#[cfg(test)]
mod tests {
    use std::ffi::{CStr, CString};
    use std::fs::{self, DirBuilder};
    use std::os::unix::ffi::OsStrExt;
    use std::path::Path;

    use rustix::process::{Signal, kill_process, test_kill_process};

    use super::super::trial::{Outcome, finish, in_child, start};
    use super::*;
    use crate::Scratch;
    use crate::native::landlock::{Access, Files, Gap};
    use crate::native::seccomp::{Filter, Modes, Profile};
    use crate::sys::filter::install;

    const REFUSED: Outcome = Outcome::Returned(libc::EACCES);
    const DONE: Outcome = Outcome::Returned(0);

    fn rules(paths: &[(&Path, Access)]) -> Rules {
        let named = |path: &Path| CString::new(path.as_os_str().as_bytes()).unwrap();
        let files = Files::Only(paths.iter().map(|(path, access)| (named(path), *access)).collect());
        Rules::new(&files, abi().unwrap())
    }

    fn within(rules: &Rules, body: impl FnOnce() -> std::io::Result<()>) -> Outcome {
        in_child(|| {
            restrict(rules).unwrap();
            error(body())
        })
    }

    fn error(outcome: std::io::Result<()>) -> i32 {
        outcome.map_or_else(|error| error.raw_os_error().unwrap_or(254), |()| 0)
    }

    fn scratch() -> Scratch {
        let scratch = Scratch::new(&std::env::temp_dir()).unwrap();
        for name in ["a", "b", "out"] {
            DirBuilder::new().create(scratch.path().join(name)).unwrap();
        }
        scratch
    }

    fn make(path: &Path) -> std::io::Result<()> {
        fs::OpenOptions::new().write(true).create(true).truncate(true).open(path).map(drop)
    }

    fn change(path: &Path) -> std::io::Result<()> {
        fs::OpenOptions::new().append(true).open(path).map(drop)
    }

    fn look(path: &Path) -> std::io::Result<()> {
        fs::OpenOptions::new().read(true).open(path).map(drop)
    }

    fn pipe(path: &Path) -> CString {
        let path = CString::new(path.as_os_str().as_bytes()).unwrap();
        rustix::fs::mknodat(rustix::fs::CWD, path.as_c_str(), FileType::Fifo, Mode::from_raw_mode(0o666), 0)
            .unwrap();
        path
    }

    /// Opens both ends, so that nobody waits: only the second needs the right to write.
    fn open_pipe(path: &CStr) -> std::io::Result<()> {
        let flags = OFlags::NONBLOCK | OFlags::CLOEXEC;
        let _reader = open(path, OFlags::RDONLY | flags, Mode::empty())?;
        open(path, OFlags::WRONLY | flags, Mode::empty())?;
        Ok(())
    }

    /// Makes `path` a mount of its own that is read-only, in namespaces of this child's own.
    fn mount_read_only(path: &Path) -> std::io::Result<()> {
        let path = CString::new(path.as_os_str().as_bytes())?;
        // SAFETY: the call takes a number.
        done(unsafe { libc::unshare(libc::CLONE_NEWUSER | libc::CLONE_NEWNS) }.into())?;
        for flags in [libc::MS_BIND, libc::MS_BIND | libc::MS_REMOUNT | libc::MS_RDONLY] {
            // SAFETY: the strings end with a nought and outlive the call; a bind mount takes no data.
            let outcome =
                unsafe { libc::mount(path.as_ptr(), path.as_ptr(), ptr::null(), flags, ptr::null()) };
            done(outcome.into())?;
        }
        Ok(())
    }

    #[test]
    fn a_pipe_in_a_read_only_place_is_closed_by_this_layer_alone() {
        let scratch = scratch();
        let place = scratch.path().join("a");
        let pipe = pipe(&place.join("pipe"));
        let rules = rules(&[(Path::new("/"), Access::ReadExecute), (&place, Access::Read)]);
        let mounted = |restriction: Option<&Rules>| {
            in_child(|| {
                mount_read_only(&place).unwrap();
                restriction.map_or(Ok(()), restrict).unwrap();
                assert_eq!(error(make(&place.join("new"))), libc::EROFS);
                error(open_pipe(&pipe))
            })
        };
        assert_eq!(mounted(None), DONE, "a read-only mount lets it be written to");
        assert_eq!(mounted(Some(&rules)), REFUSED);
    }

    #[test]
    fn what_is_not_granted_is_refused() {
        let scratch = scratch();
        let at = |name: &str| scratch.path().join(name);
        make(&at("a/file")).unwrap();
        make(&at("b/file")).unwrap();
        let rules = rules(&[(&at("a"), Access::Full), (&at("b"), Access::Read)]);
        assert_eq!(within(&rules, || make(&at("a/new"))), DONE);
        assert_eq!(within(&rules, || look(&at("b/file"))), DONE);
        assert_eq!(within(&rules, || change(&at("b/file"))), REFUSED);
        assert_eq!(within(&rules, || make(&at("b/new"))), REFUSED);
        assert_eq!(within(&rules, || make(&at("out/new"))), REFUSED);
        assert_eq!(within(&rules, || look(Path::new("/etc/passwd"))), REFUSED);
        assert_eq!(
            within(&rules, || fs::hard_link(at("b/file"), at("a/link"))),
            Outcome::Returned(libc::EXDEV)
        );
    }

    #[test]
    fn files_can_be_renamed_between_directories_of_a_writable_tree() {
        let scratch = scratch();
        let at = |name: &str| scratch.path().join(name);
        make(&at("a/file")).unwrap();
        let rules = rules(&[(scratch.path(), Access::Full)]);
        #[expect(clippy::disallowed_methods, reason = "tests make their own files")]
        let rename = || fs::rename(at("a/file"), at("b/file"));
        assert_eq!(within(&rules, rename), DONE);
        assert!(at("b/file").exists());
    }

    #[test]
    fn a_single_file_and_a_device_can_be_granted() {
        let scratch = scratch();
        let file = scratch.path().join("a/file");
        make(&file).unwrap();
        let null = Path::new("/dev/null");
        let rules = rules(&[
            (&file, Access::ReadWrite),
            (null, Access::Device),
            (Path::new("/no/such"), Access::Full),
        ]);
        assert_eq!(within(&rules, || change(&file)), DONE);
        assert_eq!(within(&rules, || change(null)), DONE);
        assert_eq!(within(&rules, || change(Path::new("/dev/zero"))), REFUSED);
    }

    #[test]
    fn rules_on_files_refuse_every_mount_and_others_none() {
        let scratch = scratch();
        let place = scratch.path().join("a");
        let free = Rules::new(&Files::Free, abi().unwrap());
        let some = rules(&[(Path::new("/"), Access::Full)]);
        // As a tool does that sandboxes others.
        let mount = |rules: &Rules| {
            let filter = Filter::new(Profile::Nested, Modes::Shared);
            in_child(|| {
                restrict(rules).unwrap();
                install(&filter).unwrap();
                error(mount_read_only(&place))
            })
        };
        assert_eq!(mount(&free), DONE);
        assert_eq!(mount(&some), Outcome::Returned(libc::EPERM));
    }

    #[test]
    fn whoever_is_outside_cannot_be_signalled() {
        let outside = start(|| {
            std::thread::sleep(std::time::Duration::from_mins(1));
            0
        });
        let rules = Rules::new(&Files::Free, abi().unwrap());
        let signal = || Ok(test_kill_process(outside)?);
        assert_eq!(in_child(|| error(signal())), DONE);
        let refused = Outcome::Returned(libc::EPERM);
        let expected = if rules.gaps().contains(&Gap::Signals) { DONE } else { refused };
        assert_eq!(within(&rules, signal), expected);
        kill_process(outside, Signal::KILL).unwrap();
        assert_eq!(finish(outside), Outcome::Killed(libc::SIGKILL));
    }
}
