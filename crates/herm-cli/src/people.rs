//! Whoever is at hand to answer: the person at this terminal, and whoever watches `herm approvals`.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, TryRecvError};
use std::thread;
use std::time::{Duration, Instant};

use herm::approval::Answer;
use herm_runtime::acp::Editor;
use herm_runtime::asked::Asked;
use herm_runtime::broker::{Desk, Running, Waiting, is_lost};
use herm_runtime::environment::Variable;
use herm_runtime::people::{Heard, People};
use herm_runtime::perform::Cancel;
use herm_runtime::{Setup, ancestry};

use crate::prompt::{Occasion, Terminal, Typed, deadline, settled};

/// How often both are listened to.
const PULSE: Duration = Duration::from_millis(10);

/// How often a new broker is looked for.
const ATTEMPTS: usize = 500;

/// How long past its time an answer may take to arrive.
const SLACK: Duration = Duration::from_secs(2);

/// Whoever is at hand.
#[derive(Debug)]
pub(crate) struct AtHand<'a> {
    desk: Desk,
    cancel: &'a Cancel,
    keys: Keys,
}

/// Who may sit at the keys of the terminal that herm was started in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Keys {
    /// Whoever asks: agents give what they run terminals, and type into them.
    Asker,
    /// A person.
    Person,
}

impl<'a> AtHand<'a> {
    pub(crate) fn new(setup: &Setup, cancel: &'a Cancel) -> Self {
        Self { desk: Desk::of(setup), cancel, keys: Keys::Person }
    }

    /// Whoever is at hand when an agent started herm as one of its commands: nobody at the terminal that it gave it.
    pub(crate) fn elsewhere(setup: &Setup, cancel: &'a Cancel) -> Self {
        Self { keys: Keys::Asker, ..Self::new(setup, cancel) }
    }

    /// The terminal of a person. What a guarded command calls a terminal may be one that it made, with itself at the keys.
    fn terminal(&self) -> Option<Terminal> {
        (self.keys == Keys::Person && !ancestry::is_guarded()).then(Terminal::open).flatten()
    }
}

/// Asks a broker that went away while it was asked. It may know the question already.
fn ask_again(desk: &Desk, asked: &Asked, seconds: u32, ours: &mut Option<Running>) -> io::Result<Waiting> {
    for _ in 0..ATTEMPTS {
        if ours.is_none() {
            *ours = desk.start()?;
        }
        let Ok(mut client) = desk.connect() else {
            thread::sleep(PULSE);
            continue;
        };
        let same = |known: &Asked| known.session == asked.session && known.digest == asked.digest;
        for known in client.list()?.into_iter().filter(same) {
            // Somebody else may have asked the same: only who asked can go on waiting.
            if let Ok(waiting) = desk.connect()?.resume(&known.id) {
                return Ok(waiting);
            }
        }
        return client.ask(asked, seconds);
    }
    Err(io::ErrorKind::NotConnected.into())
}

/// How often a broker that has gone is looked for. A guard is waited for as long as the question stands.
fn attempts(desk: &Desk) -> usize {
    match desk {
        Desk::Guard(_) => usize::MAX,
        Desk::Own(_) => ATTEMPTS,
    }
}

/// A question at the broker's, and the broker itself when that is us.
#[derive(Debug)]
pub(crate) struct Line<'a> {
    desk: &'a Desk,
    waiting: Waiting,
    ours: Option<Running>,
    lost: usize,
}

impl<'a> Line<'a> {
    fn open(desk: &'a Desk, asked: &Asked, seconds: u32) -> io::Result<Self> {
        let mut ours = desk.start()?;
        let waiting = match desk.connect()?.ask(asked, seconds) {
            Err(error) if is_lost(&error) => ask_again(desk, asked, seconds, &mut ours)?,
            asked => asked?,
        };
        Ok(Self { desk, waiting, ours, lost: 0 })
    }

    /// What the broker has to say within a pulse. When it has gone, another takes its place, and be it us.
    pub(crate) fn hear(&mut self) -> io::Result<Option<Heard>> {
        let heard =
            if self.lost == 0 { self.waiting.hear(PULSE) } else { Err(io::ErrorKind::NotConnected.into()) };
        match heard {
            Err(_) => self.reconnect().map(|()| None),
            heard => heard,
        }
    }

    fn reconnect(&mut self) -> io::Result<()> {
        if self.ours.is_none() {
            self.ours = self.desk.start()?;
        }
        match self.desk.connect().and_then(|client| client.resume(self.waiting.id())) {
            Ok(waiting) => {
                self.waiting = waiting;
                self.lost = 0;
                Ok(())
            }
            Err(error) if self.lost >= attempts(self.desk) => Err(error),
            Err(_) => {
                self.lost += 1;
                thread::sleep(PULSE);
                Ok(())
            }
        }
    }
}

impl People for AtHand<'_> {
    fn ask(&mut self, asked: &Asked, seconds: u32) -> Heard {
        match &self.desk {
            Desk::Guard(_) => self.ask_guard(asked, seconds),
            Desk::Own(_) => self.ask_around(asked, Occasion::Before, seconds),
        }
    }

    fn interrupt(&mut self, asked: &Asked, seconds: u32) -> Heard {
        match &self.desk {
            Desk::Guard(_) => self.ask_guard(asked, seconds),
            Desk::Own(_) => self.ask_around(asked, Occasion::During, seconds),
        }
    }

    fn is_here(&self) -> bool {
        matches!(self.desk, Desk::Own(_)) && self.terminal().is_some()
    }

    fn weigh(&mut self, asked: &Asked, seconds: u32) -> Heard {
        match &self.desk {
            Desk::Guard(_) => self.ask_guard(asked, seconds),
            Desk::Own(_) => self.weigh_around(asked, seconds),
        }
    }
}

/// The person at an editor, and whoever watches `herm approvals`. Where there is a guard, nobody but its approvers answers.
#[derive(Debug)]
pub(crate) struct AtEditor<'a> {
    at_hand: AtHand<'a>,
    editor: Editor,
}

impl<'a> AtEditor<'a> {
    pub(crate) fn new(setup: &Setup, cancel: &'a Cancel, editor: Editor) -> Self {
        Self { at_hand: AtHand::new(setup, cancel), editor }
    }
}

impl People for AtEditor<'_> {
    fn ask(&mut self, asked: &Asked, seconds: u32) -> Heard {
        if let Some(heard) = self.editor.recall(asked) {
            return heard;
        }
        let heard = match &self.at_hand.desk {
            Desk::Guard(_) => self.at_hand.ask_guard(asked, seconds),
            Desk::Own(_) => {
                // Without a broker the person there can still answer.
                let line = Line::open(&self.at_hand.desk, asked, seconds).ok();
                first(line, |elsewhere| self.editor.ask(asked, deadline(seconds), elsewhere))
            }
        };
        if let Heard::Answer { answer, .. } = heard {
            self.editor.remember(asked, answer);
        }
        heard
    }
}

/// How many seconds a person at a terminal has at least to read what a try changed.
const READING: u32 = 60 * 60;

impl AtHand<'_> {
    fn ask_guard(&self, asked: &Asked, seconds: u32) -> Heard {
        match Line::open(&self.desk, asked, seconds) {
            Ok(line) => remote(line, seconds, self.cancel),
            Err(error) => Heard::Nobody(format!("the broker cannot be asked: {error}")),
        }
    }

    /// Nobody can come later and keep what was tried, so where nobody is, nobody is asked.
    fn weigh_around(&self, asked: &Asked, seconds: u32) -> Heard {
        let is_watched = self.is_watched();
        match self.terminal() {
            Some(terminal) => {
                let patience = seconds.max(READING);
                let line = Line::open(&self.desk, asked, patience).ok();
                both(terminal, line, asked, Occasion::Before, patience)
            }
            None if is_watched => match Line::open(&self.desk, asked, seconds) {
                Ok(line) => remote(line, seconds, self.cancel),
                Err(error) => Heard::Nobody(format!("the broker cannot be asked: {error}")),
            },
            None => Heard::Nobody("nobody is there to look at it".to_owned()),
        }
    }

    /// Lists a question for others, if that can be done, while somebody else is asked it.
    pub(crate) fn list(&self, asked: &Asked, seconds: u32) -> Option<Line<'_>> {
        Line::open(&self.desk, asked, seconds).ok()
    }

    /// Whether somebody watches for questions.
    pub(crate) fn is_watched(&self) -> bool {
        self.desk.connect().is_ok() || Variable::HermesExecAsk.value().is_some()
    }

    fn ask_around(&self, asked: &Asked, occasion: Occasion, seconds: u32) -> Heard {
        let terminal = self.terminal();
        let watched = self.is_watched();
        let patience = if terminal.is_some() || watched { seconds } else { 0 };
        // Without anybody there the question is listed all the same, for a late answer.
        let line = Line::open(&self.desk, asked, patience);
        match (terminal, line) {
            (Some(terminal), line) => both(terminal, line.ok(), asked, occasion, seconds),
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
fn both(
    mut terminal: Terminal,
    line: Option<Line<'_>>,
    asked: &Asked,
    occasion: Occasion,
    seconds: u32,
) -> Heard {
    let end = deadline(seconds);
    let by = |answer| Heard::Answer { answer, by: "terminal".to_owned() };
    let heard = first(line, |elsewhere| match terminal.ask(asked, occasion, end, elsewhere) {
        Some(Typed::Answer(answer)) => by(answer),
        Some(Typed::Cancel) => by(Answer::Deny),
        Some(Typed::Nothing) | None => Heard::Silence,
    });
    terminal.tell(&format!("  {}\n", end_of(asked, &heard)));
    heard
}

/// Whoever answers first: the person here, who is asked until somebody else has answered, or others.
fn first(mut line: Option<Line<'_>>, ask: impl FnOnce(&AtomicBool) -> Heard + Send) -> Heard {
    let elsewhere = AtomicBool::new(false);
    thread::scope(|scope| {
        let (say, said) = mpsc::channel();
        let elsewhere = &elsewhere;
        scope.spawn(move || {
            // Nobody listens any more once the question is settled elsewhere.
            let _ = say.send(ask(elsewhere));
        });
        loop {
            match said.try_recv() {
                Ok(Heard::Answer { answer, by }) => return here(answer, &by, line),
                Ok(heard @ (Heard::Nobody(_) | Heard::Silence)) => return heard,
                Err(TryRecvError::Disconnected) => return Heard::Silence,
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
    })
}

/// What a person is told about what came of a question.
fn end_of(asked: &Asked, heard: &Heard) -> String {
    match heard {
        Heard::Answer { answer, by } if by.starts_with("terminal") => settled(asked, *answer).to_owned(),
        Heard::Answer { answer, by } => format!("{} (by {by})", settled(asked, *answer)),
        Heard::Nobody(why) => format!("✗ {why}"),
        Heard::Silence if asked.is_about_keeping() => "⏱ Timeout - nothing is kept".to_owned(),
        Heard::Silence => "⏱ Timeout - denying command".to_owned(),
    }
}

/// The person here has answered. Somebody else may have been faster, which only the broker knows.
pub(crate) fn here(answer: Answer, by: &str, line: Option<Line<'_>>) -> Heard {
    let ours = || Heard::Answer { answer, by: by.to_owned() };
    let Some(mut line) = line else { return ours() };
    if line.waiting.settle(answer).is_err() {
        return ours();
    }
    match line.waiting.hear(SLACK) {
        Ok(Some(Heard::Answer { answer, by: whose })) => {
            // The broker takes whoever asks to be at a terminal.
            let whose = whose.strip_prefix("terminal").map(|rest| format!("{by}{rest}")).unwrap_or(whose);
            Heard::Answer { answer, by: whose }
        }
        Ok(Some(Heard::Silence)) => Heard::Silence,
        Ok(Some(Heard::Nobody(_)) | None) | Err(_) => ours(),
    }
}
