//! Every way out of the sandbox is tried: without it, in it, without the layers that hold it, and with each of them alone.

#![cfg(target_os = "linux")]
#![expect(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]
#![expect(clippy::print_stdout, reason = "what could not be tried is said")]

use std::collections::BTreeSet;
use std::hash::{BuildHasher, RandomState};
use std::os::unix::process::CommandExt;
use std::process::{Command, Stdio};

use herm_test::probe::{Control, OPEN_WHEN_NESTED, Probe, Report, all};

/// Somebody who is not root, and whom no machine has.
const NOBODY: u32 = 61_000;

/// Who runs herm.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Who {
    Root,
    User,
}

impl Who {
    fn id(self) -> u32 {
        match self {
            Self::Root => 0,
            Self::User if is_root() => NOBODY,
            Self::User => rustix::process::geteuid().as_raw(),
        }
    }

    /// Whether `probe` can be done without a sandbox.
    fn can(self, probe: &Probe) -> bool {
        match probe.control {
            Control::Anyone => true,
            Control::Prepared => is_root(),
            Control::Root => self == Self::Root,
        }
    }
}

fn is_root() -> bool {
    rustix::process::geteuid().is_root()
}

/// Why nothing can be tried here.
fn obstacle(who: Who) -> Option<&'static str> {
    if !std::path::Path::new("/usr/bin/python3").exists() {
        return Some("there is no /usr/bin/python3");
    }
    if who == Who::Root && !is_root() {
        return Some("only root can see what happens when root runs herm");
    }
    let namespaces: &[&str] = if is_root() { &["--net", "--mount"] } else { &["--user"] };
    if !works(Command::new("unshare").args(namespaces).arg("true")) {
        return Some("namespaces cannot be made");
    }
    let user = |command: &mut Command| works(command.args(["--user", "true"]).uid(who.id()).gid(who.id()));
    (is_root() && !user(&mut Command::new("unshare"))).then_some("users cannot make namespaces")
}

fn works(command: &mut Command) -> bool {
    command.stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok_and(|status| status.success())
}

/// What came of one round; nothing where it cannot be tried.
fn round(name: &str, who: Who) -> Option<Vec<Report>> {
    if let Some(why) = obstacle(who) {
        assert!(!is_demanded(), "nothing can be tried: {why}");
        println!("skipped: {why}");
        return None;
    }
    let program = env!("CARGO_BIN_EXE_sandbox-probe");
    let mut command = if is_root() {
        // Mounts and a network that nobody else has, so that there can be more stand-ins.
        let mut command = Command::new("unshare");
        command.args(["--net", "--mount", "--", program]).env("HERM_PROBE_NAMESPACES", "own");
        command
    } else {
        Command::new(program)
    };
    // No other round on this machine has it, be it in another process namespace.
    let secret = format!("herm-probe-{:016x}", RandomState::new().hash_one(std::process::id()));
    let output = command
        .args([name, &who.id().to_string()])
        .args(chosen().map(|probe| probe.name))
        .env("HERM_PROBE_SECRET", secret)
        .stdin(Stdio::null())
        .stderr(Stdio::inherit())
        .current_dir("/")
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    let text = String::from_utf8(output.stdout).unwrap();
    Some(text.lines().map(|line| Report::read(line).unwrap()).collect())
}

/// Whether a machine was made for this, so that whatever cannot be tried has failed.
fn is_demanded() -> bool {
    std::env::var_os("HERM_PROBES_DEMANDED").is_some()
}

/// The probes that are tried: all, or those that `HERM_PROBES` names, with commas between them, where trying all takes too long.
fn chosen() -> impl Iterator<Item = &'static Probe> {
    let names = std::env::var("HERM_PROBES").unwrap_or_default();
    let known = |name: &str| all().any(|probe| probe.name == name);
    let unknown = names.split(',').find(|name| !names.is_empty() && !known(name));
    assert_eq!(unknown, None, "there is no such probe");
    all().filter(move |probe| names.is_empty() || names.split(',').any(|name| name == probe.name))
}

/// Fails with all reports that are not as they should be.
fn all_are(reports: &[Report], right: impl Fn(&Probe, &str) -> bool) {
    let is_wrong = |report: &&Report| {
        let probe = all().find(|probe| probe.name == report.name).unwrap();
        !right(probe, &report.outcome)
    };
    let wrong: Vec<String> = reports.iter().filter(is_wrong).map(described).collect();
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), reports.len(), wrong.join("\n"));
}

fn described(report: &Report) -> String {
    let Report { name, without, outcome, said } = report;
    format!("{name} (without {without}): {outcome}: {said}")
}

fn tried(reports: &[Report]) -> BTreeSet<&str> {
    reports.iter().map(|report| report.name.as_str()).collect()
}

/// Without a sandbox, everything gets out that the machine has.
fn control(who: Who) {
    let Some(reports) = round("control", who) else { return };
    let expected: BTreeSet<&str> = chosen().filter(|probe| who.can(probe)).map(|probe| probe.name).collect();
    assert_eq!(tried(&reports), expected);
    all_are(&reports, |probe, outcome| outcome == "out" || outcome == "lacking" && probe.unless.is_some());
    for report in reports.iter().filter(|report| report.outcome == "lacking") {
        println!("skipped: `{}`: {}", report.name, report.said);
    }
}

/// In the sandbox nothing does, unless the receipt says that it cannot be held.
fn confined(name: &str, who: Who, open: &[&str]) {
    let Some(reports) = round(name, who) else { return };
    let is_there = |probe: &&Probe| is_root() || probe.control != Control::Prepared;
    assert_eq!(tried(&reports), chosen().filter(is_there).map(|probe| probe.name).collect());
    let may_lack = |probe: &Probe| who == Who::User && probe.needs.is_some();
    let is_open = |probe: &Probe| open.contains(&probe.name);
    all_are(&reports, |probe, outcome| match outcome {
        "out" => is_open(probe),
        "lacking" => may_lack(probe),
        outcome => outcome == "kept" && !is_open(probe),
    });
}

/// Without the layers that hold it, everything gets out again.
fn without(who: Who) {
    let Some(reports) = round("without", who) else { return };
    let can = |probe: &&Probe| who.can(probe) && probe.held.layers(who == Who::Root).is_some();
    assert_eq!(tried(&reports), chosen().filter(can).map(|probe| probe.name).collect());
    all_are(&reports, |probe, outcome| outcome == "out" || outcome == "lacking" && probe.unless.is_some());
}

#[test]
fn without_a_sandbox_everything_gets_out_as_root() {
    control(Who::Root);
}

#[test]
fn without_a_sandbox_everything_gets_out_as_a_user() {
    control(Who::User);
}

#[test]
fn nothing_gets_out_of_the_sandbox_as_root() {
    confined("confined", Who::Root, &[]);
}

#[test]
fn nothing_gets_out_of_the_sandbox_as_a_user() {
    confined("confined", Who::User, &[]);
}

#[test]
fn doors_to_the_network_let_nothing_else_out() {
    confined("guarded", if is_root() { Who::Root } else { Who::User }, &[]);
}

#[test]
fn programs_that_sandbox_themselves_get_no_further() {
    confined("nested", Who::User, OPEN_WHEN_NESTED);
}

#[test]
fn without_its_layers_everything_gets_out_as_root() {
    without(Who::Root);
}

#[test]
fn without_its_layers_everything_gets_out_as_a_user() {
    without(Who::User);
}

#[test]
fn every_layer_that_is_named_holds_by_itself() {
    let Some(reports) = round("alone", Who::Root) else { return };
    let several = |probe: &&Probe| probe.held.layers(true).is_some_and(|held| held.len() > 1);
    assert_eq!(tried(&reports), chosen().filter(several).map(|probe| probe.name).collect());
    all_are(&reports, |_, outcome| outcome == "kept");
}
