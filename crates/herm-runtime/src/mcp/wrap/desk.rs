//! Where it is decided what a client may have a server do.

use std::io;
use std::sync::mpsc::SyncSender;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use herm::Action;
use herm::call::{Call, CallId, Door, Exec, SessionId, Tool};
use herm::fetch::Fetch;
use herm::policy::mcp::Sampling;
use herm_adapters::jsonrpc::Message;
use herm_adapters::mcp::wrap::{Matter, Verdict};
use herm_proxy::{Fetcher, Limits, Terms};
use herm_sandbox::process::Cancel;
use herm_store::Digest;
use serde_json::Value;

use super::circles::Circles;
use super::question::{Asking, Later, Way};
use super::rounds::{Answers, Rounds};
use super::seal::Seal;
use super::{Event, Face, Failure, Server, Whom, Wrap};
use crate::egress::Watched;
use crate::fetch::remember;
use crate::gate::Reach;
use crate::given;
use crate::mcp::pins::Pins;
use crate::perform::Hands;
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
    /// Greetings are asked about one after the other.
    pub(super) greeting: Mutex<()>,
    pub(super) whom: Whom,
    turn: Mutex<()>,
    pub(super) seal: Seal,
    rate: u32,
    pub(super) rounds: Rounds,
}

/// How a server itself came to be allowed.
pub(super) type Begun = Vec<(Call, Consent)>;

/// How long a server elsewhere may be silent on a connection.
const QUIET: Duration = Duration::from_hours(1);

/// How many calls a minute a server takes where nothing is said.
const RATE: u32 = 120;

/// What models are told about whatever was refused.
pub(super) const TOLD: &str = "It must not be retried, rephrased or done in another way.";

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
            greeting: Mutex::new(()),
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
        match self.release(setup, vec![action], "", &cancel, Way::AtHand, &[]) {
            Ok((consents, _)) => Ok(consents.into_iter().map(|consent| (call.clone(), consent)).collect()),
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
            Matter::Resource(uri, responses) => {
                let mut deeds = given::resource(uri);
                deeds.extend(given::mentioned(&self.full("resource"), responses));
                self.mentioned(setup, deeds, cancel, events)
            }
            Matter::Sampling => self.sampling(setup, cancel, events),
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
            Sampling::Allow => self.allowed(setup, cancel, Action::Tool(Tool::new(&name, "", Vec::new()))),
            Sampling::Ask => {
                self.plain(setup, vec![Action::Tool(Tool::new(&name, "", Vec::new()))], cancel, events)
            }
            Sampling::Deny => Verdict::Refuse(format!("herm: refused: `{name}` is denied. {TOLD}")),
        }
    }

    /// What the settings allow is recorded all the same.
    fn allowed(&self, setup: Setup, cancel: &Cancel, action: Action) -> Verdict {
        let call = self.made(&setup, "", action);
        let way = Way::AtHand;
        let mut people = Asking { face: &*self.face, setup: setup.clone(), cancel, turn: &self.turn, way };
        let runtime = match Runtime::new(setup, &mut people) {
            Ok(runtime) => runtime,
            Err(problem) => return Verdict::Refuse(told(&problem)),
        };
        let judged = runtime.judge(&call, &Hands::Others);
        match runtime.note(&call, &Consent::new(judged.digest, Vec::new()), "allow") {
            Ok(_) => Verdict::Go,
            Err(reply) => Verdict::Refuse(self.face.refusal(&reply)),
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
        match self.release(setup, deeds, "", cancel, way, &[]) {
            Ok(_) => Verdict::Go,
            Err(Unreleased::Open(..)) => Verdict::Refuse("herm: nobody could be asked".to_owned()),
            Err(Unreleased::Refused(why)) => Verdict::Refuse(why),
        }
    }

    pub(super) fn full(&self, tool: &str) -> String {
        format!("{}/{tool}", self.name)
    }

    /// Takes everything that a call comes to the way of every call. What was `recorded` as released before is not recorded again.
    pub(super) fn release(
        &self,
        setup: Setup,
        deeds: Vec<Action>,
        id: &str,
        cancel: &Cancel,
        way: Way<'_>,
        recorded: &[Digest],
    ) -> Result<(Vec<Consent>, Answers), Unreleased> {
        let calls = deeds.into_iter().map(|action| self.made(&setup, id, action)).collect();
        let mut people = Asking { face: &*self.face, setup: setup.clone(), cancel, turn: &self.turn, way };
        let released = {
            let mut runtime =
                Runtime::new(setup, &mut people).map_err(|problem| Unreleased::Refused(told(&problem)))?;
            match runtime.agree_to_all(calls, cancel) {
                Ok(agreed) => runtime.let_all_go(agreed, recorded).map_err(|reply| self.face.refusal(&reply)),
                Err(Release::Refused(reply)) => Err(self.face.refusal(&reply)),
                Err(Release::HandedOn(_) | Release::Released { .. }) => {
                    Err("herm: refused: nobody could be asked".to_owned())
                }
            }
        };
        let later = match people.way {
            Way::Later(later) => *later,
            Way::AtHand | Way::Client(_) => Later::default(),
        };
        match (released, later.open) {
            (Ok(consents), _) => Ok((consents, later.used)),
            (Err(_), Some(asked)) => Err(Unreleased::Open(Box::new(asked), later.used)),
            (Err(refused), None) => Err(refuse(refused)),
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
pub(super) enum Unreleased {
    /// Somebody has to be asked this first; the others were answered so.
    Open(Box<crate::asked::Asked>, Answers),
    /// It was refused.
    Refused(String),
}

/// As much of a text as a person is shown, and how much more there is: what they cannot see they should know of.
pub(super) fn cut(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => {
            let (shown, rest) = text.split_at_checked(end).unwrap_or((text, ""));
            format!("{shown} … and {} more characters, which are not shown", rest.chars().count())
        }
        None => text.to_owned(),
    }
}

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
