//! Listening to programs that are consulted.

use std::path::PathBuf;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use herm_sandbox::process::{Cancel, Ending, Input, Mode, Output, Spec, run};

use super::place::Place;

/// A program that is consulted.
#[derive(Debug)]
pub(super) struct Program {
    pub(super) path: PathBuf,
    pub(super) arguments: Vec<String>,
    pub(super) input: Input,
    pub(super) time: Duration,
}

/// What a program said.
#[derive(Debug)]
pub(super) struct Heard {
    pub(super) outcome: Outcome,
    pub(super) stdout: Vec<u8>,
    pub(super) stderr: Vec<u8>,
}

/// What became of a program.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    Ended(Ending),
    /// It said more than anybody who has an answer would.
    Flooded,
    NotStarted(String),
}

impl Heard {
    fn nothing(why: String) -> Self {
        Self { outcome: Outcome::NotStarted(why), stdout: Vec::new(), stderr: Vec::new() }
    }
}

/// The most that a program may say on each of its streams.
const MOST: usize = 64 * 1024;
/// How long a program has to end when its time is over.
const GRACE: Duration = Duration::from_millis(500);
/// How often it is looked whether all of this was called off.
const TICK: Duration = Duration::from_millis(50);

/// Runs all of them at once, and waits for all.
pub(super) fn hear(programs: Vec<Program>, place: &Place, cancel: &Cancel) -> Vec<Heard> {
    let mut heard: Vec<Heard> =
        programs.iter().map(|_| Heard::nothing("it could not be started".to_owned())).collect();
    let bells: Result<Vec<Cancel>, _> = programs.iter().map(|_| Cancel::new()).collect();
    let Ok(bells) = bells else { return heard };
    thread::scope(|scope| {
        let (says, answers) = mpsc::channel();
        for (at, (program, bell)) in programs.into_iter().zip(&bells).enumerate() {
            let says = says.clone();
            let listen = move || says.send((at, listen(program, place, bell)));
            // A thread that cannot be had leaves the answer that nothing could be started.
            drop(thread::Builder::new().spawn_scoped(scope, listen));
        }
        drop(says);
        loop {
            match answers.recv_timeout(TICK) {
                Ok((at, answer)) => {
                    if let Some(slot) = heard.get_mut(at) {
                        *slot = answer;
                    }
                }
                Err(RecvTimeoutError::Timeout) if cancel.is_cancelled() => {
                    bells.iter().for_each(Cancel::cancel);
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
        }
    });
    heard
}

fn listen(program: Program, place: &Place, bell: &Cancel) -> Heard {
    let spec = Spec {
        program: program.path.into(),
        arguments: program.arguments.into_iter().map(Into::into).collect(),
        cwd: place.directory(),
        environment: place.environment(),
        time: program.time,
        grace: GRACE,
        input: program.input,
        confinement: None,
    };
    let mut ear = Ear { stdout: Vec::new(), stderr: Vec::new(), bell, is_flooded: false };
    let outcome = match run(spec, Mode::Captured, bell, &mut ear) {
        Ok(_) if ear.is_flooded => Outcome::Flooded,
        Ok(execution) => Outcome::Ended(execution.ending),
        Err(error) => Outcome::NotStarted(error.to_string()),
    };
    Heard { outcome, stdout: ear.stdout, stderr: ear.stderr }
}

/// Keeps what is said, and calls off whoever says too much.
#[derive(Debug)]
struct Ear<'a> {
    stdout: Vec<u8>,
    stderr: Vec<u8>,
    bell: &'a Cancel,
    is_flooded: bool,
}

impl Output for Ear<'_> {
    fn stdout(&mut self, bytes: &[u8]) {
        self.is_flooded |= !keep(&mut self.stdout, bytes, self.bell);
    }

    fn stderr(&mut self, bytes: &[u8]) {
        self.is_flooded |= !keep(&mut self.stderr, bytes, self.bell);
    }
}

fn keep(said: &mut Vec<u8>, bytes: &[u8], bell: &Cancel) -> bool {
    let fits = said.len() + bytes.len() <= MOST;
    if fits {
        said.extend_from_slice(bytes);
    } else {
        bell.cancel();
    }
    fits
}
