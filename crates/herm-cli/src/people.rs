//! Whoever is at hand to answer: the person at this terminal, and whoever watches `herm approvals`.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, TryRecvError};
use std::thread;
use std::time::{Duration, Instant};

use herm::approval::Answer;
use herm_runtime::Setup;
use herm_runtime::asked::Asked;
use herm_runtime::broker::{Approvers, Broker, Client, Waiting, socket};
use herm_runtime::environment::Variable;
use herm_runtime::people::{Heard, People};

use crate::prompt::{Terminal, Typed, deadline};

/// How often both are listened to.
const PULSE: Duration = Duration::from_millis(10);

/// How long past its time an answer may take to arrive.
const SLACK: Duration = Duration::from_secs(2);

/// Whoever is at hand.
#[derive(Debug)]
pub(crate) struct AtHand {
    broker: Broker,
}

impl AtHand {
    pub(crate) fn new(setup: &Setup) -> Self {
        Self { broker: Broker { guard: setup.guard.clone(), approvers: Approvers::default() } }
    }

    /// A connection to whoever is the broker; ourselves, when there is none and it is of use.
    fn connect(&self) -> Option<Client> {
        Client::connect(&socket(&self.broker.guard)).ok()
    }
}

impl People for AtHand {
    fn ask(&mut self, asked: &Asked, seconds: u32) -> Heard {
        let terminal = Terminal::open();
        let watched = self.connect().is_some() || Variable::HermesExecAsk.value().is_some();
        // Whoever else wants to answer needs somebody to tell it to.
        let _ours = self.broker.start().ok().flatten();
        let patience = if terminal.is_some() || watched { seconds } else { 0 };
        let waiting = self.connect().and_then(|client| client.ask(asked, patience).ok());
        match (terminal, waiting) {
            (Some(terminal), waiting) => both(terminal, waiting, asked, seconds),
            (None, Some(waiting)) if watched => remote(waiting, seconds),
            (None, Some(_)) => {
                Heard::Nobody("nobody is there: no terminal, and nobody watches `herm approvals`".to_owned())
            }
            (None, None) => {
                Heard::Nobody("there is neither a terminal nor a broker to ask through".to_owned())
            }
        }
    }
}

/// Only others can answer.
fn remote(mut waiting: Waiting, seconds: u32) -> Heard {
    let end = deadline(seconds) + SLACK;
    while Instant::now() < end {
        match waiting.hear(PULSE) {
            Ok(Some(heard)) => return heard,
            Ok(None) => {}
            Err(error) => return Heard::Nobody(format!("the broker has gone: {error}")),
        }
    }
    Heard::Silence
}

/// The person here and others can answer; whoever is first.
fn both(mut terminal: Terminal, mut waiting: Option<Waiting>, asked: &Asked, seconds: u32) -> Heard {
    let end = deadline(seconds);
    let elsewhere = AtomicBool::new(false);
    thread::scope(|scope| {
        let (say, said) = mpsc::channel();
        scope.spawn(|| {
            // Nobody listens any more once the question is settled elsewhere.
            let _ = say.send(terminal.ask(asked, end, &elsewhere));
            drop(say);
        });
        loop {
            match said.try_recv() {
                Ok(Some(Typed::Answer(answer))) => return here(answer, waiting.as_mut()),
                Ok(Some(Typed::Cancel)) => return here(Answer::Deny, waiting.as_mut()),
                Ok(Some(Typed::Nothing) | None) | Err(TryRecvError::Disconnected) => return Heard::Silence,
                Err(TryRecvError::Empty) => {}
            }
            let heard = match &mut waiting {
                Some(broker) => broker.hear(PULSE),
                None => {
                    thread::sleep(PULSE);
                    Ok(None)
                }
            };
            match heard {
                Ok(Some(heard @ Heard::Answer { .. })) => {
                    elsewhere.store(true, Ordering::Relaxed);
                    return heard;
                }
                // Without a broker the person here can still answer.
                Ok(Some(Heard::Nobody(_) | Heard::Silence)) | Err(_) => waiting = None,
                Ok(None) => {}
            }
        }
    })
}

/// The person here has answered. Somebody else may have been faster, which only the broker knows.
fn here(answer: Answer, waiting: Option<&mut Waiting>) -> Heard {
    let ours = || Heard::Answer { answer, by: "terminal".to_owned() };
    let Some(waiting) = waiting else { return ours() };
    if waiting.settle(answer).is_err() {
        return ours();
    }
    match waiting.hear(SLACK) {
        Ok(Some(heard @ Heard::Answer { .. })) => heard,
        Ok(Some(Heard::Silence)) => Heard::Silence,
        Ok(Some(Heard::Nobody(_)) | None) | Err(_) => ours(),
    }
}
