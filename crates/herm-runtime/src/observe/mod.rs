//! For a while, what agents do is judged and recorded, and nothing of it is stopped.
//!
//! A person switches it on, at a terminal, and it ends by itself. It is no setting: neither a repository nor a variable can say it, and
//! whoever manages the machine has decided against it by managing it.

mod report;

use std::fs::{self, File};
use std::io::{self, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use herm::call::Call;
use herm::{Decision, Finding};
use herm_sandbox::process::Cancel;
use herm_store::{Digest, Error, Kind, Ledger, Store, Timestamp};
use serde_json::json;

pub use report::report;

use crate::ancestry;
use crate::asked::Asked;
use crate::files::{self, Seen};
use crate::identity;
use crate::lookup;
use crate::people::{Heard, People};
use crate::perform::Hands;
use crate::record::{Consent, Record, set};
use crate::runtime::Runtime;
use crate::setup::{self, Wishes};
use crate::sources::MANAGED;

/// How long it lasts, if nobody says it.
pub const USUAL: Duration = Duration::from_hours(7 * 24);
/// The longest that it can last.
pub const LONGEST: Duration = Duration::from_hours(30 * 24);

/// Until when nothing is stopped; nothing if everything is as ever. Whatever is doubtful about it ends it.
#[must_use]
pub fn until(wishes: &Wishes) -> Option<Timestamp> {
    let (.., guard) = setup::located(wishes).ok()?;
    kept(&guard, SystemTime::now()).filter(|_| !is_managed() && !ancestry::is_guarded())
}

/// Until when a hook that keeps its files there stops nothing. It is asked by others, whose own standing does not matter: what is run
/// behind a boundary cannot observe, and the hook is not.
#[must_use]
pub fn of_hook(guard: &Path) -> Option<Timestamp> {
    kept(guard, SystemTime::now()).filter(|_| !is_managed())
}

/// Whether somebody manages the machine, and so has the last word.
#[must_use]
pub fn is_managed() -> bool {
    files::exists(Path::new(MANAGED))
}

/// What is written in the home of herm, as far as it holds.
pub(crate) fn kept(guard: &Path, now: SystemTime) -> Option<Timestamp> {
    let file = place(guard);
    let Seen::Bytes(bytes) = files::read(&file) else { return None };
    let own = rustix::process::geteuid().as_raw();
    let is_open = files::mode(&file)? & 0o077 != 0;
    let is_private = !is_open && files::owner(&file)?.0 == own && !files::is_link(&file);
    let text = String::from_utf8(bytes).ok()?;
    let (written, code) = text.trim_end().split_once(' ').unwrap_or((text.trim_end(), ""));
    let end: Timestamp = written.parse().ok()?;
    if end.system_time() <= now {
        // A clock that is set back must not bring it back. Whoever cannot remove it is not the one whose clock it is.
        let _ = self::end(guard);
        return None;
    }
    let holds = end.system_time() <= now + LONGEST;
    // Whoever can write the file still lacks the key.
    let vouched = |code: Digest| Ledger::vouches(&guard.join("ledger"), PURPOSE, written, &code);
    (is_private && holds && Digest::parse(code).is_some_and(vouched)).then_some(end)
}

/// What the key vouches for.
const PURPOSE: &str = "observing";

fn place(guard: &Path) -> PathBuf {
    guard.join("observing")
}

/// Switches it on until then, and records who did.
///
/// # Errors
/// When it cannot be recorded or written: it is not on then.
pub fn begin(guard: &Path, end: Timestamp, by: Option<&str>) -> Result<(), Error> {
    let store = Store::open(guard)?;
    store.ledger()?.append(
        Kind::Note,
        &identity::fresh(),
        json!({ "observe": "on", "until": end.to_string(), "by": by }),
    )?;
    let file = place(guard);
    let code = store.ledger()?.seal(PURPOSE, &end.to_string())?;
    written(&file, &format!("{end} {code}\n")).map_err(|source| Error::File {
        doing: "write",
        path: file,
        source,
    })
}

/// Ends it. Says whether it was on.
///
/// # Errors
/// When it cannot be ended.
#[expect(clippy::disallowed_methods, reason = "the one place where observing is switched off")]
pub fn end(guard: &Path) -> Result<bool, Error> {
    let file = place(guard);
    match fs::remove_file(&file) {
        Ok(()) => {}
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(false),
        Err(source) => return Err(Error::File { doing: "remove", path: file, source }),
    }
    // It is off, even if that cannot be written down.
    let _ = Store::open(guard).and_then(|store| {
        store.ledger()?.append(Kind::Note, &identity::fresh(), json!({ "observe": "off" })).map(drop)
    });
    Ok(true)
}

#[expect(clippy::disallowed_methods, reason = "the one place where observing is switched on")]
fn written(file: &Path, text: &str) -> io::Result<()> {
    let fresh = file.with_extension(identity::fresh());
    let mut writer = File::options().create_new(true).write(true).mode(0o600).open(&fresh)?;
    writer.write_all(text.as_bytes())?;
    writer.sync_all()?;
    fs::rename(&fresh, file)
}

impl Runtime<'_> {
    /// Judges a call and records what would have become of it. Whoever asked does as it likes.
    ///
    /// # Errors
    /// When it cannot be judged or recorded. It is not stopped by that either.
    pub fn observe(&mut self, call: &Call, cancel: &Cancel) -> Result<(), String> {
        self.move_to(&call.cwd).map_err(|problem| problem.to_string())?;
        let call = &lookup::looked_up(&self.engine, call);
        let judged = self.judge(call, &Hands::Others);
        let memory = self.books.memory(&call.session.0).map_err(|error| error.to_string())?;
        let ruling = self.objections(call, judged.ruling, (judged.digest, &Hands::Others), &memory, cancel);
        let (action, now) = (judged.digest.to_string(), SystemTime::now());
        let is_granted = |finding: &Finding| {
            memory.grants.iter().any(|grant| grant.covers(finding, call, &ruling.facts, &action, now))
        };
        let word = match &ruling.decision {
            Decision::Ask(question) if question.findings.iter().all(is_granted) => "allow",
            decision @ (Decision::Allow(_) | Decision::Ask(_) | Decision::Deny(_)) => decision.word(),
        };
        let consent = Consent::new(judged.digest, ruling.findings);
        let mut body = Record { call, consent: &consent, redact: &|text| self.redact(text) }.release(word);
        set(&mut body, "observed", json!(true));
        self.books.note(Kind::Outcome, &self.books.receipt(), body).map_err(|error| error.to_string())
    }
}

/// Nobody is asked while everything is only observed.
#[derive(Debug)]
pub struct Onlooker;

impl People for Onlooker {
    fn ask(&mut self, _: &Asked, _: u32) -> Heard {
        Heard::Nobody("herm only observes".to_owned())
    }
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "tests make their own files")]
mod tests {
    use std::os::unix::fs::{PermissionsExt, symlink};

    use super::*;

    fn on(life: Duration) -> (tempfile::TempDir, SystemTime) {
        let home = tempfile::tempdir().unwrap();
        let now = SystemTime::now();
        begin(&home.path().join("guard"), (now + life).into(), Some("ann")).unwrap();
        (home, now)
    }

    #[test]
    fn it_ends_by_itself_and_lasts_no_longer_than_the_longest() {
        let (home, now) = on(USUAL);
        let guard = home.path().join("guard");
        assert!(kept(&guard, now).is_some());
        assert!(kept(&guard, now + USUAL).is_none());
        assert!(kept(&guard, now).is_none(), "a clock that is set back does not bring it back");
        let (home, now) = on(LONGEST + Duration::from_mins(1));
        assert!(kept(&home.path().join("guard"), now).is_none(), "nobody could have said that");
    }

    #[test]
    fn what_is_doubtful_ends_it() {
        let (home, now) = on(USUAL);
        let file = home.path().join("guard/observing");
        let text = fs::read_to_string(&file).unwrap();
        let guard = home.path().join("guard");
        fs::set_permissions(&file, fs::Permissions::from_mode(0o644)).unwrap();
        assert!(kept(&guard, now).is_none(), "others can read it, and could have written it");
        let (end, code) = text.trim_end().split_once(' ').unwrap();
        let later = Timestamp::from(now + USUAL + Duration::from_mins(1));
        let (unsealed, moved) = (format!("{end}\n"), format!("{later} {code}\n"));
        let forged = format!("{end} {}\n", Digest::of(end.as_bytes()));
        for wrong in ["", "soon", "2026-11-16", &format!("{text}{text}"), &unsealed, &moved, &forged] {
            fs::remove_file(&file).unwrap();
            written(&file, wrong).unwrap();
            assert!(kept(&guard, now).is_none(), "{wrong}");
        }
        fs::rename(&file, home.path().join("other")).unwrap();
        fs::write(home.path().join("other"), text).unwrap();
        symlink(home.path().join("other"), &file).unwrap();
        assert!(kept(&guard, now).is_none(), "a link");
    }

    #[test]
    fn it_is_ended_once_and_both_are_recorded() {
        let (home, now) = on(USUAL);
        let guard = home.path().join("guard");
        assert!(end(&guard).unwrap() && !end(&guard).unwrap());
        assert!(kept(&guard, now).is_none());
        let record = fs::read_to_string(guard.join("ledger/ledger.jsonl")).unwrap();
        assert!(record.contains(r#""observe":"on""#) && record.contains(r#""observe":"off""#), "{record}");
    }
}
