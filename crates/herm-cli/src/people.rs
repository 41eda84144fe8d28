//! Whoever is at hand to answer: the person at this terminal, and whoever watches `herm approvals`.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, TryRecvError};
use std::thread;
use std::time::{Duration, Instant};

use herm::approval::Answer;
use herm_runtime::Setup;
use herm_runtime::asked::Asked;
use herm_runtime::broker::{Approvers, Broker, Client, Running, Waiting, socket};
use herm_runtime::environment::Variable;
use herm_runtime::people::{Heard, People};
use herm_runtime::perform::Cancel;

use crate::prompt::{Terminal, Typed, deadline, settled};

/// How often both are listened to.
const PULSE: Duration = Duration::from_millis(10);

/// How often a new broker is looked for.
const ATTEMPTS: usize = 200;

/// How long past its time an answer may take to arrive.
const SLACK: Duration = Duration::from_secs(2);

/// Whoever is at hand.
#[derive(Debug)]
pub(crate) struct AtHand<'a> {
    broker: Broker,
    cancel: &'a Cancel,
}

impl<'a> AtHand<'a> {
    pub(crate) fn new(setup: &Setup, cancel: &'a Cancel) -> Self {
        Self { broker: Broker { guard: setup.guard.clone(), approvers: Approvers::default() }, cancel }
    }
}

/// A question at the broker's, and the broker itself when that is us.
struct Line<'a> {
    broker: &'a Broker,
    waiting: Waiting,
    ours: Option<Running>,
}

impl<'a> Line<'a> {
    fn open(broker: &'a Broker, asked: &Asked, seconds: u32) -> io::Result<Self> {
        let ours = broker.start()?;
        let waiting = Client::connect(&socket(&broker.guard))?.ask(asked, seconds)?;
        Ok(Self { broker, waiting, ours })
    }

    /// What the broker has to say within a pulse. When it has gone, another takes its place, and be it us.
    fn hear(&mut self) -> io::Result<Option<Heard>> {
        match self.waiting.hear(PULSE) {
            Err(_) => self.reconnect().map(|()| None),
            heard => heard,
        }
    }

    fn reconnect(&mut self) -> io::Result<()> {
        for _ in 0..ATTEMPTS {
            if self.ours.is_none() {
                self.ours = self.broker.start()?;
            }
            let resumed =
                Client::connect(&socket(&self.broker.guard)).and_then(|client| client.resume(&self.waiting));
            if let Ok(waiting) = resumed {
                self.waiting = waiting;
                return Ok(());
            }
            thread::sleep(PULSE);
        }
        Err(io::ErrorKind::NotConnected.into())
    }
}

impl People for AtHand<'_> {
    fn ask(&mut self, asked: &Asked, seconds: u32) -> Heard {
        let terminal = Terminal::open();
        let watched =
            Client::connect(&socket(&self.broker.guard)).is_ok() || Variable::HermesExecAsk.value().is_some();
        let patience = if terminal.is_some() || watched { seconds } else { 0 };
        // Without anybody there the question is listed all the same, for a late answer.
        let line = Line::open(&self.broker, asked, patience);
        match (terminal, line) {
            (Some(terminal), line) => both(terminal, line.ok(), asked, seconds),
            (None, Ok(line)) if watched => remote(line, seconds, self.cancel),
            (None, Ok(_)) => {
                Heard::Nobody("nobody is there: no terminal, and nobody watches `herm approvals`".to_owned())
            }
            (None, Err(error)) => {
                Heard::Nobody(format!("there is neither a terminal nor a broker to ask: {error}"))
            }
        }
    }
}

/// Only others can answer.
fn remote(mut line: Line<'_>, seconds: u32, cancel: &Cancel) -> Heard {
    let end = deadline(seconds) + SLACK;
    while Instant::now() < end {
        if cancel.is_cancelled() {
            return Heard::Nobody("whoever asked has called it off".to_owned());
        }
        match line.hear() {
            Ok(Some(heard)) => return heard,
            Ok(None) => {}
            Err(error) => return Heard::Nobody(format!("the broker has gone: {error}")),
        }
    }
    Heard::Silence
}

/// The person here and others can answer; whoever is first.
fn both(mut terminal: Terminal, mut line: Option<Line<'_>>, asked: &Asked, seconds: u32) -> Heard {
    let end = deadline(seconds);
    let elsewhere = AtomicBool::new(false);
    let heard = thread::scope(|scope| {
        let (say, said) = mpsc::channel();
        let (terminal, elsewhere) = (&mut terminal, &elsewhere);
        scope.spawn(move || {
            // Nobody listens any more once the question is settled elsewhere.
            let _ = say.send(terminal.ask(asked, end, elsewhere));
        });
        loop {
            match said.try_recv() {
                Ok(Some(Typed::Answer(answer))) => return here(answer, line),
                Ok(Some(Typed::Cancel)) => return here(Answer::Deny, line),
                Ok(Some(Typed::Nothing) | None) | Err(TryRecvError::Disconnected) => return Heard::Silence,
                Err(TryRecvError::Empty) => {}
            }
            let heard = if let Some(line) = &mut line {
                line.hear()
            } else {
                thread::sleep(PULSE);
                Ok(None)
            };
            match heard {
                Ok(Some(heard @ Heard::Answer { .. })) => {
                    elsewhere.store(true, Ordering::Relaxed);
                    return heard;
                }
                // Without a broker the person here can still answer.
                Ok(Some(Heard::Nobody(_) | Heard::Silence)) | Err(_) => line = None,
                Ok(None) => {}
            }
        }
    });
    terminal.tell(&format!("  {}\n", end_of(&heard)));
    heard
}

/// What a person is told about what came of a question.
fn end_of(heard: &Heard) -> String {
    match heard {
        Heard::Answer { answer, by } if by.starts_with("terminal") => settled(*answer).to_owned(),
        Heard::Answer { answer, by } => format!("{} (by {by})", settled(*answer)),
        Heard::Nobody(why) => format!("✗ {why}"),
        Heard::Silence => "⏱ Timeout - denying command".to_owned(),
    }
}

/// The person here has answered. Somebody else may have been faster, which only the broker knows.
fn here(answer: Answer, line: Option<Line<'_>>) -> Heard {
    let ours = || Heard::Answer { answer, by: "terminal".to_owned() };
    let Some(mut line) = line else { return ours() };
    if line.waiting.settle(answer).is_err() {
        return ours();
    }
    match line.waiting.hear(SLACK) {
        Ok(Some(heard @ Heard::Answer { .. })) => heard,
        Ok(Some(Heard::Silence)) => Heard::Silence,
        Ok(Some(Heard::Nobody(_)) | None) | Err(_) => ours(),
    }
}
