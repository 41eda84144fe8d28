//! Judges what agents did before, as their hooks would have: nothing is run, asked, recorded or changed.

mod shelf;
mod tally;

use std::collections::{BTreeMap, HashSet};
use std::path::PathBuf;

use herm::call::Call;
use herm::{AbsPath, Engine};
use herm_adapters::{Agent, Event, Past, Transcript};
use herm_shell::world::{Blind, World};
use herm_store::{Digest, Timestamp};
use serde_json::{Value, json};

use self::shelf::{Form, Kept, Line};
pub use self::tally::{Did, Stopped, Suggestion, Tally};
use crate::incoming;
use crate::setup::Setup;
use crate::wiring::Places;
use crate::world::{LocalWorld, Variables};

/// What is to be judged.
#[derive(Clone, Debug)]
pub struct Wanted {
    /// Of which agents.
    pub agents: Vec<Agent>,
    /// In which files and directories; where agents keep them, if there are none.
    pub paths: Vec<PathBuf>,
    /// Since when. What has no time is left out then.
    pub since: Option<Timestamp>,
    /// Whether scripts are opened and links followed.
    pub sight: Sight,
}

/// Whether the files of this machine are looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sight {
    /// They are not.
    Blind,
    /// They are, as they are now.
    Seeing,
}

/// Judges transcripts. What is wrong with one is told with what came of the others.
#[must_use]
pub fn replay(setup: &Setup, places: &Places, wanted: &Wanted) -> Tally {
    let kept = if wanted.paths.is_empty() {
        shelf::usual(places, &wanted.agents)
    } else {
        shelf::named(&wanted.paths, &wanted.agents)
    };
    let mut replay =
        Replay { setup, wanted, engines: BTreeMap::new(), seen: HashSet::new(), tally: Tally::default() };
    for kept in kept {
        replay.read(&kept);
    }
    replay.tally
}

struct Replay<'a> {
    setup: &'a Setup,
    wanted: &'a Wanted,
    /// What holds in each directory, or why nothing can be judged there.
    engines: BTreeMap<String, Result<Engine, String>>,
    /// What was judged already: a conversation that goes on in another file begins with a copy of itself.
    seen: HashSet<Digest>,
    tally: Tally,
}

impl Replay<'_> {
    fn read(&mut self, kept: &Kept) {
        self.tally.files += 1;
        let read = match kept.form {
            Form::Database => shelf::turns(&kept.file, |turn| {
                let Some(mut transcript) = Transcript::new(kept.agent, Some(turn.session), turn.cwd) else {
                    return;
                };
                let calls: Option<Value> =
                    turn.calls.as_deref().and_then(|calls| serde_json::from_str(calls).ok());
                let moment = Timestamp::from_millis(turn.millis);
                match calls {
                    Some(calls) => {
                        let message = json!({ "role": "assistant", "tool_calls": calls, "timestamp": moment.to_string() });
                        self.line(kept.agent, &mut transcript, message.to_string().as_bytes());
                    }
                    None => self.tally.broken += 1,
                }
            }),
            Form::Lines => {
                let name = kept.file.file_stem().and_then(|name| name.to_str()).map(str::to_owned);
                let Some(mut transcript) = Transcript::new(kept.agent, name, None) else { return };
                let read = shelf::lines(&kept.file, |line| match line {
                    Line::Long => self.tally.long += 1,
                    Line::Whole(line) if line.trim_ascii().is_empty() => {}
                    Line::Whole(line) => self.line(kept.agent, &mut transcript, line),
                });
                read.map_err(|error| error.to_string())
            }
        };
        self.tally.unread.extend(read.err().map(|why| (kept.file.clone(), why)));
    }

    fn line(&mut self, agent: Agent, transcript: &mut Transcript, line: &[u8]) {
        match transcript.line(line) {
            Ok(past) => past.into_iter().for_each(|past| self.past(agent, past)),
            Err(_) => self.tally.broken += 1,
        }
    }

    fn past(&mut self, agent: Agent, past: Past) {
        let at = past.at.as_deref().and_then(|at| at.parse::<Timestamp>().ok());
        let is_wanted = self.wanted.since.is_none_or(|since| at.is_some_and(|at| at >= since));
        if !is_wanted || !self.seen.insert(Digest::of(format!("{}\0{}", agent.word(), past.mark).as_bytes()))
        {
            return;
        }
        match past.event {
            Ok(event) if event.uses.is_empty() => self.tally.idle += 1,
            Ok(event) => self.judge(agent, &event, past.at),
            // The hook would refuse it.
            Err(_) => self.tally.malformed += 1,
        }
    }

    fn judge(&mut self, agent: Agent, event: &Event, at: Option<String>) {
        let Ok(calls) = incoming::calls(self.setup, agent, event) else {
            self.tally.malformed += 1;
            return;
        };
        let rulings: Vec<_> = calls.into_iter().map(|call| (self.ruling(&call), call)).collect();
        self.tally.add(agent, event, at, &rulings);
    }

    fn ruling(&mut self, call: &Call) -> Result<herm::Ruling, String> {
        let world: &dyn World = match self.wanted.sight {
            Sight::Blind => &Blind,
            Sight::Seeing => &LocalWorld { variables: Variables::Inherited },
        };
        let setup = self.setup;
        let engine =
            self.engines.entry(call.cwd.as_str().to_owned()).or_insert_with(|| engine(setup, &call.cwd));
        engine.as_ref().map(|engine| engine.check(call, world)).map_err(Clone::clone)
    }
}

fn engine(setup: &Setup, cwd: &AbsPath) -> Result<Engine, String> {
    setup.policy_in(cwd).map(Engine::new).map_err(|problem| problem.to_string())
}
