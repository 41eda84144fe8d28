//! Tools that ran without anybody having been asked: they are judged all the same, and recorded as seen.

use std::io;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;
use std::time::Duration;

use herm::Decision;
use herm::call::Call;
use herm_adapters::acp::{Place, Tool};

use super::calls::of_tool;
use super::desk::Desk;
use crate::asked::Asked;
use crate::people::{Heard, People};
use crate::perform::Hands;
use crate::record::Consent;
use crate::runtime::Runtime;

/// A tool that ran.
pub(super) type Sighting = (String, Option<Place>, Box<Tool>);

/// How many wait to be recorded. Who says more than can be recorded waits.
const WAITING: usize = 256;

/// Whoever records what ran.
#[derive(Debug)]
pub(super) struct Scribe {
    sightings: SyncSender<Sighting>,
    /// Nothing is ever said here: it is closed when everything is recorded.
    end: Receiver<()>,
}

/// Records what ran, one after the other, on a thread of its own.
pub(super) fn scribe(desk: Arc<Desk>) -> io::Result<Scribe> {
    let (sender, sightings) = sync_channel::<Sighting>(WAITING);
    let (writes, end) = sync_channel(0);
    thread::Builder::new().name("scribe".to_owned()).spawn(move || {
        let _writes = writes;
        let mut count = 0_u64;
        for (session, place, tool) in sightings {
            if let Some(words) = record(&desk, &session, place, &tool) {
                count += 1;
                desk.face.note(&format!("{words} (seen, not guarded here: {count} so far)"));
            }
        }
    })?;
    Ok(Scribe { sightings: sender, end })
}

impl Scribe {
    /// Takes something in, as soon as there is room. Says whether it will be recorded.
    pub(super) fn take(&self, sighting: Sighting) -> bool {
        self.sightings.send(sighting).is_ok()
    }

    /// Nothing more is seen. What was is written down first, unless that takes too long.
    pub(super) fn finish(self, time: Duration) {
        let Self { sightings, end } = self;
        drop(sightings);
        let _ = end.recv_timeout(time);
    }
}

/// What is said about a tool that ran; nothing where it did nothing outside the agent.
fn record(desk: &Desk, session: &str, place: Option<Place>, tool: &Tool) -> Option<String> {
    let meaning = tool.meaning(desk.terms.agent);
    if meaning.uses.is_empty() {
        return None;
    }
    let unknown = || Place { cwd: desk.terms.cwd.to_string_lossy().into_owned(), besides: Vec::new() };
    let unrecorded = |why: &dyn std::fmt::Display| {
        Some(format!("the agent did not ask about a tool, which cannot be recorded: {why}"))
    };
    let setup = match desk.setup(&place.unwrap_or_else(unknown)) {
        Ok(setup) => setup,
        Err(problem) => return unrecorded(&problem),
    };
    let calls = match of_tool(desk, &setup, session, tool, meaning.uses) {
        Ok(calls) => calls,
        Err(error) => return unrecorded(&error),
    };
    let mut nobody = Nobody;
    let runtime = match Runtime::new(setup, &mut nobody) {
        Ok(runtime) => runtime,
        Err(problem) => return unrecorded(&problem),
    };
    let mut words = None;
    for call in &calls {
        let said = note(&runtime, call);
        words = words.filter(|before: &String| before.contains(WORSE)).or(Some(said));
    }
    words
}

const WORSE: &str = "herm would have";

fn note(runtime: &Runtime<'_>, call: &Call) -> String {
    let judged = runtime.judge(call, &Hands::Others);
    let verdict = match &judged.ruling.decision {
        Decision::Allow(_) => String::new(),
        Decision::Ask(_) => format!(", about which {WORSE} asked"),
        Decision::Deny(_) => format!(", which {WORSE} refused"),
    };
    let what = runtime.redact(call.action.text());
    let consent = Consent::new(judged.digest, judged.ruling.findings);
    let unwritten = runtime.note(call, &consent, "seen").err().map(|_| ", and it could not be recorded");
    let what: String = what.chars().take(LONGEST).collect();
    format!("the agent did not ask about this{verdict}{}: {what}", unwritten.unwrap_or_default())
}

/// How many characters of it are told.
const LONGEST: usize = 200;

/// Nobody is asked about what is over.
#[derive(Debug)]
struct Nobody;

impl People for Nobody {
    fn ask(&mut self, _: &Asked, _: u32) -> Heard {
        Heard::Nobody("it is over".to_owned())
    }
}
