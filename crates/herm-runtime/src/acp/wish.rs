//! Decides about one thing that an agent wants, on a thread of its own.

use std::sync::Arc;
use std::sync::mpsc::SyncSender;
use std::time::{Duration, Instant};

use herm::call::Call;
use herm::{Finding, Stance};
use herm_adapters::acp::{REFUSED, What, Wish};
use herm_adapters::jsonrpc::{Failure, INTERNAL};
use herm_sandbox::process::Cancel;
use serde_json::json;

use super::desk::Desk;
use super::editor::Editor;
use super::matter::Matter;
use super::pump::Event;
use super::{file, permit, terminal};
use crate::perform::Hands;
use crate::release::Release;
use crate::reply::Reply;
use crate::runtime::{Besides, Judged, Runtime};
use crate::setup::{Problem, Setup};

/// What is at hand while something is decided about.
#[derive(Debug)]
pub(super) struct Bench {
    pub(super) number: u64,
    pub(super) desk: Arc<Desk>,
    pub(super) pump: SyncSender<Event>,
    pub(super) cancel: Arc<Cancel>,
}

/// Why something does not happen.
pub(super) struct Turned {
    pub(super) failure: Failure,
}

impl Bench {
    /// Decides, and has the agent told.
    pub(super) fn decide(self, wish: &Wish) {
        let done = match &wish.what {
            What::Permit(permission) => permit::decide(&self, wish, permission)
                .map(|outcome| Event::Answer(wish.ticket.clone(), Ok(outcome))),
            What::Read(path) => {
                file::read(&self, wish, path).map(|lead| Event::Pass(Box::new(wish.clone()), lead))
            }
            What::Write { path, content } => {
                file::write(&self, wish, path, content).map(|lead| Event::Pass(Box::new(wish.clone()), lead))
            }
            What::Terminal(create) => {
                // It says itself when it begins, and when it is over.
                terminal::run(&self, wish, create).map(|()| Event::Done)
            }
        };
        let event = done.unwrap_or_else(|turned| self.turned(wish, turned.failure));
        // Where nobody listens any more, there is nobody to be told.
        let _ = self.pump.send(event);
        let _ = self.pump.send(Event::Settled(self.number));
    }

    /// What could not be decided about was not said yes to: if it is done all the same, that is to be known.
    fn turned(&self, wish: &Wish, failure: Failure) -> Event {
        if let What::Permit(permission) = &wish.what {
            let (session, call) = (wish.session.clone(), permission.tool.id.clone());
            self.say(Event::Refused { session, call, text: failure.message.clone() });
        }
        Event::Answer(wish.ticket.clone(), Err(failure))
    }

    pub(super) fn setup(&self, wish: &Wish) -> Result<Setup, Turned> {
        self.desk.setup(&wish.place).map_err(|problem| Turned::unjudged(&problem))
    }

    pub(super) fn say(&self, event: Event) {
        let _ = self.pump.send(event);
    }
}

impl Turned {
    pub(super) fn unjudged(problem: &Problem) -> Self {
        let hint = problem.hint().map(|hint| format!(" (hint: {hint})")).unwrap_or_default();
        Self::because(&format!("{problem}{hint}"))
    }

    pub(super) fn because(why: &str) -> Self {
        Self { failure: Failure::new(INTERNAL, format!("herm: {why}")) }
    }

    /// With the words of a refusal.
    pub(super) fn refused(bench: &Bench, reply: &Reply) -> Self {
        let words = bench.desk.face.refusal(reply);
        let data = json!({"herm": {"receipt": reply.receipt}});
        Self { failure: Failure { data: Some(data), ..Failure::new(REFUSED, words) } }
    }
}

/// What is asked about, as far as it is known before anybody is asked: everything that is minded, and all that would come of it.
pub(super) fn foreseen(bench: &Bench, runtime: &Runtime<'_>, calls: &[Call], besides: &Besides) -> Matter {
    let redact = |text: &str| runtime.redact(text);
    let mut matter = Matter::of(calls, &redact);
    for call in calls {
        let Judged { ruling, digest } = runtime.judge(call, &Hands::Others);
        matter.judged.push(digest);
        let minded = ruling.findings.iter().filter(|finding| finding.stance != Stance::Note);
        matter.reasons.extend(minded.map(|finding| reason(finding, &redact)));
        let effects = ruling.facts.shell.effects.iter().map(|effect| redact(&bench.desk.face.effect(effect)));
        for effect in effects {
            if !matter.effects.contains(&effect) {
                matter.effects.push(effect);
            }
        }
    }
    matter.reasons.extend(besides.anyway.iter().map(|finding| reason(finding, &redact)));
    matter
}

fn reason(finding: &Finding, redact: &dyn Fn(&str) -> String) -> (String, String) {
    (finding.rule.to_owned(), redact(&finding.reason))
}

/// Why something is not to be done.
pub(super) enum No {
    /// herm refuses it.
    Refused(Box<Reply>),
    /// herm does not, and something else stands in the way.
    Unconfirmed(Objection),
}

/// What stands in the way of something that herm does not refuse.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Objection {
    /// The editor's person said no.
    Denied,
    /// It is something else by now, and why.
    Moved(&'static str),
}

impl Objection {
    /// The word for it in receipts.
    const fn word(self) -> &'static str {
        match self {
            Self::Denied => "denied",
            Self::Moved(_) => "changing",
        }
    }

    /// What the agent is told.
    pub(super) fn refusal(self) -> String {
        match self {
            Self::Denied => "refused: the user denied this".to_owned(),
            Self::Moved(why) => format!("refused: {why}"),
        }
    }
}

/// Whether all of it may be done. What is refused already is found first, so that nobody is asked about the rest; `confirm` has the last
/// word, and only then it is recorded as released.
pub(super) fn release(
    runtime: &mut Runtime<'_>,
    calls: Vec<Call>,
    cancel: &Cancel,
    confirm: impl FnOnce() -> Result<(), Objection>,
) -> Result<(), No> {
    let agreed = match runtime.agree_to_all(calls, cancel) {
        Ok(agreed) => agreed,
        Err(Release::Refused(reply)) => return Err(No::Refused(reply)),
        Err(Release::HandedOn(_) | Release::Released { .. }) => {
            return Err(No::Refused(Box::new(runtime.fail(&Unhanded))));
        }
    };
    if let Err(objection) = confirm() {
        runtime.take_back(&agreed, objection.word());
        return Err(No::Unconfirmed(objection));
    }
    runtime.let_all_go(agreed, &[]).map(drop).map_err(No::Refused)
}

/// Nobody here hands questions on.
#[derive(Debug)]
struct Unhanded;

impl std::fmt::Display for Unhanded {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("there is nobody to hand the question to")
    }
}

impl std::error::Error for Unhanded {}

/// Where a guard answers, the editor's person is asked besides, about what is theirs to see.
pub(super) fn confirmed(editor: &Editor, seconds: u32) -> Result<(), Objection> {
    let is_confirmed = editor.confirm(Instant::now() + Duration::from_secs(seconds.into()));
    if is_confirmed { Ok(()) } else { Err(Objection::Denied) }
}
