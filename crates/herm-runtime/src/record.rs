//! What is written down about a call.

use herm::approval::Answer;
use herm::call::{Action, Call};
use herm::enforcement::{Backend, Measure};
use herm::limits::Limits;
use herm::{Finding, Stance, rules};
use herm_proxy::Bounds;
use herm_sandbox::changes::safe;
use herm_store::Digest;
use serde_json::{Value, json};

use crate::consult::reviewer::Opinion;
use crate::made::{self, Intention, Thing};
use crate::reply::{Outcome, Why};

/// How a call came to its decision.
#[derive(Clone, Debug)]
pub struct Consent {
    /// The digest of what was judged.
    pub digest: Digest,
    /// Everything that was said about it.
    pub findings: Vec<Finding>,
    /// What was answered, and by whom.
    pub answer: Option<(Answer, String)>,
    /// The grants that covered it.
    pub grants: Vec<String>,
    /// What a model thought of it.
    pub opinion: Option<Opinion>,
    /// What whoever asked should know.
    pub notes: Vec<String>,
    /// What the call is about to make.
    pub(crate) intention: Intention,
}

impl Consent {
    /// What was said about something, before anybody answered.
    pub(crate) fn new(digest: Digest, findings: Vec<Finding>) -> Self {
        Self {
            digest,
            findings,
            answer: None,
            grants: Vec::new(),
            opinion: None,
            notes: Vec::new(),
            intention: Intention::default(),
        }
    }
}

/// A call, as it is written down. Secrets are taken out of every text.
pub(crate) struct Record<'a> {
    pub(crate) call: &'a Call,
    pub(crate) consent: &'a Consent,
    pub(crate) redact: &'a dyn Fn(&str) -> String,
}

impl Record<'_> {
    /// What is about to be done, and what is demanded of the machine.
    pub(crate) fn intent(
        &self,
        limits: &Limits,
        (backend, unconfined): (Backend, Option<&str>),
        requested: &[Measure],
    ) -> Value {
        let mut body = self.body("allow");
        set(
            &mut body,
            "limits",
            json!({ "seconds": limits.time.as_secs_f64(), "grace": limits.grace.as_secs_f64() }),
        );
        set(&mut body, "backend", json!(backend.word()));
        if let Some(why) = unconfined {
            set(&mut body, "unconfined", json!(why));
        }
        set(
            &mut body,
            "requested",
            json!(requested.iter().map(|measure| measure.word()).collect::<Vec<_>>()),
        );
        body
    }

    /// What was left to an agent: to do, or to ask about. Nothing is demanded of the machine, since herm does not perform it.
    pub(crate) fn release(&self, decision: &str) -> Value {
        let mut body = self.body(decision);
        set(&mut body, "enforcement", json!("advisory"));
        body
    }

    /// What is about to be fetched, and how much of it.
    pub(crate) fn fetching(&self, bounds: Bounds) -> Value {
        let mut body = self.body("allow");
        set(&mut body, "limits", json!({ "seconds": bounds.time.as_secs_f64(), "bytes": bounds.bytes }));
        body
    }

    /// What is about to be read or written by herm itself.
    pub(crate) fn filing(&self, limits: &Limits) -> Value {
        let mut body = self.body("allow");
        set(&mut body, "limits", json!({ "seconds": limits.time.as_secs_f64() }));
        body
    }

    /// What was refused, and why.
    pub(crate) fn refusal(&self, why: &Why) -> Value {
        let mut body = self.body("deny");
        set(&mut body, "refused", json!(why.word()));
        body
    }

    /// What could not be done, and was not decided about.
    pub(crate) fn failure(&self, why: &str) -> Value {
        let mut body = self.body("deny");
        set(&mut body, "ending", json!("failed"));
        set(&mut body, "error", json!((self.redact)(why)));
        body
    }

    fn body(&self, decision: &str) -> Value {
        let Self { call, consent, redact } = self;
        let finding = |finding: &Finding| json!({ "rule": finding.rule, "stance": finding.stance.word(), "reason": redact(&finding.reason) });
        let minded = consent.findings.iter().filter(|finding| finding.stance != Stance::Note);
        let mut body = json!({
            "call": call.id.0,
            "door": call.door.word(),
            "principal": call.principal.name,
            "uid": rustix::process::getuid().as_raw(),
            "session": call.session.0,
            "cwd": call.cwd.as_str(),
            "action": action(&call.action, redact),
            "digest": consent.digest.to_string(),
            "decision": decision,
            "findings": minded.map(finding).collect::<Vec<_>>(),
            "answer": consent.answer.as_ref().map(|(answer, by)| json!({ "answer": answer.word(), "by": by })),
            "grants": consent.grants,
            "opinion": consent.opinion.as_ref().map(opinion),
        });
        let noted: Vec<_> =
            consent.findings.iter().filter(|finding| is_spared(finding)).take(MOST_NOTED).collect();
        if !noted.is_empty() {
            set(&mut body, "noted", noted.into_iter().map(finding).collect());
        }
        if decision != "deny" && !consent.intention.is_empty() {
            set(&mut body, "makes", consent.intention.to_json(redact));
        }
        body
    }
}

/// Whether something is only noted that is asked about elsewhere: its reason says why.
fn is_spared(finding: &Finding) -> bool {
    let asks = || rules::find(finding.rule).is_some_and(|rule| rule.stance == Stance::Ask);
    finding.stance == Stance::Note && asks()
}

/// As many as anybody reads.
const MOST_NOTED: usize = 32;

fn opinion(opinion: &Opinion) -> Value {
    json!({
        "verdict": opinion.verdict.word(),
        "model": opinion.model,
        "latency_ms": u64::try_from(opinion.latency.as_millis()).unwrap_or(u64::MAX),
        "why": opinion.why,
    })
}

pub(crate) fn action(action: &Action, redact: &dyn Fn(&str) -> String) -> Value {
    match action {
        Action::Edit(edit) => json!({ "edit": redact(edit.text()) }),
        Action::Exec(exec) => json!({ "exec": redact(&exec.text), "language": exec.lang.name() }),
        Action::Fetch(fetch) => json!({ "fetch": redact(fetch.text()) }),
        Action::Read(path) => json!({ "read": redact(path) }),
        Action::Tool(tool) => json!({ "tool": redact(tool.text()) }),
        Action::Write(path) => json!({ "write": redact(path) }),
    }
}

/// What came of a call. Only the capped capture is kept, and secrets have been taken out of it.
pub(crate) fn outcome(call: &Call, outcome: &Outcome, made: &[Thing]) -> Value {
    let mut body = json!({ "session": call.session.0 });
    if !made.is_empty() {
        set(&mut body, "made", made::to_json(made));
    }
    match outcome {
        Outcome::Done(done) => {
            set(&mut body, "ending", json!(done.ending_word()));
            set(&mut body, "exit_code", json!(done.exit_code()));
            if let Some(why) = &done.keep_failed {
                set(&mut body, "keep_failed", json!(why));
            }
            set(
                &mut body,
                "duration_ms",
                json!(u64::try_from(done.duration.as_millis()).unwrap_or(u64::MAX)),
            );
            set(&mut body, "stdout", json!(done.stdout.text));
            set(&mut body, "stderr", json!(done.stderr.text));
            set(&mut body, "truncated", json!(done.is_truncated()));
            if let Some(why) = done.undelivered_word() {
                set(&mut body, "undelivered", json!(why));
            }
            set(
                &mut body,
                "applied",
                json!(done.applied.iter().map(|measure| measure.word()).collect::<Vec<_>>()),
            );
            if !done.missed.is_empty() {
                set(
                    &mut body,
                    "missing",
                    json!(done.missed.iter().map(|measure| measure.word()).collect::<Vec<_>>()),
                );
            }
            if !done.connections.is_empty() {
                set(&mut body, "connections", json!(done.connections));
            }
            if !done.set_aside.is_empty() {
                let paths = done.set_aside.iter().map(|found| found.path.to_string_lossy());
                set(&mut body, "set_aside", json!(paths.collect::<Vec<_>>()));
            }
            if let Some(unkept) = &done.unkept {
                let paths: Vec<_> = unkept.paths.iter().map(|path| safe(path)).collect();
                set(&mut body, "unkept", json!({ "paths": paths, "more": unkept.more }));
            }
            if let Some(trial) = &done.trial {
                set(&mut body, "trial", trial.to_json());
            }
        }
        Outcome::Failed(error) => {
            set(&mut body, "ending", json!("failed"));
            set(&mut body, "error", json!(error));
        }
        Outcome::Refused(why) => set(&mut body, "refused", json!(why.word())),
    }
    body
}

pub(crate) fn set(body: &mut Value, key: &str, value: Value) {
    if let Some(fields) = body.as_object_mut() {
        fields.insert(key.to_owned(), value);
    }
}
