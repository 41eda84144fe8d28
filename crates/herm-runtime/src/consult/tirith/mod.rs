//! The tirith program, a second scanner, where `security.tirith_enabled` has it called.
//!
//! It is never downloaded, and the environment has no say: neither are `TIRITH_*` variables read, nor does it get any. It
//! works in the guard's directory, since it would take a policy from the repository that it is asked about.

mod report;

use std::path::{Path, PathBuf};
use std::time::Duration;

use herm::call::{Action, Call};
use herm::rules::consult::TIRITH_FINDING;
use herm::{Finding, Policy, Preset, Stance};
use herm_sandbox::process::{Cancel, Ending, Input};
use herm_shell::Lang;
use sha2::{Digest, Sha256};

use super::child::{self, Heard, Outcome, Program};
use super::place::Place;
use super::{finding, quoted};
use crate::files;

/// The tirith program, and what its answers mean here.
#[derive(Clone, Debug)]
pub struct Tirith<'a> {
    place: &'a Place,
    path: String,
    time: Duration,
    /// What a missing program means.
    missing: Stance,
    /// What its block means.
    block: Stance,
}

/// Where tirith is looked for, and how long it may take, unless the configuration says otherwise.
const NAME: &str = "tirith";
const SECONDS: u32 = 5;
/// The longest that a call is held up.
const LONGEST: u32 = 60;

impl<'a> Tirith<'a> {
    /// The program as it is configured; `None` if it is not to be called.
    #[must_use]
    pub fn new(policy: &Policy, place: &'a Place) -> Option<Self> {
        let security = &policy.security;
        let is_optional = security.tirith_fail_open.unwrap_or(policy.preset != Preset::Strict);
        security.tirith_enabled.unwrap_or_default().then(|| Self {
            place,
            path: place.expanded(security.tirith_path.as_deref().unwrap_or(NAME)),
            time: Duration::from_secs(u64::from(
                security.tirith_timeout.unwrap_or(SECONDS).clamp(1, LONGEST),
            )),
            missing: if is_optional { Stance::Note } else { Stance::Deny },
            block: if security.tirith_block_asks.unwrap_or_default() { Stance::Ask } else { Stance::Deny },
        })
    }

    /// What it minds about a call. It reads commands of a shell and nothing else.
    #[must_use]
    pub fn scan(&self, call: &Call, cancel: &Cancel) -> Vec<Finding> {
        let Action::Exec(exec) = &call.action else { return Vec::new() };
        if exec.lang != Lang::Shell {
            return Vec::new();
        }
        let Some(program) = self.program() else { return vec![self.missing()] };
        match kin(&program) {
            Some(Kin::Itself) => return vec![superfluous()],
            Some(Kin::Namesake) => return vec![unheard("it is another herm")],
            None => {}
        }
        let arguments = ["check", "--json", "--non-interactive", "--shell", "posix", "--", &exec.text];
        let program = Program {
            path: program,
            arguments: arguments.map(str::to_owned).to_vec(),
            input: Input::Empty,
            time: self.time,
        };
        child::hear(vec![program], self.place, cancel).iter().flat_map(|heard| self.verdict(heard)).collect()
    }

    /// A name is also looked for where Hermes keeps the program.
    pub(crate) fn program(&self) -> Option<PathBuf> {
        let kept =
            || self.place.program(&self.place.guard.join("bin").join(&self.path).display().to_string());
        let found = self.place.program(&self.path);
        if self.path.contains('/') { found } else { found.or_else(kept) }
    }

    fn missing(&self) -> Finding {
        let reason = format!("tirith is not there: no program `{}`", quoted(&self.path));
        Finding {
            gap: true,
            ..finding(&TIRITH_FINDING, self.missing, reason, "Have a person install tirith.")
        }
    }

    fn verdict(&self, heard: &Heard) -> Vec<Finding> {
        match &heard.outcome {
            Outcome::Ended(Ending::Exited(0)) => report::findings(&heard.stdout, Stance::Note),
            Outcome::Ended(Ending::Exited(1)) => objections(&heard.stdout, self.block, "tirith blocks it"),
            Outcome::Ended(Ending::Exited(2)) => objections(&heard.stdout, Stance::Ask, "tirith warns of it"),
            Outcome::Ended(Ending::Exited(code)) => vec![unheard(&format!("it ended with code {code}"))],
            Outcome::Ended(Ending::Cancelled) => vec![unheard("it was called off")],
            Outcome::Ended(Ending::Signalled(signal)) => vec![unheard(&format!("signal {signal} ended it"))],
            Outcome::Ended(Ending::TimedOut) => {
                vec![unheard(&format!("it takes longer than {} s", self.time.as_secs()))]
            }
            Outcome::Flooded => vec![unheard("it says too much")],
            Outcome::NotStarted(why) => vec![unheard(why)],
        }
    }
}

/// How it ended decides; what it says only explains.
fn objections(stdout: &[u8], stance: Stance, otherwise: &str) -> Vec<Finding> {
    let findings = report::findings(stdout, stance);
    if findings.is_empty() {
        return vec![finding(&TIRITH_FINDING, stance, otherwise.to_owned(), "")];
    }
    findings
}

fn unheard(why: &str) -> Finding {
    let reason = format!("tirith cannot be heard: {}", quoted(why));
    Finding { gap: true, ..finding(&TIRITH_FINDING, Stance::Ask, reason, "Have a person look after tirith.") }
}

/// What a program has to do with this one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kin {
    /// It is this one under another name: a link to it or a copy of it.
    Itself,
    /// It has its name and is not the same.
    Namesake,
}

/// What a program has to do with this one. Where Hermes has herm in the place of tirith, both read the same setting.
fn kin(program: &Path) -> Option<Kin> {
    let real = files::real(program).unwrap_or_else(|| program.to_owned());
    let is_own = |own: &Path| real == own || files::same(&real, own) || is_copy(&real, own);
    if std::env::current_exe().is_ok_and(|own| is_own(&own)) {
        return Some(Kin::Itself);
    }
    real.file_name().is_some_and(|name| name == "herm").then_some(Kin::Namesake)
}

/// Herm has judged already, by all that it would say as a scanner.
fn superfluous() -> Finding {
    let reason = "tirith is herm itself, which has judged already".to_owned();
    finding(&TIRITH_FINDING, Stance::Note, reason, "")
}

fn is_copy(program: &Path, own: &Path) -> bool {
    let length = |path| files::regular(path).map(|file| file.length);
    length(program) == length(own) && digest(program).is_some_and(|digest| Some(digest) == self::digest(own))
}

fn digest(path: &Path) -> Option<Vec<u8>> {
    let mut digest = Sha256::new();
    files::pieces(path, u64::MAX - 1, |piece| digest.update(piece))?;
    Some(digest.finalize().to_vec())
}
