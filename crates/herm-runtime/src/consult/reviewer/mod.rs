//! A model that answers questions before a person is bothered: `approvals.mode: smart`.
//!
//! It is asked over any endpoint that speaks as that of `OpenAI` does. It sees questions only, so there is nothing it could say
//! about a refusal. What it is shown is data in a fence whose mark nobody could foresee, and whatever it says but one of
//! three words is no answer: then a person decides.

mod answer;
pub mod dotenv;
mod endpoint;
mod http;
mod prompt;
mod provider;
mod secret;

use std::time::{Duration, Instant};

use herm::approval::Answer;
use herm::call::{Action, Call};
use herm::decision::Question;
use herm::policy::Auxiliary;
use herm::rules::consult::{HOOK_OBJECTION, WEAKER_SANDBOX};
use herm::rules::gaps::UNREAD_TEXT;
use herm::rules::policy::ASKED_BY_USER;

pub use dotenv::Dotenv;
pub use endpoint::Unusable;
pub use secret::Secret;

use self::endpoint::Endpoint;
use self::prompt::Prompt;

/// A model that answers questions.
#[derive(Clone, Debug)]
pub struct Reviewer {
    endpoint: Endpoint,
}

/// What a model thinks of a question, for the decision and for the record.
#[derive(Clone, Debug, PartialEq, Eq)]
#[must_use]
pub struct Opinion {
    /// What it thinks.
    pub verdict: Verdict,
    /// Which model.
    pub model: String,
    /// How long it took.
    pub latency: Duration,
    /// Why, in a sentence fragment.
    pub why: String,
}

/// What a model thinks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Verdict {
    /// It may go on, this once.
    Approve,
    /// It must not go on.
    Deny,
    /// A person must decide.
    Escalate,
}

impl Verdict {
    /// The word for it: `approve`, `deny` or `escalate`.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Approve => "approve",
            Self::Deny => "deny",
            Self::Escalate => "escalate",
        }
    }
}

impl Opinion {
    /// The answer that follows from it; `None` if a person must give one. A model's yes never lasts.
    #[must_use]
    pub const fn answer(&self) -> Option<Answer> {
        match self.verdict {
            Verdict::Approve => Some(Answer::Once),
            Verdict::Deny => Some(Answer::Deny),
            Verdict::Escalate => None,
        }
    }
}

/// The longest text that a model is shown. What is longer has more places to hide something in.
const LONGEST: usize = 16 * 1024;

impl Reviewer {
    /// The model that is configured, with the key that `.env` holds.
    ///
    /// # Errors
    /// When it is not said which model or where, or it would be asked over a connection that others can read.
    pub fn new(auxiliary: &Auxiliary, dotenv: &Dotenv) -> Result<Self, Unusable> {
        Endpoint::new(auxiliary, dotenv).map(|endpoint| Self { endpoint })
    }

    /// What it thinks of a question about this call. `redact` takes secrets out of what leaves this machine.
    pub fn review(&self, question: &Question, call: &Call, redact: &dyn Fn(&str) -> String) -> Opinion {
        let begun = Instant::now();
        let (verdict, why) = match self.ask(question, call, redact) {
            Ok(verdict) => (verdict, format!("the model says {}", verdict.word())),
            Err(why) => (Verdict::Escalate, why),
        };
        Opinion { verdict, model: self.endpoint.model.clone(), latency: begun.elapsed(), why }
    }

    fn ask(
        &self,
        question: &Question,
        call: &Call,
        redact: &dyn Fn(&str) -> String,
    ) -> Result<Verdict, String> {
        if let Some(why) = for_people(question, call) {
            return Err(why.to_owned());
        }
        let prompt = Prompt::new(question, call, redact);
        if prompt.length() > LONGEST {
            return Err("the command is too long to be reviewed".to_owned());
        }
        let (system, user) = prompt.messages()?;
        let body = http::post(&self.endpoint, &answer::request(&self.endpoint.model, &system, &user))?;
        answer::read(&body)
    }
}

/// What a model must not answer: whoever wrote these wants a person, or nobody could see what there is to see.
fn for_people(question: &Question, call: &Call) -> Option<&'static str> {
    let by = |rule: &str| question.findings.iter().any(|finding| finding.rule == rule);
    if matches!(call.action, Action::Edit(_) | Action::Write(_)) {
        Some("what would be written is not shown to a model")
    } else if by(ASKED_BY_USER.name) {
        Some("the configuration wants a person to be asked")
    } else if by(HOOK_OBJECTION.name) {
        Some("a hook wants a person to be asked")
    } else if by(WEAKER_SANDBOX.name) {
        Some("whether a weaker sandbox will do is for a person to say")
    } else if by(UNREAD_TEXT.name) {
        Some("the command could not be read")
    } else {
        None
    }
}
