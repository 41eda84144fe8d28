//! A herm that a command starts inside of `herm run`.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};

use crate::place::{Place, Ran};

/// What a nested herm would do with a home that asks nothing.
fn with_loose_home() -> Place {
    let place = Place::new();
    place.file("build/x", "");
    place.file("loose/config.yaml", "approvals: {mode: off}\n");
    place
}

/// Runs a script that nobody has seen before it runs, and asks nobody about that.
fn unseen(place: &Place, script: &str) -> Ran {
    place.file("unseen", script);
    place.run(&["run", "--yolo", r#"eval "$(sed -n p unseen)""#])
}

#[test]
fn a_home_of_its_own_does_not_make_a_nested_herm_ask_nobody() {
    let place = with_loose_home();
    let herm = env!("CARGO_BIN_EXE_herm");
    let script = format!("HERM_HOME=$PWD/loose {herm} run 'touch made'");
    let ran = place.run(&["run", &script]);
    assert!(
        ran.code == Some(126) && ran.stderr.contains("`HERM_HOME` would have nobody asked [yolo]"),
        "{ran:?}"
    );
    // It is refused whatever else is not asked about.
    let ran = place.run(&["run", "--yolo", &script]);
    assert!(ran.code == Some(126) && ran.stderr.contains("[yolo]"), "{ran:?}");
    // Where it was not seen, the one inside asks.
    let ran = unseen(&place, &format!("HERM_HOME=$PWD/loose {herm} run 'rm -rf build'"));
    assert!(
        ran.code == Some(126) && ran.stderr.contains("does not hold for a command that herm runs"),
        "{ran:?}"
    );
    for script in [
        format!("echo touch made | HERM_HOME=$PWD/loose {herm} shell"),
        format!("echo touch made | {herm} shell --config loose/config.yaml"),
        format!("echo touch made | {herm} shell --yolo"),
    ] {
        let ran = place.run(&["run", &script]);
        assert!(ran.code == Some(126) && ran.stderr.contains("[yolo]"), "{script}: {ran:?}");
    }
    let ran = place.run(&["run", &format!("echo 'rm -rf /' | {herm} shell")]);
    assert!(ran.code == Some(126) && ran.stderr.contains("[delete-root]"), "{ran:?}");
    let script = format!("echo 'mkdir -p src; cd src; rm -rf ../build' | HERM_HOME=$PWD/loose {herm} shell");
    let ran = unseen(&place, &script);
    assert!(
        ran.code == Some(126) && ran.stderr.contains("does not hold for a command that herm runs"),
        "{ran:?}"
    );
    // Nor in a directory that a shell has gone to.
    let script =
        format!("printf 'mkdir src; cd src\\nrm -rf ../build\\n' | HERM_HOME=$PWD/loose {herm} shell");
    let ran = unseen(&place, &script);
    assert!(ran.code == Some(126) && place.work("src").exists(), "{ran:?}");
    assert!(place.work("build").exists() && !place.work("made").exists());
}

#[test]
fn herm_is_known_under_any_name() {
    let place = with_loose_home();
    let herm = env!("CARGO_BIN_EXE_herm");
    fs::copy(herm, place.work("copy")).unwrap();
    symlink(herm, place.work("link")).unwrap();
    fs::hard_link(place.work("copy"), place.work("second")).unwrap();
    for name in ["copy", "link", "second"] {
        for script in [
            format!("./{name} run --config loose/config.yaml 'touch made'"),
            format!("HERM_HOME=$PWD/loose ./{name} run 'touch made'"),
            format!("./{name} run --yolo 'touch made'"),
        ] {
            let ran = place.run(&["run", &script]);
            assert!(ran.code == Some(126) && ran.stderr.contains("[yolo]"), "{script}: {ran:?}");
            assert_eq!(place.run(&["check", &script]).code, Some(1), "{script}");
        }
        // What it would run is judged, too.
        let ran = place.run(&["run", &format!("./{name} run 'rm -rf /'")]);
        assert!(ran.code == Some(126) && ran.stderr.contains("[delete-root]"), "{name}: {ran:?}");
    }
    let other = place.file("other", "not herm");
    fs::set_permissions(&other, fs::Permissions::from_mode(0o755)).unwrap();
    assert_eq!(place.run(&["check", "./other run --yolo true"]).code, Some(0));
    assert!(!place.work("made").exists());
}

#[test]
fn a_command_cannot_choose_what_holds_for_it() {
    let place = with_loose_home();
    symlink(env!("CARGO_BIN_EXE_herm"), place.work("tool")).unwrap();
    let command = "./tool run --preset permissive 'rm -rf build'";
    for ran in [place.run(&["run", "--yolo", command]), unseen(&place, command)] {
        assert!(ran.code == Some(126) && place.work("build").exists(), "{ran:?}");
    }
}
