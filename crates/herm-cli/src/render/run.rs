//! What came of a run, for people and programs.

use herm::Finding;
use herm::approval::Answer;
use herm::policy::sandbox::Missing;
use herm::rules::consult::WEAKER_SANDBOX;
use herm_runtime::perform::Performance;
use herm_runtime::reply::Why;
use herm_runtime::trial::Trial;
use herm_runtime::{Outcome, Reply, Setup};
use serde_json::{Value, json};

use super::json::finding;
use crate::exit::Exit;

/// Where commands run.
#[derive(Clone, Debug)]
pub(crate) struct Whereabouts {
    backend: &'static str,
    /// That they are not confined, where they would be if they could.
    pub(crate) unconfined: Option<String>,
}

impl Whereabouts {
    pub(crate) fn of(setup: &Setup) -> Self {
        let unconfined = setup.unconfined.as_ref().and_then(|why| {
            let runs = match setup.policy.sandbox.missing {
                Missing::Ask if !setup.policy.asks_nobody() => "would run",
                Missing::Accept | Missing::Ask => "runs",
                // That it is refused is said where it is.
                Missing::Refuse => return None,
            };
            Some(format!("no sandbox: {why}. It {runs} on `local`, with your own rights"))
        });
        Self { backend: setup.policy.backend.word(), unconfined }
    }
}

/// A reply. Every answer has the same keys: `exit_code`, `ending`, `stdout`, `stderr`, `truncated`, `duration`, `decision`,
/// `findings`, `answer`, `backend`, `missing`, `receipt`, `notes`, `error`.
pub(crate) fn json(reply: &Reply, whereabouts: &Whereabouts) -> Value {
    let consent = &reply.consent;
    let said = words(reply).into_iter().map(|(_, what)| what);
    let shared = json!({
        "backend": whereabouts.backend,
        "decision": if matches!(reply.outcome, Outcome::Refused(_)) { "deny" } else { "allow" },
        "findings": consent.findings.iter().map(finding).collect::<Vec<_>>(),
        "answer": consent.answer.as_ref().map(|(answer, by)| json!({ "answer": answer.word(), "by": by })),
        "receipt": reply.receipt,
        "notes": whereabouts.unconfined.iter().cloned().chain(said).collect::<Vec<_>>(),
    });
    let fields = match &reply.outcome {
        Outcome::Done(done) => json!({
            "exit_code": if done.keep_failed.is_some() { 125 } else { done.exit_code() },
            "error": done.keep_failed,
            "ending": done.ending_word(),
            "stdout": done.told().0.text,
            "stderr": done.told().1.text,
            "truncated": done.is_truncated(),
            "duration": done.duration.as_secs_f64(),
            "missing": done.missed.iter().map(|measure| measure.word()).collect::<Vec<_>>(),
            "trial": done.trial.as_ref().map(|trial| trial_of(trial, done)),
        }),
        Outcome::Failed(error) => json!({ "exit_code": 125, "ending": "failed", "error": error }),
        Outcome::Refused(why) => json!({
            "exit_code": 126, "ending": "refused", "refused": why.word(), "user_consent": false, "error": refusal(why),
        }),
    };
    with(with(nothing(), shared), fields)
}

/// A try: what it changed, which programs it started (nothing where nobody could see them), and whom it tried to reach.
fn trial_of(trial: &Trial, done: &Performance) -> Value {
    json!({
        "kept": trial.is_kept,
        "by": trial.by,
        "exit_code": done.exit_code(),
        "changes": trial.changes,
        "programs": trial.programs(),
        "connections": done.connections,
        "underneath": trial.underneath,
    })
}

/// What is said where herm could not even judge.
pub(crate) fn failure(exit: Exit, error: &str, hint: Option<&str>) -> Value {
    let (code, ending) = if exit == Exit::Refused { (126, "refused") } else { (125, "failed") };
    let notes: Vec<_> = hint.into_iter().collect();
    with(nothing(), json!({ "exit_code": code, "ending": ending, "error": error, "notes": notes }))
}

/// What every answer has.
fn nothing() -> Value {
    json!({
        "stdout": "", "stderr": "", "truncated": false, "duration": 0.0, "decision": null, "findings": [], "answer": null,
        "backend": null, "missing": [], "receipt": null, "notes": [], "error": null,
    })
}

fn with(mut answer: Value, fields: Value) -> Value {
    if let (Some(answer), Value::Object(fields)) = (answer.as_object_mut(), fields) {
        answer.extend(fields);
    }
    answer
}

/// What is said on standard error, and by whom.
pub(crate) fn words(reply: &Reply) -> Vec<(&'static str, String)> {
    let said = |words: String| ("herm", words);
    let mut lines: Vec<_> = match &reply.outcome {
        Outcome::Done(done) => {
            let answer = reply.consent.answer.as_ref().map(|(answer, _)| *answer);
            let tried = (answer == Some(Answer::Try)).then(|| TRIED.to_owned());
            let fate = done.trial.as_ref().map(|trial| fate(trial, &reply.receipt));
            let fate = tried.into_iter().chain(fate);
            done.notes.iter().cloned().chain(fate).map(said).collect()
        }
        Outcome::Failed(error) => vec![said(error.clone())],
        Outcome::Refused(why) => refused(why),
    };
    lines.extend(reply.consent.notes.iter().cloned().map(said));
    lines
}

/// What is said about a refusal: by which rules, and what to do.
pub(crate) fn refused(why: &Why) -> Vec<(&'static str, String)> {
    let mut lines = vec![("herm", refusal(why))];
    let minded = why.findings().iter();
    lines.extend(minded.map(|finding| ("herm", format!("  {} [{}]", finding.reason, finding.rule))));
    lines.extend(advice(why).into_iter().map(|advice| ("hint", advice)));
    lines
}

/// What whoever asked is told when a person answered with a try.
const TRIED: &str =
    "it was only tried: on something that stood in for the workspace, and without a network of its own";

fn fate(trial: &Trial, receipt: &str) -> String {
    if trial.is_kept {
        format!("what it changed is kept; `herm undo {receipt}` takes it back")
    } else {
        "nothing of what it changed is kept".to_owned()
    }
}

pub(crate) fn refusal(why: &Why) -> String {
    let told = "It must not be retried, rephrased or done in another way.";
    match why {
        Why::Answered(_) => format!("refused: the user denied this command. {told}"),
        Why::Changing => "refused: what it would run keeps changing while it is asked about".to_owned(),
        Why::Denied(refusal) if unheard(&refusal.findings) => {
            "refused: a hook must be heard first, and it cannot be".to_owned()
        }
        Why::Denied(refusal) if is_weaker(&refusal.findings) => {
            "refused: the sandbox lacks something that must hold here".to_owned()
        }
        Why::Denied(_) => format!("refused: this is not allowed, whoever says yes. {told}"),
        Why::Forgotten(error) => format!("refused: what was answered earlier cannot be looked up: {error}"),
        Why::Nobody(why, _) => format!("refused: a person must say yes, and {why}"),
        Why::Opposed(_) => format!("refused: the model that reviews commands denied this one. {told}"),
        Why::Silence(_) => "refused: nobody answered in time, and silence is not consent".to_owned(),
        Why::Spent => "refused: the grant for it was used up by another call".to_owned(),
    }
}

/// Whether nothing stands in the way but hooks that nobody could hear.
fn unheard(findings: &[Finding]) -> bool {
    findings.iter().all(|finding| finding.rule == "hook-objection" && finding.gap)
}

/// Whether nothing stands in the way but what the sandbox lacks.
fn is_weaker(findings: &[Finding]) -> bool {
    !findings.is_empty() && findings.iter().all(|finding| finding.rule == WEAKER_SANDBOX.name)
}

fn advice(why: &Why) -> Vec<String> {
    match why {
        Why::Denied(refusal) if unheard(&refusal.findings) => {
            vec!["`herm hooks list` shows which, and `herm hooks allow` consents to one".to_owned()]
        }
        Why::Denied(refusal) if is_weaker(&refusal.findings) => {
            let mut advice: Vec<_> =
                refusal.findings.iter().filter_map(|finding| finding.instead.clone()).collect();
            advice.dedup();
            advice
        }
        Why::Nobody(..) | Why::Silence(_) => {
            vec!["a person can answer with `herm approvals`; the very same call then runs once".to_owned()]
        }
        Why::Answered(_)
        | Why::Changing
        | Why::Denied(_)
        | Why::Forgotten(_)
        | Why::Opposed(_)
        | Why::Spent => Vec::new(),
    }
}
