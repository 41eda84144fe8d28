//! The server behind herm: a program that is talked with through pipes.

use std::io;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::SyncSender;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use herm::enforcement::Backend;
use herm_sandbox::process::{Ending, Error, Execution, Input, Spec};
use herm_scan::Redactor;
use serde_json::json;

use super::desk::{Begun, Desk};
use super::environment::{self, Given};
use super::remote::Remote;
use super::{Event, Failure};
use crate::companion::{Companion, Heard, Speaker};
use crate::confine;
use crate::perform::Circumstances;
use crate::setup::{self, Setup};

/// What is started or connected to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Server {
    /// A program.
    Program {
        /// It and its arguments.
        words: Vec<String>,
        /// What its environment holds besides the usual.
        env: Vec<Given>,
        /// Whether it is confined to the workspace, without a network.
        confined: bool,
    },
    /// A server elsewhere.
    Remote {
        /// Where.
        url: String,
        /// What is said in the fields of every request; `${NAME}` stands for that line of `.env`.
        fields: Vec<(String, String)>,
    },
}

impl Server {
    /// What tells it from other servers of the same name.
    pub(super) fn place(&self) -> String {
        match self {
            Self::Program { words, .. } => json!(words).to_string(),
            Self::Remote { url, .. } => url.clone(),
        }
    }
}

/// A server that is talked with.
#[derive(Debug)]
pub(super) enum Running {
    Program(Program),
    Remote(Remote),
}

/// A program that is talked with.
#[derive(Debug)]
pub(super) struct Program {
    speaker: Speaker,
    /// When it is no longer waited for.
    end: Arc<Mutex<Option<Instant>>>,
    work: Mutex<Option<JoinHandle<()>>>,
}

/// How often it is looked whether the server is still wanted.
const PULSE: Duration = Duration::from_millis(50);

/// How long a server may run: as long as its client wants it to.
const FOREVER: Duration = Duration::from_hours(24 * 365 * 10);

/// How long a server that was asked to end has.
const GRACE: Duration = Duration::from_secs(1);

/// Starts a server, or prepares to connect to it. What it says is told.
pub(super) fn start(desk: &Arc<Desk>, begun: &Begun, events: SyncSender<Event>) -> Result<Running, Failure> {
    let setup = desk.face.setup().map_err(Failure::Setup)?;
    if let Server::Remote { url, fields } = &desk.server {
        let given =
            fields.iter().map(|(name, value)| Ok((name.clone(), environment::filled(&setup, value)?)));
        let given = given.collect::<Result<_, String>>().map_err(Failure::Refused)?;
        return Ok(Running::Remote(Remote::new(desk.fetcher(setup, begun)?, url, given, events)?));
    }
    let spec = spec(desk, setup)?;
    let aside = aside(desk)?;
    let companion = Companion::start(spec, aside)?;
    let (speaker, end) = (companion.speaker(), Arc::<Mutex<Option<Instant>>>::default());
    let until = Arc::clone(&end);
    let work = thread::Builder::new()
        .name("server".to_owned())
        .spawn(move || listen(&companion, &events, &until))?;
    Ok(Running::Program(Program { speaker, end, work: Mutex::new(Some(work)) }))
}

/// Tells what a server says until it has gone, or nobody waits for it any more. What is left of it ends then.
fn listen(companion: &Companion, events: &SyncSender<Event>, until: &Mutex<Option<Instant>>) {
    loop {
        let is_late =
            until.lock().unwrap_or_else(PoisonError::into_inner).is_some_and(|end| Instant::now() >= end);
        match companion.hear_within(PULSE) {
            Some(heard) => {
                let is_over = matches!(heard, Heard::Over(_));
                if events.send(Event::Server(heard)).is_err() || is_over {
                    return;
                }
            }
            None if is_late => return,
            None => {}
        }
    }
}

/// What to start, with nothing in its environment but what it may have.
fn spec(desk: &Desk, mut setup: Setup) -> Result<Spec, Failure> {
    let Server::Program { words, env, confined } = &desk.server else {
        return Err(Failure::Refused("there is no program to start".to_owned()));
    };
    let environment = environment::of_server(&setup, &desk.name, env).map_err(Failure::Refused)?;
    let mut words = words.iter();
    let mut spec = Spec {
        program: words.next().map(Into::into).unwrap_or_default(),
        arguments: words.map(Into::into).collect(),
        cwd: PathBuf::from(setup.cwd.as_str()),
        environment,
        time: FOREVER,
        grace: GRACE,
        input: Input::Empty,
        confinement: None,
    };
    if *confined {
        setup.run_on(Backend::Sandbox).map_err(Failure::Setup)?;
        let workspace = setup.workspace.clone();
        let workspace = workspace.ok_or_else(|| Failure::Refused("there is no workspace".to_owned()))?;
        confine::confine(&mut spec, &workspace, &Circumstances::default(), &setup);
    }
    Ok(spec)
}

/// What becomes of what a server says on standard error: shown, without secrets.
fn aside(desk: &Arc<Desk>) -> Result<impl FnMut(&[u8]) + Send + 'static, Failure> {
    let guard = desk.face.setup().map_err(Failure::Setup)?.guard;
    let desk = Arc::clone(desk);
    let is_told = AtomicBool::new(false);
    Ok(move |line: &[u8]| {
        let line = String::from_utf8_lossy(line);
        match setup::held(&guard) {
            Ok(secrets) => {
                let secrets = secrets.unwrap_or_default();
                desk.tell(&Redactor::holding(&secrets).redact(&line));
            }
            // What cannot be looked through is not shown.
            Err(problem) if !is_told.swap(true, Ordering::Relaxed) => desk.tell(&problem.to_string()),
            Err(_) => {}
        }
    })
}

impl Running {
    pub(super) fn say(&self, line: &[u8]) -> io::Result<()> {
        let said = match self {
            Self::Program(program) => program.speaker.say(line),
            Self::Remote(remote) => remote.say(line),
        };
        // A server that has gone is heard of.
        match said {
            Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(error),
            Ok(()) | Err(_) => Ok(()),
        }
    }

    /// Says that nothing more will be said, and ends what has not ended by itself after a while.
    pub(super) fn end(&self, time: Duration) {
        let program = match self {
            Self::Program(program) => program,
            Self::Remote(remote) => return remote.end(time),
        };
        program.speaker.close();
        *program.end.lock().unwrap_or_else(PoisonError::into_inner) = Some(Instant::now() + time);
        let work = program.work.lock().unwrap_or_else(PoisonError::into_inner).take();
        let _ = work.map(JoinHandle::join);
    }
}

/// How a server ended, in words.
pub(super) fn ending(end: Option<Result<Execution, Error>>) -> String {
    match end {
        Some(Ok(Execution { ending: Ending::Exited(code), .. })) => format!("it ended with status {code}"),
        Some(Ok(Execution { ending: Ending::Signalled(signal), .. })) => {
            format!("it was ended by signal {signal}")
        }
        Some(Ok(_)) | None => "it ended".to_owned(),
        Some(Err(error)) => error.to_string(),
    }
}
