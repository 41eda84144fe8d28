//! From where a connection should go to a connection that goes there, or to why there is none.

use std::fmt;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;

use herm::fetch::{Fetch, Resolved};
use herm::host::{Endpoint, Host};
use tokio::net::TcpStream;
use tokio::time::timeout;

use crate::consent::{Consents, Question};
use crate::judge::{Judgement, Objection};
use crate::names::Names;
use crate::record::{Meter, Outcome, Sink};
use crate::terms::Terms;

/// What all connections of a proxy share.
pub(crate) struct Shared {
    pub(crate) terms: Terms,
    pub(crate) names: Arc<Names>,
    consents: Consents,
    sink: Sink,
}

/// A connection to an address that was judged.
pub(crate) struct Route {
    pub(crate) stream: TcpStream,
    pub(crate) address: IpAddr,
    pub(crate) answered: Answered,
}

/// Why there is no connection.
#[derive(Debug)]
pub(crate) enum Refusal {
    /// It was allowed, and could not be made.
    Failed(String),
    /// Nobody may make it, or nobody said yes.
    Refused(Objection),
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Failed(why) => why.fmt(f),
            Self::Refused(Objection { rule, reason, instead }) => {
                write!(f, "{reason} [{rule}]")?;
                instead.iter().try_for_each(|instead| write!(f, "\n{instead}"))
            }
        }
    }
}

/// What a person has said yes to, for one connection.
pub(crate) type Answered = Vec<Objection>;

impl Shared {
    pub(crate) fn new(terms: Terms, names: Arc<Names>, sink: Sink) -> Arc<Self> {
        Arc::new(Self { terms, names, consents: Consents::default(), sink })
    }

    /// The beginning of a record.
    pub(crate) fn meter(&self, destination: impl fmt::Display) -> Meter {
        Meter::new(destination.to_string(), &self.sink)
    }

    /// Connects to where the rules and, where they ask, a person let it go. The record says what became of it.
    pub(crate) async fn open(&self, to: &Endpoint, meter: &mut Meter) -> Result<Route, Refusal> {
        self.open_as(Fetch::endpoint(to.clone()), to, meter).await
    }

    /// The same for what was asked for in more words.
    pub(crate) async fn open_as(
        &self,
        fetch: Fetch,
        to: &Endpoint,
        meter: &mut Meter,
    ) -> Result<Route, Refusal> {
        let opened = self.judged(fetch, to, meter).await;
        match &opened {
            Ok(route) => meter.note(|record| {
                record.address = Some(route.address);
                record.outcome = if record.rule.is_some() { Outcome::Approved } else { Outcome::Passed };
            }),
            Err(refusal) => write_down(refusal, meter),
        }
        opened
    }

    async fn judged(&self, fetch: Fetch, to: &Endpoint, meter: &mut Meter) -> Result<Route, Refusal> {
        let mut answered = Answered::new();
        self.allowed(fetch.clone(), to, &mut answered).await?;
        let addresses = match &to.host {
            Host::Address(address) => vec![*address],
            Host::Name(name) => {
                let looked_up = timeout(self.terms.limits.connect, self.terms.resolve.resolve(name)).await;
                let addresses = looked_up.unwrap_or_default();
                let fetch = fetch.resolved(Resolved::To(addresses.clone()));
                self.allowed(fetch, to, &mut answered).await?;
                addresses
            }
        };
        if let Some(objection) = answered.first().cloned() {
            meter.note(|record| (record.rule, record.reason) = (Some(objection.rule), objection.reason));
        }
        let (stream, address) = self.connect(&addresses, to.port).await?;
        Ok(Route { stream, address, answered })
    }

    /// Whether the rules, and the person who was asked when it was opened, let a connection that is open be used on.
    pub(crate) async fn again(
        &self,
        to: &Endpoint,
        address: IpAddr,
        answered: &mut Answered,
    ) -> Result<(), Refusal> {
        let fetch = Fetch::endpoint(to.clone()).resolved(Resolved::To(vec![address]));
        self.allowed(fetch, to, answered).await
    }

    async fn allowed(&self, fetch: Fetch, to: &Endpoint, answered: &mut Answered) -> Result<(), Refusal> {
        let objections = match self.terms.judge.judge(fetch) {
            Judgement::Allow => return Ok(()),
            Judgement::Deny(objections) => return Err(Refusal::first(objections)),
            Judgement::Ask(objections) => objections,
        };
        let known = |objection: &Objection| answered.iter().any(|other| other.rule == objection.rule);
        if objections.iter().all(known) {
            return Ok(());
        }
        let question = Question { to: to.clone(), objections: objections.clone() };
        if self.consents.given(&self.terms, question).await {
            answered.extend(objections);
            return Ok(());
        }
        Err(Refusal::first(objections))
    }

    /// Tries the addresses one after the other, and no others.
    #[expect(clippy::disallowed_methods, reason = "the one place where confined processes are connected")]
    async fn connect(&self, addresses: &[IpAddr], port: u16) -> Result<(TcpStream, IpAddr), Refusal> {
        let mut why = "no address answers".to_owned();
        for address in addresses {
            let target = SocketAddr::new(*address, port);
            match timeout(self.terms.limits.connect, TcpStream::connect(target)).await {
                Ok(Ok(stream)) => return Ok((stream, *address)),
                Ok(Err(error)) => why = format!("cannot connect to `{target}`: {error}"),
                Err(_) => why = format!("cannot connect to `{target}`: it does not answer"),
            }
        }
        Err(Refusal::Failed(why))
    }
}

/// Says in the record why there is no connection.
pub(crate) fn write_down(refusal: &Refusal, meter: &mut Meter) {
    meter.note(|record| match refusal {
        Refusal::Failed(why) => (record.outcome, record.reason) = (Outcome::Failed, why.clone()),
        Refusal::Refused(objection) => {
            record.outcome = Outcome::Refused;
            (record.rule, record.reason) = (Some(objection.rule), objection.reason.clone());
        }
    });
}

impl Refusal {
    /// The first objection tells the most. There is always one; without it, something is wrong, and nothing goes on.
    pub(crate) fn first(objections: Vec<Objection>) -> Self {
        match objections.into_iter().next() {
            Some(objection) => Self::Refused(objection),
            None => Self::Failed("refused without a reason".to_owned()),
        }
    }
}
