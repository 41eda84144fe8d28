//! `herm hook`
//!
//! An agent runs a tool whose hook crashes or takes too long. So the work is done in a child, and what would be said if it came to
//! nothing is known before it begins.

use std::cell::Cell;
use std::io::{self, Read, Write};
use std::path::PathBuf;
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use clap::ArgMatches;
use herm::Finding;
use herm::call::Call;
use herm::policy::Released;
use herm_runtime::adapters::{Agent, Answer, Event, LONGEST, Phase, Reply, Use};
use herm_runtime::asked::Asked;
use herm_runtime::observe::{self, Onlooker};
use herm_runtime::people::{Heard, People};
use herm_runtime::perform::Cancel;
use herm_runtime::setup::{Problem, Trust};
use herm_runtime::store::Error;
use herm_runtime::ticket::{Confined, Handed, Issuer};
use herm_runtime::{Release, Runtime, Setup, Wishes, ancestry, catch_up, cleansed, incoming, made, pace};

use serde_json::Value;

use super::loosening;
use super::packed::{pack, unpack};
use crate::arguments;
use crate::exit::Exit;
use crate::people::AtHand;
use crate::render::escape::escape;
use crate::render::run::words;

/// Answers an agent.
pub(super) fn run(matches: &ArgMatches) -> Exit {
    let started = Instant::now();
    let Some(agent) = matches.get_one::<String>("agent").and_then(|word| Agent::of(word)) else {
        return say(&Reply::block(UNUSABLE));
    };
    if matches.get_flag("shim") {
        return shim(agent);
    }
    let wishes = guard_of(matches);
    let attitude = if observe::until(&wishes).is_some() { Attitude::Observing } else { Attitude::Guarding };
    let time = matches.get_one::<u32>("deadline").map_or(agent.deadline(), |&seconds| seconds_of(seconds));
    let done = herm_runtime::guarded(started + time, || {
        let end = started + time.saturating_sub(margin(time));
        let hook = Hook { matches, agent, end, attitude, written: Cell::new(None) };
        let reply = hook.answer();
        // The agent is not kept waiting for the disk.
        (pack(&reply), move || hook.written.take().iter().for_each(|guard| catch_up(guard)))
    });
    let reply = done.ok().flatten().and_then(|packed| unpack(&packed));
    say(&reply.unwrap_or_else(|| match attitude {
        Attitude::Guarding => agent.block(UNDECIDED),
        Attitude::Observing => Reply::default(),
    }))
}

/// Whether anything is stopped. It is settled before anything is read, so that nothing that is read can settle it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Attitude {
    Guarding,
    /// A person wants to see first what would be stopped.
    Observing,
}

/// Where herm keeps its files for this hook, whatever the environment says.
fn guard_of(matches: &ArgMatches) -> Wishes {
    Wishes {
        guard: matches.get_one::<String>("herm-home").map(PathBuf::from),
        trust: Trust::Machine,
        ..arguments::wishes(matches)
    }
}

/// Prints what has to be installed where hooks are no programs.
fn shim(agent: Agent) -> Exit {
    let herm = std::env::current_exe().ok().and_then(|path| path.into_os_string().into_string().ok());
    match herm.and_then(|herm| agent.shim(&herm)) {
        Some(text) => super::answer(&text, Exit::Allow),
        None => super::fail(&format!("{} starts herm by itself: it needs nothing else", agent.name())),
    }
}

/// Wrong arguments: a tool must not run because its hook was installed wrongly.
pub(crate) fn misused() -> Exit {
    say(&Reply::block(UNUSABLE))
}

const MOVED: &str = "herm: what would be run was changed while it was judged, so it may not be run";

const UNUSABLE: &str =
    "herm: the hook was called in a way that it does not understand, so nothing is allowed";

const UNDECIDED: &str = "herm: it could not be decided whether this may be done, so it may not. It must not be retried, rephrased or done in \
     another way.";

fn seconds_of(seconds: u32) -> Duration {
    Duration::from_secs(u64::from(seconds))
}

/// How long before the end people are no longer waited for, so that what they did not say can be recorded.
fn margin(time: Duration) -> Duration {
    (time / 10).min(Duration::from_secs(2))
}

/// Prints a reply. Where nobody reads it there is nothing left to be done.
///
/// Standard output comes first, and standard error is not waited for: some agents read only one of them.
fn say(reply: &Reply) -> Exit {
    let mut out = io::stdout().lock();
    let _ = out.write_all(reply.stdout.as_bytes()).and_then(|()| out.flush());
    let (written, is_written) = mpsc::channel();
    let words = reply.stderr.clone();
    let speak = move || written.send(io::stderr().write_all(words.as_bytes()));
    match thread::Builder::new().spawn(speak) {
        Ok(_) => drop(is_written.recv_timeout(UNREAD)),
        // Without a thread one has to wait after all.
        Err(_) => drop(io::stderr().write_all(reply.stderr.as_bytes())),
    }
    Exit::Command(reply.exit)
}

/// How long somebody may take to read standard error.
const UNREAD: Duration = Duration::from_millis(500);

/// One call of a hook.
struct Hook<'a> {
    matches: &'a ArgMatches,
    agent: Agent,
    end: Instant,
    attitude: Attitude,
    /// Where something was written that is not on the disk yet.
    written: Cell<Option<PathBuf>>,
}

impl Hook<'_> {
    fn answer(&self) -> Reply {
        let mut told = Vec::new();
        // One byte more than is taken, so that what is too long is noticed.
        let most = u64::try_from(LONGEST).unwrap_or(u64::MAX).saturating_add(1);
        if let Err(error) = io::stdin().lock().take(most).read_to_end(&mut told) {
            return self.agent.block(&format!("herm: what the agent tells cannot be read: {error}"));
        }
        let event = match self.agent.decode(&told) {
            Ok(event) => event,
            // What cannot be understood cannot be recorded either.
            Err(_) if self.attitude == Attitude::Observing => return Reply::default(),
            Err(malformed) => {
                let why = short(escape(&malformed.to_string()).into_owned());
                return self.agent.block(&format!("herm: {why}, so nothing is allowed"));
            }
        };
        let answer = match event.phase {
            Phase::After => self.after(&event),
            Phase::Before if !event.uses.is_empty() && self.attitude == Attitude::Observing => {
                // What keeps it from being recorded stops nothing.
                let _ = self.observe(&event);
                Ok(Answer::Pass)
            }
            Phase::Before if !event.uses.is_empty() => self.before(&event),
            Phase::Other if event.begins_turn() => self.turn(&event),
            Phase::Before | Phase::Other => Ok(Answer::Pass),
        };
        let answer = match answer.unwrap_or_else(Answer::Refuse) {
            Answer::Ask(reason) => Answer::Ask(short(reason)),
            Answer::Refuse(reason) => Answer::Refuse(short(reason)),
            answer @ (Answer::Approve
            | Answer::Pass
            | Answer::Replace(..)
            | Answer::Rewrite { .. }
            | Answer::Warn(_)) => answer,
        };
        self.agent.encode(&event, &answer)
    }

    /// What is said before a tool runs; why nothing could be judged, where that is so.
    fn before(&self, event: &Event) -> Result<Answer, String> {
        let setup = self.setup()?;
        let herm = std::env::current_exe().ok();
        let handed = Handed { agent: self.agent, herm: herm.as_deref(), guard: &setup.guard };
        let event = &handed.asked_about(event.clone()).map_err(|error| unkept(&error))?;
        let session = incoming::session(self.agent, event);
        if let Some(stop) = pace::before(&setup.guard, &session, event).map_err(|error| unkept(&error))? {
            return Ok(Answer::Refuse(stop));
        }
        let calls = self.calls(&setup, event)?;
        let cancel =
            Cancel::on_signals().map_err(|error| format!("herm: cannot listen for signals: {error}"))?;
        let mut people = AtHook {
            at_hand: AtHand::new(&setup, &cancel),
            hands_on: self.agent_asks(&setup),
            end: self.end,
        };
        // Where there is a guard, it keeps the record.
        self.written.set(setup.policy.broker.is_none().then(|| setup.guard.clone()));
        let mut runtime = Runtime::new(setup, &mut people).map_err(|problem| told(&problem))?;
        let ordered = runtime.strictest_first(calls.clone());
        let wishes = arguments::wishes(self.matches);
        let issuer = Issuer { agent: self.agent, event, wishes: &wishes, herm };
        let opens = event.uses.iter().any(|one| matches!(one, Use::Delegate(_) | Use::Skill { .. }));
        // What stands in a file cannot be handed back as another command.
        let answer = decide(&mut runtime, &ordered, &cancel, Some(&issuer).filter(|_| !opens))?;
        // What was judged stood in files: it must stand there still.
        if opens && self.calls(&self.setup()?, event)? != calls {
            return Ok(Answer::Refuse(MOVED.to_owned()));
        }
        Ok(answer)
    }

    fn calls(&self, setup: &Setup, event: &Event) -> Result<Vec<Call>, String> {
        incoming::calls(setup, self.agent, event)
            .map_err(|error| format!("herm: the directory that the agent names cannot be used: {error}"))
    }

    /// Records what would be said before a tool runs.
    fn observe(&self, event: &Event) -> Result<(), String> {
        let setup = self.setup()?;
        let calls = incoming::calls(&setup, self.agent, event).map_err(|error| error.to_string())?;
        let cancel = Cancel::on_signals().map_err(|error| error.to_string())?;
        self.written.set(setup.policy.broker.is_none().then(|| setup.guard.clone()));
        let mut people = Onlooker;
        let mut runtime = Runtime::new(setup, &mut people).map_err(|problem| told(&problem))?;
        calls.iter().try_for_each(|call| runtime.observe(call, &cancel))
    }

    /// What is said after a tool ran: its result without secrets, or that it gets nowhere.
    fn after(&self, event: &Event) -> Result<Answer, String> {
        let result = event.result.as_ref().filter(|_| self.agent.replaces_results());
        // What cannot be looked through is not shown.
        let withheld = |reason: String| match result {
            Some(result) => Ok(Answer::Replace(withheld(result, &short(reason)), None)),
            None => Err(reason),
        };
        let setup = match self.setup() {
            Ok(setup) => setup,
            Err(reason) => return withheld(reason),
        };
        let clean = match result.map(|result| cleansed(&setup, result)).transpose() {
            Ok(clean) => clean.flatten(),
            Err(problem) => return withheld(told(&problem)),
        };
        // What is not recorded as made is asked about later.
        let _ = made::after(&setup, self.agent, event);
        // Advice that cannot be had keeps nothing back.
        let warning = advice(&setup, self.agent, event);
        Ok(match (clean, warning) {
            (Some(clean), warning) => Answer::Replace(clean, warning),
            (None, Some(warning)) => Answer::Warn(warning),
            (None, None) => Answer::Pass,
        })
    }

    /// A person has spoken.
    fn turn(&self, event: &Event) -> Result<Answer, String> {
        let setup = self.setup()?;
        let session = incoming::session(self.agent, event);
        pace::turn(&setup.guard, &session).map_err(|error| unkept(&error))?;
        Ok(Answer::Pass)
    }

    /// Nobody but a guard's approvers answers where there is a guard.
    fn agent_asks(&self, setup: &Setup) -> bool {
        let wanted = self.matches.get_one::<String>("ask").is_none_or(|whom| whom == "agent");
        wanted && self.agent.asks_safely() && setup.policy.broker.is_none()
    }

    /// The hooks of an agent behind a door are as its user has them.
    fn setup(&self) -> Result<Setup, String> {
        setup_as(self.matches, ancestry::is_run())
    }
}

/// What the model is told after a tool ran.
fn advice(setup: &Setup, agent: Agent, event: &Event) -> Option<String> {
    let herm = std::env::current_exe().ok();
    let handed = Handed { agent, herm: herm.as_deref(), guard: &setup.guard };
    let (event, is_missed) = handed.over(event.clone()).unwrap_or_else(|_| (event.clone(), false));
    if is_missed {
        let is_left = setup.policy.released != Released::Always;
        return Some(if is_left { MISSED } else { NOT_LEFT }.to_owned());
    }
    pace::after(setup, agent, &event).unwrap_or_default()
}

const MISSED: &str = "herm: nothing was run, because herm cannot be where this agent runs commands. From now on it leaves them to the agent in this \
     session, as they are: call the tool again.";

const NOT_LEFT: &str = "herm: nothing was run, because herm cannot be where this agent runs commands, and they are to run in its sandbox \
     (`sandbox.agents: always`). Calling the tool again does not help: tell the person.";

/// What holds at the door of an agent, whatever the environment says; `guarded` is whether herm stands above it, so that it cannot choose.
pub(super) fn setup_as(matches: &ArgMatches, guarded: bool) -> Result<Setup, String> {
    if let Some(why) = loosening(matches).filter(|_| guarded) {
        return Err(format!("herm: {why}"));
    }
    let mut setup = Setup::new(guard_of(matches)).map_err(|problem| told(&problem))?;
    if guarded {
        setup.ask_in_any_case();
    }
    Ok(setup)
}

/// A result in the shape in which it came, with a reason in the place of every text.
fn withheld(result: &Value, reason: &str) -> Value {
    match result {
        Value::String(text) if !text.is_empty() => Value::String(reason.to_owned()),
        Value::Array(items) => items.iter().map(|item| withheld(item, reason)).collect(),
        Value::Object(fields) => {
            fields.iter().map(|(key, value)| (key.clone(), withheld(value, reason))).collect()
        }
        Value::Bool(_) | Value::Null | Value::Number(_) | Value::String(_) => result.clone(),
    }
}

/// No longer than a pipe takes that nobody reads: an agent that does not look at standard error must not make us wait for it.
fn short(reason: String) -> String {
    match reason.char_indices().nth(LONGEST_REASON) {
        Some((end, _)) => format!("{} …", reason.get(..end).unwrap_or_default()),
        None => reason,
    }
}

/// In characters, each of which takes at most twelve bytes in JSON.
const LONGEST_REASON: usize = 4000;

fn unkept(error: &Error) -> String {
    format!("herm: what is known of the session cannot be used: {}", escape(&error.to_string()))
}

pub(super) fn told(problem: &Problem) -> String {
    let hint = problem.hint().map(|hint| format!("\nhint: {}", escape(&hint))).unwrap_or_default();
    format!("herm: {}{hint}", escape(&problem.to_string()))
}

/// All that a tool would do must be allowed.
pub(super) fn decide(
    runtime: &mut Runtime<'_>,
    calls: &[Call],
    cancel: &Cancel,
    issuer: Option<&Issuer<'_>>,
) -> Result<Answer, String> {
    let mut asked: Vec<Finding> = Vec::new();
    let mut approved = false;
    let mut instead = None;
    for call in calls {
        // A tool that does one thing alone can be handed another.
        let issuer = issuer.filter(|_| calls.len() == 1);
        let (release, confined) = match issuer {
            Some(issuer) => issuer.release(runtime, call, cancel).map_err(|problem| told(&problem))?,
            None => (runtime.release(call, cancel), Confined::Left),
        };
        match release {
            Release::HandedOn(findings) => asked.extend(findings),
            Release::Refused(reply) => {
                let lines = words(&reply).into_iter().map(|(who, what)| format!("{who}: {}", escape(&what)));
                return Ok(Answer::Refuse(lines.collect::<Vec<_>>().join("\n")));
            }
            Release::Released { consent, .. } => {
                approved |= consent.answer.is_some() && consent.opinion.is_none();
                match confined {
                    Confined::Instead(input) => instead = Some(input),
                    Confined::Left => {}
                    Confined::Refused(why) => return Ok(Answer::Refuse(why.to_owned())),
                }
            }
        }
    }
    Ok(match (asked.is_empty(), instead) {
        (false, _) => Answer::Ask(question(&asked)),
        (true, Some(input)) => Answer::Rewrite { input, approved },
        (true, None) if approved => Answer::Approve,
        (true, None) => Answer::Pass,
    })
}

/// What the agent's own person is shown.
fn question(findings: &[Finding]) -> String {
    let reason = |finding: &Finding| format!("{} [{}]", escape(&finding.reason), finding.rule);
    format!("herm: it {}", findings.iter().map(reason).collect::<Vec<_>>().join("; it "))
}

/// Whoever is at hand while an agent waits.
#[derive(Debug)]
struct AtHook<'a> {
    at_hand: AtHand<'a>,
    hands_on: bool,
    end: Instant,
}

impl People for AtHook<'_> {
    fn ask(&mut self, asked: &Asked, seconds: u32) -> Heard {
        if self.hands_on {
            return Heard::Nobody("the agent asks its own person".to_owned());
        }
        let left = self.end.saturating_duration_since(Instant::now()).as_secs();
        self.at_hand.ask(asked, seconds.min(u32::try_from(left).unwrap_or(u32::MAX)))
    }

    fn hands_on(&self) -> bool {
        self.hands_on
    }
}
