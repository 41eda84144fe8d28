//! `herm doctor`, on this machine as it is and with something taken away.

use std::fs;
use std::net::TcpListener;
use std::os::linux::net::SocketAddrExt;
use std::os::unix::fs::{PermissionsExt, chown};
use std::os::unix::net::{SocketAddr, UnixListener};

use serde_json::{Value, json};

use crate::place::{Place, Ran};

fn places() -> [Place; 2] {
    [Place::new(), Place::unprivileged()]
}

fn told(ran: &Ran) -> Value {
    serde_json::from_str(&ran.stdout).unwrap_or_else(|_| panic!("{ran:?}"))
}

fn rows<'a>(told: &'a Value, group: &str) -> Vec<&'a Value> {
    told["rows"].as_array().unwrap().iter().filter(|row| row["group"] == group).collect()
}

fn row<'a>(told: &'a Value, name: &str) -> &'a Value {
    told["rows"]
        .as_array()
        .unwrap()
        .iter()
        .find(|row| row["name"] == name)
        .unwrap_or_else(|| panic!("{told}"))
}

/// What the sandbox does not start without.
const VITAL: [&str; 12] = [
    "user namespace",
    "mount namespace",
    "pid namespace",
    "/proc of its own",
    "ipc namespace",
    "uts namespace",
    "network namespace",
    "cgroup namespace",
    "time namespace",
    "no new privileges",
    "seccomp",
    "limits of each process",
];

#[test]
fn it_finds_what_the_sandbox_is_made_of() {
    for place in places() {
        let ran = place.run(&["doctor", "--json"]);
        let told = told(&ran);
        assert!(ran.code == Some(0) && told["ok"] == true, "{ran:?}");
        for name in VITAL.into_iter().chain(["this workspace", "Landlock", "bash", "configuration"]) {
            assert_eq!(row(&told, name)["state"], "ok", "{name}: {told}");
        }
        for row in told["rows"].as_array().unwrap() {
            assert!(row["state"] == "ok" || row["advice"].is_string(), "{row}");
        }
    }
}

#[test]
fn what_must_fail_inside_fails_and_what_must_work_works() {
    for place in places() {
        fs::write(place.home().join(".netrc"), "secret").unwrap();
        // Who that is is told inside, too.
        fs::write(place.home().join(".gitconfig"), "[user]\n\tname = Somebody\n").unwrap();
        let ran = place.run(&["doctor", "--probe", "--json"]);
        let told = told(&ran);
        assert_eq!(ran.code, Some(0), "{ran:?}");
        let tried = rows(&told, "probe");
        assert!(tried.iter().all(|row| row["state"] == "ok"), "{tried:#?}");
        let number = |name: &str| tried.iter().filter(|row| row["name"] == name).count();
        assert!(number("refused") >= 18 && number("works") >= 6, "{tried:#?}");
        assert!(tried.iter().any(|row| row["detail"].as_str().unwrap().contains("/.netrc")), "{tried:#?}");
        assert!(!place.home().join("herm-probe").exists());
        let left = fs::read_dir(place.shelf()).unwrap().flatten().filter(|entry| entry.path().is_dir());
        assert_eq!(left.count(), 0, "what was made for it is gone");
    }
}

/// Without the sandbox the same deeds succeed, as far as one needs no special rights for them.
#[test]
fn what_is_probed_can_be_done_outside() {
    let place = Place::unprivileged();
    for name in ["work/.git/hooks", "beside"] {
        fs::create_dir_all(place.home().parent().unwrap().join(name)).unwrap();
    }
    let beside = place.home().parent().unwrap().join("beside");
    fs::write(beside.join("secret"), "").unwrap();
    if rustix::process::geteuid().is_root() {
        for path in [&beside, &beside.join("secret"), &place.work(".git/hooks")] {
            chown(path, Some(65534), Some(65534)).unwrap();
        }
    }
    let server = TcpListener::bind("127.0.0.1:0").unwrap();
    let name = format!("herm-control-{}", beside.display());
    let _named = UnixListener::bind_addr(&SocketAddr::from_abstract_name(&name).unwrap()).unwrap();
    let target = json!({
        "beside": beside, "home": place.home(), "kept": [], "port": server.local_addr().unwrap().port(),
        "socket": name, "workspace": place.work(""),
    });
    let ran = place.run(&["doctor", "--inside", &target.to_string()]);
    let tried = told(&ran);
    let done = |what: &str| {
        let attempt = tried.as_array().unwrap().iter().find(|attempt| attempt["what"] == what);
        attempt.unwrap_or_else(|| panic!("{what}: {tried}"))["failure"].is_null()
    };
    for what in [
        "read what lies beside the workspace",
        "write beside the workspace",
        "add a hook of git",
        "reach a server on this machine",
        "reach a socket without a file",
        "see other processes",
        "begin a namespace of users",
        "use the kernel's keys",
    ] {
        assert!(done(what), "{what}: {tried:#}");
    }
}

/// In a namespace of users that may have no others below it, as on machines that forbid them.
#[test]
fn a_machine_that_forbids_namespaces_is_told_how_to_allow_them() {
    let place = Place::unprivileged();
    let script = "echo 0 > /proc/sys/user/max_user_namespaces && exec \"$@\"";
    let herm = place.home().parent().unwrap().join("herm");
    let mut command = place.command("setpriv");
    if rustix::process::geteuid().is_root() {
        command.args(["--reuid", "65534", "--regid", "65534", "--clear-groups", "--"]);
    }
    command.args(["unshare", "--user", "--map-current-user", "--keep-caps", "sh", "-c", script, "sh"]);
    let ran = Ran::of(command.arg(herm).args(["doctor", "--json"]));
    let told = told(&ran);
    assert!(ran.code == Some(1) && told["ok"] == false, "{ran:?}");
    let users = row(&told, "user namespace");
    assert_eq!(users["state"], "missing", "{users}");
    assert!(users["advice"].as_str().unwrap().contains("user.max_user_namespaces"), "{users}");
    assert_eq!(row(&told, "this workspace")["state"], "missing", "{told}");
    assert_eq!(row(&told, "seccomp")["advice"], "first the user namespace", "{told}");
    assert_eq!(row(&told, "pidfd")["state"], "ok", "{told}");
    let probed = place.run(&["doctor", "--probe"]);
    assert_eq!(probed.code, Some(0), "only there: {probed:?}");
}

#[test]
fn files_that_others_can_read_are_missing_protection() {
    let place = Place::new();
    place.config("terminal:\n  timeout: 20\n");
    let mode = |path, mode| fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    mode(place.guard(), 0o700);
    fs::write(place.guard().join(".env"), "").unwrap();
    mode(place.guard().join(".env"), 0o600);
    assert_eq!(place.run(&["doctor"]).code, Some(0));
    mode(place.guard().join(".env"), 0o644);
    let secrets = place.run(&["doctor"]);
    assert!(secrets.code == Some(1) && secrets.stdout.contains("chmod 600"), "{secrets:?}");
    mode(place.guard().join(".env"), 0o600);
    mode(place.guard(), 0o755);
    let home = place.run(&["doctor"]);
    assert!(home.code == Some(1) && home.stdout.contains("chmod 700"), "{home:?}");
}

#[test]
fn what_the_configuration_takes_away_is_said() {
    let place = Place::new();
    let state = |config: &str, name: &str| {
        place.config(config);
        fs::set_permissions(place.guard(), fs::Permissions::from_mode(0o700)).unwrap();
        let ran = place.run(&["doctor", "--json"]);
        let told = told(&ran);
        (ran.code, row(&told, name)["state"].as_str().unwrap().to_owned())
    };
    let expected = |code, state: &str| (Some(code), state.to_owned());
    assert_eq!(state("terminal:\n  backend: sandbox\n", "backend"), expected(0, "ok"));
    assert_eq!(state("terminal:\n  backend: local\n", "backend"), expected(0, "weaker"));
    assert_eq!(state("terminal:\n  backend: docker\n", "backend"), expected(1, "missing"));
    assert_eq!(state("approvals:\n  mode: off\n", "questions"), expected(0, "weaker"));
    assert_eq!(state("approvals:\n  broker: /no/such.sock\n", "broker"), expected(1, "missing"));
    let tirith = "security:\n  tirith_enabled: true\n  tirith_path: /no/tirith\n";
    assert_eq!(state(tirith, "tirith"), expected(1, "missing"));
    assert_eq!(state("aprovals: {}\n", "configuration"), expected(1, "missing"));
}

#[test]
fn a_record_that_was_tampered_with_is_found() {
    let place = Place::new();
    assert_eq!(place.run(&["run", "true"]).code, Some(0));
    let sound = place.run(&["doctor"]);
    assert!(sound.code == Some(0) && sound.stdout.contains("2 records, nothing was changed"), "{sound:?}");
    let ledger = place.guard().join("ledger/ledger.jsonl");
    let changed = fs::read_to_string(&ledger).unwrap().replace("true", "fals");
    fs::write(&ledger, changed).unwrap();
    let found = place.run(&["doctor"]);
    assert!(found.code == Some(1) && found.stdout.contains("it was tampered with"), "{found:?}");
}

#[test]
fn a_home_directory_is_no_workspace_and_no_fault_of_the_machine() {
    let place = Place::new();
    let ran = Ran::of(place.herm(&["doctor", "--json"]).current_dir(place.home()));
    let told = told(&ran);
    assert_eq!((ran.code, &row(&told, "this workspace")["state"]), (Some(0), &json!("weaker")), "{ran:?}");
}

#[test]
fn it_fits_eighty_columns_and_is_coloured_only_where_that_is_wanted() {
    let place = Place::new();
    let plain = place.run(&["doctor", "--probe"]);
    let fits = |line: &str| line.chars().count() <= 80 || line.split_whitespace().any(|word| word.len() > 45);
    assert!(plain.stdout.lines().all(fits), "{}", plain.stdout);
    assert!(!plain.stdout.contains('\x1b'), "{plain:?}");
    let coloured = Ran::of(place.herm(&["doctor"]).env("CLICOLOR_FORCE", "1"));
    assert!(coloured.stdout.contains("\x1b[1;32mok"), "{coloured:?}");
    let unwanted = Ran::of(place.herm(&["doctor"]).env("CLICOLOR_FORCE", "1").env("NO_COLOR", "1"));
    assert!(!unwanted.stdout.contains('\x1b'), "{unwanted:?}");
}

#[test]
fn mistakes_in_its_arguments_are_3() {
    let place = Place::new();
    assert_eq!(place.run(&["doctor", "--no-such"]).code, Some(3));
    assert_eq!(place.run(&["doctor", "--inside", "nonsense"]).code, Some(3));
    assert_eq!(place.run(&["doctor", "--home", "relative"]).code, Some(3));
    let help = place.run(&["doctor", "--help"]);
    assert!(help.stdout.contains("Examples:") && !help.stdout.contains("--inside"), "{help:?}");
}
