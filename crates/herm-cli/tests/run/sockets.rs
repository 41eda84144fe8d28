//! Sockets in a workspace, behind which somebody listens who is not confined.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::net::UnixListener;

use crate::place::{Place, Ran};

/// Places of root and of somebody else: what holds must hold for both.
fn places() -> [Place; 2] {
    [Place::new(), Place::unprivileged()]
}

/// Somebody who listens in the workspace, and lets everybody speak to them.
fn listener(place: &Place, name: &str) -> UnixListener {
    let path = place.work(name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    // An address is shorter than paths may be.
    let above = fs::File::open(path.parent().unwrap()).unwrap();
    let short = format!("/proc/self/fd/{}", std::os::fd::AsRawFd::as_raw_fd(&above));
    let listener =
        UnixListener::bind(format!("{short}/{}", path.file_name().unwrap().to_str().unwrap())).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o777)).unwrap();
    listener.set_nonblocking(true).unwrap();
    place.give();
    listener
}

/// Connects to a socket from its directory, where its name is short enough.
fn connects(place: &Place, backend: &str, name: &str) -> Ran {
    let (above, name) = name.rsplit_once('/').unwrap_or((".", name));
    let code = format!(
        "import os, socket; os.chdir('{above}'); socket.socket(socket.AF_UNIX).connect('{name}'); print('spoke')"
    );
    place.run(&["run", "--yolo", "--backend", backend, "--", "python3", "-c", &code])
}

#[test]
fn nobody_outside_is_spoken_to() {
    for place in places() {
        for name in ["s.sock", "tmp/sockets/s", ".git/s"] {
            let listener = listener(&place, name);
            let ran = connects(&place, "sandbox", name);
            assert!(ran.code == Some(1) && ran.stdout.is_empty(), "{name}: {ran:?}");
            let is_refused =
                ["ConnectionRefusedError", "PermissionError"].map(|word| ran.stderr.contains(word));
            assert!(is_refused.contains(&true), "{name}: {ran:?}");
            assert!(listener.accept().is_err(), "{name}: nobody came, and herm did not either");
            let ran = connects(&place, "local", name);
            assert_eq!(
                (ran.stdout.as_str(), listener.accept().is_ok()),
                ("spoke\n", true),
                "{name}: {ran:?}"
            );
            assert!(place.work(name).exists(), "{name}");
        }
    }
}

/// The name that the kernel lists says nothing of where it is by now.
#[test]
fn nobody_deep_down_whom_no_name_leads_to_is_spoken_to() {
    for place in places() {
        let above = "a/b/c/d/e/f/g/h";
        let unlisted = listener(&place, &format!("{above}/s"));
        fs::create_dir(place.work(above).join("i")).unwrap();
        let moved = listener(&place, &format!("{above}/m"));
        fs::rename(place.work(above).join("m"), place.work(above).join("i/m")).unwrap();
        place.give();
        for (name, listener) in [(format!("{above}/s"), unlisted), (format!("{above}/i/m"), moved)] {
            let ran = connects(&place, "sandbox", &name);
            assert!(ran.code == Some(1) && ran.stdout.is_empty(), "{name}: {ran:?}");
            assert!(listener.accept().is_err(), "{name}: nobody came, and herm did not either");
            assert_eq!(connects(&place, "local", &name).stdout, "spoke\n", "{name}");
        }
    }
}

#[test]
fn one_that_nobody_holds_any_more_is_a_file_like_any_other() {
    for place in places() {
        drop(listener(&place, "s.sock"));
        let serve = "import os, socket; os.unlink('s.sock'); one = socket.socket(socket.AF_UNIX); one.bind('s.sock'); one.listen(); \
                     socket.socket(socket.AF_UNIX).connect('s.sock'); print('spoke')";
        for _ in 0..2 {
            let words = ["run", "--yolo", "--backend", "sandbox", "--", "python3", "-c", serve];
            let ran = place.run(&words);
            assert_eq!((ran.code, ran.stdout.as_str()), (Some(0), "spoke\n"), "{ran:?}");
        }
    }
}

#[test]
fn one_that_the_settings_name_is_meant_to_be_spoken_to() {
    for place in places() {
        place.config(&format!("sandbox:\n  writable: ['{}']\n", place.work("s.sock").display()));
        let listener = listener(&place, "s.sock");
        let ran = connects(&place, "sandbox", "s.sock");
        assert_eq!((ran.stdout.as_str(), listener.accept().is_ok()), ("spoke\n", true), "{ran:?}");
    }
}
