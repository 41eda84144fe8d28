//! What a program finds when it begins.

use std::io::Read;
use std::os::fd::AsRawFd;
use std::process::Stdio;

use crate::test::{Test, example};

fn says(script: &str) -> String {
    let outcome = Test::bash(script).run();
    assert_eq!(outcome.stderr, "");
    outcome.stdout
}

#[test]
fn the_environment_is_what_was_given_and_nothing_else() {
    let outcome = Test::new("/usr/bin/env", &[]).variable("A", "b c").run();
    assert_eq!(outcome.stdout, "A=b c\nPATH=/usr/local/bin:/usr/bin:/bin\n");
}

#[test]
fn only_the_standard_streams_are_open() {
    // One that would be inherited by anything started carelessly.
    let leak = rustix::io::dup(rustix::stdio::stdin()).unwrap();
    let flags = rustix::io::fcntl_getfd(&leak).unwrap();
    assert!(!flags.contains(rustix::io::FdFlags::CLOEXEC), "{}", leak.as_raw_fd());
    // The fourth is the directory that is being listed.
    assert_eq!(says("ls /proc/self/fd"), "0\n1\n2\n3\n");
    assert_eq!(Test::bash("ls -1 /proc/self/fd").interactive().run().stdout, "0\r\n1\r\n2\r\n3\r\n");
}

#[test]
fn signals_mean_what_they_mean_by_default() {
    // Rust ignores one of them from the beginning.
    let status = says("exec grep -E '^Sig(Blk|Ign)' /proc/self/status");
    assert_eq!(status, "SigBlk:\t0000000000000000\nSigIgn:\t0000000000000000\n");
}

#[test]
fn the_program_leads_a_session_of_its_own() {
    let ids = says("exec cut -d' ' -f1,5,6,7 /proc/self/stat");
    let ids: Vec<&str> = ids.trim_end().split(' ').collect();
    assert!(ids[0] == ids[1] && ids[0] == ids[2], "{ids:?}");
    assert_eq!(ids[3], "0", "no terminal governs it");
}

#[test]
fn the_program_dies_with_its_supervisor_and_leaves_no_core() {
    let outcome = Test::python(
        "import ctypes, resource\nsignal = ctypes.c_int()\n\
         ctypes.CDLL(None).prctl(2, ctypes.byref(signal))\nprint(signal.value, resource.getrlimit(resource.RLIMIT_CORE))",
    );
    assert_eq!(outcome.run().stdout, "9 (0, 0)\n");
}

#[test]
fn the_mask_for_new_files_is_kept() {
    let ours = says("umask");
    let mut expected = String::new();
    let mut shell = example(&["--", "bash", "-c", "umask"]).stdout(Stdio::piped()).spawn().unwrap();
    shell.stdout.take().unwrap().read_to_string(&mut expected).unwrap();
    assert!(shell.wait().unwrap().success());
    assert_eq!(ours, expected);
    assert_ne!(says("umask 077; umask"), ours);
}

/// The example has a secret that the program was not given, and the program looks for it where the kernel keeps it.
fn peek(options: &[&str]) -> String {
    // The example and its supervisor are the two above.
    let look = "up=$(cut -d' ' -f4 /proc/$PPID/stat); \
                for pid in $PPID $up; do tr '\\0' '\\n' < /proc/$pid/environ | grep SECRET_OF_HERM; \
                head -c 1 /proc/$pid/mem; echo; done 2>&1; id -u";
    let words: Vec<&str> = options.iter().copied().chain(["--", "bash", "-c", look]).collect();
    let place = Place(std::env::temp_dir().join(format!("herm-run-{}", std::process::id())));
    let output = ordinary(&words, &place).env("SECRET_OF_HERM", "1").output().unwrap();
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).unwrap()
}

/// A file that is removed again.
struct Place(std::path::PathBuf);

impl Drop for Place {
    #[expect(clippy::disallowed_methods, reason = "tests remove their own files")]
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

/// The example as a user without privileges, whom the kernel refuses things.
#[expect(clippy::disallowed_methods, reason = "tests start what they look at")]
fn ordinary(arguments: &[&str], place: &Place) -> std::process::Command {
    let direct = example(arguments);
    if !rustix::process::geteuid().is_root() {
        return direct;
    }
    // Where it was built may be closed to others.
    std::fs::copy(direct.get_program(), &place.0).unwrap();
    let mut command = std::process::Command::new("setpriv");
    command.args(["--reuid=65534", "--regid=65534", "--clear-groups", "--bounding-set=-all", "--"]);
    command.arg(&place.0).args(arguments).current_dir("/");
    command
}

#[test]
fn the_environment_of_herm_cannot_be_read_once_it_is_hardened() {
    let open = peek(&[]);
    let hardened = peek(&["harden"]);
    assert!(open.contains("SECRET_OF_HERM=1"), "the test can see it: {open}");
    assert!(!hardened.contains("SECRET_OF_HERM=1"), "{hardened}");
    assert!(hardened.matches("Permission denied").count() >= 4, "{hardened}");
}
