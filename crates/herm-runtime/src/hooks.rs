//! The operator's hooks on the way of a call: consent to them, what they object to, what they are told afterwards.

use std::rc::Rc;
use std::time::SystemTime;

use herm::Finding;
use herm::approval::Answer;
use herm::call::Call;
use herm_sandbox::process::Cancel;
use herm_store::sqlite::consents::Consent as Kept;
use herm_store::{Digest, Error, Store};
use serde_json::{Value, json};

use crate::asked::{Asked, Mention, Trying};
use crate::books::{Books, Follows};
use crate::consult::Place;
use crate::consult::hooks::{Candidate, Consents, Hooks, Occasion};
use crate::identity;
use crate::people::Heard;
use crate::reply::Outcome;
use crate::runtime::Runtime;

impl Runtime<'_> {
    /// What hooks object to.
    pub(crate) fn hear_hooks(&mut self, call: &Call, place: &Place, cancel: &Cancel) -> Vec<Finding> {
        self.settle_hooks(call, place);
        let kept = InBooks(&*self.books);
        Hooks::new(&self.engine.policy().hooks, place, &kept).before(&Occasion::of(call), cancel)
    }

    /// Asks about hooks that are new or have changed. Without an answer they do not run, and what they guard does not either.
    fn settle_hooks(&mut self, call: &Call, place: &Place) {
        let books = Rc::clone(&self.books);
        let kept = InBooks(&*books);
        for candidate in Hooks::new(&self.engine.policy().hooks, place, &kept).unsettled() {
            let asked = about(call, &candidate);
            let late = Digest::parse(&candidate.digest)
                .and_then(|digest| books.late_answer(&call.session.0, digest));
            let heard = match late {
                Some((answer, by)) => Heard::Answer { answer, by },
                None => self.people.ask(&asked, self.engine.policy().timeout),
            };
            if let Heard::Answer { answer, .. } = heard {
                // What cannot be kept is asked again.
                let _ = books.keep(answer, &asked);
            }
        }
    }

    /// Tells hooks what became of a call. What they say to that is for whoever asked; it is too late to object.
    pub(crate) fn tell_hooks(&self, call: &Call, outcome: &Outcome, cancel: &Cancel) -> Vec<String> {
        if self.engine.policy().hooks.is_empty() {
            return Vec::new();
        }
        let place = Place::new(&self.setup);
        let kept = InBooks(&*self.books);
        let hooks = Hooks::new(&self.engine.policy().hooks, &place, &kept);
        let said = hooks.after(&Occasion::of(call), result(outcome), cancel);
        said.into_iter().map(|finding| self.redact(&finding.reason)).collect()
    }
}

/// What hooks are told about an outcome. Secrets have been taken out of it.
fn result(outcome: &Outcome) -> Value {
    match outcome {
        Outcome::Done(done) => json!({
            "exit_code": done.exit_code(),
            "ending": done.ending_word(),
            "stdout": done.stdout.text,
            "stderr": done.stderr.text,
            "truncated": done.is_truncated(),
            "duration": done.duration.as_secs_f64(),
        }),
        Outcome::Failed(error) => json!({ "error": error }),
        Outcome::Refused(why) => json!({ "refused": why.word() }),
    }
}

/// What people decided about hooks, as the books have it.
struct InBooks<'a>(&'a dyn Books);

impl Consents for InBooks<'_> {
    fn allowed(&self, command: &str, digest: &str) -> Option<bool> {
        self.0.consented(command, digest)
    }
}

/// What people decided about hooks, as a store of one's own has it.
#[derive(Clone, Copy, Debug)]
pub struct Decided<'a>(pub &'a Store);

impl Consents for Decided<'_> {
    fn allowed(&self, command: &str, digest: &str) -> Option<bool> {
        if !self.0.has_database().ok()? {
            return None;
        }
        let kept = self.0.consents().ok()?.find(command, Digest::parse(digest)?).ok()??;
        Some(kept.allowed)
    }
}

impl Decided<'_> {
    /// Remembers whether a hook may run as it is now.
    ///
    /// # Errors
    /// When that cannot be written down.
    pub fn decide(&self, candidate: &Candidate, answer: Answer) -> Result<(), Error> {
        let Some(sha256) = Digest::parse(&candidate.digest) else { return Ok(()) };
        let decided = SystemTime::now().into();
        let command = candidate.command.clone();
        self.0.consents()?.decide(&Kept { command, sha256, decided, allowed: answer.is_yes() })
    }
}

/// The question whether a hook may run.
fn about(call: &Call, candidate: &Candidate) -> Asked {
    let files: Vec<_> = candidate.files.iter().map(|file| format!("`{}`", file.display())).collect();
    let reason = if files.is_empty() {
        "is new, and would run with every call".to_owned()
    } else {
        format!("is new or has changed, and would run with every call: {}", files.join(", "))
    };
    Asked {
        id: identity::fresh(),
        session: call.session.0.clone(),
        command: candidate.command.clone(),
        cwd: call.cwd.as_str().to_owned(),
        digest: candidate.digest.clone(),
        mentions: vec![Mention {
            rule: "hook-objection".to_owned(),
            title: "a hook that nobody has consented to".to_owned(),
            reason,
            instead: None,
            span: None,
        }],
        always: true,
        follows: Follows::of_hook(&candidate.command, &candidate.digest),
        trying: Trying::Impossible,
    }
}
