//! Where it is decided what a client may have a server do.

use std::io;
use std::sync::mpsc::SyncSender;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use herm::Action;
use herm::approval::Answer;
use herm::call::{Call, CallId, Door, Drift, Exec, SessionId, Tool};
use herm::fetch::Fetch;
use herm::policy::mcp::Sampling;
use herm_adapters::jsonrpc::Message;
use herm_adapters::mcp::protocol::Era;
use herm_adapters::mcp::wrap::{Called, Matter, Verdict};
use herm_proxy::{Fetcher, Limits, Terms};
use herm_sandbox::process::Cancel;
use serde_json::{Value, json};

use super::circles::Circles;
use super::question::{self, Asking, Later, Way};
use super::rounds::{Answers, Rounds};
use super::seal::{Bound, Seal};
use super::{Event, Face, Failure, Server, Whom, Wrap};
use crate::egress::Watched;
use crate::fetch::remember;
use crate::gate::Reach;
use crate::given::{self, Direction};
use crate::mcp::pins::Pins;
use crate::release::Release;
use crate::runtime::Runtime;
use crate::setup::{Problem, Setup};
use crate::{Consent, ancestry, mcp};

/// What is known of a conversation, for whoever decides.
#[derive(Debug)]
pub(super) struct Desk {
    pub(super) face: Arc<dyn Face>,
    pub(super) name: String,
    pub(super) server: Server,
    pub(super) session: SessionId,
    pub(super) pins: Mutex<Pins>,
    pub(super) circles: Circles,
    whom: Whom,
    turn: Mutex<()>,
    seal: Seal,
    rate: u32,
    rounds: Rounds,
}

/// How a server itself came to be allowed.
pub(super) type Begun = Vec<(Call, Consent)>;

/// How long a server elsewhere may be silent on a connection.
const QUIET: Duration = Duration::from_hours(1);

/// How many calls a minute a server takes where nothing is said.
const RATE: u32 = 120;

/// What models are told about whatever was refused.
const TOLD: &str = "It must not be retried, rephrased or done in another way.";

impl Desk {
    pub(super) fn new(wrap: &Wrap, face: Arc<dyn Face>, salt: &str) -> Result<Self, Failure> {
        let setup = face.setup().map_err(Failure::Setup)?;
        let pins = Pins::new(&setup.guard, &wrap.name, &wrap.server.place());
        pins.begin().map_err(|error| Failure::Refused(unkept(&error)))?;
        Ok(Self {
            rate: setup.policy.mcp.get(&wrap.name).and_then(|server| server.rate).unwrap_or(RATE),
            pins: Mutex::new(pins),
            session: mcp::session(),
            seal: Seal::new(salt)?,
            turn: Mutex::new(()),
            circles: Circles::default(),
            rounds: Rounds::default(),
            name: wrap.name.clone(),
            server: wrap.server.clone(),
            // What herm runs cannot be its own client: the yes would be that of whoever asks.
            whom: if ancestry::is_guarded() { Whom::Herm } else { wrap.whom },
            face,
        })
    }

    pub(super) const fn rate(&self) -> u32 {
        self.rate
    }

    pub(super) fn tell(&self, what: &str) {
        self.face.tell(&format!("{}: {what}", self.name));
    }

    /// The server is about to hear this: where a list of tools begins, that of before is over.
    pub(super) fn hears(&self, line: &[u8]) -> io::Result<()> {
        let Ok(Message::Request(request)) = Message::read(line.trim_ascii_end()) else { return Ok(()) };
        let cursor = request.params.as_ref().and_then(|params| params.get("cursor"));
        if request.method != "tools/list" || cursor.and_then(Value::as_str).is_some_and(|at| !at.is_empty()) {
            return Ok(());
        }
        let pins = self.pins.lock().unwrap_or_else(PoisonError::into_inner);
        pins.begin().map_err(|error| io::Error::other(unkept(&error)))
    }

    /// Whether the server may be started or connected to at all.
    pub(super) fn may_begin(&self) -> Result<Begun, Failure> {
        let setup = self.face.setup().map_err(Failure::Setup)?;
        let action = match &self.server {
            Server::Program { words, .. } => Action::Exec(Exec::program(words.clone())),
            Server::Remote { url, .. } => Action::Fetch(Fetch::url(url)),
        };
        let cancel = Cancel::new()?;
        let call = self.made(&setup, "", action.clone());
        match self.release(setup, vec![action], "", &cancel, Way::AtHand) {
            Ok(consents) => Ok(consents.into_iter().map(|consent| (call.clone(), consent)).collect()),
            Err(Unreleased::Refused(why)) => Err(Failure::Refused(why)),
            Err(Unreleased::Open(..)) => Err(Failure::Refused("nobody could be asked".to_owned())),
        }
    }

    /// What connects to a server elsewhere, and to nothing that may not be connected to.
    pub(super) fn fetcher(&self, setup: Setup, begun: &Begun) -> Result<Fetcher, Failure> {
        let cancel = Cancel::new()?;
        let turn = Mutex::new(());
        let mut people = Asking {
            face: &*self.face,
            setup: setup.clone(),
            cancel: &cancel,
            turn: &turn,
            way: Way::AtHand,
        };
        let runtime = Runtime::new(setup.clone(), &mut people).map_err(Failure::Setup)?;
        let memory = runtime.books.memory(&self.session.0);
        let mut memory = memory.map_err(|error| Failure::Refused(error.to_string()))?;
        for (call, consent) in begun {
            remember(&mut memory, call, consent);
        }
        let judge = Arc::new(Watched::new(setup, self.session.clone(), Reach::default(), memory));
        let limits = Limits { idle: QUIET, ..Limits::default() };
        let terms = Terms::new(judge as Arc<_>).limited(limits);
        Ok(Fetcher::new(terms, Arc::new(|_| {}))?)
    }

    /// Decides.
    pub(super) fn decide(&self, matter: &Matter, cancel: &Cancel, events: &SyncSender<Event>) -> Verdict {
        let setup = match self.face.setup() {
            Ok(setup) => setup,
            Err(problem) => return Verdict::Refuse(told(&problem)),
        };
        match matter {
            Matter::Call(called) => self.call(setup, called, cancel, events),
            Matter::Given(what, given) => {
                self.mentioned(setup, given::mentioned(&self.full(what), given), cancel, events)
            }
            Matter::Resource(uri) => self.mentioned(setup, given::resource(uri), cancel, events),
            Matter::Sampling => self.sampling(setup, cancel, events),
        }
    }

    fn call(&self, setup: Setup, called: &Called, cancel: &Cancel, events: &SyncSender<Event>) -> Verdict {
        let name = self.full(&called.name);
        if let Some(stop) = self.circles.before(&name, &called.arguments, Instant::now()) {
            return Verdict::Refuse(stop);
        }
        let drift = self.pins.lock().unwrap_or_else(PoisonError::into_inner).drift(called.tool.as_ref());
        let drift = match drift {
            Ok(drift) => drift,
            Err(error) => return Verdict::Refuse(unkept(&error)),
        };
        let tool = described(given::tool(&name, &called.arguments), called, drift.as_ref());
        let deeds = given::deeds(tool, &called.arguments, direction(called));
        let way = match self.way(&setup, called, events) {
            Ok(way) => way,
            Err(why) => return Verdict::Refuse(why),
        };
        match self.release(setup, deeds, &called.id, cancel, way) {
            Ok(consents) => {
                if let (Some(_), Some(tool)) = (drift, &called.tool) {
                    let answers = consents.iter().filter_map(|consent| consent.answer.as_ref());
                    self.learn(tool, &answers.map(|(answer, _)| *answer).collect::<Vec<_>>());
                }
                Verdict::Go
            }
            Err(Unreleased::Open(asked, answers)) => {
                let bound = Bound { name: &called.name, arguments: &called.arguments };
                let state = self.seal.state(&asked.digest, bound);
                self.rounds.keep(&state, answers);
                Verdict::Ask(question::form(&asked), state)
            }
            Err(Unreleased::Refused(why)) => Verdict::Refuse(why),
        }
    }

    /// Remembers a yes to what a tool is now, as long as it was meant.
    fn learn(&self, tool: &herm_adapters::mcp::tools::Tool, answers: &[Answer]) {
        let mut pins = self.pins.lock().unwrap_or_else(PoisonError::into_inner);
        if answers.contains(&Answer::Always) {
            // What cannot be kept is asked again.
            let kept = pins.pin(tool);
            drop(pins);
            kept.err().iter().for_each(|error| self.tell(&unkept(error)));
        } else if answers.contains(&Answer::Session) {
            pins.accept(tool);
        }
    }

    /// Who is asked about a call. Nobody but a guard's approvers answers where there is a guard.
    fn way<'a>(
        &self,
        setup: &Setup,
        called: &Called,
        events: &'a SyncSender<Event>,
    ) -> Result<Way<'a>, String> {
        let bound = Bound { name: &called.name, arguments: &called.arguments };
        let asks = self.whom == Whom::Client && called.can_ask && setup.policy.broker.is_none();
        match (called.era, &called.answered) {
            (Era::Session, _) if asks => Ok(Way::Client(events)),
            (Era::Stateless, None) if asks => {
                let answered = self.rounds.resumed(bound).map(|question| (question, Answer::Once));
                Ok(Way::Later(Box::new(Later {
                    answered: answered.into_iter().collect(),
                    ..Later::default()
                })))
            }
            (Era::Stateless, Some(answered)) if asks => {
                let opened = self.seal.opens(&answered.state, bound);
                let opened = opened.ok_or("herm: the answer belongs to another call, or came too late.")?;
                let answer = answered.answer.as_ref().and_then(question::answer);
                let answer = answer
                    .ok_or_else(|| format!("herm: refused: the client's person gave no answer. {TOLD}"))?;
                let mut answers = self.rounds.earlier(&answered.state);
                answers.push((opened.question().to_owned(), answer));
                Ok(Way::Later(Box::new(Later { answered: answers, ..Later::default() })))
            }
            (_, Some(_)) => Err("herm: nobody asked for this answer.".to_owned()),
            (_, None) => Ok(Way::AtHand),
        }
    }

    /// The server wants something before it goes on with a call that a person said yes to.
    pub(super) fn goes_on(&self, called: &Called) {
        let bound = Bound { name: &called.name, arguments: &called.arguments };
        let opened = called.answered.as_ref().and_then(|answered| self.seal.opens(&answered.state, bound));
        if let Some(opened) = opened {
            self.rounds.goes_on(opened.question(), bound);
        }
    }

    /// What is asked of a server besides its tools. Only what is read, fetched or run here can be judged; the rest is its own.
    fn mentioned(
        &self,
        setup: Setup,
        deeds: Vec<Action>,
        cancel: &Cancel,
        events: &SyncSender<Event>,
    ) -> Verdict {
        if deeds.is_empty() { Verdict::Go } else { self.plain(setup, deeds, cancel, events) }
    }

    /// Whether the client's model may answer the server.
    fn sampling(&self, setup: Setup, cancel: &Cancel, events: &SyncSender<Event>) -> Verdict {
        let said = setup.policy.mcp.get(&self.name).and_then(|server| server.sampling).unwrap_or_default();
        let name = self.full("sampling/createMessage");
        match said {
            Sampling::Allow => Verdict::Go,
            Sampling::Ask => {
                self.plain(setup, vec![Action::Tool(Tool::new(&name, "", Vec::new()))], cancel, events)
            }
            Sampling::Deny => Verdict::Refuse(format!("herm: refused: `{name}` is denied. {TOLD}")),
        }
    }

    fn plain(
        &self,
        setup: Setup,
        deeds: Vec<Action>,
        cancel: &Cancel,
        events: &SyncSender<Event>,
    ) -> Verdict {
        let asks = self.whom == Whom::Client && setup.policy.broker.is_none();
        let way = if asks { Way::Client(events) } else { Way::AtHand };
        match self.release(setup, deeds, "", cancel, way) {
            Ok(_) => Verdict::Go,
            Err(Unreleased::Open(..)) => Verdict::Refuse("herm: nobody could be asked".to_owned()),
            Err(Unreleased::Refused(why)) => Verdict::Refuse(why),
        }
    }

    fn full(&self, tool: &str) -> String {
        format!("{}/{tool}", self.name)
    }

    /// Takes everything that a call comes to the way of every call.
    fn release(
        &self,
        setup: Setup,
        deeds: Vec<Action>,
        id: &str,
        cancel: &Cancel,
        way: Way<'_>,
    ) -> Result<Vec<Consent>, Unreleased> {
        let calls = deeds.into_iter().map(|action| self.made(&setup, id, action)).collect();
        let mut people = Asking { face: &*self.face, setup: setup.clone(), cancel, turn: &self.turn, way };
        let refused = {
            let mut runtime =
                Runtime::new(setup, &mut people).map_err(|problem| Unreleased::Refused(told(&problem)))?;
            let mut consents = Vec::new();
            let mut refused = None;
            for call in runtime.strictest_first(calls) {
                match runtime.release(&call, cancel) {
                    Release::Released { consent, .. } => consents.push(*consent),
                    Release::HandedOn(_) => {
                        refused = Some("herm: refused: nobody could be asked".to_owned());
                        break;
                    }
                    Release::Refused(reply) => {
                        refused = Some(self.face.refusal(&reply));
                        break;
                    }
                }
            }
            match refused {
                None => return Ok(consents),
                Some(why) => why,
            }
        };
        match people.way {
            Way::Later(later) => {
                let Later { open, used, .. } = *later;
                Err(open.map_or_else(|| refuse(refused), |asked| Unreleased::Open(Box::new(asked), used)))
            }
            Way::AtHand | Way::Client(_) => Err(refuse(refused)),
        }
    }

    fn made(&self, setup: &Setup, id: &str, action: Action) -> Call {
        Call {
            id: CallId(id.to_owned()),
            door: Door::Mcp,
            session: self.session.clone(),
            ..setup.call(action)
        }
    }
}

/// Why something was not released.
enum Unreleased {
    /// Somebody has to be asked this first; the others were answered so.
    Open(Box<crate::asked::Asked>, Answers),
    /// It was refused.
    Refused(String),
}

/// What a tool does with files.
pub(super) fn direction(called: &Called) -> Direction {
    Direction::of(&called.name, called.tool.as_ref().and_then(|tool| tool.reads))
}

/// A tool as it is asked about: where it is not the one that was looked at, with what is said about it now.
fn described(tool: Tool, called: &Called, drift: Option<&(Drift, String)>) -> Tool {
    let Some((drift, fingerprint)) = drift else { return tool };
    let said: String = called.tool.iter().flat_map(|tool| tool.description.chars()).take(LONGEST).collect();
    let shown = if said.is_empty() {
        called.arguments.to_string()
    } else {
        format!("{}, now described as {}", called.arguments, json!(said))
    };
    Tool::new(tool.name(), &shown, tool.given().to_vec()).drifted(*drift, fingerprint)
}

/// How much of a description is shown.
const LONGEST: usize = 1000;

/// A refusal that leaves no doubt.
fn refuse(why: String) -> Unreleased {
    let is_firm = why.contains("must not be retried");
    let end = if is_firm { "" } else { "\nIt must not be rephrased or done in another way." };
    Unreleased::Refused(why + end)
}

fn told(problem: &Problem) -> String {
    let hint = problem.hint().map(|hint| format!("\nhint: {hint}")).unwrap_or_default();
    format!("herm: {problem}{hint}")
}

pub(super) fn unkept(error: &herm_store::Error) -> String {
    format!("herm: what is known of the server cannot be used: {error}")
}
