//! Files, read and changed for an agent: judged, asked about and recorded like everything else that it does.
//!
//! Each file is held open (`held/`) before it is judged, and what is done is done to what is held.

mod excerpt;
mod shown;

use std::path::Path;

use herm::call::{Action, Call};
use herm::edit::{Change, Edit};
use herm::permit::Order;
use herm::{Decision, Permit};
use herm_adapters::amend::{Amendment, What};
use herm_sandbox::changes::safe;
use herm_sandbox::process::Cancel;
use herm_store::{Digest, Kind};
use serde_json::{Value, json};

use crate::held::{Held, Unheld, replace};
use crate::perform::Hands;
use crate::record::{self, Consent, Record};
use crate::reply::{Outcome, Refused, Why};
use crate::runtime::{ATTEMPTS, Runtime};

pub use excerpt::{Excerpt, Range};

/// What comes back from reading or changing files.
#[derive(Debug)]
#[must_use]
pub struct Filed<T> {
    /// The name of its receipt.
    pub receipt: String,
    /// How it came to the decision.
    pub consent: Consent,
    /// What became of it.
    pub result: Result<T, Unfiled>,
}

/// Why nothing was read or changed.
#[derive(Debug)]
pub enum Unfiled {
    /// It could not be done.
    Failed(String),
    /// It was refused.
    Refused(Box<Why>),
}

/// What was done to a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Touched {
    /// Where it is.
    pub path: String,
    /// What was done: `created`, `changed` or `deleted`.
    pub how: &'static str,
    /// How many bytes are in it now.
    pub bytes: usize,
}

/// The longest file that is read or changed.
const LONGEST: u64 = 16 << 20;

impl Runtime<'_> {
    /// Takes the reading of a file through all of it: hold, judge, consult, read, record.
    pub fn read_file(&mut self, call: &Call, range: Range, cancel: &Cancel) -> Filed<Excerpt> {
        let held = match self.hold(call, call.action.text()) {
            Ok(held) => [held],
            Err(why) => return self.unfiled(call, &why),
        };
        let permitted = match self.permitted(call, &Hands::Files(&held), cancel) {
            Ok(permitted) => permitted,
            Err(filed) => return *filed,
        };
        self.perform_on_files(call, permitted, cancel, |runtime, _| {
            let [held] = &held;
            let named = runtime.redact(call.action.text());
            let excerpt = runtime.excerpt(held, range).map_err(|why| format!("`{named}`: {why}"))?;
            let told = json!({ "read": { "path": runtime.redact(held.path()), "bytes": excerpt.bytes } });
            Ok((excerpt, told))
        })
    }

    /// Takes changes to files through all of it: hold, work out, judge, consult, replace, record. `template` says who asks.
    pub fn edit_files(
        &mut self,
        template: &Call,
        wanted: &[Amendment],
        cancel: &Cancel,
    ) -> Filed<Vec<Touched>> {
        let held = match self.hold_all(template, wanted) {
            Ok(held) => held,
            Err(why) => return self.unfiled(&unseen(template, wanted), &why),
        };
        if let Err(filed) = self.may_look(template, wanted, &held, cancel) {
            return *filed;
        }
        // What stays as it is is judged with the rest: that nobody is asked would tell what is in a file.
        let changes = match self.work_out(wanted, &held) {
            Ok(changes) => changes,
            Err(why) => return self.unfiled(&unseen(template, wanted), &why),
        };
        let text = shown::text(&changes, &|text| self.redact(text));
        let call = Call { action: Action::Edit(Edit::new(changes, text)), ..template.clone() };
        let permitted = match self.permitted(&call, &Hands::Files(&held), cancel) {
            Ok(permitted) => permitted,
            Err(filed) => return *filed,
        };
        self.perform_on_files(&call, permitted, cancel, |runtime, order| {
            let Action::Edit(edit) = &order.action else {
                return Err("only files can be changed here".to_owned());
            };
            if order.is_try {
                return Err("a change of files cannot be tried".to_owned());
            }
            replace(&held, edit.changes(), &runtime.setup.guard).map_err(|error| error.to_string())?;
            let pairs = held.iter().zip(edit.changes()).filter(|(_, change)| change.is_one());
            let (touched, told): (Vec<_>, Vec<_>) =
                pairs.map(|(held, change)| (touched(held, change), runtime.kept(held, change))).unzip();
            Ok((touched, json!({ "edit": told })))
        })
    }

    /// Holds a file that is named relative to where the call is made.
    fn hold(&self, call: &Call, named: &str) -> Result<Held, String> {
        let home = call.principal.home.as_str();
        let asked = match named.strip_prefix("~/") {
            Some(rest) => format!("{home}/{rest}"),
            None if named.starts_with('/') => named.to_owned(),
            None => format!("{}/{named}", call.cwd),
        };
        Held::follow(&asked).map_err(|why| format!("`{}`: {why}", self.redact(named)))
    }

    /// The files that would be touched, in order: one that is moved is two. None may be there twice.
    fn hold_all(&self, call: &Call, wanted: &[Amendment]) -> Result<Vec<Held>, String> {
        let mut held: Vec<Held> = Vec::new();
        for named in paths(wanted) {
            let next = self.hold(call, named)?;
            if held.iter().any(|known| known.path() == next.path()) {
                return Err(format!("`{}` stands there twice", self.redact(named)));
            }
            held.push(next);
        }
        Ok(held)
    }

    /// Whether what is in the files may be looked at: not where it may not be changed anyway. Whether a change fits tells something about it.
    fn may_look(
        &mut self,
        template: &Call,
        wanted: &[Amendment],
        held: &[Held],
        cancel: &Cancel,
    ) -> Result<(), Box<Filed<Vec<Touched>>>> {
        let hands = Hands::Files(held);
        for named in paths(wanted) {
            let call = Call { action: Action::Write(named.clone()), ..template.clone() };
            if matches!(self.judge(&call, &hands).ruling.decision, Decision::Deny(_)) {
                drop(self.permitted(&call, &hands, cancel)?);
            }
        }
        for one in wanted.iter().filter(|one| matches!(&one.what, What::Delete(_) | What::Update(_))) {
            let call = Call { action: Action::Read(one.path.clone()), ..template.clone() };
            if !matches!(self.judge(&call, &hands).ruling.decision, Decision::Allow(_)) {
                drop(self.permitted(&call, &hands, cancel)?);
            }
        }
        Ok(())
    }

    fn work_out(&self, wanted: &[Amendment], held: &[Held]) -> Result<Vec<Change>, String> {
        let mut held = held.iter();
        let mut changes = Vec::new();
        for one in wanted {
            let named = |path: &str, why: &dyn std::fmt::Display| format!("`{}`: {why}", self.redact(path));
            let mut before = |path: &str| {
                let held = held.next().ok_or_else(|| named(path, &"it is not held"))?;
                let content = held.content(LONGEST).map_err(|why| named(path, &why))?;
                Ok::<_, String>((content, held.has_other_names()))
            };
            let (old, has_other_names) = before(&one.path)?;
            let new = self.amended(one, old.as_deref()).map_err(|why| named(&one.path, &why))?;
            if has_other_names && one.to.is_none() && new.is_some() && new != old {
                return Err(named(&one.path, &Unheld::Linked));
            }
            let (after, moved) = if one.to.is_some() { (None, new) } else { (new, None) };
            changes.push(Change { path: one.path.clone(), before: old, after });
            if let Some(to) = &one.to {
                if before(to)?.0.is_some() {
                    return Err(named(to, &"there is such a file already"));
                }
                changes.push(Change { path: to.clone(), before: None, after: moved });
            }
        }
        Ok(changes)
    }

    /// What will be in a file.
    fn amended(&self, one: &Amendment, old: Option<&[u8]>) -> Result<Option<Vec<u8>>, String> {
        let text = |old: Option<&[u8]>| match old.map(|old| String::from_utf8(old.to_vec())) {
            Some(Ok(text)) => Ok(text),
            Some(Err(_)) => Err("it is no text".to_owned()),
            None => Err("there is no such file".to_owned()),
        };
        let applied = |text: &str| one.what.apply(text).map_err(|misfit| misfit.to_string());
        match &one.what {
            What::Create(_) if old.is_some() => Err("there is such a file already".to_owned()),
            What::Create(new) | What::Write(new) => {
                self.guard_secrets(old, new)?;
                Ok(Some(new.clone().into_bytes()))
            }
            What::Delete(hunks) if hunks.is_empty() && old.is_some() => Ok(None),
            What::Delete(_) => applied(&text(old)?).map(|_| None),
            What::Update(_) => {
                let new = applied(&text(old)?)?;
                self.guard_secrets(old, &new)?;
                Ok(Some(new.into_bytes()))
            }
        }
    }

    /// Whoever was shown a file without its secrets must not write it back that way.
    fn guard_secrets(&self, old: Option<&[u8]>, new: &str) -> Result<(), String> {
        let old = String::from_utf8_lossy(old.unwrap_or_default());
        let count = |text: &str| text.matches(MARK).count();
        let had_secrets = || count(&self.redact(&old)) > count(&old);
        if count(new) > count(&old) && had_secrets() {
            return Err(format!(
                "it holds secrets, which were shown as `{MARK}`, and would be overwritten with that; a patch that leaves those lines alone would do"
            ));
        }
        Ok(())
    }

    /// Has it decided, and decided again where somebody was waited for.
    fn permitted<T>(
        &mut self,
        call: &Call,
        hands: &Hands<'_>,
        cancel: &Cancel,
    ) -> Result<(Permit, Consent), Box<Filed<T>>> {
        let mut judged = self.judge(call, hands);
        for _ in 0..ATTEMPTS {
            let (permit, consent) = match self.consult(call, judged, hands, cancel) {
                Ok(consented) => consented,
                Err(refused) => return Err(Box::new(self.refused(call, *refused))),
            };
            judged = self.judge(call, hands);
            if judged.digest == consent.digest {
                return Ok((permit, consent));
            }
        }
        let consent = Consent::new(judged.digest, judged.ruling.findings);
        Err(Box::new(self.refused(call, Refused { why: Why::Changing, consent })))
    }

    fn refused<T>(&self, call: &Call, refused: Refused) -> Filed<T> {
        let reply = self.refuse(call, refused);
        let unfiled = match reply.outcome {
            Outcome::Refused(why) => Unfiled::Refused(why),
            Outcome::Failed(why) => Unfiled::Failed(why),
            Outcome::Done(_) => Unfiled::Failed("nothing was done".to_owned()),
        };
        Filed { receipt: reply.receipt, consent: reply.consent, result: Err(unfiled) }
    }

    /// Records what is about to be done, lets it be done, records what came of it.
    fn perform_on_files<T>(
        &self,
        call: &Call,
        (permit, consent): (Permit, Consent),
        cancel: &Cancel,
        work: impl FnOnce(&Self, &Order) -> Result<(T, Value), String>,
    ) -> Filed<T> {
        let receipt = self.books.receipt();
        let intent =
            Record { call, consent: &consent, redact: &|text| self.redact(text) }.filing(permit.limits());
        if let Err(error) = self.books.append(Kind::Intent, &receipt, intent) {
            // What cannot be recorded is not done.
            return Filed { receipt, consent, result: Err(Unfiled::Failed(error.to_string())) };
        }
        let mut body = json!({ "session": call.session.0 });
        let order = permit.redeem();
        let done =
            if cancel.is_cancelled() { Err("it was called off".to_owned()) } else { work(self, &order) };
        let result = match done {
            Ok((done, told)) => {
                record::set(&mut body, "ending", json!("done"));
                record::set(&mut body, "file", told);
                Ok(done)
            }
            Err(why) => {
                record::set(&mut body, "ending", json!("failed"));
                record::set(&mut body, "error", json!(self.redact(&why)));
                Err(Unfiled::Failed(why))
            }
        };
        let mut filed = Filed { receipt, consent, result };
        if let Err(error) = self.books.append(Kind::Outcome, &filed.receipt, body) {
            filed.consent.notes.push(format!("the outcome could not be recorded: {error}"));
        }
        filed
    }

    /// What did not even come to be decided about. That it was tried is written down.
    fn unfiled<T>(&self, call: &Call, why: &str) -> Filed<T> {
        let receipt = self.books.receipt();
        let mut consent = Consent::new(Digest::of(&[]), Vec::new());
        let redact = |text: &str| self.redact(text);
        let body = Record { call, consent: &consent, redact: &redact }.failure(why);
        if let Err(error) = self.books.append(Kind::Outcome, &receipt, body) {
            consent.notes.push(format!("the outcome could not be recorded: {error}"));
        }
        Filed { receipt, consent, result: Err(Unfiled::Failed(why.to_owned())) }
    }

    /// What is written down about a file that was changed.
    fn kept(&self, held: &Held, change: &Change) -> Value {
        let digest = |bytes: &Option<Vec<u8>>| bytes.as_ref().map(|bytes| Digest::of(bytes).to_string());
        json!({
            "path": self.redact(held.path()), "how": how(change), "before": digest(&change.before), "after": digest(&change.after),
        })
    }
}

/// What stands in the place of a secret.
const MARK: &str = "[REDACTED]";

fn touched(held: &Held, change: &Change) -> Touched {
    let bytes = change.after.as_ref().map_or(0, Vec::len);
    Touched { path: held.path().to_owned(), how: how(change), bytes }
}

fn how(change: &Change) -> &'static str {
    match (&change.before, &change.after) {
        (_, None) => "deleted",
        (None, Some(_)) => "created",
        (Some(_), Some(_)) => "changed",
    }
}

/// The files that would be touched, as they are named: one that is moved is two.
fn paths(wanted: &[Amendment]) -> impl Iterator<Item = &String> {
    wanted.iter().flat_map(|one| [Some(&one.path), one.to.as_ref()]).flatten()
}

/// What was wanted, where nobody has looked at the files.
fn unseen(template: &Call, wanted: &[Amendment]) -> Call {
    let names: Vec<_> = paths(wanted).map(|path| safe(Path::new(path))).collect();
    let edit = Edit::new(Vec::new(), format!("change {}", names.join(", ")));
    Call { action: Action::Edit(edit), ..template.clone() }
}
