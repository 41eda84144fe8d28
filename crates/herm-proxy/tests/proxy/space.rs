//! A network namespace in which public addresses are this machine's own.

use std::process::Command;

/// The addresses that servers of the tests have there.
const ADDRESSES: &[&str] = &["93.184.216.34/32", "93.184.216.35/32", "10.9.8.7/32", "169.254.169.254/32"];

const INSIDE: &str = "HERM_TEST_SPACE";

/// Runs a test in a namespace of its own: the same test again, in a process that is there. `skipped: …` is printed where
/// that is not permitted.
#[expect(clippy::disallowed_methods, reason = "tests run themselves somewhere else")]
pub(crate) fn apart(test: &str, inside: fn()) {
    if std::env::var_os(INSIDE).is_some() {
        return inside();
    }
    let addresses = ADDRESSES.iter().map(|address| format!("ip addr add {address} dev lo && "));
    let addresses = addresses.collect::<Vec<_>>().concat();
    let fake = "ip route add local 198.18.0.0/15 dev lo";
    let six = "{ ip -6 addr add 2606:2800:220:1::34/128 dev lo || :; }";
    let set_up = format!("ip link set lo up && {addresses}{six} && {fake}");
    let unshare = |script: &str| {
        let mut command = Command::new("unshare");
        let user: &[&str] = if is_root() { &["-n"] } else { &["-rn"] };
        command.args(user).args(["sh", "-c", script, "sh"]);
        command
    };
    if !unshare(&set_up).output().is_ok_and(|done| done.status.success()) {
        println!("skipped: no network namespace can be made here");
        return;
    }
    let run = format!("{set_up} && exec \"$@\"");
    let itself = std::env::current_exe().unwrap();
    let arguments = ["--exact", test, "--nocapture", "--test-threads=1"];
    let done = unshare(&run).arg(itself).args(arguments).env(INSIDE, "1").output().unwrap();
    let said = String::from_utf8_lossy(&done.stdout);
    print!("{said}");
    assert!(
        done.status.success() && said.contains("1 passed"),
        "{said}{}",
        String::from_utf8_lossy(&done.stderr)
    );
}

#[expect(clippy::disallowed_methods, reason = "tests look at themselves")]
fn is_root() -> bool {
    std::fs::metadata("/proc/self").is_ok_and(|own| std::os::unix::fs::MetadataExt::uid(&own) == 0)
}
