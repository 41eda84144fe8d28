//! The person at an editor, as one of those who may answer.

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, SyncSender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use herm::approval::Answer;
use herm_adapters::acp::{Choice, Chosen, Diff, Options, Permission, Question, Said, Shown};
use herm_sandbox::process::Cancel;
use herm_store::Digest;
use serde_json::Value;

use super::desk::Desk;
use super::matter::Matter;
use super::pump::Event;
use crate::asked::Asked;
use crate::consent::bound;
use crate::people::Heard;

/// The person at an editor, asked about one thing that an agent wants.
#[derive(Clone)]
pub struct Editor {
    desk: Arc<Desk>,
    pump: SyncSender<Event>,
    cancel: Arc<Cancel>,
    sheet: Arc<Mutex<Sheet>>,
}

/// A question, and what was said to it.
#[derive(Debug)]
pub(super) struct Sheet {
    pub(super) about: About,
    pub(super) matter: Matter,
    pub(super) diffs: Vec<Diff>,
    /// Whether a yes is for this once only.
    pub(super) is_once: bool,
    /// What was shown, once something was answered.
    shown: Vec<(String, String)>,
    answer: Option<Answer>,
    chosen: Option<Chosen>,
    was_cancelled: bool,
    was_put: bool,
}

/// What a question is about.
#[derive(Debug)]
pub(super) enum About {
    /// Something that the agent asks itself.
    Permission(Box<Permission>),
    /// Something that the agent has done by others.
    Service { session: String, call: String, kind: &'static str, input: Value },
}

impl fmt::Debug for Editor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Editor").field("sheet", &self.sheet).finish_non_exhaustive()
    }
}

/// How often whoever waits looks up.
const PULSE: Duration = Duration::from_millis(20);

impl Sheet {
    pub(super) fn new(about: About, matter: Matter) -> Self {
        Self {
            about,
            matter,
            diffs: Vec::new(),
            is_once: false,
            shown: Vec::new(),
            answer: None,
            chosen: None,
            was_cancelled: false,
            was_put: false,
        }
    }

    fn options(&self) -> Options {
        match &self.about {
            About::Permission(permission) => permission.options.clone(),
            About::Service { .. } => Options::none(),
        }
    }

    fn question(&self, shown: &Shown, options: &[Value]) -> Question {
        match &self.about {
            About::Permission(permission) => Question::of(permission, shown, options),
            About::Service { session, call, kind, input } => {
                Question::own(session, call, kind, input, shown, options)
            }
        }
    }
}

impl Editor {
    pub(super) fn new(desk: Arc<Desk>, pump: SyncSender<Event>, cancel: Arc<Cancel>, sheet: Sheet) -> Self {
        Self { desk, pump, cancel, sheet: Arc::new(Mutex::new(sheet)) }
    }

    pub(super) fn sheet(&self) -> MutexGuard<'_, Sheet> {
        self.sheet.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What was answered before, if it was about this too, as it was shown: what has changed since is asked again.
    #[must_use]
    pub fn recall(&self, asked: &Asked) -> Option<Heard> {
        let sheet = self.sheet();
        let answer = sheet.answer?;
        let minded = || asked.mentions.iter().map(|mention| (mention.rule.as_str(), mention.reason.as_str()));
        let is_shown =
            |(rule, reason): (&str, &str)| sheet.shown.iter().any(|(r, why)| r == rule && why == reason);
        let is_the_same = |judged: &Digest| bound(*judged, minded()).to_string() == asked.digest;
        if !minded().all(is_shown) || !sheet.matter.judged.iter().any(is_the_same) {
            return None;
        }
        let answer = if asked.objection(answer).is_some() { Answer::Once } else { answer };
        Some(Heard::Answer { answer, by: BY.to_owned() })
    }

    /// Keeps what was answered, here or elsewhere.
    pub fn remember(&self, asked: &Asked, answer: Answer) {
        let mut sheet = self.sheet();
        let reasons = reasons(&sheet.matter, asked);
        sheet.shown.extend(reasons);
        sheet.answer = Some(answer);
    }

    /// Asks, until then or until it was answered elsewhere.
    #[must_use]
    pub fn ask(&self, asked: &Asked, end: Instant, elsewhere: &AtomicBool) -> Heard {
        let may = self.choices(asked);
        let matter = self.sheet().matter.clone();
        let matter = Matter { reasons: reasons(&matter, asked), ..matter };
        match self.put(&matter, &may, end, elsewhere) {
            Put::Chosen(chosen) => Heard::Answer { answer: answer(chosen.choice), by: BY.to_owned() },
            Put::Cancelled => Heard::Nobody("the question was called off in the editor".to_owned()),
            Put::Strange => Heard::Nobody("the editor's answer is none that was offered".to_owned()),
            Put::Gone => Heard::Nobody("whoever asked has called it off".to_owned()),
            Put::Silence => Heard::Silence,
        }
    }

    /// Asks the agent's own question, where nothing else is to be decided: a yes is for this once.
    pub(super) fn confirm(&self, end: Instant) -> bool {
        let matter = self.sheet().matter.clone();
        let put = self.put(&matter, &[Choice::Once], end, &AtomicBool::new(false));
        matches!(put, Put::Chosen(Chosen { choice: Choice::Once, .. }))
    }

    /// A question of ours is shown as a tool call: it is over.
    pub(super) fn shut(&self, is_done: bool) {
        let sheet = self.sheet();
        if let About::Service { session, call, .. } = &sheet.about
            && sheet.was_put
        {
            let _ = self.pump.send(Event::Shut { session: session.clone(), call: call.clone(), is_done });
        }
    }

    /// What the agent is told of it: the option, or that nothing was chosen.
    pub(super) fn told(&self, is_yes: bool) -> Option<String> {
        let sheet = self.sheet();
        let options = sheet.options();
        if sheet.was_cancelled && !is_yes {
            return None;
        }
        let chosen =
            sheet.chosen.as_ref().filter(|chosen| (chosen.choice != Choice::Deny) == is_yes).cloned();
        let usual = || if is_yes { options.yes(Choice::Once) } else { options.no() };
        let chosen = chosen.unwrap_or_else(usual);
        // An agent that takes no yes is not told one.
        chosen
            .option
            .filter(|_| (chosen.choice != Choice::Deny) == is_yes)
            .or_else(|| (!is_yes).then(|| options.no().option).flatten())
    }

    fn choices(&self, asked: &Asked) -> Vec<Choice> {
        let is_once = self.sheet().is_once;
        let choice = |answer: Answer| match answer {
            Answer::Always => Some(Choice::Always),
            Answer::Once => Some(Choice::Once),
            Answer::Session => Some(Choice::Session),
            Answer::Deny | Answer::Try => None,
        };
        let all = asked.answers().into_iter().filter_map(choice);
        all.filter(|choice| !is_once || *choice == Choice::Once).collect()
    }

    fn put(&self, matter: &Matter, may: &[Choice], end: Instant, elsewhere: &AtomicBool) -> Put {
        let face = &self.desk.face;
        let shown =
            Shown { title: face.title(matter), text: face.text(matter), diffs: self.sheet().diffs.clone() };
        let options = self.sheet().options();
        let offered = options.shown(may);
        self.sheet().was_put = true;
        let question = self.sheet().question(&shown, &offered);
        match self.hear(question, end, elsewhere) {
            Wait::Said(Said::Option(id)) if has(&offered, &id) => {
                let chosen = options.chosen(&id, may);
                self.sheet().chosen = Some(chosen.clone());
                Put::Chosen(chosen)
            }
            Wait::Said(Said::Cancelled) => {
                self.sheet().was_cancelled = true;
                Put::Cancelled
            }
            Wait::Said(Said::Option(_) | Said::Nothing) => Put::Strange,
            Wait::Gone => {
                self.sheet().was_cancelled = true;
                Put::Gone
            }
            Wait::Silence => Put::Silence,
        }
    }

    /// Asks a question of the agent's that is about nothing outside it, with its own options. Says which was chosen.
    pub(super) fn pass_on(&self, end: Instant) -> Option<String> {
        let (question, options) = {
            let sheet = self.sheet();
            let About::Permission(permission) = &sheet.about else { return None };
            let shown = Shown {
                title: self.desk.face.title(&sheet.matter),
                text: self.desk.face.text(&sheet.matter),
                diffs: Vec::new(),
            };
            let offered =
                permission.params.get("options").and_then(Value::as_array).cloned().unwrap_or_default();
            (Question::of(permission, &shown, &offered), permission.options.clone())
        };
        match self.hear(question, end, &AtomicBool::new(false)) {
            Wait::Said(Said::Option(id)) if options.has(&id) => Some(id),
            Wait::Said(Said::Cancelled) | Wait::Gone => None,
            Wait::Said(Said::Option(_) | Said::Nothing) | Wait::Silence => options.no().option,
        }
    }

    fn hear(&self, question: Question, end: Instant, elsewhere: &AtomicBool) -> Wait {
        let token = self.desk.number();
        let (back, said) = channel();
        if self.pump.send(Event::Ask { token, question: Box::new(question), back }).is_err() {
            return Wait::Gone;
        }
        loop {
            match said.recv_timeout(PULSE) {
                Ok(said) => return Wait::Said(said),
                Err(RecvTimeoutError::Disconnected) => return Wait::Gone,
                Err(RecvTimeoutError::Timeout) => {}
            }
            let is_late = Instant::now() >= end || elsewhere.load(Ordering::Relaxed);
            if is_late || self.cancel.is_cancelled() {
                // Nobody is left to tell where the pump has gone.
                let _ = self.pump.send(Event::TakeBack(token));
                return if is_late { Wait::Silence } else { Wait::Gone };
            }
        }
    }
}

/// Whom an answer is recorded as coming from.
const BY: &str = "editor";

enum Wait {
    Gone,
    Said(Said),
    Silence,
}

enum Put {
    Cancelled,
    Chosen(Chosen),
    Gone,
    Silence,
    Strange,
}

/// Everything that is minded, of this call and of the others that belong to it.
fn reasons(matter: &Matter, asked: &Asked) -> Vec<(String, String)> {
    let mut reasons: Vec<(String, String)> = Vec::new();
    let now = asked.mentions.iter().map(|mention| (mention.rule.clone(), mention.reason.clone()));
    for one in now.chain(matter.reasons.iter().cloned()) {
        if !reasons.contains(&one) {
            reasons.push(one);
        }
    }
    reasons
}

fn has(offered: &[Value], id: &str) -> bool {
    offered.iter().any(|option| option.get("optionId").and_then(Value::as_str) == Some(id))
}

const fn answer(choice: Choice) -> Answer {
    match choice {
        Choice::Always => Answer::Always,
        Choice::Deny => Answer::Deny,
        Choice::Once => Answer::Once,
        Choice::Session => Answer::Session,
    }
}
