//! Questions about connections: asked once, however many connections wait for the answer.

use std::collections::HashMap;
use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use herm::approval::Answer;
use herm::host::Endpoint;
use tokio::sync::Mutex as Turn;
use tokio::time::timeout;

use crate::judge::Objection;
use crate::terms::Terms;

/// What a person is asked about a connection.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    /// Where it would go.
    pub to: Endpoint,
    /// What must be said yes to.
    pub objections: Vec<Objection>,
}

/// Asks a person. Whoever is asked may take a while.
pub type Ask = Arc<dyn Fn(Question) -> Pin<Box<dyn Future<Output = Answer> + Send>> + Send + Sync>;

/// What was answered, for as long as the proxy lives.
#[derive(Debug, Default)]
pub(crate) struct Consents {
    answers: Mutex<HashMap<Subject, Arc<Turn<Option<Given>>>>>,
}

/// What an answer is about: a yes to one rule is none to another.
type Subject = (Endpoint, Vec<&'static str>);

/// An answer, and when it was given.
#[derive(Clone, Copy, Debug)]
struct Given {
    answer: Answer,
    at: Instant,
}

/// The most destinations that answers are kept for; one that asks for more gets no answer.
const MOST: usize = 4096;

impl Consents {
    /// Whether a person lets a connection through. Nobody there, silence and anything but a yes refuse.
    pub(crate) async fn given(&self, terms: &Terms, question: Question) -> bool {
        let Some(ask) = &terms.ask else { return false };
        let came = Instant::now();
        let Some(turn) = self.turn(&question) else { return false };
        let mut given = turn.lock().await;
        match *given {
            Some(Given { answer: Answer::Always | Answer::Session, .. }) => return true,
            // Whoever waited while it was asked gets the same answer, and is not asked about again.
            Some(Given { answer, at }) if at >= came => return answer.is_yes(),
            Some(_) | None => {}
        }
        let answer = timeout(terms.limits.answer, ask(question)).await.unwrap_or(Answer::Deny);
        *given = Some(Given { answer, at: Instant::now() });
        answer.is_yes()
    }

    fn turn(&self, question: &Question) -> Option<Arc<Turn<Option<Given>>>> {
        let rules = question.objections.iter().map(|objection| objection.rule).collect();
        let subject = (question.to.clone(), rules);
        let mut answers = self.answers.lock().unwrap_or_else(PoisonError::into_inner);
        if answers.len() >= MOST && !answers.contains_key(&subject) {
            return None;
        }
        Some(Arc::clone(answers.entry(subject).or_default()))
    }
}
