//! What it costs to start a program behind the boundary: `cargo bench -p herm-sandbox --bench sandbox`.
//!
//! From the moment that it is asked for to the moment that the program says the time. It is started in turn with bubblewrap,
//! which gets the same view, so that a noisy machine is noisy for both: bubblewrap is told to mount whatever the sandbox's
//! own list of mounts has. Both are fresh processes. How long it takes a herm that runs already, and how long with
//! toolchains that can be changed, is told for comparison.

#![expect(clippy::print_stdout, reason = "a benchmark reports")]
#![expect(clippy::unwrap_used, clippy::panic, reason = "a benchmark that cannot run has failed")]
#![expect(clippy::disallowed_methods, reason = "a benchmark starts processes and reads what they used")]

use std::ffi::{OsStr, OsString};
use std::path::Path;
use std::process::{Command, ExitCode, Stdio};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use herm_sandbox::native::{Confinement, Workspace};
use herm_sandbox::process::{Cancel, Input, Mode, Output, Spec, run};

const ROUNDS: usize = 200;

/// Says the time, in nanoseconds. That clock is the same inside and outside.
const CLOCK: &[&str] = &["/bin/date", "+%s%N"];

/// Makes this program the fresh process that confines another.
const INSIDE: &str = "--inside";

fn main() -> ExitCode {
    let words: Vec<_> = std::env::args().skip(1).collect();
    let place = Place::new();
    if words.first().is_some_and(|word| word == INSIDE) {
        print!("{}", place.confined(words.get(1..).unwrap_or_default(), Tools::Shown));
        return ExitCode::SUCCESS;
    }
    let version = Command::new("bwrap").arg("--version").stdout(Stdio::null()).status();
    if !version.is_ok_and(|status| status.success()) {
        println!("bubblewrap is not installed: `cargo xtask setup`");
        return ExitCode::FAILURE;
    }
    let bubblewrap = place.bubblewrap();
    let mut times: [Vec<Duration>; 4] = Default::default();
    for _ in 0..ROUNDS {
        let [ours, theirs, running, lent] = &mut times;
        ours.push(since(|| fresh(std::env::current_exe().unwrap().as_os_str(), &[INSIDE.into()])));
        theirs.push(since(|| fresh(OsStr::new("bwrap"), &bubblewrap)));
        running.push(since(|| place.confined(CLOCK, Tools::Shown)));
        lent.push(since(|| place.confined(CLOCK, Tools::Lent)));
    }
    report(times.map(median))
}

fn report([ours, theirs, running, lent]: [Duration; 4]) -> ExitCode {
    let ratio = ours.as_secs_f64() / theirs.as_secs_f64();
    println!("bubblewrap, fresh          median {theirs:.2?}");
    println!("the sandbox, fresh         median {ours:.2?}, {ratio:.2} times as long (at most 1)");
    println!("the sandbox, herm running  median {running:.2?}");
    println!("the same, toolchains lent  median {lent:.2?}");
    println!("{}", if ratio <= 1.0 { "kept" } else { "missed" });
    if ratio <= 1.0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// How long it took until what was started said the time.
fn since(start: impl FnOnce() -> String) -> Duration {
    let before = SystemTime::now().duration_since(UNIX_EPOCH).unwrap();
    let said = start();
    let then = said.trim().parse().unwrap_or_else(|_| panic!("it said `{said}`"));
    Duration::from_nanos(then).saturating_sub(before)
}

fn fresh(program: &OsStr, arguments: &[OsString]) -> String {
    let output = Command::new(program).args(arguments).args(CLOCK).stderr(Stdio::inherit()).output().unwrap();
    String::from_utf8(output.stdout).unwrap()
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times.get(times.len() / 2).copied().unwrap_or_default()
}

/// Whether toolchains can be changed inside, which bubblewrap has no word for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Tools {
    Lent,
    Shown,
}

/// The workspace and the person at work.
struct Place {
    environment: Vec<(OsString, OsString)>,
    home: OsString,
}

impl Place {
    fn new() -> Self {
        let environment = std::env::vars_os().filter(|(name, _)| name == "PATH").collect();
        Self { environment, home: std::env::var_os("HOME").unwrap_or_else(|| "/nonexistent".into()) }
    }

    /// What a confined program says.
    fn confined(&self, words: &[impl AsRef<OsStr>], tools: Tools) -> String {
        let cwd = Path::new(env!("CARGO_MANIFEST_DIR"));
        let home = Path::new(&self.home);
        let workspace = Workspace::around(cwd, home).unwrap();
        let mut confinement = Confinement::to_workspace(&workspace, cwd, home, &self.environment);
        if tools == Tools::Shown {
            confinement.view.readable.append(&mut confinement.view.tools);
        }
        let mut words = words.iter().map(|word| word.as_ref().to_owned());
        let spec = Spec {
            program: words.next().unwrap(),
            arguments: words.collect(),
            cwd: cwd.to_owned(),
            environment: self.environment.clone(),
            time: Duration::from_secs(20),
            grace: Duration::from_secs(1),
            input: Input::Empty,
            confinement: Some(confinement),
        };
        let mut said = Said::default();
        let _ = run(spec, Mode::Captured, &Cancel::new().unwrap(), &mut said).unwrap();
        String::from_utf8(said.0).unwrap()
    }

    /// How bubblewrap is told to show what the sandbox shows.
    fn bubblewrap(&self) -> Vec<OsString> {
        let mounts = self.confined(&["/bin/cat", "/proc/self/mountinfo"], Tools::Shown);
        let mut words: Vec<String> = COMMON.iter().copied().map(str::to_owned).collect();
        for link in ["bin", "lib", "lib32", "lib64", "libx32", "sbin"] {
            if let Ok(to) = std::fs::read_link(Path::new("/").join(link)) {
                words.extend(["--symlink".to_owned(), to.to_str().unwrap().to_owned(), format!("/{link}")]);
            }
        }
        let mut mounts: Vec<_> =
            mounts.lines().filter_map(|line| Some((line.split(' ').nth(4)?, line))).collect();
        // What lies in another place comes after it, whichever was made first.
        mounts.sort_by_key(|(place, _)| *place);
        words.extend(mounts.iter().filter_map(|(_, line)| mounted(line)).flatten());
        words.into_iter().map(OsString::from).collect()
    }
}

const COMMON: &[&str] = &[
    "--unshare-all",
    "--die-with-parent",
    "--new-session",
    "--hostname",
    "herm",
    "--dev",
    "/dev",
    "--cap-drop",
    "ALL",
    "--chdir",
    env!("CARGO_MANIFEST_DIR"),
];

/// The words for one line of a list of mounts.
fn mounted(line: &str) -> Option<Vec<String>> {
    let (mount, kind) = line.split_once(" - ")?;
    let mut fields = mount.split(' ').skip(4);
    let (place, options) = (fields.next()?, fields.next()?);
    let kind = kind.split(' ').next()?;
    let is_fixed = options.split(',').any(|option| option == "ro");
    let words: &[&str] = match kind {
        // bubblewrap makes these by itself.
        _ if place == "/" || place.starts_with("/dev") => return None,
        "proc" if place == "/proc" => &["--proc", place],
        "tmpfs" if is_fixed && !Path::new(place).is_dir() => &["--ro-bind", "/dev/null", place],
        "tmpfs" if is_fixed => &["--tmpfs", place, "--remount-ro", place],
        "tmpfs" => &["--tmpfs", place],
        _ if is_fixed => &["--ro-bind", place, place],
        _ => &["--bind", place, place],
    };
    Some(words.iter().copied().map(str::to_owned).collect())
}

/// Keeps what a program says.
#[derive(Default)]
struct Said(Vec<u8>);

impl Output for Said {
    fn stdout(&mut self, bytes: &[u8]) {
        self.0.extend_from_slice(bytes);
    }

    fn stderr(&mut self, bytes: &[u8]) {
        print!("{}", String::from_utf8_lossy(bytes));
    }
}
