//! A network of one's own, in which nothing but the loopback is reached.

use std::fs;
use std::process::Command;

use rustix::process::{getegid, geteuid};

use crate::client::Client;

/// Set for the same test again, in a process that is there.
const INSIDE: &str = "HERM_TEST_SPACE";

/// Runs a test of an agent where nothing but the loopback is reached. Where nobody has asked for this agent, or where no network can
/// be made, it says `skipped: …`; the latter fails in CI.
pub(crate) fn apart(client: &'static Client, test: &str, scenario: fn(&'static Client)) {
    within(Space::Network, client, test, scenario);
}

/// The same, where the files of the machine may be changed as well: what is written to them is gone afterwards.
#[expect(clippy::print_stdout, reason = "a test that is skipped says why")]
pub(crate) fn with_machine(client: &'static Client, test: &str, scenario: fn(&'static Client)) {
    if geteuid().is_root() {
        within(Space::Machine, client, test, scenario);
    } else {
        println!("skipped: only root can change the files of a machine");
    }
}

/// The same, where an agent can make a sandbox of its own.
pub(crate) fn with_room(client: &'static Client, test: &str, scenario: fn(&'static Client)) {
    within(Space::Room, client, test, scenario);
}

/// What is of one's own there.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Space {
    /// The network, and the files of the machine.
    Machine,
    Network,
    /// The network, with room for further namespaces in it.
    Room,
}

#[expect(clippy::print_stdout, reason = "a test that is skipped says why")]
fn within(space: Space, client: &'static Client, test: &str, scenario: fn(&'static Client)) {
    if std::env::var_os(INSIDE).is_some() {
        space.must_be_here();
        return scenario(client);
    }
    let wanted = std::env::var("HERM_AGENTS").unwrap_or_default();
    if !wanted.split(' ').any(|name| name == client.name) {
        println!("skipped: `cargo xtask test --agents` installs and runs {}", client.name);
        return;
    }
    let Some(mut entering) = space.entering() else {
        assert!(std::env::var_os("CI").is_none(), "no namespace can be made here");
        println!("skipped: no namespace can be made here");
        return;
    };
    let test = test.split_once("::").unwrap().1;
    let itself = std::env::current_exe().unwrap();
    let done =
        entering.arg(itself).args(["--exact", test, "--nocapture", "--test-threads=1"]).output().unwrap();
    let said = String::from_utf8_lossy(&done.stdout);
    print!("{said}");
    assert!(
        done.status.success() && said.contains("1 passed"),
        "{said}{}",
        String::from_utf8_lossy(&done.stderr)
    );
}

impl Space {
    /// Whoever only says so is not there.
    fn must_be_here(self) {
        let routes = fs::read_to_string("/proc/net/route").unwrap();
        assert!(routes.lines().skip(1).all(|route| route.starts_with("lo\t")), "this leads out:\n{routes}");
        let mounts = fs::read_to_string("/proc/self/mounts").unwrap();
        let is_covered = |place: &str| mounts.contains(&format!("overlay {place} overlay "));
        match self {
            Self::Machine => assert!(is_covered("/etc") && is_covered("/var/lib"), "{mounts}"),
            Self::Network | Self::Room => {}
        }
    }

    /// The beginning of a command that runs there, as whoever runs this or, failing that, as root.
    fn entering(self) -> Option<Command> {
        let ways: &[&[&str]] = match self {
            Self::Machine => &[&["unshare", "-mn"]],
            Self::Network | Self::Room if geteuid().is_root() => &[&["unshare", "-n"]],
            Self::Network => &[THEMSELVES, &["unshare", "-rn"], BY_ROOT],
            Self::Room => &[THEMSELVES, BY_ROOT],
        };
        let trial: &[&str] = match self {
            Self::Machine | Self::Network => &["true"],
            Self::Room => &["unshare", "-Urm", "true"],
        };
        ways.iter().find_map(|way| {
            let works = self.by(way).args(trial).output().is_ok_and(|done| done.status.success());
            works.then(|| self.by(way))
        })
    }

    fn by(self, way: &[&str]) -> Command {
        // Whoever became root for the namespace alone is themselves in it, unless only root has room there.
        let (user, group) = (geteuid().as_raw(), getegid().as_raw());
        let back = match way {
            THEMSELVES => "setpriv --inh-caps=-all --ambient-caps=-all".to_owned(),
            BY_ROOT if self != Self::Room => format!("setpriv --reuid {user} --regid {group} --clear-groups"),
            _ => String::new(),
        };
        let files = match self {
            Self::Machine => COVERED,
            Self::Network | Self::Room => "",
        };
        let script = format!("set -e; ip link set lo up; {files} exec {back} env \"$@\"");
        let [program, arguments @ ..] = way else { panic!("no way") };
        let mut command = Command::new(program);
        command.args(arguments).args(["sh", "-c", &script, "sh"]);
        // Not everybody hands the environment on.
        command.arg(format!("{INSIDE}=1")).arg(format!("PATH={}", std::env::var("PATH").unwrap_or_default()));
        command
    }
}

/// In a namespace whose root they are not: an agent may keep files for each user in a place that all of them share.
const THEMSELVES: &[&str] = &["unshare", "--map-current-user", "--keep-caps", "-n"];

/// Where an ordinary user can do nothing with a namespace, as the security module of some machines has it.
const BY_ROOT: &[&str] = &["sudo", "-n", "unshare", "-n"];

/// Covers the directories that herm writes to for the whole machine, and its own in the home that the machine knows.
const COVERED: &str = "mount -t tmpfs none /mnt; for place in /etc /var/lib ~root; do \
     mkdir -p \"/mnt$place/upper\" \"/mnt$place/work\"; \
     mount -t overlay overlay -o \"lowerdir=$place,upperdir=/mnt$place/upper,workdir=/mnt$place/work\" \"$place\"; \
     done; \
     mkdir -p ~root/.herm; mount -t tmpfs -o mode=700 none ~root/.herm;";
