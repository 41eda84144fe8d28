//! Whoever a client that speaks MCP shows questions to.

use std::sync::Arc;
use std::time::{Duration, Instant};

use herm::approval::Answer;
use herm_runtime::adapters::mcp::serve::{Chosen, Form};
use herm_runtime::asked::Asked;
use herm_runtime::mcp::serve::Errand;
use herm_runtime::people::{Heard, People};

use crate::people::{AtHand, Line, here};
use crate::prompt::{Look, deadline, question, reach};

/// How often both are listened to.
const PULSE: Duration = Duration::from_millis(10);

/// Who answers, where the client's person did.
const CLIENT: &str = "the client that asked";

/// Whoever a client shows questions to, and whoever watches `herm approvals`.
#[derive(Debug)]
pub(crate) struct AtClient<'a> {
    at_hand: AtHand<'a>,
    errand: &'a Arc<Errand>,
    /// Whether the client is to be asked, and can be.
    asks: bool,
}

impl<'a> AtClient<'a> {
    pub(crate) fn new(at_hand: AtHand<'a>, errand: &'a Arc<Errand>, asks: bool) -> Self {
        Self { at_hand, errand, asks }
    }

    /// Whether the client shows it. A yes to a hook lasts, and so is none for a client to give.
    fn shows(&self, asked: &Asked) -> bool {
        self.asks && !asked.follows.is_hook()
    }

    /// Has the client show it. Whoever answers first, answers. A client whose person does not answer, or who has none, leaves it to
    /// those who watch.
    fn show(&self, asked: &Asked, seconds: u32) -> Heard {
        self.errand.news("a person is asked");
        let end = deadline(seconds);
        let is_watched = self.at_hand.is_watched();
        let mut line = self.at_hand.list(asked, seconds);
        let mut question = Some(self.errand.ask(form(asked), end.saturating_duration_since(Instant::now())));
        while Instant::now() < end {
            if self.errand.cancel().is_cancelled() {
                return Heard::Nobody("whoever asked has called it off".to_owned());
            }
            if let Some(chosen) = question.as_ref().and_then(|question| question.hear(PULSE)) {
                match answer(asked, &chosen) {
                    Ok(answer) => return by_client(here(answer, CLIENT, line)),
                    Err(_) if is_watched && line.is_some() => question = None,
                    Err(why) => return Heard::Nobody(why.to_owned()),
                }
            }
            match line.as_mut().map(Line::hear) {
                Some(Ok(Some(heard @ Heard::Answer { .. }))) => return heard,
                Some(Err(error)) if question.is_none() => {
                    return Heard::Nobody(format!("the broker has gone: {error}"));
                }
                // The client is still asked.
                Some(Err(_)) => line = None,
                Some(Ok(_)) | None => {}
            }
        }
        Heard::Silence
    }
}

impl People for AtClient<'_> {
    fn ask(&mut self, asked: &Asked, seconds: u32) -> Heard {
        if self.shows(asked) { self.show(asked, seconds) } else { self.at_hand.ask(asked, seconds) }
    }

    fn interrupt(&mut self, asked: &Asked, seconds: u32) -> Heard {
        if self.shows(asked) { self.show(asked, seconds) } else { self.at_hand.interrupt(asked, seconds) }
    }

    fn is_here(&self) -> bool {
        self.asks || self.at_hand.is_here()
    }

    fn weigh(&mut self, asked: &Asked, seconds: u32) -> Heard {
        if self.shows(asked) { self.show(asked, seconds) } else { self.at_hand.weigh(asked, seconds) }
    }
}

/// What was chosen as an answer. Nothing but a word that was offered is a yes, and who declines says no.
fn answer(asked: &Asked, chosen: &Chosen) -> Result<Answer, &'static str> {
    match chosen {
        Chosen::Answer(word) => {
            let answer = offered(asked).into_iter().find(|answer| asked.word(*answer) == word);
            answer.ok_or("the client's answer is none that was offered")
        }
        Chosen::Declined => Ok(Answer::Deny),
        Chosen::Closed => Err("the question was closed without an answer"),
        Chosen::Unclear => Err("the client did not answer in a way that can be understood"),
    }
}

/// What a client's person can say. A yes for ever is for people at a terminal: a client cannot show who says it.
fn offered(asked: &Asked) -> Vec<Answer> {
    asked.answers().into_iter().filter(|answer| *answer != Answer::Always).collect()
}

/// At the broker's, whoever asks answers as if at a terminal.
fn by_client(heard: Heard) -> Heard {
    match heard {
        Heard::Answer { answer, by } if by.starts_with("terminal") || by.starts_with(CLIENT) => {
            Heard::Answer { answer, by: CLIENT.to_owned() }
        }
        heard @ (Heard::Answer { .. } | Heard::Nobody(_) | Heard::Silence) => heard,
    }
}

/// The question, with no as the first of its answers.
fn form(asked: &Asked) -> Form {
    let look = Look { columns: COLUMNS, colour: false };
    let shown = Asked { always: false, ..asked.clone() };
    let message = format!("{}{}", question(&shown, look), reach(&shown, look));
    let offered = offered(asked).into_iter().filter(|answer| *answer != Answer::Deny);
    let answers = [Answer::Deny]
        .into_iter()
        .chain(offered)
        .map(|answer| (asked.word(answer).to_owned(), name(asked, answer).to_owned()));
    Form { message: message.trim_end().to_owned(), answers: answers.collect() }
}

/// How wide a client is taken to be.
const COLUMNS: usize = 100;

fn name(asked: &Asked, answer: Answer) -> &'static str {
    match answer {
        Answer::Deny if asked.is_about_keeping() => "Discard it",
        Answer::Once if asked.is_about_keeping() => "Keep it",
        Answer::Always => "Allow, and do not ask again",
        Answer::Deny => "Deny",
        Answer::Once => "Allow once",
        Answer::Session => "Allow for this session",
        Answer::Try => "Try it on a stand-in for the workspace",
    }
}
