//! No room is left.

use crate::place::{Place, Ran};

/// Runs a script with herm as `$herm`, the guard's directory as `$guard`, and a small file system at `$HOME` that is seen
/// here alone. `None` where that is not permitted.
#[expect(clippy::print_stdout, reason = "a test that is skipped says why")]
pub(crate) fn on_a_small_disk(place: &Place, script: &str) -> Option<Ran> {
    let mount = "mount -t tmpfs -o size=256k,mode=700 none \"$HOME\"";
    let permitted = Ran::of(place.command("unshare").args(["-m", "sh", "-c", mount]));
    if permitted.code != Some(0) {
        println!("skipped: no file system can be mounted here");
        return None;
    }
    let script = format!("{mount} || exit 99\nguard=$HOME/.herm\n{script}");
    let mut command = place.command("setsid");
    command.args(["--wait", "unshare", "-m", "bash", "-c", &script]).env("herm", env!("CARGO_BIN_EXE_herm"));
    // Longer than what may be left of the last block of a file.
    Some(Ran::of(command.env("long", "x".repeat(6000))))
}

#[test]
fn on_a_full_disk_nothing_runs_and_the_record_stays_sound() {
    let place = Place::new();
    let script = "$herm run 'echo before'\nhead -c 1M /dev/zero > \"$HOME/fill\" 2> /dev/null\n$herm run \"touch made #$long\"; echo code=$?\nrm \
                  \"$HOME/fill\"\n$herm audit verify; echo verified=$?\n$herm run 'echo after'\n$herm audit verify --json\n";
    let Some(ran) = on_a_small_disk(&place, script) else { return };
    assert!(ran.stdout.contains("before\ncode=125\n"), "{ran:?}");
    assert!(!place.work("made").exists() && ran.stderr.contains("no storage space"), "{ran:?}");
    assert!(ran.stderr.contains("make room where"), "{ran:?}");
    assert!(ran.stdout.contains("2 records; nothing was changed\nverified=0\nafter\n"), "{ran:?}");
    assert!(ran.stdout.contains("\"sound\":true") && ran.stdout.contains("\"unfinished\":[]"), "{ran:?}");
}

#[test]
fn an_outcome_without_room_is_told_and_left_open() {
    let place = Place::new();
    let script = "$herm run 'echo before'\n$herm run --backend local 'head -c 1M /dev/zero > ~/fill; seq 1 9000; exit 4' > \"$PWD/out\"; echo code=$?\nrm \
                  \"$HOME/fill\"\n$herm audit verify; echo verified=$?\n$herm run 'echo after'\n$herm audit verify; echo verified=$?\n";
    let Some(ran) = on_a_small_disk(&place, script) else { return };
    assert!(ran.stdout.contains("before\ncode=4\n"), "the command's own: {ran:?}");
    assert!(ran.stderr.contains("the outcome could not be recorded"), "{ran:?}");
    assert!(ran.stdout.contains("has no end\nverified=0\nafter\n"), "{ran:?}");
    assert!(ran.stdout.ends_with("has no end\nverified=0\n"), "{ran:?}");
}

/// Runs herm with files limited to a kilobyte.
fn with_small_files(place: &Place, before: &str) -> Ran {
    let script = format!("{before} ulimit -f 1; exec \"$herm\" run 'touch made'");
    let mut command = place.command("setsid");
    Ran::of(command.args(["--wait", "bash", "-c", &script]).env("herm", env!("CARGO_BIN_EXE_herm")))
}

#[test]
fn what_no_longer_fits_the_record_is_not_run() {
    let place = Place::new();
    place.run(&["run", "seq 1 1000"]);
    for before in ["", "trap '' XFSZ;"] {
        let ran = with_small_files(&place, before);
        assert_eq!(ran.code, Some(125), "{before}: {ran:?}");
        assert!(!place.work("made").exists() && ran.stderr.contains("too large"), "{before}: {ran:?}");
        let verified = place.run(&["audit", "verify"]);
        assert_eq!(verified.stdout, "2 records; nothing was changed\n", "{verified:?}");
    }
    assert_eq!(place.run(&["run", "touch made"]).code, Some(0));
}
